"""Every board can be drawn in every state, in both languages, for the dealer and for a watcher."""

from __future__ import annotations

from random import Random

import pytest
from flask import Flask, render_template

from companion.engine.notation import parse
from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.table.table import Table
from companion.web import create_app
from companion.web.chips import chips_screen
from companion.web.deck import deck_screen
from companion.web.games import ROOMS
from companion.web.games import board_screen as board
from companion.web.history import history_screen
from companion.web.menu import menu_screen
from companion.web.pages import draw_page
from companion.web.seats import seats_screen
from tests.known import KNOWN

NAMES = ("Ann", "Bob", "Cy", "Dot", "Eve", "Fay", "Gus", "Hal")


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(MemoryStore(), {"SECRET_KEY": "x"})


def test_every_game_has_a_board() -> None:
    assert set(ROOMS) == set(GAMES)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("game", "options"), [(game, options) for game in GAMES for options in KNOWN[game].boards])
def test_a_board_is_drawn_after_every_entry(app: Flask, game: str, options: str, language: str) -> None:
    random = Random(f"{game} {options}")
    for seats in (2, GAMES[game].players[-1]):
        table = Table.open(GAMES, NAMES[:seats], [f"game {game} {options}"])
        with app.test_request_context("/t/x", headers={"Accept-Language": language}):
            for _ in range(70):
                for dealer in (True, False):
                    drawn = render_template("board/_board.html", screen=board(table, "x", dealer))
                    assert "None" not in drawn
                    assert "{" not in drawn
                render_template("board/_board.html", screen=board(table, "x", True, choosing=True))
                legal = GAMES[game].legal(table.state)
                table = table.enter([random.choice(legal) if legal else f"game {game} {options}"])


@pytest.mark.parametrize("game", GAMES)
def test_the_other_pages_of_a_table_are_drawn_in_every_state(app: Flask, game: str) -> None:
    random = Random(game)
    table = Table.open(GAMES, NAMES[:4], [f"game {game} buyin=20"])
    with app.test_request_context("/t/x"):
        for count in range(60):
            if count % 6 == 0:
                for name, screen in (
                    ("menu", menu_screen(table, "x", True)),
                    ("deck", deck_screen(table, "x", True)),
                    ("seats", seats_screen(table, "x", True)),
                    ("chips", chips_screen(table, "x", True)),
                    ("history", history_screen(table, "x", True, {"n": str(count // 2), "entry": "4"})),
                ):
                    assert "<main" in draw_page(f"table/{name}", screen)
            legal = GAMES[game].legal(table.state)
            table = table.enter([random.choice(legal) if legal else f"game {game}"])


@pytest.mark.parametrize("game", GAMES)
def test_a_score_only_board_is_drawn(app: Flask, game: str) -> None:
    table = Table.open(GAMES, NAMES[:3], [f"game {game} cards=no"])
    entry, kept = ("score Ann 4", "points only") if GAMES[game].scores_points else ("pay Ann Bob 3", "chips only")
    with app.test_request_context("/t/x"):
        for _ in range(8):
            assert kept in render_template("board/_board.html", screen=board(table, "x", True)) or table.state.outcome
            table = (
                table.enter([entry])
                if table.state.phase != "game over"
                else table.enter([parse(f"game {game} cards=no")])
            )


def test_a_turn_of_several_entries_keeps_its_id(app: Flask) -> None:
    """Bob has the lowest card and begins, then Ann takes two stones. A phone buzzes when the id of the turn changes."""
    table = Table.open(GAMES, NAMES[:2], ["game blackstone", "6", "4"])
    turns = []
    with app.test_request_context("/t/x"):
        for entry in ("take 1", "white", "take 2", "white", "white", "take 2"):
            own = board(table, "x", False, me="Ann").me
            assert own is not None
            turns.append(own.turn)
            table = table.enter([parse(entry)])
    assert [bool(turn) for turn in turns] == [False, False, True, True, True, False]
    assert len(set(turns[2:5])) == 1
