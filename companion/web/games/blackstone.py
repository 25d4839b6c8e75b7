"""The board of Blackstone: stones instead of cards."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from markupsafe import Markup

from companion.engine.cards import CARDS_IN_A_DECK
from companion.engine.results import Result
from companion.engine.sentence import say
from companion.engine.verbs import card_drawn
from companion.games import GAMES
from companion.games.blackstone import ANTE, BLACK, BlackstoneState, bust_fine, pass_fine
from companion.web.board.common import BoardOf
from companion.web.board.screen import BoardPart, Button, DeckButton, Face, SeatRow, Tally, short_name
from companion.web.format import listing, number_word, percent, percent_of, signed
from companion.web.games.examples import Example, ExampleRecord, row, sum_of
from companion.web.games.lookups import Lookup
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext

from .blackstone_lookup import blackstone_figures
from .room import Room


def place(index: int) -> str:
    """The place of a white stone: two rows of five, then the next two rows."""
    block, within = divmod(index, 10)
    row, column = divmod(within, 5)
    return f' cx="{round(7 + 12.4 * column + 69 * block, 1)}" cy="{round(7 + 12.4 * row, 1)}" r="5"/>'


def stones(white: int, new: int, to_come: int = 0) -> Markup:
    """The white stones in the middle, the newest of them marked, and those still to come."""
    classes = [
        ' class="todo"' if index >= white else ' class="new"' if index >= white - new else ""
        for index in range(white + to_come)
    ]
    return Markup("".join([f"<circle{style}{place(index)}" for index, style in enumerate(classes)]))


class Stones(NamedTuple):
    """The white stones in the middle, and both fines."""

    white: int
    circles: Markup  # those, and the ones still to come
    width: float
    last: int  # the number taken last, from 2 on
    pending: int
    ante: int
    half: int
    pass_fine: int
    bust_fine: int


class StoneKeys(NamedTuple):
    """The keys in place of the card keys: how many stones to take, or which colour each one is."""

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
            _("pot {pot}").format(pot=self.state.pot),
            _("ante {value}").format(value=self.state.options["ante"]),
        )

    def turn_text(self) -> str:
        state = self.state
        if state.pending:
            return _("takes {count} · {pending} to come").format(count=state.last, pending=state.pending)
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

    def rows_style(self) -> str:
        if self.state.phase != "play":
            return super().rows_style()
        return "two lean roomy" if len(self.state.seats) <= 4 else "two lean"

    def note_in_play(self, position: int) -> str:
        state, seat = self.state, self.state.seats[position]
        if state.between:
            return self.won_or_lost(seat.name)
        if seat.state == "in":
            return _("ante {value}").format(value=state.options["ante"])
        return _("passed {chips}").format(chips=signed(state.chips_of_round()[seat.name]))

    def faces(self, position: int) -> tuple[Face, ...]:
        return super().faces(position) if self.state.phase == "deal" else ()

    def row(self, position: int, lean: bool) -> SeatRow:
        row = super().row(position, lean)
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
        total = self.chances.dealt_from.pile.total
        return Fraction(self.chances.dealt_from.pile.unseen[BLACK], total) if total else Fraction(0)

    def middle(self) -> BoardPart | None:
        state = self.state
        if state.phase != "play":
            return None
        ante = state.options["ante"]
        shown = Stones(
            state.white,
            stones(state.white, self.new_white() if state.pending else 0, state.pending),
            max(168, 12.4 * 5 + 69 * ((state.white + state.pending - 1) // 10) + 6),
            state.last if state.last > 1 else 0,  # after a take of 1 the least has not changed
            state.pending,
            ante,
            pass_fine(state.white, 0),
            pass_fine(state.white, ante),
            bust_fine(state.white, ante),
        )
        return BoardPart("board/_blackstone_stones.html", shown, "stones")

    def new_white(self) -> int:
        """The number of white stones turned up since the take."""
        step, black = self.table.head, 0
        while step.before and step.entry.verb != "take":
            black += card_drawn(step.entry) == BLACK
            step = step.before
        return self.state.last - self.state.pending - black

    def instead_of_keys(self) -> BoardPart | None:
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
        return BoardPart("board/_blackstone_keys.html", shown)

    def white_words(self) -> str:
        if not self.chances.shown:
            return ""
        left = self.state.unseen_white
        black = self.black_next()
        chance = percent_of(black.denominator - black.numerator, black.denominator)
        return ngettext("{chance} · {left} left", "{chance} · {left} left", left).format(chance=chance, left=left)

    def black_words(self) -> str:
        bust = bust_fine(self.state.white, self.state.options["ante"])
        word = _("pays {chips}").format(chips=bust) if self.holds_black() else _("the first one")
        return f"{percent(self.black_next())} · {word}" if self.chances.shown else word


# -- the rules page

RECORD = ExampleRecord(
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
        "stones": stones(last.white, last.white - before.white),
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
    figures=lambda: {"black": BLACK, "white": CARDS_IN_A_DECK - BLACK},
    words=((say("black stone"), "black"),),
)
