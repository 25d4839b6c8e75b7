"""The example on a rules page: a short record, played by the engine, shown as rows of cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from companion.engine.cards import VALUES, copies
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.table.people import LETTERS
from companion.table.table import Table
from companion.web.board.screen import Face, Mark, SeatRow, Tally
from companion.web.i18n import gettext as _

# The whole deck, a row for each value.
DECK = tuple((value,) * copies(value) for value in VALUES)


@dataclass(frozen=True)
class ExampleRecord:
    """Who sits at the example, and its entries."""

    names: str  # blanks between
    entries: str  # commas between

    def table(self, fewer: int = 0) -> Table:
        """The example's table, without its last entries if some are to be left out."""
        return _played(self.names, self.entries, fewer)

    def after(self, fewer: int = 0) -> Any:
        """The state at that point, with the game's own type."""
        return self.table(fewer).state


@cache
def _played(names: str, entries: str, fewer: int) -> Table:
    texts = entries.split(", ")
    return Table.open(GAMES, names.split(), texts[: len(texts) - fewer])


@dataclass(frozen=True)
class Example:
    """Rows as they lie on the table, and the figures of the caption."""

    rows: tuple[SeatRow, ...]
    middle: tuple[Face, ...] = ()  # a common hand, a Horde
    under: tuple[tuple[Mark, ...], ...] = ()  # who stands under each of those cards
    figures: Mapping[str, Any] = field(default_factory=dict)


def mark_of(position: int) -> Mark:
    return Mark(LETTERS[position], f"s{position + 1}")


def row(
    state: AnyState, position: int, faces: tuple[Face, ...], label: str = "", figure: str = "", stones: int = 0
) -> SeatRow:
    return SeatRow(
        mark_of(position), state.seats[position].name, faces=faces, tally=Tally(figure, label), stones=stones
    )


def face(value: int, style: str = "") -> Face:
    """A card, and what its style means to those who hear the page."""
    notes = {
        "": "",
        "low": _("lowest"),
        "hit": _("pair"),
        "hit death": _("death card"),
        "kept": _("kept"),
        "down": _("face down"),
    }
    return Face(str(value), style.partition(" ")[0], notes[style])


def faces(stack: tuple[int, ...], last: str = "") -> tuple[Face, ...]:
    """A stack; `last` is the style of its newest card."""
    return tuple(face(value, last if place == len(stack) else "") for place, value in enumerate(stack, 1))


def sum_of(first: int, sign: str, second: int, whole: int) -> str:
    """A sum that stays on one line."""
    return f"{first} {sign} {second} = {whole}".replace(" ", "\N{NARROW NO-BREAK SPACE}")


def players(least: int, most: int) -> str:
    return _("{least}–{most} players").format(least=least, most=most)
