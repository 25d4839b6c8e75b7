"""The bundle: it answers as CPython does, has no part of a server, and is small."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion.bundle import home_of
from companion.pocket.build import runtime
from companion.pocket.build.runtime import SHA256, CannotBuild, find_node, unpack_runtime
from companion.pocket.build.site import build_app

from .both import on_both, unpack
from .site import built_site

LARGEST_SITE = 6_300_000
# Bytes of the scripts as they are served, with their comments and the service worker. A phone uses one of the two editions.
LARGEST_SCRIPTS_OF_THE_SITE = 30_000
LARGEST_SCRIPTS_SERVED = 45_900
LARGEST_ON_THE_WIRE = 18_400  # both editions together, compressed
POCKET_SCRIPTS = (
    *("pocket/journal.js", "pocket/pages.js", "pocket/python.js", "pocket/start.js"),
    *("pocket/lend.js", "pocket/host.js", "pocket/ask.js", "sw.js"),
)
SERVED_SCRIPTS = ("pocket/sync.js", "pocket/board.js", "copies.js")
LARGEST_HEAP = 48_000_000


@pytest.fixture(scope="module")
def site() -> Path:
    return built_site()


@pytest.fixture(scope="module")
def bundle(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(site, tmp_path_factory.mktemp("bundle"))


def test_both_pythons_give_the_same_answers(bundle: Path) -> None:
    """`make bench` measures their cost."""
    here, there = on_both(bundle)
    assert len(here["answers"]) > 800
    assert {answer[2] for answer in here["answers"]} >= {200, 204, 303, 404, 422}
    different = [
        (mine, theirs) for mine, theirs in zip(here["answers"], there["answers"], strict=True) if mine != theirs
    ]
    assert different[:3] == []
    assert there["heap"] <= LARGEST_HEAP


def test_the_site_and_its_scripts_are_small(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) <= LARGEST_SITE
    client = build_app().test_client()

    def bytes_of(*names: str, packed: bool = False) -> int:
        headers = {"Accept-Encoding": "gzip"} if packed else {}
        return sum(len(client.get(f"/static/{name}", headers=headers).data) for name in names)

    assert bytes_of(*POCKET_SCRIPTS) <= LARGEST_SCRIPTS_OF_THE_SITE
    assert bytes_of(*POCKET_SCRIPTS, *SERVED_SCRIPTS) <= LARGEST_SCRIPTS_SERVED
    assert bytes_of(*POCKET_SCRIPTS, *SERVED_SCRIPTS, packed=True) <= LARGEST_ON_THE_WIRE


def test_the_bundle_has_no_part_of_a_server(bundle: Path) -> None:
    with zipfile.ZipFile(bundle / "app.zip") as program:
        names = set(program.namelist())
        texts = [program.read(name) for name in names if name.startswith("companion/")]
    assert "companion/web/table.pyc" in names
    assert "companion/locale/fr/LC_MESSAGES/messages.mo" in names
    for part in ("companion/server", "companion/cli", "companion/store/sql", "companion/pocket/build", "sqlalchemy"):
        assert not [name for name in names if name.startswith(part)], part
    assert not [text for text in texts if b"SECRET_KEY=" in text or str(Path.home()).encode() in text]


def test_the_site_has_every_file_as_the_server_sends_it(site: Path) -> None:
    client = build_app().test_client()
    for name in ("app.css", "app.js", "icons/icon-192.png"):
        assert (site / "static" / name).read_bytes() == client.get(f"/static/{name}").data
    worker = (site / "sw.js").read_text("utf-8")
    ours = json.loads(worker.partition("const OURS = ")[2].partition(";\n")[0])
    for address in [*ours["addresses"], *(f"{path}.pack" for path in ours["packs"])]:
        path = address.partition("?")[0]
        assert (site / (path if path != "./" else "index.html")).is_file(), address
    taken = {Path(address.partition("?")[0]).name for address in ours["addresses"]}
    assert {"app.css", "app.js", "htmx.min.js", "python.js"} <= taken
    assert all((home_of("static") / name).is_file() for name in (*POCKET_SCRIPTS, *SERVED_SCRIPTS))


def test_a_runtime_with_another_checksum_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        wheels = Path(command[-1])
        wheels.mkdir()
        with zipfile.ZipFile(wheels / "flet_web-1.0.5-py3-none-any.whl", "w") as wheel:
            for name in SHA256:
                wheel.writestr(f"flet_web/web/pyodide/{name}", b"something else")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", fetch)
    with pytest.raises(CannotBuild, match="checksum"):
        unpack_runtime(tmp_path)


def test_a_node_that_does_not_run_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare Debian lacks a library that the node of Playwright needs."""
    broken, whole = tmp_path / "broken", tmp_path / "node"
    for path, code in ((broken, 127), (whole, 0)):
        path.write_text(f"#!/bin/sh\nexit {code}\n")
        path.chmod(0o755)
    monkeypatch.setattr(runtime, "find_spec", lambda _name: None)
    monkeypatch.setenv("FIFTY_FIVE_NODE", str(broken))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert find_node() == str(whole)
    monkeypatch.setenv("PATH", "/usr/nowhere")
    with pytest.raises(CannotBuild, match="libatomic"):
        find_node()
