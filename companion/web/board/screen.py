"""What a board shows: typed, complete, and free of rules.

Named tuples, because a tap makes dozens of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.engine.cards import copies
from companion.engine.state import AnyState
from companion.table.ledger import FROM_BANK, IN_THE_MIDDLE
from companion.web.board.triangle import LargeCard, Triangle, dashes
from companion.web.format import number_word, percent_of
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext


class Mark(NamedTuple):
    """A seat's letter and which of the eight marks it has."""

    letter: str
    style: str  # s1 to s8


class Face(NamedTuple):
    """A card as it lies: `style` is a class of the stylesheet."""

    value: str
    style: str = ""
    note: str = ""  # for those who hear the page


class Tally(NamedTuple):
    """What stands at the end of a seat's line: points, chips or a price."""

    figure: str = ""
    label: str = ""  # before the figure
    unit: str = ""  # after it
    bar: tuple[int, int] | None = None  # how much of how much


class SeatRow(NamedTuple):
    """A seat's line."""

    mark: Mark
    name: str
    note: str = ""
    faces: tuple[Face, ...] = ()
    tally: Tally = Tally()
    style: str = ""
    stones: int = 0
    lean: bool = False  # no room for cards
    lands: bool = False  # the next card lands here

    @property
    def crowded(self) -> str:
        """How closely its cards lie, for the stylesheet."""
        cards = len(self.faces)
        return "most" if cards > 8 else "many" if cards > 5 else "some" if cards > 3 else "few" if cards > 2 else ""


class Button(NamedTuple):
    """Something to press: it sends its entry, or is a link that opens or closes the choice of a card."""

    entry: str
    figure: str
    caption: str
    label: str
    chooser: Literal["", "open", "close"] = ""
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


class PaymentArrow(NamedTuple):
    """Chips that go from one player to another."""

    from_mark: Mark
    from_name: str
    chips: int
    to_mark: Mark
    to_name: str


class Settled(NamedTuple):
    """What a lost game costs, in a sentence; with one winner also as a picture."""

    sentence: str
    payment: PaymentArrow | None


class Action(NamedTuple):
    """The row of buttons: the main one with its price, what drawing costs; or a sentence while there is no choice."""

    main: Button | None = None
    second: Button | None = None
    figure: tuple[str, str] | None = None
    sentence: tuple[str, str] | None = None


class BoardPart(NamedTuple):
    """A part of a board that has a template of its own, and what that template shows."""

    template: str
    shown: object
    style: str = ""  # what it is, for the stylesheet, which keeps room for it


class Board(NamedTuple):
    """The table screen."""

    table_id: str
    version: int
    dealer: bool
    title: str
    bar: tuple[str, ...]  # the words under the title
    mark: Mark
    who: str
    do: str
    deck: DeckButton | None
    rows: tuple[SeatRow, ...]
    rows_style: str
    rows_high: int  # how many lines are one above the other
    middle: BoardPart | None  # what the game adds above the seats
    settled: Settled | None  # what the game costs, when it is over
    action: Action
    undo: Undo
    instead_of_keys: BoardPart | None  # what stands in the place of the card keys
    keys: tuple[Key, ...] = ()
    pad_style: str = ""  # a pad that is not as high as the card keys
    message: Message | None = None
    over: bool = False
    me: Me | None = None
    offered: bool = False  # the dealer offers the deal
    people: tuple[tuple[Mark, str], ...] = ()  # whom a watcher may be
    seen: str = ""  # the tag of this drawing: a watcher asks whether there is another
    coach: str = ""  # whether the coach is asked by a button ("ask") or by itself ("all"); nothing: not at all
    announcement: str = ""  # what was understood and what is next, for those who hear the page
    tab: str = ""  # of the quick reference, where this hand's figures are looked up
    recovery: str = ""  # the recovery code, on a board that tells it

    @property
    def long_name(self) -> bool:
        return len(self.who) > 10

    @property
    def style(self) -> str:
        """What the stylesheet keeps room for."""
        middle = f" with-{self.middle.style}" if self.middle else ""
        return f"r{self.rows_high}{middle}{self.pad_style}"


ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = ALPHABET[:8]  # of the seats, while they have no names
FACES = tuple(Face(str(value)) for value in range(11))


def marks(state: AnyState) -> dict[str, Mark]:
    """A letter for every seat: the name's own initial if it is free, else the next one."""
    letters: dict[str, str] = {}
    for seat in state.everyone():
        initial = next((char for char in seat.name if char.isalnum()), "A").upper()[:1]
        free = (letter for letter in ALPHABET if letter not in letters.values())
        letters[seat.name] = initial if initial not in letters.values() else next(free, initial)
    return {seat.name: Mark(letters[seat.name], f"s{seat.mark + 1}") for seat in state.everyone()}


def deck_label(left: int, total: int | None) -> str:
    """The label of the deck: how many cards are left and, where the odds are shown, how many are unseen."""
    if total is None:
        return ngettext("Deck: {left} card left to deal", "Deck: {left} cards left to deal", left).format(left=left)
    label = ngettext(
        "Deck: {left} card left to deal, {total} unseen. Show the odds",
        "Deck: {left} cards left to deal, {total} unseen. Show the odds",
        left,
    )
    return label.format(left=left, total=total)


def key_with_odds(entry: str, value: int, count: int, total: int, decks: int, word: str) -> Key:
    """A card key with copies, chance and dots. `word` says what the card would do to its seat."""
    if not count:
        label = _("{value}, none left: repair an entry").format(value=value)
        return Key(entry, value, label, "×0", "", none=True, dim=dashes(value))
    lit = min(value, -(-count // decks))
    if not word:
        label = _("{value}, {count} left")
    elif word == _("pair"):
        label = _("{value}, {count} left, would pair")
    else:
        label = _("{value}, {count} left, {word}")
    return Key(
        entry,
        value,
        label.format(value=value, count=number_word(count), word=word),
        f"×{count}",
        percent_of(count, total) if total else "",
        word,
        lit=dashes(lit),
        dim=dashes(copies(value) - lit, lit),
    )


class Person(NamedTuple):
    """A player's name, and the mark that tells players apart."""

    name: str
    mark: Mark


@dataclass(frozen=True)
class ChipHolder:
    """Somebody who pays or is paid: a player, or the bank, the pot, the middle, which have no mark."""

    name: str
    mark: Mark | None


def holder_name(name: str) -> str:
    """A player's name as it is; the bank, the pot, the middle in words."""
    words = {
        FROM_BANK: _("the bank"),
        ":pot": _("the pot"),
        IN_THE_MIDDLE: _("the middle"),
        ":front": _("the antes on the table"),
    }
    return words.get(name, name)
