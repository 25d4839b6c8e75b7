"""Run by hatchling: brings htmx out of its wheel into static/, and compiles the catalogues."""

from __future__ import annotations

import hashlib
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HTMX = "django_htmx/static/django_htmx/htmx-2.min.js"
SHA256 = "71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de"


class CustomBuildHook(BuildHookInterface[Any]):
    """Takes htmx from a package that contains it, so that no copy is in the repository; compiles the catalogues."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        script = Path(str(distribution("django-htmx").locate_file(HTMX))).read_bytes()
        found = hashlib.sha256(script).hexdigest()
        if found != SHA256:
            raise RuntimeError(f"htmx has an unexpected checksum: {found}")
        target = Path(self.root) / "static" / "htmx.min.js"
        target.write_bytes(script)
        build_data["artifacts"] += ["static/htmx.min.js", "companion/locale/**/*.mo"]
        bundle = Path(self.root) / "dist" / "site" / "py"  # by `make site`: the program for the phone itself
        if version == "standard" and bundle.is_dir():
            build_data["force_include"][str(bundle)] = "companion/py"
        for source in sorted((Path(self.root) / "companion" / "locale").glob("*/LC_MESSAGES/*.po")):
            compile_catalogue(source)


def compile_catalogue(source: Path) -> None:
    """A .po file becomes the .mo file that is read at run time."""
    with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
        write_mo(compiled, read_po(text))
