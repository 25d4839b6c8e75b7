"""Run the same rehearsal on CPython and on the phone's Python, which runs in Node here."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from companion.pocket.build import rehearsal
from companion.pocket.build.runtime import find_node

from .conftest import versions

ON_CPYTHON = """
import json, sys, time
began = time.process_time()
from companion.pocket.phone import Phone
phone = Phone("", "https://pub.example", json.loads(sys.argv[1]))
boot = time.process_time() - began
from companion.pocket.build.rehearsal import rehearse
began = time.process_time()
answers = rehearse(phone)
print(json.dumps({"answers": answers, "boot": boot, "played": time.process_time() - began}))
"""


def unpack(site: Path, folder: Path) -> Path:
    """Unpack the bundle as a phone does."""
    for packed in site.glob("py/*/*.pack"):
        (folder / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
    return folder


def on_both(bundle: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Answers and CPU times on CPython, and on the phone's Python."""
    return (
        run_json(sys.executable, "-c", ON_CPYTHON, json.dumps(versions())),
        run_json(find_node(), Path(__file__).with_name("golden.mjs"), bundle, rehearsal.__file__),
    )


def run_json(*command: str | Path) -> dict[str, Any]:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found
