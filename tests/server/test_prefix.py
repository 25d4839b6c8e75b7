"""The whole program under a path prefix, set by `--prefix`, by the environment variable or by a proxy."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.cli import new_parser
from companion.server import serve
from companion.store.memory import MemoryStore
from companion.web import create_app
from tests.faults import HttpAnswer, HttpPhone
from tests.process import HOST, Server

TABLE = json.dumps({"seats": ["Ana", "Ben"], "game": "pairs"}).encode()
Ask = Callable[..., HttpAnswer]


@pytest.fixture(scope="module", params=["option", "variable"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("prefix")
    said_by = {"option": {"options": ("--prefix", "/pairs")}, "variable": {"FIFTY_FIVE_PREFIX": "/pairs"}}
    with Server(folder, **said_by[request.param]) as started:  # type: ignore[arg-type]
        yield started


@pytest.fixture
def ask(server: Server) -> Iterator[Ask]:
    phone = HttpPhone(server.port)
    yield phone.ask
    phone.close()


def test_a_table_is_opened_and_played_under_the_prefix(ask: Ask) -> None:
    opened = ask("POST", "/pairs/api/tables", TABLE, content_type="application/json")
    assert opened.status == 201
    table, secret = opened.json()["table"], opened.json()["dealer"]
    tap = json.dumps({"version": 1, "entries": ["7"]}).encode()
    right = {"authorization": f"Bearer {secret}", "content_type": "application/json"}
    assert ask("POST", f"/pairs/api/tables/{table}/entries", tap, **right).status == 200
    page = ask("GET", f"/pairs/t/{table}")
    assert page.status == 200
    assert b"Ana" in page.body


@pytest.mark.parametrize("path", ["/", "/healthz", "/rules", "/pairsx", "/pairsx/rules", "/Pairs/rules", "/t/pairs/"])
def test_a_path_outside_the_prefix_is_not_found(ask: Ask, path: str) -> None:
    assert ask("GET", path).status == 404
    assert ask("GET", "/pairs/rules").status == 200, "the connection goes on"


def test_the_prefix_without_its_slash_redirects_to_the_home_page(ask: Ask) -> None:
    found = ask("GET", "/pairs")
    assert found.status == 308
    assert found.headers["location"].endswith("/pairs/")


def test_a_form_is_answered_with_an_address_under_the_prefix(ask: Ask) -> None:
    form = {"content_type": "application/x-www-form-urlencoded"}
    opened = ask("POST", "/pairs/tables", b"seats=2&game=pairs", **form)
    assert opened.status == 303
    assert re.match(r"(http://[^/]+)?/pairs/t/", opened.headers["location"])


def test_the_greeting_shows_the_prefix(server: Server) -> None:
    assert f"http://{HOST}:{server.port}/pairs\n" in server.said()


def test_the_code_to_scan_includes_the_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "addresses", lambda: ["192.0.2.7"])
    shown = serve.greeting(new_parser().parse_args(["run", "--prefix", "/pairs"]), Path("data"))
    assert "http://localhost:8000/pairs\n" in shown
    assert "http://192.0.2.7:8000/pairs\n" in shown
    assert serve.qr_text("http://192.0.2.7:8000/pairs") in shown


@pytest.mark.parametrize(("proxies", "address"), [(0, "/t/"), (1, "/pairs/t/")])
def test_a_forwarded_prefix_is_used_only_behind_a_proxy(proxies: int, address: str) -> None:
    app = create_app(MemoryStore(), {"SECRET_KEY": "key", "PROXIES": proxies})
    said = {"X-Forwarded-Prefix": "/pairs"}
    opened = app.test_client().post("/tables", data={"seats": "2", "game": "pairs"}, headers=said)
    assert opened.status_code == 303
    assert opened.headers["Location"].startswith(address)
