"""The worked examples of the specification, from records through the engine."""

from __future__ import annotations

import pytest

from companion.coach import Advice, advise
from companion.games import GAMES

from .records import position

THREE, SIX = "Ana Ben Cleo", "Ana Ben Cleo Dora Eve Fay"
PATHS = 0.004  # how far an estimate by paths may be from the figure
CONTINUOUS = 0.015
DIGITS = 0.00006

EXAMPLES = [
    (THREE, "game pairs,5,8,9", {"draw": 0.325, "fold": 0.4732}, "draw", PATHS),
    (
        THREE,
        "game pairs,points Ana 4,points Ben 15,points Cleo 9,2,10,7,6,4",
        {"draw": 0.240, "fold": 0.3039},
        "draw",
        PATHS,
    ),
    (
        "Ana Ben Cleo Dora",
        "game pairs,points Ana 9,points Ben 5,points Cleo 12,points Dora 7,3,8,10,9,7,4,6",
        {"draw": 0.304, "fold": 0.2875},
        "fold",
        PATHS,
    ),
    (
        "Ana Ben",
        "game pairs,points Ana 20,points Ben 24,3,9,8,10,6",
        {"draw": 0.767, "fold": 0.7289},
        "fold",
        PATHS,
    ),
    (
        SIX,
        "game pairs,points Ana 6,points Ben 8,2,9,5,10,7,8,6,4,3,9,6,10",
        {"draw": 0.343, "fold": 0.3435},
        None,
        PATHS,
    ),
    (
        THREE,
        "game continuous,points Ana 13,points Ben 8,points Cleo 5,3,8,10,9,6,7",
        {"draw": 0.71, "fold": 0.62},
        "fold",
        CONTINUOUS,
    ),
    (THREE, "game port,5,8,9,10,10,lock", {"draw": 2.2335, "lock": 2.0}, "draw", DIGITS),
    ("Ana Ben", "game rocket bet=50,6,1", {"draw": -0.0995, "fold": -0.1}, "draw", DIGITS),
    ("Ana Ben", "game rocket bet=50,7,1", {"draw": -0.1299, "fold": -0.1}, "fold", DIGITS),
    (
        "Ana Ben",
        "game blackstone,4,7",
        {"take 1": -0.7467, "take 2": -1.1135, "take 9": -3.0471, "pass": -6},
        "take 1",
        DIGITS,
    ),
    (
        THREE,
        "game blackstone,4,7,10,take 1,white,take 1,white",
        {"take 1": -7.8342, "take 2": -7.7587, "take 6": -7.0476, "pass": -7},
        "pass",
        DIGITS,
    ),
    ("Ana Ben", "game starboard,4,10", {"draw": 0.2758, "lock": 0.6792}, "lock", DIGITS),
    ("Ana Ben", "game zombie,4,9,10,refuge,pass", {"draw": 4.1025, "pass": 2}, "draw", DIGITS),
    (THREE, "game hawthorn,play 4,play 9,play 7,8", {"draw": -1.4118, "fold": -4}, None, DIGITS),
]


def coach(seats: str, entries: str) -> Advice:
    state = position(seats, entries)
    advice = advise(GAMES[state.game], state)
    assert advice is not None
    return advice


@pytest.mark.parametrize(("seats", "entries", "values", "best", "within"), EXAMPLES)
def test_example(seats: str, entries: str, values: dict[str, float], best: str | None, within: float) -> None:
    advice = coach(seats, entries)
    assert advice.best == best
    for entry, value in values.items():
        exact = entry == "fold" and "pairs" in entries  # a closed form
        assert advice.value(entry) == pytest.approx(value, abs=DIGITS if exact else within)


def test_a_fold_is_a_closed_form() -> None:
    advice = coach(THREE, "game pairs,5,8,9")
    assert advice.value("fold") == 1755 / (1755 + 977 + 977)


def test_hawthorn_says_how_often_the_pot_must_be_won() -> None:
    report = coach(THREE, "game hawthorn,play 4,play 9,play 7,8").report()
    assert report["share"] == pytest.approx(0.2614, abs=DIGITS)


def test_the_report_is_the_contract() -> None:
    report = coach("Ana Ben Cleo Dora", EXAMPLES[2][1]).report()
    draw, fold = report["options"]
    assert (draw.pop("value"), fold.pop("value")) == (pytest.approx(0.3044, abs=PATHS), pytest.approx(0.2875, abs=1e-4))
    assert report == {
        "turn": "Dora",
        "unit": "lose",
        "method": "estimate",
        "assumes": "rule",
        "options": [{"entry": "draw", "error": 0.02}, {"entry": "fold", "error": 0.02}],
        "best": "fold",
    }


def test_blackstone_names_the_least_and_eight_more() -> None:
    advice = coach("Ana Ben", "game blackstone,4,7")
    assert [option.entry for option in advice.options] == [*(f"take {count}" for count in range(1, 10)), "pass"]
