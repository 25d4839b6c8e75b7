"""The board of Hawthorn: laps from the deck and from the hand."""

from __future__ import annotations

from typing import Any

from companion.engine.state import Result, Seat
from companion.web.format import MINUS, about, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext
from companion.web.screens.board import Button

from .base import BoardOf


class HawthornBoard(BoardOf):
    many_columns_from = 5

    def facts(self) -> tuple[str, ...]:
        state, carried = self.state, self.state.middle
        lap = ""
        if state.phase == "play":
            words = _("lap {lap}, from the deck") if state.source == "deck" else _("lap {lap}, from the hand")
            lap = words.format(lap=state.lap)
        return (
            _("pot {pot}").format(pot=state.pot),
            lap,
            _("carried {chips}").format(chips=carried) if carried else "",
        )

    def from_hand(self) -> bool:
        state = self.state
        if state.phase == "play":
            return bool(state.source == "hand")
        return any(not self.seat(position).stack for position in state.waiting)

    def turn_text(self, who: Any) -> str:
        if not self.from_hand():
            return _("draw or fold")
        return _("play from the hand, or fold") if who.hand else _("no card in the hand: must fold")

    def deal_text(self, who: Seat) -> str:
        return _("shows the chosen card") if self.from_hand() else super().deal_text(who)

    def deal_sentence(self) -> tuple[str, str]:
        head, soft = super().deal_sentence()
        if self.from_hand() and self.state.waiting:
            return _("Chosen card of {name}").format(name=self.seat(self.state.waiting[0]).name), soft
        return head, soft

    def result_text(self, result: Result) -> str:
        return _("last one in takes {share}").format(share=result.share)

    def note(self, position: int, seat: Any) -> str:
        state = self.state
        if state.between:
            return ""
        words = [_("button")] if position == state.button else []
        if seat.state == "in":
            words.append(ngettext("{count} in hand", "{count} in hand", seat.hand).format(count=seat.hand))
        else:
            words.append(_("out") if seat.state == "out" else _("folded"))
        return ", ".join(words)

    def right_side(self, position: int, seat: Seat) -> dict[str, Any]:
        return {"figure": signed(seat.chips)}

    def main_button(self) -> Button | None:
        price = self.prices["fold"]
        label = _("Fold: pays {price} to the pot").format(price=price)
        return Button("fold", f"{MINUS}{price}", _("Fold"), label)

    def price_of_drawing(self) -> tuple[str, str] | None:
        return ("", _("a pair pays its value")) if self.from_hand() else super().price_of_drawing()

    def drawing_caption(self) -> str:
        cost = self.expected_now()
        return _("draw ≈ {cost}").format(cost=about(-cost)) if cost is not None else ""

    def key_entry(self, value: int) -> str:
        return f"play {value}" if self.from_hand() else str(value)
