"""Numbers and drawings for the screens: percentages, signs, the triangle of 55 dots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from companion.engine.cards import VALUES, copies
from companion.engine.errors import say
from companion.engine.state import AnyState

from .i18n import gettext as _
from .i18n import translate

MINUS = "\N{MINUS SIGN}"


def percent(chance: Fraction) -> str:
    """A chance as people say it."""
    if 0 < chance < Fraction(1, 200):
        return _("<1%")
    return _("{number}%").format(number=round(chance * 100))


def signed(number: int) -> str:
    """With its sign, and a real minus."""
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    return f"{MINUS}{-number}" if number < 0 else str(number)


def about(number: Fraction) -> str:
    """One decimal, with its sign."""
    tenths = round(abs(number) * 10)
    digits = _("{whole}.{tenth}").format(whole=tenths // 10, tenth=tenths % 10)
    return f"{'+' if number > 0 else MINUS}{digits}" if tenths else "0"


NUMBERS = (
    say("none"),
    say("one"),
    say("two"),
    say("three"),
    say("four"),
    say("five"),
    say("six"),
    say("seven"),
    say("eight"),
    say("nine"),
    say("ten"),
)


def number_word(number: int) -> str:
    return translate(NUMBERS[number]) if number < len(NUMBERS) else str(number)


def listing(words: Iterable[str]) -> str:
    """Ana, Ben and Cleo."""
    *most, last = words
    return _("{most} and {last}").format(most=", ".join(most), last=last) if most else last


@dataclass(frozen=True)
class Triangle:
    """The deck as dots, one path for each kind; rings are circles."""

    unseen: str
    in_play: str
    seen: str
    rings: tuple[tuple[float, float], ...]
    kept: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class OddsRow:
    """A row of the odds panel."""

    value: int
    y: int
    copies: int
    chance: str
    hot: bool


def places(state: AnyState) -> dict[int, tuple[int, int, int, int]]:
    """For each value the dots that are unseen, in play, kept and seen; they add up to the value."""
    on_table = Counter(state.on_the_table())
    kept = Counter(value for seat in state.everyone() for value in seat.kept)
    decks = state.pile.decks
    found = {}
    for value in VALUES:
        counts = (state.pile.unseen[value], on_table[value], kept[value])
        dots, left = [], copies(value)
        for count in counts:
            dot = min(left, -(-count // decks))
            dots.append(dot)
            left -= dot
        found[value] = (dots[0], dots[1], dots[2], left)
    return found


@cache
def dots(value: int, step: float, row: float, middle: float, top: float) -> tuple[tuple[str, tuple[float, float]], ...]:
    """A row of the triangle, from the left: each dot as a piece of a path, and where it is."""
    y = top + row * (value - 1)
    across = [middle + step * (dot - (value - 1) / 2) for dot in range(value)]
    return tuple((f"M{x:g} {y:g}h0", (x, y)) for x in across)


def triangle(state: AnyState, step: float = 10, row: float = 9, middle: float = 50, top: float = 5) -> Triangle:
    """In a row, from the left: unseen, in play, kept, seen."""
    unseen: list[str] = []
    in_play: list[str] = []
    seen: list[str] = []
    rings: list[tuple[float, float]] = []
    kept: list[tuple[float, float]] = []
    for value, (hidden, lying, held, _rest) in places(state).items():
        line = dots(value, step, row, middle, top)
        unseen += [path for path, _at in line[:hidden]]
        in_play += [path for path, _at in line[hidden : hidden + lying]]
        rings += [at for _path, at in line[hidden : hidden + lying]]
        kept += [at for _path, at in line[hidden + lying : hidden + lying + held]]
        seen += [path for path, _at in line[hidden + lying + held :]]
    return Triangle("".join(unseen), "".join(in_play), "".join(seen), tuple(rings), tuple(kept))


def dashes(count: int, first: int = 0) -> str:
    """So many dots in a row, as one dashed line."""
    return f"M{4 + 8 * first} 4h{8 * (count - 1)}.1" if count > 0 else ""


def large_dots(value: int) -> list[str]:
    """The dots on a large card face: rows of five, each in the middle."""
    rows = [min(5, value), max(0, value - 5)]
    return [f"M{20 - 4 * (count - 1)} {4 + 8 * row}h{8 * (count - 1)}.1" for row, count in enumerate(rows) if count]
