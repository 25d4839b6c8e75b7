"""The board of Blackstone: stones instead of cards."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from companion.coach.cards import Stretch, blackstone_card
from companion.engine.report import odds_shown
from companion.engine.sentence import say
from companion.engine.state import AnyState, Result
from companion.engine.verbs import card_drawn
from companion.games import GAMES
from companion.games.blackstone import ANTE, BLACK, BlackstoneState, bust_fine, pass_fine, second_black
from companion.table.lookup import MOST_WHITE
from companion.web.format import listing, number_word, percent, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext
from companion.web.screens.board import Button, DeckButton, Face, Part, Row, Tally, short_name
from companion.web.screens.lookup import Asked, Lookup
from companion.web.screens.rules import Example, Record, row, sum_of

from .board import BoardOf
from .room import Room


def stones(count: int) -> tuple[tuple[float, float], ...]:
    """Two rows of fives: where each white stone lies."""
    places = []
    for index in range(count):
        block, within = divmod(index, 10)
        row, column = divmod(within, 5)
        places.append((round(7 + 12.4 * column + 69 * block, 1), round(7 + 12.4 * row, 1)))
    return tuple(places)


class Stones(NamedTuple):
    """The white stones in the middle, and both fines."""

    white: int
    places: tuple[tuple[float, float], ...]
    width: float
    new: int  # how many came in this turn
    last: int  # the number taken last; 0 if nobody has taken any
    pending: int
    ante: int
    half: int
    pass_fine: int
    bust_fine: int


class StoneKeys(NamedTuple):
    """What stands in the place of the card keys: how many to take, or what each stone is."""

    shuffle: bool
    pending: int
    takes: tuple[tuple[int, str], ...]  # number, chance of a second black
    white_left: str
    black_left: str
    second: bool  # a black stone now would be the second one


class BlackstoneBoard(BoardOf[BlackstoneState]):
    def title(self) -> str:
        return _("Blackstone")

    def bar(self) -> tuple[str, ...]:
        return (
            _("ante {value}").format(value=self.state.options["ante"]),
            _("pot {pot}").format(pot=self.state.pot),
            self.carried(),
        )

    def turn_text(self) -> str:
        state = self.state
        if state.pending:
            return _("took {count} · {pending} to come").format(count=state.last, pending=number_word(state.pending))
        if not any(entry.verb == "take" for entry in self.legal):
            return _("must pass")
        return _("take {count} or more, or pass").format(count=state.least)

    def result_text(self, result: Result) -> str:
        if result.how != "black":
            return _("takes the pot of {share}").format(share=result.share)
        names, count = listing(short_name(name, 8) for name in result.winners), len(result.winners)
        if count == 1:
            return _("second black: {name} takes {share}").format(name=names, share=result.share)
        if count == 2:
            return _("second black: {names} get {share} each").format(names=names, share=result.share)
        return _("second black: {count} players get {share} each").format(count=number_word(count), share=result.share)

    def deck(self) -> DeckButton | None:
        if self.state.phase != "play":
            return super().deck()
        left, black = self.state.pile.left, self.state.pile.unseen[BLACK]
        if not self.chances.shown:
            return DeckButton(left, _("Deck: {left} left").format(left=left))
        return DeckButton(left, _("Deck: {left} left, {black} black").format(left=left, black=black), black=black)

    def rows_look(self) -> str:
        if self.state.phase != "play":
            return super().rows_look()
        return "two lean roomy" if len(self.state.seats) <= 4 else "two lean"

    def note(self, position: int) -> str:
        state, seat = self.state, self.state.seats[position]
        if state.between:
            return self.won_or_lost(seat.name)
        if seat.state == "in":
            return _("ante {value}").format(value=state.options["ante"])
        paid = -state.chips_of_round()[seat.name]
        return _("paid {chips}").format(chips=paid)

    def faces(self, position: int) -> tuple[Face, ...]:
        return super().faces(position) if self.state.phase == "deal" else ()

    def row(self, position: int) -> Row:
        row = super().row(position)
        if self.state.phase != "play":
            return row
        return row._replace(stones=len(self.state.seats[position].stack), tally=Tally())

    def main_button(self) -> Button | None:
        price = self.prices["pass"]
        if self.state.pending:
            if "whites" not in self.legal_texts:
                return None
            caption = _("{count} to come").format(count=self.state.pending)
            return Button("whites", _("All white"), caption, _("All still to come are white"), quiet=True)
        return Button("pass", str(price), _("Pass"), _("Pass: pays {price}").format(price=price))

    def price_of_drawing(self) -> tuple[str, str] | None:
        bust = self.prices["bust"]
        if self.state.pending and self.chances.shown:
            return percent(self.black_next()), _("second black") if self.holds_black() else _("a black stone")
        return f"{bust}+", _("second black")  # the white stones of the take are added

    def holds_black(self) -> bool:
        turn = self.state.turn
        return turn is not None and bool(self.state.seats[turn].stack)

    def black_next(self) -> Fraction:
        total = self.chances.looked.pile.total
        return Fraction(self.chances.looked.pile.unseen[BLACK], total) if total else Fraction(0)

    def middle(self) -> Part | None:
        state = self.state
        if state.phase != "play":
            return None
        ante = state.options["ante"]
        taken = state.last > 1 or state.white > len(state.seats)
        shown = Stones(
            state.white,
            stones(state.white),
            max(168, 12.4 * 5 + 69 * ((state.white - 1) // 10) + 6),
            self.new_white() if state.pending else 0,
            state.last if taken else 0,
            state.pending,
            ante,
            pass_fine(state.white, 0),
            pass_fine(state.white, ante),
            bust_fine(state.white, ante),
        )
        return Part("board/_blackstone_stones.html", shown, "stones")

    def new_white(self) -> int:
        """Of the stones turned up since the take, those that are white."""
        step, black = self.table.head, 0
        while step.before and step.entry.verb != "take":
            black += card_drawn(step.entry) == BLACK
            step = step.before
        return self.state.last - self.state.pending - black

    def instead_of_keys(self) -> Part | None:
        state = self.state
        if state.phase != "play":
            return None
        chances = self.game.chances(state).get("second", {}) if self.chances.shown else {}
        takes = [entry.args[0] for entry in self.legal if entry.verb == "take"]
        shown = StoneKeys(
            "shuffle" in self.legal_texts,
            state.pending,
            tuple((count, percent(chances[count]) if count in chances else "") for count in takes),
            self.white_words(),
            self.black_words(),
            self.holds_black(),
        )
        return Part("board/_blackstone_keys.html", shown)

    def white_words(self) -> str:
        if not self.chances.shown:
            return ""
        left = self.state.unseen_white
        chance = percent(1 - self.black_next())
        return ngettext("{chance} · {left} left", "{chance} · {left} left", left).format(chance=chance, left=left)

    def black_words(self) -> str:
        bust = bust_fine(self.state.white, self.state.options["ante"])
        word = _("pays {chips}").format(chips=bust) if self.holds_black() else _("the first one")
        return f"{percent(self.black_next())} · {word}" if self.chances.shown else word


# -- the look-up tab

TAKES = range(1, 11)


@dataclass(frozen=True)
class BlackstoneFigures:
    """Both fines, and the chance of a second black for each number taken."""

    white: int
    held: int
    black: int
    passing: int
    bust: int
    rows: tuple[tuple[int, str, str, str], ...]  # number taken, chance as a decimal, as a fraction, in percent
    fines: tuple[tuple[int, int, int], ...]  # white stones, pass, second black
    second: str
    most: tuple[tuple[str, tuple[Stretch, ...]], ...]  # without and with a black stone: the most that is sensible


def blackstone_figures(asked: Asked, state: AnyState | None) -> BlackstoneFigures:
    white, held, black = stones_at(state)
    white, held = asked.number("white", white, 0, MOST_WHITE), asked.number("held", held, 0, 1)
    black = asked.number("black", black, 0, BLACK)
    unseen = MOST_WHITE - white
    chances = [(k, second_black(k, held, unseen, black)) for k in TAKES if k <= unseen + black]
    return BlackstoneFigures(
        white,
        held,
        black,
        pass_fine(white),
        bust_fine(white),
        tuple((k, f"{float(chance):.3f}", exactly(chance), percent(chance)) for k, chance in chances),
        tuple((count, pass_fine(count), bust_fine(count)) for count in range(MOST_WHITE + 1)),
        second_table(),
        ((_("no black stone"), blackstone_card(0)), (_("one black stone"), blackstone_card(1))),
    )


def stones_at(state: AnyState | None) -> tuple[int, int, int]:
    """White stones in the middle, black ones the player to act holds, black ones unseen."""
    if not isinstance(state, BlackstoneState) or state.phase != "play":
        return 15, 1, 9
    held = min(1, len(state.seats[state.turn].stack)) if state.turn is not None else 0
    return state.white, held, state.pile.unseen[BLACK] if odds_shown(state) else BLACK - held


def exactly(chance: Fraction) -> str:
    """The fraction, as long as a person can read it."""
    return f"{chance.numerator}/{chance.denominator}" if chance.denominator < 1_000_000 else ""


@cache
def second_table() -> str:
    """The chance of a second black for every white, held, black unseen and number taken: a character each."""
    return "".join(
        second_mark(MOST_WHITE - white, held, black, taken)
        for white in range(MOST_WHITE + 1)
        for held in (0, 1)
        for black in range(BLACK + 1)
        for taken in TAKES
    )


def second_mark(unseen_white: int, held: int, black: int, taken: int) -> str:
    """The percentage as a character, counted from #; a blank where so many cannot be taken."""
    if taken > unseen_white + black:
        return " "
    return chr(35 + round(second_black(taken, held, unseen_white, black) * 100))


# -- the rules page

RECORD = Record(
    "Ana Ben Cleo",
    "game blackstone, 6, 10, 4, take 4, whites, take 5, whites, take 5, white, white, white, white, 10",
)


def example() -> Example:
    """A pass that would have cost half, and the second black stone that costs all."""
    before, last, state = (RECORD.after(fewer) for fewer in (6, 1, 0))
    result = state.result
    rows = tuple(
        row(state, position, (), stones=len(result.stacks[seat.name]), figure=signed(result.chips[seat.name]))
        for position, seat in enumerate(state.seats)
    )
    figures = {
        "white_before": before.white,
        "pass_sum": sum_of(ANTE, "+", pass_fine(before.white, 0), pass_fine(before.white)),
        "took": last.last,
        "white": last.white,
        "new": last.white - before.white,
        "bust_sum": sum_of(ANTE, "+", last.white, bust_fine(last.white)),
        "share": result.share,
        "stones": stones(last.white),
        "width": 207,
    }
    return Example(rows, figures=figures)


ROOM = Room(
    game=GAMES["blackstone"],
    faces=("●", "○"),
    board=BlackstoneBoard,
    lookups=(Lookup("blackstone", say("Blackstone"), "lookup/_blackstone.html", blackstone_figures),),
    tab="blackstone",
    rules="rules/blackstone.html",
    record=RECORD,
    example=example,
    figures=lambda: {"black": BLACK},
    words=((say("black stone"), "black"),),
)
