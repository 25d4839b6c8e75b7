"""The coach's sentences in English; the French ones are in the catalogue."""

from __future__ import annotations

import pytest

from companion.coach import Advice, Choice, advise, words
from companion.coach.accounts import Account
from companion.engine.sentence import Sentence
from companion.games import GAMES

from .records import position

THREE = "Ana Ben Cleo"


def both_sentences(seats: str, entries: str) -> tuple[str, str]:
    state = position(seats, entries)
    advice = advise(GAMES[state.game], state)
    assert advice is not None
    return str(words.choices(advice)), str(words.how_found(advice, state.game))


@pytest.mark.parametrize(
    ("seats", "entries", "choice", "how"),
    [
        (
            THREE,
            "game pairs,5,8,9",
            "Draw: 32% risk of losing the game. Fold: 47%.",
            "Estimate, give or take 2 percentage points: it assumes that everyone folds when a card costs more than one and a half times as much as folding.",
        ),
        (
            "Ana Ben Cleo Dora",
            "game pairs,points Ana 9,points Ben 5,points Cleo 12,points Dora 7,3,8,10,9,7,4,6",
            "Fold: 29% risk of losing the game. Draw: 30%.",
            "Estimate, give or take 2 percentage points: it assumes that everyone folds when a card costs more than one and a half times as much as folding.",
        ),
        (
            "Ana Ben Cleo Dora Eve Fay",
            "game pairs,points Ana 6,points Ben 8,2,9,5,10,7,8,6,4,3,9,6,10",
            "About equal: 34%.",
            "Estimate, give or take 3 percentage points: it assumes that everyone folds when a card costs more than one and a half times as much as folding.",
        ),
        (
            THREE,
            "game continuous,points Ana 13,points Ben 8,points Cleo 5,3,8,10,9,6,7",
            "Fold: 61% risk of losing the game. Draw: 71%.",
            "Estimate, give or take 7 percentage points: it assumes that everyone folds when a card costs more than about half as much as folding.",
        ),
        (
            THREE,
            "game port,5,8,9,10,10,lock",
            "Draw: +2.2 points. Lock: +2.",
            "Estimate, give or take 0.5 points: it assumes that everyone stops at the best moment.",
        ),
        (
            "Ana Ben",
            "game rocket bet=50,7,1",
            "Fold: −10% of the bet. Draw: −13%.",
            "Worked out exactly, as long as there is no shuffle in this round.",
        ),
        (
            "Ana Ben",
            "game blackstone,4,7",
            "Take 1: −0.7 chips. Pass: −6.",
            "Worked out exactly, assuming that everyone plays as well as possible.",
        ),
        (
            "Ana Ben Cleo Dora",
            "game blackstone,4,7,8,9",
            "Take 1: −0.9 chips. Pass: −7.",
            "Estimate, give or take 2 chips: it assumes that nobody takes more cards than they must.",
        ),
        (
            THREE,
            "game hawthorn,play 4,play 9,play 7,8",
            "A card costs 1.4 on average, folding 4. Drawing pays if you win the pot 26 times in 100.",
            "The hands are hidden, so no choice can be called better.",
        ),
    ],
)
def test_the_two_sentences(seats: str, entries: str, choice: str, how: str) -> None:
    assert both_sentences(seats, entries) == (choice, how)


def test_choices_with_the_same_figure_are_about_equal() -> None:
    """A pass and six cards: −7 chips each, as precisely as they are shown."""
    choice, _how = both_sentences(THREE, "game blackstone,4,7,10,take 1,white,take 1,white")
    assert choice == "About equal: −7 chips."


def test_near_a_shuffle_the_bet_is_estimated() -> None:
    options = (Choice("draw", -0.076, 0.08), Choice("fold", -0.4, 0.08))
    advice = Advice("Ana", "bet", "estimate", "no shuffle", options, "draw")
    assert str(words.choices(advice)) == "Draw: −7.6% of the bet. Fold: −40%."
    assert str(words.how_found(advice, "rocket")) == (
        "Estimate, give or take 8% of the bet: a shuffle in this round is likely."
    )
    known = advice.in_chips(50)
    assert str(words.choices(known)) == "Draw: −3.8 chips. Fold: −20."
    assert str(words.how_found(known, "rocket")) == (
        "Estimate, give or take 4 chips: a shuffle in this round is likely."
    )


def test_decimals_are_sentences_of_their_own() -> None:
    """So each language can have its own decimal sign."""
    value = words.decimal(-0.74)
    assert isinstance(value, Sentence)
    assert value.template == "{sign}{whole}.{tenth}"
    assert [str(words.decimal(number)) for number in (0.04, 2.0, -3.96, 0.06)] == ["0", "2", "−4", "0.1"]


def test_a_seats_luck() -> None:
    account = Account(start=1 / 3, skill=-0.05, gifts=0.08, luck=0.3033, result=1 / 3)
    assert str(words.luck_line(account, "lose")) == (
        "Luck +30, others’ mistakes +8, own mistakes −5: won by 33 points."
    )
    loser = Account(start=1 / 3, skill=-0.05, gifts=0.08, luck=-0.72, other=0.0233, result=-2 / 3)
    assert str(words.luck_line(loser, "lose")) == (
        "Luck −72, others’ mistakes +8, own mistakes −5, corrections +2: lost by 67 points."
    )


def test_a_seats_chips() -> None:
    account = Account(start=-1.04, skill=-0.5, gifts=0.0, luck=6.54, result=5.0)
    assert str(words.luck_line(account, "chips")) == (
        "Luck +6.5, others’ mistakes 0, own mistakes −0.5, starting position −1: +5 chips."
    )
