"""Best play on a card, for the quick reference, without a table.

Rocket's card takes two seconds to work out: it is stored in a file, and a test works it out again. The others are
worked out on first use, and remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from companion.engine.cards import VALUES, full
from companion.games.blackstone import ANTE, BLACK, bust_fine, pass_fine
from companion.games.rocket import DEATH

from .losing import data_lines
from .rocket import FOLDS, Duel, draw_value, sets_of

DECKS = range(1, 9)
WHITE_STONES = full()[1:BLACK]
TAKEN_IN_PAIRS = range(1, 6)  # folding never pays for a card above a 5
ROCKET_FILE = "rocket_card.csv"


class FoldingRow(NamedTuple):
    """Pairs: for a range of points to go, the sum of own cards from which to fold, by the card that would be taken."""

    need: str
    sums: tuple[int | None, ...]  # for a 1, a 2 and so on; None: draw


class HouseEdge(NamedTuple):
    """Rocket: the part of every bet that the dealer wins on average."""

    decks: int
    best_play: float
    always_drawing: float


class RocketCard(NamedTuple):
    """Rocket: the house edge by decks; and with one deck, by the dealer’s first card, the cards to fold with."""

    edges: tuple[HouseEdge, ...]
    folds: dict[int, tuple[int, ...]]


class Stretch(NamedTuple):
    """Blackstone: for a range of numbers of white stones, the most cards it is sensible to take."""

    first: int
    last: int
    most: int


@cache
def pairs_card() -> dict[int, tuple[FoldingRow, ...]]:
    """When to fold in Pairs, by the number of players."""
    found: dict[int, tuple[FoldingRow, ...]] = {}
    _head, *lines = data_lines("pairs_card.csv")
    for line in lines:
        players, need, *sums = line.split(",")
        row = FoldingRow(need, tuple(int(text) if text else None for text in sums))
        found[int(players)] = (*found.get(int(players), ()), row)
    return found


@cache
def rocket_card() -> RocketCard:
    """The card for Rocket, from its file."""
    edges, folds = [], {}
    for line in data_lines(ROCKET_FILE):
        kind, first, *rest = line.split(",")
        if kind == "edge":
            edges.append(HouseEdge(int(first), *map(float, rest)))
        else:
            folds[int(first)] = tuple(map(int, rest))
    return RocketCard(tuple(edges), folds)


def rocket_lines() -> Iterator[str]:
    """The lines of that file, worked out anew."""
    yield "# Rocket, as the coach works it out (`rocket_lines` in coach/cards.py)"
    yield "# What the dealer wins of every bet on average: decks, against best play, against a player who never folds"
    for decks in DECKS:
        edge = rocket_edge(decks)
        yield f"edge,{decks},{edge.best_play:.6f},{edge.always_drawing:.6f}"
    yield "# With one deck: the dealer’s first card, the first cards with which to fold at once"
    for facing, own in rocket_chart(1).items():
        if own:
            yield ",".join(map(str, ("fold", facing, *own)))


def rocket_edge(decks: int) -> HouseEdge:
    """What the dealer of Rocket wins on average against best play, and against a player who never folds."""
    cards = full(decks)
    return HouseEdge(decks, -draw_value(cards), -draw_value(cards, folding=False))


def rocket_chart(decks: int) -> dict[int, tuple[int, ...]]:
    """For each first card of the dealer, the first cards with which to fold at once."""
    draws = Duel(full(decks), own=0, dealers=0).draws(lap=1)
    facing = [value for value in VALUES if value != DEATH]
    along = sets_of(facing, 1)
    return {
        value: tuple(own for own in VALUES if FOLDS[dealers | 1 << own] > draws[1 << own][place])
        for place, (value, dealers) in enumerate(zip(facing, along, strict=True))
    }


@cache
def blackstone_card(held: int) -> tuple[Stretch, ...]:
    """The most cards to take for every number of white stones, for a player with `held` black stones."""
    found: list[Stretch] = []
    for white in range(sum(WHITE_STONES) + 1):
        most = most_sensible(white, held)
        if found and found[-1].most == most:
            found[-1] = found[-1]._replace(last=white)
        else:
            found.append(Stretch(white, white, most))
    return tuple(found)


def most_sensible(white: int, held: int) -> int:
    """The most cards whose expected fine is not above that of a pass, considering this turn only."""
    unseen_white, unseen_black = sum(WHITE_STONES) - white, full()[BLACK] - held
    chances = {(0, held): 1.0}  # by the numbers of new white stones and of black stones held
    fine, count = 0.0, 0
    for drawn in range(unseen_white + unseen_black):
        after: dict[tuple[int, int], float] = {}
        for (new, blacks), chance in chances.items():
            rest = unseen_white + unseen_black - drawn
            black = chance * (unseen_black - (blacks - held)) / rest
            if blacks == 1:
                fine += black * bust_fine(white + new, ANTE)
            else:
                after[new, 1] = after.get((new, 1), 0.0) + black
            after[new + 1, blacks] = after.get((new + 1, blacks), 0.0) + chance * (unseen_white - new) / rest
        if fine > pass_fine(white, ANTE):
            break
        chances, count = after, drawn + 1
    return count
