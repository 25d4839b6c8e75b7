"""Lucky Day on the screens: what each card would do, the choice of a card, and the end."""

from __future__ import annotations

import re

import pytest
from flask import render_template
from flask.testing import FlaskClient

from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.table.table import Table
from companion.web import create_app
from companion.web.board.screen import Board
from companion.web.games import board_screen

from .test_evening_pages import seated

APP = create_app(MemoryStore(), {"SECRET_KEY": "lucky"})
DEALT = "game lucky,4,7,9,10,8,5"  # Ana 4 10, Ben 7 8, Cleo 9 5; Ana is to act


def shown(entries: str, choosing: bool = False, language: str = "en") -> Board:
    table = Table.open(GAMES, ("Ana", "Ben", "Cleo"), entries.split(","))
    with APP.test_request_context("/t/x", headers={"Accept-Language": language}):
        return board_screen(table, "x", True, choosing=choosing)


@pytest.mark.parametrize(
    ("points", "words", "bad"),
    [
        (0, {4: "bank 4", 10: "bank 10"}, []),
        (11, {4: "bank 4", 10: "bank 10"}, []),  # 21 exactly
        (12, {4: "bank 4", 10: "out"}, [10]),
        (18, {4: "out", 10: "out"}, [4, 10]),
    ],
)
def test_each_key_says_what_its_card_would_do(points: int, words: dict[int, str], bad: list[int]) -> None:
    board = shown(f"{DEALT},points Ana {points}")
    assert {key.value: key.word for key in board.keys if key.word} == words
    assert [key.value for key in board.keys if key.bad] == bad


@pytest.mark.parametrize(
    ("points", "figure", "caption"),
    [
        (0, "+10", "Bank"),
        (14, "+7", "Bank and win"),
        (15, "+5", "Bank"),  # 6 are missing, and nobody has a 6
        (18, "+4", "Bank, and out"),
    ],
)
def test_the_button_says_the_most_one_can_bank_and_opens_the_choice(points: int, figure: str, caption: str) -> None:
    main = shown(f"{DEALT},points Ana {points}").action.main
    assert main is not None
    assert (main.figure, main.caption, main.chooser, main.entry) == (figure, caption, "open", "")


def test_the_choice_says_whose_card_it_is_and_what_follows() -> None:
    board = shown(f"{DEALT},points Ana 13", choosing=True)
    assert board.do == "banks which card?"
    with APP.test_request_context("/t/x"):
        page = render_template("board/_board.html", screen=board)
    assert re.findall(r'value="(bank [^"]+)" data-says="([^"]+)"', page) == [
        ("bank 4", "Bank the 4: 17"),
        ("bank 5 Cleo", "Bank Cleo’s 5: 18"),
        ("bank 7 Ben", "Bank Ben’s 7: 20"),
        ("bank 8 Ben", "Bank Ben’s 8: wins"),
        ("bank 9 Cleo", "Bank Cleo’s 9: 22, out"),
        ("bank 10", "Bank the 10: 23, out"),
    ]
    assert page.count('aria-current="true" aria-label="Bank Ben’s 8: wins"') == 1
    assert "data-card=" not in page, "the choice is in the place of the keys"


def test_a_card_that_makes_exactly_the_goal_is_marked() -> None:
    rows = shown(f"{DEALT},points Ana 13").rows
    assert [(face.value, face.note) for row in rows for face in row.faces if face.style] == [("8", "wins")]


def test_with_nothing_to_bank_there_is_no_button() -> None:
    board = shown("game lucky,4,7,9,bank 4,bank 9 Cleo")
    assert board.action.main is None
    assert board.do == "Ben +9; now must draw"
    assert board.who == "Cleo"


@pytest.mark.parametrize(
    ("language", "who", "do"),
    [("en", "Ben and Cleo win", "Ana went beyond 12, to 13."), ("fr", "Ben et Cleo gagnent", "Ana a dépassé 12\u202f: 13.")],
)  # fmt: skip
def test_beyond_the_goal_the_others_are_in_large_letters(language: str, who: str, do: str) -> None:
    end = "game lucky goal=12 cards=no,score Ana 10,score Ben 4,score Cleo 4,score Ana 3"
    board = shown(end, language=language)
    assert (board.who, board.do) == (who, do)
    assert [row.name for row in board.rows] == ["Ben", "Cleo", "Ana"]
    assert [bool(row.note) for row in board.rows] == [True, True, True]


def test_the_quick_reference_is_that_of_the_player_to_act(anybody: FlaskClient) -> None:
    table = seated(anybody, f"{DEALT},points Ana 13", "Ana Ben Cleo")
    page = anybody.get(f"/lookup/lucky?table={table[3:]}").text
    assert "Ana has 13 of 21" in page
    rows = [re.findall(r"<td[^>]*>(?:<b[^>]*>)?([^<]+)", row) for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL)]
    assert [row for row in rows if row][:10] == [
        ["1", "nothing", "14"],
        ["2", "nothing", "15"],
        ["3", "nothing", "16"],
        ["4", "17", "17"],
        ["5", "nothing", "18"],
        ["6", "nothing", "19"],
        ["7", "nothing", "20"],
        ["8", "nothing", "wins"],
        ["9", "nothing", "22, out"],
        ["10", "23, out", "23, out"],
    ]
    asked = anybody.get(f"/lookup/lucky?table={table[3:]}&ask=1&points=99&s3=1").text
    assert "With 20 of 21" in asked, "at most one point less than the goal"
    assert asked.count("checked") == 1


def test_no_coach_is_offered(anybody: FlaskClient) -> None:
    table = seated(anybody, DEALT, "Ana Ben Cleo")
    assert "/coach" not in anybody.get(table).text


@pytest.mark.parametrize("options", ["", " cards=no"])
def test_the_bar_says_that_only_exactly_the_goal_wins(options: str) -> None:
    assert "exactly 21" in shown(f"game lucky{options}").bar
    assert "21 tout juste" in shown(f"game lucky{options}", language="fr").bar


def test_a_key_in_french_says_the_points_that_must_be_banked() -> None:
    assert {key.value: key.word for key in shown(DEALT, language="fr").keys if key.word} == {4: "+4", 10: "+10"}
