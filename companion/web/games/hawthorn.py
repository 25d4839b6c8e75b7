"""The board of Hawthorn: laps from the deck and from the hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.engine.results import Result
from companion.engine.sentence import MINUS, say
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.games.hawthorn import HAND, HawthornState
from companion.web.board.screen import Button, Face, SeatRow
from companion.web.format import about, signed
from companion.web.games.examples import Example, ExampleRecord, face, faces, row
from companion.web.games.lookups import Asked, Lookup
from companion.web.i18n import gettext as _

from .hidden import HiddenBoard
from .room import Room


class HawthornBoard(HiddenBoard[HawthornState]):
    def bar(self) -> tuple[str, ...]:
        state = self.state
        lap = ""
        if state.phase == "play":
            words = _("lap {lap}, from the deck") if state.source == "deck" else _("lap {lap}, from the hand")
            lap = words.format(lap=state.lap)
        return (
            _("pot {pot}").format(pot=state.pot),
            lap,
        )

    def from_hand(self) -> bool:
        return self.state.source == "hand"

    def turn_text(self) -> str:
        if not self.from_hand():
            return _("draw or fold")
        turn = self.state.turn
        has_cards = turn is not None and self.state.seats[turn].hand
        return _("play from your hand, or fold") if has_cards else _("no cards in hand: must fold")

    def result_text(self, result: Result) -> str:
        return _("last one in takes {share}").format(share=result.share)

    def note_in_play(self, position: int) -> str:
        state, seat = self.state, self.state.seats[position]
        if state.between:
            return self.won_or_lost(seat.name)
        words = [_("button")] if position == state.button else []
        if seat.state == "in":
            words.append(self.held(position))
        else:
            words.append(_("out") if seat.state == "out" else _("folded"))
        return ", ".join(words)

    def main_button(self) -> Button | None:
        price = self.prices["fold"]
        label = _("Fold: pays {price} to the pot").format(price=price)
        return Button("fold", f"{MINUS}{price}", _("Fold"), label)

    def price_of_drawing(self) -> tuple[str, str] | None:
        return ("", _("a pair costs its value")) if self.from_hand() else super().price_of_drawing()

    def drawing_caption(self) -> str:
        cost = self.chances.expected()
        return super().drawing_caption() if cost is None else _("pair · ≈ {cost}").format(cost=about(-cost))


# -- the look-up tab


@dataclass(frozen=True)
class HawthornFigures:
    """What folding costs at the table it was opened from."""

    fold: int | None


def hawthorn_figures(asked: Asked, state: AnyState | None) -> HawthornFigures:
    if not isinstance(state, HawthornState) or state.phase != "play":
        return HawthornFigures(None)
    return HawthornFigures(GAMES["hawthorn"].prices(state).get("fold"))


# -- the rules page

RECORD = ExampleRecord("Ana Ben Cleo", "game hawthorn, play 4, play 7, play 9, 8, 2, 10, play 6, fold, play 5, 8")


def example() -> Example:
    """A fold, a pair, and the last one in."""
    state, before, folding = (RECORD.after(fewer) for fewer in (0, 1, 3))
    result, price = state.result, GAMES["hawthorn"].prices(folding)["fold"]
    pair = result.stacks["Ana"][-1]
    paired = GAMES["hawthorn"].effect(before, 0, pair)
    assert paired
    figures = {
        "antes": before.options["ante"] * len(before.seats),
        "fold": price,
        "pair": pair,
        "pair_pays": paired.amount,
        "pot": result.share,
    }
    return Example(tuple(example_row(state, before, position, price) for position in range(3)), figures=figures)


def example_row(state: Any, before: Any, position: int, price: int) -> SeatRow:
    result, name = state.result, state.seats[position].name
    stack = result.stacks[name]
    shown: tuple[Face, ...]
    if before.seats[position].state == "folded":
        shown, note = tuple(face(value, "low" if value == price else "") for value in stack), _("folded")
    elif name in result.winners:
        shown, note = faces(stack), _("last one in")
    else:
        shown, note = faces(stack, "hit"), _("out")
    return row(state, position, shown, label=note, figure=signed(result.chips[name]))


ROOM = Room(
    game=GAMES["hawthorn"],
    faces=("", "5"),
    board=HawthornBoard,
    lookups=(Lookup("hawthorn", say("Hawthorn"), "lookup/_hawthorn.html", hawthorn_figures),),
    tab="hawthorn",
    rules="rules/hawthorn.html",
    record=RECORD,
    example=example,
    figures=lambda: {"hand": HAND},
    words=((say("lap"), "lap"),),
)
