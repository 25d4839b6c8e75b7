"""A server offers the program for phones if its bundle was built, and otherwise does not mention it."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion import bundle as bundles
from companion.bundle import Bundle, find_bundle, write_note
from companion.server import serve
from companion.store.memory import MemoryStore
from companion.web import create_app

PACKS = {"py/abc/app.zip": ("application/octet-stream", 6), "py/abc/pyodide.mjs": ("text/javascript", 3)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bundle as `make site` builds it, but small."""
    (tmp_path / "abc").mkdir()
    (tmp_path / "abc" / "app.zip.pack").write_bytes(b"packed")
    (tmp_path / "abc" / "pyodide.mjs.pack").write_bytes(b"mjs")
    (tmp_path / "abc" / "secret.key").write_bytes(b"not for you")
    write_note(tmp_path, PACKS)
    return tmp_path


def served(found: Bundle | None, **config: Any) -> FlaskClient:
    return create_app(MemoryStore(), {"SECRET_KEY": "k", "BUNDLE": found, **config}).test_client()


def ours(client: FlaskClient) -> dict[str, Any]:
    """The settings in the first line of the service worker."""
    constants: dict[str, Any] = json.loads(client.get("/sw.js").text.partition("const OURS = ")[2].partition(";\n")[0])
    return constants


def test_without_a_bundle_nothing_mentions_it() -> None:
    client = served(None)
    assert client.get("/pocket").status_code == client.get("/py/abc/app.zip.pack").status_code == 404
    constants = ours(client)
    assert not {"packs", "pocket"} & set(constants)
    assert not re.search(r"pocket|python", json.dumps(constants))


def test_a_bundle_is_cached_for_ever_and_no_other_file_is_served(folder: Path) -> None:
    client = served(find_bundle(folder))
    answer = client.get("/py/abc/app.zip.pack")
    assert (answer.data, answer.mimetype) == (b"packed", "application/octet-stream")
    assert "immutable" in answer.headers["Cache-Control"]
    for path in ("abc/app.zip", "abc/secret.key", "abc/secret.key.pack", "abd/app.zip.pack", "abc/bundle.json"):
        assert client.get(f"/py/{path}").status_code == 404, path


def test_a_bundle_of_another_program_is_not_served(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone must have the same program as its server, down to a sentence or a script."""
    assert find_bundle(folder) is not None
    files = bundles.program_files
    monkeypatch.setattr(bundles, "program_files", lambda: [*files(), ("companion/games/more.py", b"")])
    assert find_bundle(folder) is None


def test_a_changed_script_changes_the_digest_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, real = bundles.digest_of_program(), bundles.home_of
    monkeypatch.setattr(bundles, "home_of", lambda name: tmp_path / name if name == "static" else real(name))
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "app.js").write_text("// other")
    assert bundles.digest_of_program() != before


def test_the_outer_page_may_frame_our_pages_but_cannot_be_framed(folder: Path) -> None:
    client = served(find_bundle(folder))
    answer = client.get("/pocket")
    assert 'data-bundle="py/abc/"' in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "frame-src" not in client.get("/").headers["Content-Security-Policy"]


def test_the_greeting_says_how_to_build_the_bundle(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def greeting() -> str:
        return serve.greeting(Namespace(host="127.0.0.1", port=8000, prefix="", proxies=0), Path("data"))

    monkeypatch.delenv("FIFTY_FIVE_BUNDLE", raising=False)
    monkeypatch.setattr(serve, "find_bundle", lambda: None)
    assert "make site" in greeting()
    monkeypatch.setattr(serve, "find_bundle", lambda: find_bundle(folder))
    assert "make site" not in greeting()
    monkeypatch.setattr(serve, "find_bundle", lambda: None)
    monkeypatch.setattr(serve, "MAKEFILE", folder / "Makefile")  # an installed package has no Makefile
    assert "make site" not in greeting()


def test_the_worker_gets_all_it_needs_to_work_offline(folder: Path) -> None:
    client = served(find_bundle(folder))
    constants = ours(client)
    assert constants["packs"] == {path: list(facts) for path, facts in PACKS.items()}
    pocket = constants["pocket"]
    for address in [*constants["addresses"], pocket["script"], pocket["python"], pocket["host"]]:
        assert client.get(address).status_code == 200, address
    assert {pocket["script"], pocket["python"], pocket["host"]} <= set(constants["addresses"])
    assert pocket["words"]["fr"].keys() == pocket["words"]["en"].keys()
    assert "#" in pocket["words"]["en"]["unsent"]
