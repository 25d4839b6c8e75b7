"""Run by hatchling: brings htmx out of its wheel into static/, with its checksum verified."""

from __future__ import annotations

import hashlib
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HTMX = "django_htmx/static/django_htmx/htmx-2.min.js"
SHA256 = "71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de"


class CustomBuildHook(BuildHookInterface[Any]):
    """htmx is not copied into the repository; the build takes it from a package made for the purpose."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        script = Path(str(distribution("django-htmx").locate_file(HTMX))).read_bytes()
        found = hashlib.sha256(script).hexdigest()
        if found != SHA256:
            raise RuntimeError(f"htmx has an unexpected checksum: {found}")
        target = Path(self.root) / "static" / "htmx.min.js"
        target.write_bytes(script)
        build_data["artifacts"].append("static/htmx.min.js")
