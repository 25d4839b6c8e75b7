"""The board of Starboard: one common hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, cast

from companion.engine.results import Result
from companion.engine.sentence import say
from companion.engine.state import AnyState, Seat
from companion.engine.verbs import card_drawn
from companion.games import GAMES
from companion.games.starboard import PRICE_OF_A_CARD, Starboard, StarboardState
from companion.web.board.common import BoardOf
from companion.web.board.screen import BoardPart, Button, Tally, short_name
from companion.web.board.triangle import LARGE_CARDS, LargeCard
from companion.web.format import listing, number_word, signed
from companion.web.games.examples import Example, ExampleRecord, face, mark_of, row
from companion.web.games.lookups import Asked, Lookup
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext

from .room import Room


class CommonHand(NamedTuple):
    """The hand all share, and the pot."""

    cards: tuple[LargeCard, ...]
    pot: int


class StarboardBoard(BoardOf[StarboardState]):
    def bar(self) -> tuple[str, ...]:
        return (
            _("pot {pot}").format(pot=self.state.pot),
            _("button {name}").format(name=self.state.name(self.state.button)),
        )

    def seat_in_focus(self) -> Seat:
        state = self.state
        if state.turn is None and not (state.result and state.result.who):
            return self.seat(state.button)
        return super().seat_in_focus()

    def deal_text(self, who: Seat) -> str:
        if self.state.phase != "deal" or not self.state.common:
            return _("has the button: deal two common cards")
        if self.common_before() == self.state.common:
            value = self.table.head.entry.args[0]
            return _("the {value} pairs: set aside, one more card").format(value=value)
        return _("second common card")

    def common_before(self) -> tuple[int, ...]:
        """The common cards of this deal before the last card, if a card was the last entry."""
        head = self.table.head
        if card_drawn(head.entry) is None or head.before is None:
            return ()
        before = cast(StarboardState, self.table.state_after(head.before))
        return () if before.between else before.common

    def deal_sentence(self) -> tuple[str, str]:
        ante = self.state.options["ante"]
        put = ngettext("everybody puts in {ante} chip", "everybody puts in {ante} chips", ante).format(ante=ante)
        return _("Turn up a common card"), put if self.state.between else ""

    def next_card(self) -> str:
        return _("then a common card") if self.chances.next_seat is None else super().next_card()

    def turn_text(self) -> str:
        if len(self.legal) == 1:
            return _("must lock")
        if self.lock_is_beaten():
            return _("draw for 1, or be out: a lock at {count} stands").format(count=self.longest_lock())
        return _("draw for 1, or lock")

    def longest_lock(self) -> int:
        return cast(Starboard, self.game).longest_lock(self.state)

    def lock_is_beaten(self) -> bool:
        """Whether a longer lock stands: who locks now is out at once."""
        return self.state.phase == "play" and len(self.state.common) < self.longest_lock()

    def result_text(self, result: Result) -> str:
        winners, share = result.winners, result.share
        if len(winners) == 1:
            text = _("takes the pot of {share} · {fate}")
            return text.format(share=share, fate=self.fate(winners[0]))
        if len(winners) > 2:
            return _("{count} players share the pot: {share} each").format(count=number_word(len(winners)), share=share)
        names = listing(short_name(name, 10) for name in winners)
        return _("{names} share the pot: {share} each").format(names=names, share=share)

    def middle(self) -> BoardPart:
        result = self.state.result
        if result and self.state.between:
            fates = tuple((self.marks[name], self.fate(name)) for name in result.fates)
            return BoardPart("board/_starboard_fates.html", fates, "hand")
        cards = tuple([LARGE_CARDS[value] for value in self.state.common])
        return BoardPart("board/_starboard_hand.html", CommonHand(cards, self.state.pot), "hand")

    def rows_style(self) -> str:
        return "two lean crowd" if len(self.state.seats) >= 6 else "two lean"

    def tally(self, position: int) -> Tally:
        seat = self.state.seats[position]
        if self.state.between:
            return Tally(signed(seat.chips))
        if position == self.state.turn:
            return Tally(label=_("to act"))
        if seat.state == "locked":
            return Tally(label=_("locked at {count}").format(count=seat.locked_at))
        if seat.beaten_at is not None:
            return Tally(label=_("beaten at {count}").format(count=seat.beaten_at))
        return Tally(label=_("paired") if seat.state == "out" else _("in"))

    def note_in_play(self, position: int) -> str:
        seat = self.state.seats[position]
        return self.won_or_lost(seat.name) if self.state.between else signed(seat.chips)

    def main_button(self) -> Button | None:
        count = len(self.state.common)
        if self.lock_is_beaten():
            label = _("Lock at {count} and be out: a lock at {longest} stands")
            return Button("lock", str(count), _("Lock = out"), label.format(count=count, longest=self.longest_lock()))
        label = ngettext("Lock at {count} card", "Lock at {count} cards", count).format(count=count)
        return Button("lock", str(count), _("Lock"), label)

    def price_of_drawing(self) -> tuple[str, str] | None:
        return super().price_of_drawing() if len(self.legal) > 1 else None

    def drawing_caption(self) -> str:
        return _("pair · pays 1")


# -- the look-up tab


@dataclass(frozen=True)
class StarboardFigures:
    """How a pot is shared, and what is carried, by the number of winners."""

    pot: int
    shares: tuple[tuple[int, int, int], ...]


def starboard_figures(asked: Asked, state: AnyState | None) -> StarboardFigures:
    pot = asked.number("pot", state.pot if isinstance(state, StarboardState) else 10, 0, 999)
    return StarboardFigures(pot, tuple((winners, *divmod(pot, winners)) for winners in range(1, 8)))


# -- the rules page

RECORD = ExampleRecord("Ana Ben Cleo Dan", "game starboard, 4, 9, 8, lock, 7, 9, 10, lock, lock")


def example() -> Example:
    """A pair shrinks the hand; a longer lock kills a shorter one; two share."""
    state, before, paired = RECORD.after(), RECORD.after(1), RECORD.table(3)
    result, hand = state.result, before.common
    locked_at = {1: paired.state.seats[1].locked_at, **{before.find(name): len(hand) for name in result.winners}}
    rows = []
    for position, seat in enumerate(state.seats):
        note = _("locked at {count}").format(count=len(hand)) if seat.name in result.winners else _("out")
        rows.append(row(state, position, (), label=note, figure=signed(result.chips[seat.name])))
    under = tuple(
        tuple(mark_of(seat) for seat in sorted(locked_at) if locked_at[seat] == length)
        for length in range(1, len(hand) + 1)
    )
    figures = {
        "early": paired.state.seats[1].locked_at,
        "pair": paired.head.entry.args[0],
        "length": len(hand),
        "pot": before.pot,
        "share": result.share,
    }
    return Example(tuple(rows), tuple(map(face, hand)), under, figures)


ROOM = Room(
    game=GAMES["starboard"],
    faces=("4", "9"),
    board=StarboardBoard,
    lookups=(Lookup("starboard", say("Starboard"), "lookup/_starboard.html", starboard_figures),),
    tab="starboard",
    rules="rules/starboard.html",
    record=RECORD,
    example=example,
    figures=lambda: {"card_price": PRICE_OF_A_CARD},
    words=((say("ante"), "ante"), (say("button"), "button"), (say("pot"), "pot")),
)
