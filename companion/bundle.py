"""The program for the phone itself, as a server offers it: in the installed package, or where `make site` put it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

PACKAGE = Path(__file__).parent
INSTALLED = PACKAGE / "py"
BUILT = PACKAGE.parent / "dist" / "site" / "py"  # by `make site`
NOTE = "bundle.json"
# What only a server or a developer needs.
LEFT_OUT = ("cli.py", "wsgi.py", "build_hook.py", "server/", "pocket/build/", "store/migrations/")
LEFT_OUT_STORES = {"sql", "models", "schema", "statements", "opening", "database", "failures", "timeouts"}


@dataclass(frozen=True)
class Bundle:
    """Packed files by their path, each with its type and its size."""

    folder: Path
    packs: dict[str, tuple[str, int]]

    @property
    def place(self) -> str:
        """The folder with all of them, relative to the program's path."""
        return f"{PurePosixPath(next(iter(self.packs))).parent}/"

    def read(self, path: str) -> bytes | None:
        """The content of a packed file, or None if there is no such file."""
        name = path.removesuffix(".pack")
        return (self.folder / path.removeprefix("py/")).read_bytes() if name != path and name in self.packs else None


def home_of(folder: str) -> Path:
    """The folder `templates` or `static`: in the installed package, else at the top of the repository."""
    installed = PACKAGE / folder
    return installed if installed.is_dir() else PACKAGE.parent / folder


def program_files() -> Iterator[tuple[str, bytes]]:
    """Every file of the program that a phone needs, by its name in the bundle."""
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        if path.suffix in (".py", ".mo", ".csv") and not _is_for_servers(name):
            yield f"companion/{name}", path.read_bytes()
    yield from _all_in("templates", ".html")


def _is_for_servers(name: str) -> bool:
    store, _, module = name.partition("/")
    return name.startswith(LEFT_OUT) or (store == "store" and module.removesuffix(".py") in LEFT_OUT_STORES)


def _all_in(folder: str, *kinds: str) -> Iterator[tuple[str, bytes]]:
    home = home_of(folder)
    for path in sorted(home.rglob("*")):
        if path.suffix in kinds:
            yield f"companion/{folder}/{path.relative_to(home).as_posix()}", path.read_bytes()


def digest_of_program() -> str:
    """A hash of the program, its scripts and its style sheets."""
    found = hashlib.sha256()
    for files in (program_files(), _all_in("static", ".css", ".js", ".svg")):
        for name, content in files:
            found.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return found.hexdigest()


def write_note(folder: Path, packs: dict[str, tuple[str, int]]) -> None:
    """Write a list of the packed files, with the hash of the program they were built from."""
    (folder / NOTE).write_text(json.dumps({"program": digest_of_program(), "packs": packs}), "utf-8")


def find_bundle(folder: Path | None = None) -> Bundle | None:
    """The bundle, or None if it was not built or was built from another program: phone and server must agree."""
    folder = folder or next(filter(Path.is_dir, (INSTALLED, BUILT)), None)
    if folder is None or not (folder / NOTE).is_file():
        return None
    note = json.loads((folder / NOTE).read_text("utf-8"))
    return Bundle(folder, note["packs"]) if note["program"] == digest_of_program() else None
