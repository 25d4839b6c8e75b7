"""Runs in the browser's Python, in Node, while the bundle is built: only this Python can compile for itself.

The work folder is mounted at /job. Out of `app.src.zip` and `stdlib.src.zip` come those of the bundle.
"""

from __future__ import annotations

import importlib.util
import marshal
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import CodeType

WORK = "/job/"
REHEARSED = "/app.zip"
BUILT_ON = (1980, 1, 1, 0, 0, 0)  # a fixed date: the same files always give the same bytes
STDLIB = "/lib/python{}{}.zip/".format(*sys.version_info)
# Needed by code that the rehearsal does not reach: names in a zip, an unusual host.
BESIDES = ("encodings/cp437.py", "encodings/idna.py", "stringprep.py", "encodings/latin_1.py", "encodings/ascii.py")


def pack(source: str, target: str, keep: Callable[[str], bool] = lambda _name: True) -> None:
    """Turn a zip of sources into a zip of compiled files, without docstrings and assertions."""
    with zipfile.ZipFile(WORK + source) as old, zipfile.ZipFile(f"{WORK}bundle/{target}", "w") as new:
        for name in sorted(old.namelist()):
            if name.endswith("/") or not keep(name):
                continue
            data = old.read(name)
            if name.endswith(".py"):
                code = without_lines(compile(data, name, "exec", dont_inherit=True, optimize=2))
                data, name = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code), f"{name}c"
            new.writestr(zipfile.ZipInfo(name, BUILT_ON), data)


def without_lines(code: CodeType) -> CodeType:
    """Remove the line numbers, a sixth of the bytes: nobody reads a traceback on a phone.

    The table keeps a byte for every eight instructions, which says "none": without it an error cannot be logged.
    """
    inside = tuple(without_lines(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    eights, left = divmod(len(code.co_code) // 2, 8)
    nowhere = b"\xff" * eights + (bytes([0xF8 | left - 1]) if left else b"")
    return code.replace(co_consts=inside, co_linetable=nowhere)


def used(zipped: str) -> set[str]:
    """The files of this zip that have been imported so far."""
    origins = (getattr(getattr(module, "__spec__", None), "origin", None) for module in list(sys.modules.values()))
    found = {origin.removeprefix(zipped) for origin in origins if origin and origin.startswith(zipped)}
    return {name.removesuffix("c") for name in found}


# First everything, for the rehearsal; then our own files and what the rehearsal imported.
pack("app.src.zip", "app.zip")
shutil.copy(f"{WORK}bundle/app.zip", REHEARSED)
sys.path.insert(0, REHEARSED)
from rehearsal import rehearse  # type: ignore[import-not-found]  # noqa: E402

from companion.pocket.phone import start  # noqa: E402

rehearse(start("", "https://pub.example", Path(f"{WORK}bundle/assets.json").read_text("utf-8")))
of_libraries = used(f"{REHEARSED}/")
pack("app.src.zip", "app.zip", lambda name: name.startswith("companion/") or "-info/" in name or name in of_libraries)
needed = used(STDLIB) | set(BESIDES)
assert "json/__init__.py" in needed, sorted(needed)
assert "flask/app.py" in of_libraries, sorted(of_libraries)
pack("stdlib.src.zip", "stdlib.zip", needed.__contains__)
print(len(needed), "modules of the standard library")
