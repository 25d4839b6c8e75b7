"""What each template receives: typed, complete, and free of rules.

Named tuples, because a tap makes dozens of them, and what was drawn is found again by its contents.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from companion.web.addresses import TableAddresses, addresses_of
from companion.web.triangle import Triangle


class Mark(NamedTuple):
    """A seat's letter and which of the eight marks it has."""

    letter: str
    style: str  # s1 to s8


class Face(NamedTuple):
    """A card as it lies: `look` is a class of the stylesheet."""

    value: str
    look: str = ""
    note: str = ""  # for those who hear the page


class Row(NamedTuple):
    """A seat's line."""

    mark: Mark
    name: str
    note: str = ""
    faces: tuple[Face, ...] = ()
    label: str = ""  # before the figure
    figure: str = ""
    unit: str = ""  # after it
    bar: tuple[int, int] | None = None
    look: str = ""
    stones: int = 0
    lean: bool = False  # no room for cards


class Button(NamedTuple):
    """Something to press. With an address it is a link, else it sends its entry."""

    entry: str
    figure: str
    caption: str
    label: str
    address: str = ""
    quiet: bool = False  # no price, no danger


class Key(NamedTuple):
    """A card key."""

    entry: str
    value: int
    label: str
    copies: str = ""
    chance: str = ""
    word: str = ""
    none: bool = False
    lit: str = ""
    dim: str = ""


class DeckButton(NamedTuple):
    """Cards left to deal, and the triangle where the table shows the odds."""

    left: int
    label: str
    triangle: Triangle | None = None
    black: int | None = None


class Undo(NamedTuple):
    """What was understood, and the way back."""

    who: str
    what: str
    possible: bool


class Message(NamedTuple):
    """A sentence for the dealer, and where it can be mended."""

    text: str
    address: str = ""
    link: str = ""


class Me(NamedTuple):
    """A watcher's own seat, in large type."""

    mark: Mark
    name: str
    cards: tuple[tuple[int, list[str]], ...]  # value and its dots
    facts: tuple[tuple[str, str, str], ...]  # label, figure, unit
    note: str


class Board(NamedTuple):
    """The table screen."""

    table_id: str
    version: int
    dealer: bool
    game: str
    title: str
    facts: tuple[str, ...]
    mark: Mark
    who: str
    do: str
    deck: DeckButton | None
    rows: tuple[Row, ...]
    rows_look: str
    middle: str = ""  # the template of what the game adds
    things: Mapping[str, object] = MappingProxyType({})  # for that template
    main: Button | None = None
    second: Button | None = None
    figure: tuple[str, str] | None = None
    sentence: tuple[str, str] | None = None
    undo: Undo | None = None
    keys_template: str = ""  # what stands in the place of the card keys
    keys: tuple[Key, ...] = ()
    message: Message | None = None
    over: bool = False
    me: Me | None = None
    offered: bool = False  # the dealer offers the deal
    people: tuple[tuple[Mark, str], ...] = ()  # whom a watcher may be
    seen: str = ""  # the tag of this drawing: a watcher asks whether there is another
    lookup: str = ""  # where this hand's figures are looked up

    @property
    def at(self) -> TableAddresses:
        """Where the pages of this table are."""
        return addresses_of(self.table_id)

    @property
    def long_name(self) -> bool:
        return len(self.who) > 10
