"""What a board shows: the typed objects that its templates receive. No rule is in them.

Named tuples, because a tap makes dozens of them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from companion.engine.cards import copies
from companion.engine.state import AnyState
from companion.web.board.triangle import LargeCard, Triangle, dashes
from companion.web.format import number_word, percent_of
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext

# -- seats and cards


class Mark(NamedTuple):
    """A seat's letter, and the CSS class of its shape and colour."""

    letter: str
    style: str  # s1 to s8


class Face(NamedTuple):
    """A card on the table. `style` is a CSS class."""

    value: str
    style: str = ""
    note: str = ""  # for screen readers


class Tally(NamedTuple):
    """The end of a seat's line: points, chips or a price."""

    figure: str = ""
    label: str = ""  # before the figure
    unit: str = ""  # after it
    bar: tuple[int, int] | None = None  # points, and the points that end the game


class Pick(NamedTuple):
    """A choice of this seat, on its own line: the field of the form, its name for screen readers, and a word if any."""

    field: str
    label: str
    word: str = ""


class SeatRow(NamedTuple):
    """A seat's line."""

    mark: Mark
    name: str
    note: str = ""
    faces: tuple[Face, ...] = ()
    tally: Tally = Tally()
    style: str = ""
    stones: int = 0
    lean: bool = False  # without cards
    lands: bool = False  # the next card is for this seat
    picks: tuple[Pick, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether the name is so short that it is never cut."""
        return len(self.name) <= 6

    @property
    def crowded(self) -> str:
        """A CSS class: how closely the cards lie."""
        cards = len(self.faces)
        return "most" if cards > 8 else "many" if cards > 5 else "some" if cards > 3 else "few" if cards > 2 else ""


# -- things to tap


class Button(NamedTuple):
    """A button that sends its entry, or a link that opens or closes the choice of a card."""

    entry: str
    figure: str
    caption: str
    label: str
    chooser: Literal["", "open", "close"] = ""
    quiet: bool = False  # no price, no danger

    @property
    def shortcut(self) -> str:
        """The keyboard key that presses it: its first letter; none for one of several cards or players."""
        return "" if " " in self.entry else (self.caption or self.label)[:1].lower()


class Key(NamedTuple):
    """A card key."""

    entry: str
    value: int
    label: str
    copies: str = ""
    chance: str = ""
    word: str = ""  # what the card would do to its seat
    bad: bool = False  # it would put its seat out
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
    """The undo button, with the last entry in words."""

    who: str
    what: str
    possible: bool
    label: str  # for screen readers

    @property
    def long(self) -> bool:
        """Whether it needs two lines."""
        return len(self.what) > 3 and len(self.who) + len(self.what) > 7

    @property
    def short(self) -> str:
        """Who and what, with the name cut short."""
        return f"{short_name(self.who)} {self.what}".strip()


def short_name(name: str, most: int = 5) -> str:
    """The name, cut to `most` characters."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


# -- the whole board


class Message(NamedTuple):
    """A sentence for the dealer, and a link to the page where the fault can be repaired."""

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
    turn: str  # a key of the present turn, so that the phone buzzes once; empty if it is somebody else's turn
    hidden_cards: bool = False  # whether there is a page for the hand


class PaymentArrow(NamedTuple):
    """Chips that one player pays to others, drawn as an arrow."""

    from_mark: Mark
    from_name: str
    chips: int
    to: tuple[tuple[Mark, str], ...]  # marks and names


class Settled(NamedTuple):
    """What a lost game costs, in a sentence; if chips are paid also as an arrow."""

    sentence: str
    payment: PaymentArrow | None


class Action(NamedTuple):
    """The action row: buttons and what drawing costs, or a sentence while there is no choice."""

    main: Button | None = None
    second: Button | None = None
    figure: tuple[str, str] | None = None
    sentence: tuple[str, str] | None = None


class BoardPart(NamedTuple):
    """A part of a board with a template of its own; `shown` is what that template receives."""

    template: str
    shown: object
    style: str = ""  # the stylesheet keeps room for it by this name


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
    rows_high: int  # the number of lines, one above the other
    middle: BoardPart | None  # added by the game, above the seats
    settled: Settled | None  # who pays whom, when the game is over
    action: Action
    undo: Undo
    instead_of_keys: BoardPart | None  # in place of the card keys
    keys: tuple[Key, ...] = ()
    pad_style: str = ""  # a CSS class for a pad that is not as high as the card keys
    message: Message | None = None
    over: bool = False
    ended_by: tuple[Face, ...] = ()  # the pair, or the card of a fold, that ended the game
    loud: bool = False  # what comes next must be read across the table
    me: Me | None = None
    offered: bool = False  # the dealer offers the deal
    people: tuple[tuple[Mark, str], ...] = ()  # the seats that a watcher may choose
    seen: str = ""  # the tag of this board: a watcher sends it to ask for a newer one
    coach: str = ""  # advice by a button ("ask"), by itself ("all"), or not at all ("")
    announcement: str = ""  # the last entry and what is next, for screen readers
    tab: str = ""  # of the quick reference
    recovery: str = ""  # the recovery code, on a board that shows it

    @property
    def name_style(self) -> str:
        """CSS classes for a large name that needs smaller letters."""
        letters = len(self.who)
        return " long longer" if letters > 18 else " long" if letters > 10 else ""

    @property
    def style(self) -> str:
        """CSS classes by which the stylesheet keeps room for everything."""
        middle = f" with-{self.middle.style}" if self.middle else ""
        return f"r{self.rows_high}{middle}{self.pad_style}{' is-over' if self.over else ''}"


# -- how they are made

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
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


def key_with_odds(entry: str, value: int, count: int, total: int, decks: int, word: str, bad: bool) -> Key:
    """A card key with copies, chance and dots. `word` says what the card would do to its seat."""
    if not count:
        label = _("{value}, none left: correct an entry").format(value=value)
        return Key(entry, value, label, "×0", none=True, dim=dashes(value))
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
        bad,
        lit=dashes(lit),
        dim=dashes(copies(value) - lit, lit),
    )
