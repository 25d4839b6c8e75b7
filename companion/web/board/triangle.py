"""The deck as a triangle of 55 dots, and the dots on keys and card faces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from markupsafe import Markup

from companion.engine.cards import VALUES, copies
from companion.engine.state import AnyState


@dataclass(frozen=True, eq=False)  # compared by identity, which is fast: there are only two
class Drawing:
    """The measures of a triangle."""

    step: float
    row: float
    middle: float
    top: float
    ring: float
    kept: float


SMALL = Drawing(10, 9, 50, 5, 3.6, 3.2)
LARGE = Drawing(21, 27, 158, 14, 7, 6.5)


class Triangle(NamedTuple):
    """The deck as dots, one path for each kind; rings are circles."""

    unseen: str
    in_play: str
    seen: str
    rings: Markup
    kept: Markup


@dataclass(frozen=True)
class OddsRow:
    """A row of the odds panel: a value, its copies and its chance."""

    value: int
    y: int
    copies: int
    chance: str
    hot: bool


def shared_out(value: int, unseen: int, on_table: int, kept: int, decks: int) -> tuple[int, int, int, int]:
    """How many dots of one value are unseen, in play, kept and seen: together as many as the value.

    With several decks a dot stands for one card of each.
    """
    found, left = [], copies(value)
    for count in (unseen, on_table, kept):
        dots = min(left, -(-count // decks))
        found.append(dots)
        left -= dots
    return found[0], found[1], found[2], left


@cache
def row_of_dots(value: int, unseen: int, on_table: int, kept: int, decks: int, drawing: Drawing) -> tuple[str, ...]:
    """A row of the triangle, from the left: unseen, in play, kept, seen; in the order of a `Triangle`."""
    y = drawing.top + drawing.row * (value - 1)
    across = [drawing.middle + drawing.step * (dot - (value - 1) / 2) for dot in range(value)]
    paths = [f"M{x:g} {y:g}h0" for x in across]
    hidden, lying, held, _all = accumulate(shared_out(value, unseen, on_table, kept, decks))
    return (
        "".join(paths[:hidden]),
        "".join(paths[hidden:lying]),
        "".join(paths[held:]),
        "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{drawing.ring:g}"/>' for x in across[hidden:lying]),
        "".join(f'<circle class="k" cx="{x:g}" cy="{y:g}" r="{drawing.kept:g}"/>' for x in across[lying:held]),
    )


def triangle(state: AnyState, drawing: Drawing = SMALL) -> Triangle:
    """The deck as it is now. A row has few possible states, so each is drawn once and cached."""
    on_table = state.on_the_table()
    kept = [value for seat in state.everyone() for value in seat.kept]
    unseen, decks = state.pile.unseen, state.pile.decks
    rows = [
        row_of_dots(value, unseen[value], on_table.count(value), kept.count(value), decks, drawing) for value in VALUES
    ]
    hidden, lying, seen, rings, held = map("".join, zip(*rows, strict=True))
    return Triangle(hidden, lying, seen, Markup(rings), Markup(held))


def dashes(count: int, first: int = 0) -> str:
    """A row of dots as the path of one dashed line; `first` is the place of the first dot."""
    return f"M{4 + 8 * first} 4h{8 * (count - 1)}.1" if count > 0 else ""


def _large_dots(value: int) -> tuple[str, ...]:
    rows = [min(5, value), max(0, value - 5)]
    dots = [f"M{20 - 4 * (count - 1)} {4 + 8 * row}h{8 * (count - 1)}.1" for row, count in enumerate(rows) if count]
    return tuple(dots)


class LargeCard(NamedTuple):
    """A card in large type, with its dots in rows of five, each in the middle."""

    value: int
    dots: tuple[str, ...]


LARGE_CARDS = tuple(LargeCard(value, _large_dots(value)) for value in range(11))
