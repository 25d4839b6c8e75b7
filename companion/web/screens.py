"""What each template receives: typed, complete, and free of rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from .figures import Triangle


@dataclass(frozen=True)
class Mark:
    """A seat's letter and which of the eight marks it has."""

    letter: str
    style: str  # s1 to s8


@dataclass(frozen=True)
class Face:
    """A card as it lies: `look` is a class of the stylesheet."""

    value: str
    look: str = ""
    note: str = ""  # for those who hear the page


@dataclass(frozen=True)
class Row:
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


@dataclass(frozen=True)
class Button:
    """Something to press. With an address it is a link, else it sends its entry."""

    entry: str
    figure: str
    caption: str
    label: str
    address: str = ""
    quiet: bool = False  # no price, no danger


@dataclass(frozen=True)
class Key:
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


@dataclass(frozen=True)
class DeckButton:
    """Cards left to deal, and the triangle where the table shows the odds."""

    left: int
    label: str
    triangle: Triangle | None = None
    black: int | None = None


@dataclass(frozen=True)
class Undo:
    """What was understood, and the way back."""

    who: str
    what: str
    possible: bool


@dataclass(frozen=True)
class Message:
    """A sentence for the dealer, and where it can be mended."""

    text: str
    address: str = ""
    link: str = ""


@dataclass(frozen=True)
class Me:
    """A watcher's own seat, in large type."""

    mark: Mark
    name: str
    cards: tuple[tuple[int, list[str]], ...]  # value and its dots
    facts: tuple[tuple[str, str, str], ...]  # label, figure, unit
    note: str


@dataclass(frozen=True)
class Board:
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
    things: dict[str, object] = field(default_factory=dict)  # for that template
    main: Button | None = None
    second: Button | None = None
    figure: tuple[str, str] | None = None
    sentence: tuple[str, str] | None = None
    undo: Undo | None = None
    keys_template: str = "_keys.html"
    keys: tuple[Key, ...] = ()
    message: Message | None = None
    over: bool = False
    me: Me | None = None
    offered: bool = False  # the dealer offers the deal
    people: tuple[tuple[Mark, str], ...] = ()  # whom a watcher may be
    lookup: str = ""  # where this hand's figures are looked up

    @property
    def long_name(self) -> bool:
        return len(self.who) > 10
