"""The program on the phone, in Firefox and in WebKit: no entry is lost or doubled, and all are in order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.pocket.site import Host, built_site
from tests.process import Server

from .engines import Engine
from .test_engines import play, press

WAKING = 120.0  # seconds for Python to load and start; it takes four on an idle machine
PLAYED = ["7", "3", "9", "8", "6", "fold"]
# Every row on this phone's disk.
ROWS = """new Promise((go, stop) => {
  const asked = indexedDB.open("fifty-five");
  asked.onerror = stop;
  asked.onsuccess = () => {
    const rows = asked.result.transaction("rows").objectStore("rows").getAll();
    rows.onsuccess = () => { asked.result.close(); go(rows.result); };
  };
})"""


@pytest.fixture(scope="module")
def site() -> Path:
    return built_site()


def open_a_table(engine: Engine) -> str:
    """Open a table for three; return its address."""
    engine.tap("a[href$='/new']")
    engine.tap("button[name=seats][value='3']")
    engine.see("#board", WAKING)
    engine.wait_until("location.pathname.includes('/t/')")
    return engine.address


def rows_of(engine: Engine, table: str) -> list[dict[str, Any]]:
    """The rows of a table on this phone's disk."""
    found = [row for row in engine.promised(ROWS) if row["table"] == table]
    assert [row["number"] for row in found] == list(range(1, len(found) + 1))
    return found


def test_the_static_site_works_after_its_host_is_gone(engine: Engine, site: Path) -> None:
    host = Host(site)
    engine.goto(host.address)
    engine.see("a[href$='/new']", WAKING)
    host.leave()
    address = open_a_table(engine)
    table = address.rpartition("/")[2]
    assert engine.text("#link") == "on this phone"
    # A has a 7, B a 3 and C a 9: B starts and draws the 8. A 10 for C is undone, as it was a 6.
    play(engine, "7", "3", "9", "8", "10")
    press(engine, "button[name=undo]")
    play(engine, "6")
    engine.tap("#board a.head")
    engine.see(".log")
    # After loading the page again, Python starts from the rows on disk.
    engine.goto(address)
    engine.see("#board[data-version='8']", WAKING)
    # The board is there before Python is awake, and the tap waits for it.
    # A folds and takes the 3.
    press(engine, "button[name=entry][value='fold']", WAKING)
    assert engine.text("#board .seats li.s1 .pts").startswith("3")
    assert len(rows_of(engine, table)) == 9
    log = engine.promised(
        "fetch(arguments[0]).then((answer) => answer.json())", f"{host.address}api/tables/{table}/log"
    )
    assert [line["entry"] for line in log["entries"]][1:] == PLAYED


@pytest.fixture
def own_server(tmp_path: Path, site: Path) -> Iterator[Server]:
    with Server(tmp_path, FIFTY_FIVE_BUNDLE=str(site / "py")) as running:
        yield running


def test_a_server_that_was_killed_gets_every_entry_once(engine: Engine, own_server: Server) -> None:
    engine.goto(f"{own_server.address}/")
    address = open_a_table(engine)
    table = address.rpartition("/")[2]
    play(engine, "7", "3")
    engine.wait_until("window.document.documentElement.dataset.referee === 'awake'", patience=WAKING)
    own_server.kill()
    play(engine, "9", "8", "10")
    press(engine, "button[name=undo]")
    play(engine, "6")
    engine.wait_until("document.querySelector('#link').innerText.includes('to send')")
    # Firefox's reload command bypasses the service worker, as a forced reload does.
    engine.goto(address)
    engine.see("#board[data-version='8']", WAKING)
    # The board is there before Python is awake, and the tap waits for it.
    press(engine, "button[name=entry][value='fold']", WAKING)
    # A new board says "live" until the page has counted the unsent rows on the phone.
    engine.wait_until("document.querySelector('#link').innerText.includes('to send')")
    own_server.start()
    engine.wait_until("document.querySelector('#link').innerText === 'live'", patience=WAKING)
    here = rows_of(engine, table)
    assert all(row["sent"] for row in here)
    with urlopen(f"{own_server.address}/api/tables/{table}/rows") as answer:
        there = json.load(answer)["rows"]
    assert [[row["kind"], row["entries"]] for row in there] == [[row["kind"], row["entries"]] for row in here]
    with urlopen(f"{own_server.address}/api/tables/{table}/log") as answer:
        assert [line["entry"] for line in json.load(answer)["entries"]][1:] == PLAYED
