"""Best play on a card, compared with the figures of the specification."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from random import Random

import pytest

from companion.coach import advise, cards
from companion.engine.cards import full
from companion.games import GAMES
from companion.games.pairs import PairsState
from companion.table.table import Table

from .walks import NAMES, folds_by_card, next_entry

BEST_PLAY = (0.020788, 0.028513, 0.030899, 0.032063, 0.032751, 0.033207, 0.033530, 0.033772)
NEVER_FOLDING = (4.21, 4.86, 5.06, 5.16, 5.22, 5.26, 5.29, 5.31)  # percent


def test_the_house_edge_of_rocket() -> None:
    edges = cards.rocket_card().edges
    assert [edge.decks for edge in edges] == list(range(1, 9))
    assert [edge.best_play for edge in edges] == pytest.approx(BEST_PLAY, abs=5e-7)
    assert [100 * edge.always_drawing for edge in edges] == pytest.approx(NEVER_FOLDING, abs=0.005)


def test_the_first_turn_of_rocket() -> None:
    folds, six = cards.rocket_card().folds, cards.rocket_chart(6)
    assert folds == {1: (7, 8, 9, 10), 2: (8, 9, 10)}
    assert (six[1], six[2]) == ((6, 7, 8, 9, 10), (8, 9, 10))


def test_the_rocket_file_equals_what_the_coach_works_out() -> None:
    on_file = files("companion.coach") / "data" / cards.ROCKET_FILE
    assert list(cards.rocket_lines()) == on_file.read_text("utf-8").splitlines()


def test_the_most_to_take_in_blackstone() -> None:
    assert [(row.first, row.last, row.most) for row in cards.blackstone_card(0)] == [
        (0, 3, 9),
        (4, 9, 8),
        (10, 13, 7),
        (14, 19, 6),
        (20, 25, 5),
        (26, 31, 4),
        (32, 36, 3),
        (37, 41, 2),
        (42, 45, 1),
    ]
    assert [(row.first, row.last, row.most) for row in cards.blackstone_card(1)] == [
        (0, 1, 6),
        (2, 5, 5),
        (6, 11, 4),
        (12, 17, 3),
        (18, 18, 2),
        (19, 19, 3),
        (20, 27, 2),
        (28, 37, 1),
        (38, 45, 0),
    ]


def test_when_to_fold_in_pairs() -> None:
    card = cards.pairs_card()
    assert list(card) == list(range(2, 9))
    assert card[2][1] == cards.FoldingRow("4-6", (7, 14, 17, 38, None))
    for rows in card.values():
        assert rows[0] == cards.FoldingRow("1-3", (None,) * 5)  # never within 3 of the limit
        assert all(len(row.sums) == len(cards.TAKEN_IN_PAIRS) for row in rows)


def test_the_card_for_pairs_says_what_the_coach_says() -> None:
    """They agree in nine of ten clear decisions; the rest costs half of what never folding costs."""
    agrees, by_card, never = [], 0.0, 0.0
    for state in positions():
        advice = advise(GAMES["pairs"], state)
        assert advice is not None
        draw, fold = (option.value for option in advice.options)
        chosen = fold if folds_by_card(state) else draw
        by_card += chosen - min(draw, fold)
        never += draw - min(draw, fold)
        if advice.best:
            agrees.append(chosen == advice.better)
    assert sum(agrees) / len(agrees) > 0.9
    assert by_card < never / 2


def positions() -> Iterator[PairsState]:
    """Every sixth decision of games in which nobody folds, so that stacks grow, for each number of players."""
    for seats in range(2, 9):
        random = Random(seats)
        table = Table.open(GAMES, NAMES[:seats], ["game pairs"])
        while table.head.number < 200:
            if table.state.phase == "play" and table.head.number % 6 == 0:
                yield table.state
            table = table.enter([next_entry(table, random, folds=0) or "game pairs"])


def test_the_deck_of_the_card_is_the_whole_one() -> None:
    assert sum(cards.WHITE_STONES) + full()[10] == 55
