"""Numbers and drawings for the screens: percentages, signs, the triangle of 55 dots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from companion.engine.cards import VALUES, copies
from companion.engine.state import AnyState

from .i18n import gettext as _

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


def number_word(number: int) -> str:
    words = (
        _("none"),
        _("one"),
        _("two"),
        _("three"),
        _("four"),
        _("five"),
        _("six"),
        _("seven"),
        _("eight"),
        _("nine"),
        _("ten"),
    )
    return words[number] if number < len(words) else str(number)


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


def triangle(state: AnyState, step: float = 10, row: float = 9, middle: float = 50, top: float = 5) -> Triangle:
    """In a row, from the left: unseen, in play, kept, seen."""
    paths: tuple[list[str], list[str], list[str], list[str]] = ([], [], [], [])
    points: tuple[list[tuple[float, float]], ...] = ([], [], [], [])
    for value, dots in places(state).items():
        y = top + row * (value - 1)
        x = middle - step * (value - 1) / 2
        for kind, count in enumerate(dots):
            for _dot in range(count):
                paths[kind].append(f"M{x:g} {y:g}h0")
                points[kind].append((x, y))
                x += step
    return Triangle("".join(paths[0]), "".join(paths[1]), "".join(paths[3]), tuple(points[1]), tuple(points[2]))


def dashes(count: int, first: int = 0) -> str:
    """So many dots in a row, as one dashed line."""
    return f"M{4 + 8 * first} 4h{8 * (count - 1)}.1" if count > 0 else ""


def large_dots(value: int) -> list[str]:
    """The dots on a large card face: rows of five, each in the middle."""
    rows = [min(5, value), max(0, value - 5)]
    return [f"M{20 - 4 * (count - 1)} {4 + 8 * row}h{8 * (count - 1)}.1" for row, count in enumerate(rows) if count]
