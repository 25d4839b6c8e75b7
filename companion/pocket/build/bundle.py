"""The bundle: Python, the used part of its standard library, and the program, packed for the phone."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from flask import Flask

from companion.bundle import program_files, write_note
from companion.store.memory import MemoryStore
from companion.web import create_app

from .runtime import CannotBuild, find_node, unpack_runtime

LIBRARIES = ("flask", "werkzeug", "jinja2", "markupsafe", "click", "itsdangerous", "blinker", "segno")
NOT_USED = ("werkzeug/debug/",)
KINDS = {".mjs": "text/javascript", ".wasm": "application/wasm"}
SCRIPTS = Path(__file__).parent
FIXED = (1980, 1, 1, 0, 0, 0)


def build_app() -> Flask:
    return create_app(MemoryStore(), {"SECRET_KEY": "only to build"})


def sources() -> Iterator[tuple[str, bytes]]:
    """Every file of the program that goes into the bundle, by its name in the zip."""
    for library in LIBRARIES:
        for file in sorted(distribution(library).files or (), key=str):
            name = file.as_posix()
            if name.endswith(".py") and not name.startswith(("..", *NOT_USED)):
                yield name, Path(str(file.locate())).read_bytes()
            elif name.endswith("METADATA"):
                yield name, Path(str(file.locate())).read_bytes().partition(b"\n\n")[0]
    yield from program_files()


def write_zip(path: Path, files: Iterator[tuple[str, bytes]]) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        for name, data in files:
            packed.writestr(zipfile.ZipInfo(name, FIXED), data)


def compile_bundle(app: Flask, work: Path) -> Path:
    """The folder with the unpacked bundle; compiled again only if the sources have changed."""
    work = work.resolve()
    runtime, bundle = work / "runtime", work / "bundle"
    node = find_node()
    unpack_runtime(runtime)
    write_zip(work / "app.src.zip", sources())
    made_of = digest(work / "app.src.zip", runtime / "python_stdlib.zip", *sorted(SCRIPTS.glob("*.*")))
    noted = work / "made-of.txt"
    if not noted.is_file() or noted.read_text("utf-8") != made_of:
        shutil.rmtree(bundle, ignore_errors=True)
        bundle.mkdir()
        noted.unlink(missing_ok=True)
        write_assets(app, bundle)  # the rehearsal reads them
        compile_sources(node, runtime, work)
        for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
            shutil.copy(runtime / name, bundle)
        info = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))["info"]
        (bundle / "lock.json").write_text(json.dumps({"info": info, "packages": {}}), "utf-8")
        noted.write_text(made_of, "utf-8")
    write_assets(app, bundle)
    return bundle


def write_assets(app: Flask, bundle: Path) -> None:
    (bundle / "assets.json").write_text(json.dumps(app.extensions["static versions"]()), "utf-8")


def compile_sources(node: str, runtime: Path, work: Path) -> None:
    """Let the browser's Python compile its standard library and the program into the bundle."""
    shutil.copy(runtime / "python_stdlib.zip", work / "stdlib.src.zip")
    command = [node, str(SCRIPTS / "compile.mjs"), str(runtime), str(work)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise CannotBuild(f"The bundle could not be compiled:\n{done.stdout}")


def digest(*paths: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def pack_bundle(bundle: Path, target: Path) -> dict[str, tuple[str, int]]:
    """Compress every file, in a folder named after the content: static hosts compress no .zip and not every .wasm.

    The answer is the type and the packed size of each file by its path.
    """
    files = sorted(bundle.iterdir())
    key = digest(*files)[:12]
    folder = target / key
    folder.mkdir(parents=True)
    packs = {}
    for path in files:
        packed = gzip.compress(path.read_bytes(), 9, mtime=0)
        (folder / f"{path.name}.pack").write_bytes(packed)
        packs[f"py/{key}/{path.name}"] = KINDS.get(path.suffix, "application/octet-stream"), len(packed)
    write_note(target, packs)
    return packs
