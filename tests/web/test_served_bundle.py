"""A server offers the program for the phone where it was built, and says nothing of it where it was not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion import bundle as bundles
from companion.bundle import Bundle, find_bundle, write_note
from companion.cli import new_parser
from companion.server import serve
from companion.store.memory import MemoryStore
from companion.web import create_app

PACKS = {"py/abc/app.zip": ("application/octet-stream", 6), "py/abc/pyodide.mjs": ("text/javascript", 3)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """As `make site` leaves it, but small."""
    (tmp_path / "abc").mkdir()
    (tmp_path / "abc" / "app.zip.pack").write_bytes(b"packed")
    (tmp_path / "abc" / "pyodide.mjs.pack").write_bytes(b"mjs")
    (tmp_path / "abc" / "secret.key").write_bytes(b"not for you")
    write_note(tmp_path, PACKS)
    return tmp_path


def served(found: Bundle | None, **config: Any) -> FlaskClient:
    return create_app(MemoryStore(), {"SECRET_KEY": "k", "BUNDLE": found, **config}).test_client()


def ours(client: FlaskClient) -> dict[str, Any]:
    """What the service worker is told."""
    told: dict[str, Any] = json.loads(client.get("/sw.js").text.partition("const OURS = ")[2].partition(";\n")[0])
    return told


def test_without_a_bundle_nothing_mentions_it() -> None:
    client = served(None)
    assert client.get("/pocket").status_code == client.get("/py/abc/app.zip.pack").status_code == 404
    told = ours(client)
    assert not {"packs", "pocket"} & set(told)
    assert not re.search(r"pocket|python", json.dumps(told))


def test_a_bundle_is_served_for_ever_and_nothing_beside_it(folder: Path) -> None:
    client = served(find_bundle(folder))
    answer = client.get("/py/abc/app.zip.pack")
    assert (answer.data, answer.mimetype) == (b"packed", "application/octet-stream")
    assert "immutable" in answer.headers["Cache-Control"]
    for path in ("abc/app.zip", "abc/secret.key", "abc/secret.key.pack", "abd/app.zip.pack", "abc/bundle.json"):
        assert client.get(f"/py/{path}").status_code == 404, path


def test_a_bundle_of_another_program_is_not_served(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone must referee as its server does, down to a sentence and a script."""
    assert find_bundle(folder) is not None
    files = bundles.program_files
    monkeypatch.setattr(bundles, "program_files", lambda: [*files(), ("companion/games/more.py", b"")])
    assert find_bundle(folder) is None


def test_a_changed_script_makes_it_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, real = bundles.digest_of_program(), bundles.home_of
    monkeypatch.setattr(bundles, "home_of", lambda name: tmp_path / name if name == "static" else real(name))
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "board.js").write_text("// other")
    assert bundles.digest_of_program() != before


def test_the_page_that_stays_may_frame_our_pages_and_no_page_may_frame_it(folder: Path) -> None:
    client = served(find_bundle(folder))
    answer = client.get("/pocket")
    assert 'data-bundle="py/abc/"' in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "frame-src" not in client.get("/").headers["Content-Security-Policy"]


def test_the_terminal_says_how_to_get_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def greeting() -> str:
        return serve.greeting(new_parser().parse_args(["run", "--host", "127.0.0.1"]), Path("data"))

    monkeypatch.delenv("FIFTY_FIVE_BUNDLE", raising=False)
    monkeypatch.setattr(serve, "find_bundle", lambda: None)
    assert "make site" in greeting()
    monkeypatch.setattr(serve, "find_bundle", lambda: find_bundle(folder))
    assert "make site" not in greeting()
    monkeypatch.setattr(serve, "find_bundle", lambda: None)
    monkeypatch.setattr(serve, "MAKEFILE", folder / "Makefile")  # an installed package has none
    assert "make site" not in greeting()


def test_the_worker_is_told_all_it_needs_to_go_on_without_us(folder: Path) -> None:
    client = served(find_bundle(folder))
    told = ours(client)
    assert told["packs"] == {path: list(facts) for path, facts in PACKS.items()}
    pocket = told["pocket"]
    for address in [*told["addresses"], *pocket["parts"], pocket["script"], pocket["python"], pocket["staying"]]:
        assert client.get(address).status_code == 200, address
    assert {pocket["script"], pocket["python"], pocket["staying"]} <= set(told["addresses"])
    assert pocket["words"]["fr"].keys() == pocket["words"]["en"].keys()
    assert "#" in pocket["words"]["en"]["unsent"]
