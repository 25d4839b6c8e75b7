"""The moments that everybody looks at: a shuffle, the end of a round, the end of a game."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from flask.testing import FlaskClient

from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.table.change import Change
from companion.table.table import Table
from companion.web import create_app
from companion.web.board.screen import Board
from companion.web.games import board_screen as board

from .test_evening_pages import seated
from .truth.markup import read

APP = create_app(MemoryStore(), {"SECRET_KEY": "great"})
STARBOARD = ["game starboard", "4", "9", "8", "lock"]  # Ana draws the 8, Ben locks at three cards


def screen(names: str, entries: Sequence[str], dealer: bool = True) -> Board:
    table = Table.open(GAMES, names.split(), entries)
    with APP.test_request_context("/t/x"):
        return board(table, "table", dealer)


# -- the end of a round


def test_the_dealer_of_rocket_takes_it_all_not_who_went_out_last() -> None:
    """Bets of 20. Ben pairs a 5 and pays 10, Cleo folds on the 4 and pays 8."""
    shown = screen("Ana Ben Cleo", ["game rocket bet=20", "5", "4", "9", "5", "fold"])
    assert (shown.who, shown.mark.letter) == ("Ana +18", "A")
    assert shown.do == "everybody is out, Ana keeps it all"


def test_a_round_of_starboard_says_what_became_of_everybody(anybody: FlaskClient) -> None:
    """Cleo pairs the 8, which leaves 4 9. Dan, Ana and Dan draw 7 6 10. Ana pairs the 6, and Dan locks at 4 9 7 10."""
    table = seated(anybody, ",".join([*STARBOARD, "8", "7", "6", "10", "6", "lock"]))
    page = read(anybody.get(table).text)
    assert [row.text for row in page.all(".fates li")] == ["A paired", "B beaten at 3", "C paired", "D locked at 4"]


def test_a_lock_below_a_standing_lock_says_that_it_is_out() -> None:
    """Ben is locked at three cards; Cleo pairs the 8, and two are left for Dan."""
    shown = screen("Ana Ben Cleo Dan", [*STARBOARD, "8"])
    assert shown.action.main
    assert (shown.action.main.figure, shown.action.main.caption) == ("2", "Lock = out")
    assert shown.action.main.label == "Lock at 2 and be out: a lock at 3 stands"
    assert shown.do == "draw for 1, or be out: a lock at 3 stands"


def test_whoever_passed_in_zombie_life_does_not_look_out() -> None:
    """Ben is overwhelmed by the 9; Ana passes, and Cleo is to act."""
    shown = screen("Ana Ben Cleo", ["game zombie", "4", "9", "6", "9", "horde", "9", "3", "refuge", "pass"])
    assert [(row.note, row.style) for row in shown.rows] == [("passed", "safe"), ("out", "out"), ("in", "now")]


def test_after_a_round_of_zombie_life_the_cards_that_did_not_count_stay_face_down() -> None:
    """Ana passes with her 4 9, one of them down; Ben passes with the 6, alone. Ana scores 1, Ben 1."""
    shown = screen("Ana Ben", ["game zombie", "4", "6", "9", "refuge", "3", "horde", "pass", "pass"])
    assert shown.do == "Ana +1 and Ben +1"
    assert [[face.style for face in row.faces] for row in shown.rows] == [["", "down"], [""]]


def test_chips_carried_over_are_shown_where_no_chips_are_played() -> None:
    """Ana loses with 9 points: 9 chips for two players leave 1 in the middle, and Port is played next."""
    lost = ["game pairs limit=9 stakes=cutchfeld cards=no", "score Ana 9", "game port"]
    assert "carried over 1" in screen("Ana Ben Cleo", lost).bar


# -- the end of a game


def test_the_loser_of_the_endless_round_is_marked() -> None:
    """Ben folds, takes Ana's 3 and reaches the limit."""
    shown = screen("Ana Ben", ["game continuous limit=3", "3", "4", "9", "fold 3 Ana"])
    assert shown.who == "Ben loses"
    assert [row.name for row in shown.rows if "now" in row.style] == ["Ben"]


@pytest.mark.parametrize(
    ("entries", "cards", "line"),
    [
        (["9", "4", "7", "9"], ["9", "9"], "pair of 9s · 9 points, the limit is 4"),
        (["9", "4", "fold"], ["4"], "folded, took the 4 · 4 points, the limit is 4"),
    ],
)
def test_the_cards_that_did_it_lie_beside_the_name(entries: list[str], cards: list[str], line: str) -> None:
    """The limit is 4. Ben has the 4 and starts: he draws a 7 and Ana a second 9, or he folds on his own card."""
    shown = screen("Ana Ben", ["game pairs limit=4", *entries])
    assert [face.value for face in shown.ended_by] == cards
    assert shown.over
    assert shown.do == line


def test_the_arrow_shows_what_the_loser_pays_and_to_whom(anybody: FlaskClient) -> None:
    """Tacoma: Ana pays 6, and Ben and Cleo have the fewest points."""
    table = seated(anybody, "game pairs stakes=tacoma limit=9 cards=no,score Dan 1,score Ana 9")
    arrow = read(anybody.get(table).text).one(".pay")
    assert arrow.one(".fig").text == "6"
    assert [mark.text for mark in arrow.all(".mark")] == ["A", "B", "C"]


# -- the rest of the board


def test_undo_names_a_correction() -> None:
    table = Table.open(GAMES, ("Ana", "Ben"), ["game pairs"]).enter(["4"]).enter(["9"])
    for changed, label in ((table, "Undo: Ben 9"), (table.change(Change("amend", ("5",), 1)), "Undo: correction")):
        with APP.test_request_context("/t/x"):
            assert board(changed, "table", True).undo.label == label


def test_no_key_takes_a_touch_while_no_card_can_come() -> None:
    """Rocket: nobody has bet. Ana deals, so a bet of Ben's is enough."""
    assert all(key.closed for key in screen("Ana Ben", ["game rocket bet=0"]).keys)
    assert not any(key.closed for key in screen("Ana Ben", ["game rocket", "bet Ana 0"]).keys)


def test_a_hand_key_whose_cards_have_all_been_seen_says_so() -> None:
    """There is one 1, and Ana has shown it."""
    shown = screen("Ana Ben", ["game hawthorn", "play 1"])
    assert [key.value for key in shown.keys if key.none] == [1]


def test_a_watcher_of_a_score_table_is_not_told_to_tap(anybody: FlaskClient) -> None:
    assert screen("Ana Ben", ["game pairs cards=no"], dealer=False).do == "the dealer enters the points"
    assert screen("Ana Ben", ["game rocket cards=no"], dealer=False).do == "the dealer enters who pays"
