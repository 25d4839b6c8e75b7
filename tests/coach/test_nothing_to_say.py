"""Where the coach has no answer, and where it must have one."""

from __future__ import annotations

import pytest

from companion.coach import advise, is_slow
from companion.games import GAMES

from .records import position

SILENT = {
    "before a round": "game pairs",
    "in the deal": "game pairs,5",
    "between rounds": "game pairs,5,8,fold",
    "after the game": "game pairs limit=5,5,8,fold",
    "without cards": "game pairs cards=no",
    "coach off": "game pairs coach=off,5,8",
    "odds off": "game pairs odds=off,5,8",
    "odds after": "game pairs odds=after,5,8",
    "calamities": "game pairs calamities=yes,5,8",
    "eights": "game pairs eights=yes,5,8",
    "an empty stack": "game continuous,5,8,9,8,7",
    "the dealer of Rocket": "game rocket,7,9,8",
    "Blackstone, cards to come": "game blackstone,4,7,take 2",
    "Starboard, alone": "game starboard,4,10,10",
    "Zombie Life, two in": "game zombie,4,9",
    "Zombie Life, a card to place": "game zombie,4,9,pass,8",
    "Hawthorn, a lap from the hand": "game hawthorn,play 4,play 9,8,10",
}
TALKATIVE = {
    "coach all": "game pairs coach=all,5,8",
    "Continuous": "game continuous,5,8",
    "Starboard beside a lock": "game starboard,4,10,lock",
    "Zombie Life, last in": "game zombie,4,9,pass",
}


def has_advice(seats: str, entries: str) -> bool:
    state = position(seats, entries)
    return advise(GAMES[state.game], state) is not None


@pytest.mark.parametrize("entries", SILENT.values(), ids=SILENT)
def test_there_is_no_advice(entries: str) -> None:
    assert not has_advice("Ana Ben", entries)


@pytest.mark.parametrize("entries", TALKATIVE.values(), ids=TALKATIVE)
def test_there_is_advice(entries: str) -> None:
    assert has_advice("Ana Ben", entries)


def test_starboard_has_advice_for_three_players_not_out() -> None:
    assert not has_advice("Ana Ben Cleo Dora", "game starboard,4,10")
    assert has_advice("Ana Ben Cleo Dora", "game starboard,4,10,10")


@pytest.mark.parametrize(
    ("game", "answered"),
    [("pairs", True), ("continuous", True), ("port", True), ("rocket", False), ("starboard", False), ("zombie", False)],
)
def test_before_a_needed_shuffle_some_games_have_advice(game: str, answered: bool) -> None:
    entries = {
        "pairs": "5,8,10",
        "continuous": "5,8,10",
        "port": "5,8,10",
        "rocket": "7,9",
        "starboard": "4,10",
        "zombie": "4,9,pass",
    }[game]
    state = position("Ana Ben", f"game {game},{entries}")
    dry = state.but(pile=state.pile.but(burned=state.pile.total))
    assert dry.pile.left == 0
    assert (advise(GAMES[game], dry) is not None) is answered


def test_the_fold_of_continuous_pairs_names_the_card_where_it_must() -> None:
    one = advise(GAMES["continuous"], position("Ana Ben", "game continuous,5,8"))
    two = advise(GAMES["continuous"], position("Ana Ben Cleo", "game continuous,5,8,9,9,10,5"))
    assert one is not None
    assert two is not None
    assert [option.entry for option in one.options] == ["draw", "fold"]
    assert [option.entry for option in two.options] == ["draw", "fold 5 Cleo"]


@pytest.mark.parametrize(
    ("seats", "entries", "error"),
    [
        ("Ana Ben Cleo", "game pairs,5,8,9", 0.02),
        ("A B C D E", "game pairs,5,8,9,10,7", 0.03),
        ("Ana Ben Cleo", "game pairs limit=30,5,8,9", 0.05),
        ("A B C D E", "game continuous,5,8,9,10,7", 0.07),
        ("A B C D E F", "game continuous,5,8,9,10,7,6", 0.04),
        ("A B C D", "game port,5,8,9,10", 0.5),
        ("A B C D E", "game port,5,8,9,10,7", 0.8),
        ("A B C D", "game blackstone,5,8,9,7", 2),
        ("A B C", "game blackstone,5,8,9,pass", 0),
    ],
)
def test_errors(seats: str, entries: str, error: float) -> None:
    state = position(seats, entries)
    advice = advise(GAMES[state.game], state)
    assert advice is not None
    assert {option.error for option in advice.options} == {error}


def test_rocket_is_an_estimate_when_a_shuffle_is_near() -> None:
    state = position("Ana Ben", "game rocket,7,9")
    for left, method in ((20, "exact"), (19, "estimate")):
        near = state.but(pile=state.pile.but(lost_unseen=state.pile.total - left))
        advice = advise(GAMES["rocket"], near)
        assert advice is not None
        assert (advice.method, advice.options[0].error) == (method, 0.0 if method == "exact" else 0.08)


@pytest.mark.parametrize(
    ("seats", "entries", "slow"),
    [
        ("A B C", "game blackstone,5,8,9", True),
        ("A B", "game blackstone,5,8", False),
        ("A B C D", "game blackstone,5,8,9,7", False),
        ("A B C", "game pairs,5,8,9", False),
        ("A B C", "game starboard,4,10", True),
        ("A B", "game blackstone,5", False),
    ],
)
def test_slow_answers_are_worked_out_only_when_asked(seats: str, entries: str, slow: bool) -> None:
    state = position(seats, entries)
    assert is_slow(GAMES[state.game], state) is slow
