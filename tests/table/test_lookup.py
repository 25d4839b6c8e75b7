"""Answers without a table, compared with the figures in the rules."""

from __future__ import annotations

from fractions import Fraction

import pytest

from companion.engine.sentence import EntryError
from companion.table import lookup

SCORES = {"Ana": 17, "Ben": 10, "Cleo": 8, "Dan": 7, "Eve": 2}


@pytest.mark.parametrize(("players", "limit"), [(2, 31), (3, 21), (4, 16), (5, 13), (6, 11), (7, 11), (8, 11)])
def test_limits(players: int, limit: int) -> None:
    assert lookup.limit(players) == {"limit": limit}


@pytest.mark.parametrize("players", [-1, 0, 1, 9])
def test_limits_only_for_2_to_8(players: int) -> None:
    with pytest.raises(EntryError):
        lookup.limit(players)


@pytest.mark.parametrize(
    ("stakes", "chips"),
    [
        ("forfeit", (0, 0, 0, 0, 0)),
        ("seattle", (-4, 1, 1, 1, 1)),
        ("downspear", (-4, 1, 1, 1, 1)),
        ("norland", (-1, 0, 0, 0, 1)),
        ("cutchfeld", (-17, 0, 0, 0, 17)),
        ("tacoma", (-6, 0, 0, 0, 6)),
        ("olympia", (-15, 0, 0, 0, 15)),
        ("portland", (-41, 7, 9, 10, 15)),
    ],
)
def test_stakes_on_17_10_8_7_2(stakes: str, chips: tuple[int, ...]) -> None:
    assert tuple(lookup.stakes(stakes, SCORES)["chips"].values()) == chips


def test_shared_prize_and_carried_chips() -> None:
    """17 and 2 carried make 19: three lowest get 6 each, 1 is carried."""
    scores = {"Ana": 17, "Ben": 3, "Cleo": 3, "Dan": 3}
    assert lookup.stakes("cutchfeld", scores, carried=2) == {
        "chips": {"Ana": -17, "Ben": 6, "Cleo": 6, "Dan": 6},
        "carried": 1,
    }
    assert lookup.stakes("seattle", scores, carried=2)["carried"] == 2
    assert lookup.stakes("tacoma", scores, sum_=12)["chips"]["Ben"] == 4


@pytest.mark.parametrize(("white", "fine", "bust"), [(0, 5, 5), (1, 6, 6), (11, 11, 16), (15, 13, 20), (45, 28, 50)])
def test_blackstone_fines(white: int, fine: int, bust: int) -> None:
    answer = lookup.blackstone(white, 1, 30, 9)
    assert (answer["pass"], answer["bust"]) == (fine, bust)


def test_blackstone_chance() -> None:
    """Holding one, the first of 39 unseen is black in 9; holding none, two in a row: 9/39 x 8/38."""
    assert Fraction(lookup.blackstone(15, 1, 30, 9)["second"]["1"]) == Fraction(9, 39)
    empty = lookup.blackstone(15, 0, 30, 9)["second"]
    assert Fraction(empty["1"]) == 0
    assert Fraction(empty["2"]) == Fraction(9 * 8, 39 * 38)
    assert len(empty) == 39
    assert Fraction(empty["39"]) == 1


def test_rocket() -> None:
    assert lookup.rocket(20)["value"]["4"] == 8
    assert lookup.rocket(20)["value"]["8"] == 16
    assert lookup.rocket(50)["value"]["7"] == 35
    assert lookup.rocket(20)["death"] == 6
    for bet in (25, -10):
        with pytest.raises(EntryError):
            lookup.rocket(bet)


def test_fold_and_odds() -> None:
    assert lookup.fold([[7, 5], [3, 10]]) == 3
    assert Fraction(lookup.odds((7, 5), (7, 5, 10))["pair"]) == Fraction(10, 52)


@pytest.mark.parametrize(
    "call",
    [
        lambda: lookup.stakes("vegas", SCORES),
        lambda: lookup.stakes("tacoma", {"Ana": 3}),
        lambda: lookup.stakes("tacoma", {"Ana": 3, "Ben": 3}),
        lambda: lookup.blackstone(46, 0, 30, 9),
        lambda: lookup.blackstone(3, 2, 30, 9),
        lambda: lookup.blackstone(3, 1, 30, 10),
        lambda: lookup.fold([]),
        lambda: lookup.odds((8,), ()),
    ],
)
def test_impossible_questions_are_refused(call: object) -> None:
    with pytest.raises(EntryError):
        call()  # type: ignore[operator]
