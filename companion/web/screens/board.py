"""What each template receives: typed, complete, and free of rules.

Named tuples, because a tap makes dozens of them, and what was drawn is found again by its contents.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.web.addresses import TableAddresses
from companion.web.triangle import LargeCard, Triangle


class Mark(NamedTuple):
    """A seat's letter and which of the eight marks it has."""

    letter: str
    style: str  # s1 to s8


class Face(NamedTuple):
    """A card as it lies: `look` is a class of the stylesheet."""

    value: str
    look: str = ""
    note: str = ""  # for those who hear the page


class Tally(NamedTuple):
    """What stands at the end of a seat's line: points, chips or a price."""

    figure: str = ""
    label: str = ""  # before the figure
    unit: str = ""  # after it
    bar: tuple[int, int] | None = None  # how much of how much


class Row(NamedTuple):
    """A seat's line."""

    mark: Mark
    name: str
    note: str = ""
    faces: tuple[Face, ...] = ()
    tally: Tally = Tally()
    look: str = ""
    stones: int = 0
    lean: bool = False  # no room for cards
    lands: bool = False  # the next card lands here

    @property
    def crowded(self) -> str:
        """How closely its cards lie, for the stylesheet."""
        cards = len(self.faces)
        return "most" if cards > 8 else "many" if cards > 5 else "some" if cards > 3 else "few" if cards > 2 else ""


class Button(NamedTuple):
    """Something to press. With an address it is a link, else it sends its entry."""

    entry: str
    figure: str
    caption: str
    label: str
    address: str = ""
    quiet: bool = False  # no price, no danger

    @property
    def shortcut(self) -> str:
        """The key of a keyboard that presses it: its first letter."""
        return self.caption[:1].lower()


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
    closed: bool = False  # no card may be drawn now


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
    label: str  # what the button does, for those who hear the page

    @property
    def long(self) -> bool:
        """Whether it needs two lines."""
        return len(self.what) > 3 and len(self.who) + len(self.what) > 7

    @property
    def short(self) -> str:
        """All of it, with the name cut short."""
        return f"{short_name(self.who)} {self.what}".strip()


def short_name(name: str, most: int = 5) -> str:
    """A name that leaves room for what else is said."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


class Message(NamedTuple):
    """A sentence for the dealer, and where it can be mended."""

    text: str
    address: str = ""
    link: str = ""


class Me(NamedTuple):
    """A watcher's own seat, in large type."""

    mark: Mark
    name: str
    cards: tuple[LargeCard, ...]
    figures: tuple[tuple[str, str, str], ...]  # label, figure, unit
    note: str
    turn: str  # which turn of his it is, so that his phone buzzes once; nothing: another's
    hidden_cards: bool = False  # whether this phone may count against them


class Payment(NamedTuple):
    """Chips that go from one player to another."""

    from_mark: Mark
    from_name: str
    chips: int
    to_mark: Mark
    to_name: str


class Settled(NamedTuple):
    """What a lost game costs, in a sentence; with one winner also as a picture."""

    sentence: str
    payment: Payment | None


class Action(NamedTuple):
    """The row of buttons: the main one with its price, what drawing costs; or a sentence while there is no choice."""

    main: Button | None = None
    second: Button | None = None
    figure: tuple[str, str] | None = None
    sentence: tuple[str, str] | None = None


class Part(NamedTuple):
    """A part of a board that has a template of its own, and what that template shows."""

    template: str
    shown: object
    look: str = ""  # what it is, for the stylesheet, which keeps room for it


class Board(NamedTuple):
    """The table screen."""

    at: TableAddresses  # where the pages of this table are
    version: int
    dealer: bool
    game: str
    title: str
    bar: tuple[str, ...]  # the words under the title
    mark: Mark
    who: str
    do: str
    deck: DeckButton | None
    rows: tuple[Row, ...]
    rows_look: str
    rows_high: int  # how many lines are one above the other
    middle: Part | None  # what the game adds above the seats
    settled: Settled | None  # what the game costs, when it is over
    action: Action
    undo: Undo
    instead_of_keys: Part | None  # what stands in the place of the card keys
    keys: tuple[Key, ...] = ()
    pad_look: str = ""  # a pad that is not as high as the card keys
    message: Message | None = None
    over: bool = False
    me: Me | None = None
    offered: bool = False  # the dealer offers the deal
    people: tuple[tuple[Mark, str], ...] = ()  # whom a watcher may be
    seen: str = ""  # the tag of this drawing: a watcher asks whether there is another
    coach: str = ""  # whether the coach is asked by a button ("ask") or by itself ("all"); nothing: not at all
    told: str = ""  # what was understood and what is next, for those who hear the page
    lookup: str = ""  # where this hand's figures are looked up
    recovery: str = ""  # the recovery code, on a board that tells it

    @property
    def long_name(self) -> bool:
        return len(self.who) > 10

    @property
    def look(self) -> str:
        """What the stylesheet keeps room for."""
        middle = f" with-{self.middle.look}" if self.middle else ""
        return f"r{self.rows_high}{middle}{self.pad_look}"
