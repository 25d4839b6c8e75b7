"""Every address comes from `url_for`: no template, script or module writes one out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.bundle import PACKAGE, home_of

# An attribute or string that begins with an address.
IN_A_TEMPLATE = re.compile(r"""(?:href|src|action|formaction|hx-[a-z-]+)=["']/|["']/(?:[a-z]|["'] ?~)""")
IN_A_SCRIPT = re.compile(r"""["'`]/(?:["'`]|[a-z][\w.]*[/"'`?])|/\^\\/""")
IN_A_MODULE = re.compile(r"""f?["']/(?:["']|[a-z])""")
# Lines that may write an address: declarations of routes, and calls that parse or join other text.
DECLARED = re.compile(
    r"@\w+\.(get|post|put|delete|route)\(|Blueprint\(|\.(split|join|includes|rstrip|partition)\(|sqlite:"
)
THE_PLACE = "addresses.py"

TEMPLATES = sorted(home_of("templates").rglob("*.html"))
SCRIPTS = [path for path in sorted(home_of("static").glob("*.js")) if path.name != "htmx.min.js"]
MODULES = [path for path in sorted((PACKAGE / "web").rglob("*.py")) if path.name != THE_PLACE]


def written_out(path: Path, address: re.Pattern[str]) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    return [line.strip() for line in lines if address.search(line) and not DECLARED.search(line)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_writes_an_address_out(path: Path) -> None:
    assert written_out(path, IN_A_TEMPLATE) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_writes_an_address_out(path: Path) -> None:
    assert written_out(path, IN_A_SCRIPT) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_writes_an_address_out(path: Path) -> None:
    assert written_out(path, IN_A_MODULE) == []
