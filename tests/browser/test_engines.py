"""A round in Firefox and in WebKit: what is tapped is what is entered."""

from __future__ import annotations

import json
from typing import Any
from urllib.request import urlopen

from .conftest import Server
from .engines import PATIENCE, Engine
from .table import record

BLACKSTONE = "game blackstone,6,10,4"


def table_of(engine: Engine) -> dict[str, Any]:
    where, _t, table = engine.address.partition("/t/")
    with urlopen(f"{where}/api/tables/{table.split('/')[0]}") as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def press(engine: Engine, selector: str, patience: float = PATIENCE) -> None:
    """Tap a control that enters something, and wait until the board has changed."""
    before = engine.value("document.getElementById('board').dataset.version")
    engine.tap(f"#board {selector}")
    engine.see(f"#board:not([data-version='{before}'])", patience)


def play(engine: Engine, *entries: str) -> None:
    for entry in entries:
        press(engine, f"button[name=entry][value='{entry}']")


def test_a_round_of_pairs_can_be_played_from_the_home_page(engine: Engine, server: Server) -> None:
    engine.goto(f"{server.address}/")
    engine.tap("a[href$='/new']")
    engine.tap("button[name=seats][value='3']")
    engine.see("#board")
    table = engine.address
    # A has a 7, B a 3 and C a 9: B starts and draws the 8. A 10 for C is undone, as it was a 6.
    play(engine, "7", "3", "9", "8", "10")
    press(engine, "button[name=undo]")
    play(engine, "6")
    # The menu is a sheet over the board, and Back closes it. The history is a page.
    engine.tap("#board .bar a[href$='/menu']")
    engine.see("#sheet[open] #menu")
    engine.back()
    engine.wait_until("!document.querySelector('#sheet').open")
    engine.tap("#board a.head")
    engine.see(".log")
    assert "9" in engine.text(".log")
    engine.back()
    engine.see("#board")
    engine.reload()
    engine.see("#board")
    assert engine.address == table
    # A folds and takes the 3, which ends the round; the next card belongs to the next deal.
    play(engine, "fold")
    state = table_of(engine)
    assert {seat["name"]: seat["points"] for seat in state["seats"]} == {"A": 3, "B": 0, "C": 0}
    play(engine, "5")
    assert table_of(engine)["round"] == 2


def test_a_finger_that_bounces_enters_one_thing(engine: Engine, server: Server) -> None:
    """The keys for the stones appear under the finger that chose how many to take."""
    engine.goto(f"{server.address}/import")
    engine.script("document.querySelector('textarea').value = arguments[0]", record("Ana,Ben,Cleo", BLACKSTONE))
    engine.tap("form button.main")
    engine.see("#board .chip")
    engine.tap("#board button[value='take 2']", bounce=150)
    engine.see("#board[data-version='2'] .stonekey")
    engine.see("#board:not(:has(.ghost))")
    assert table_of(engine)["version"] == 2
    press(engine, "button[value=white]")  # a moment later a touch counts
    assert table_of(engine)["version"] == 3
