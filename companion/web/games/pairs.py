"""The board of Pairs."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

from companion.engine.state import Result, Seat
from companion.games.pairs import Pairs
from companion.web.format import about, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext
from companion.web.screens.board import Button, Face

from .base import BoardOf


class PairsBoard(BoardOf):
    def facts(self) -> tuple[str, ...]:
        return (_("limit {limit}").format(limit=self.state.limit),)

    def turn_text(self, who: Seat) -> str:
        if self.state.pending:
            return ngettext("draw {count} more", "draw {count} more", self.state.pending).format(
                count=self.state.pending
            )
        return _("draw or fold") if "fold" in self.prices else _("must draw")

    def result_text(self, result: Result) -> str:
        seat = self.named(result.who or "")
        now = _("now {points} of {limit}").format(points=seat.points, limit=self.state.limit)
        return f"{super().result_text(result)}, {now}"

    def note(self, position: int, seat: Seat) -> str:
        if self.state.phase == "game over":
            return _("loses") if seat.name == self.state.outcome.loser else ""
        return _("kept {cards}").format(cards=" ".join(map(str, seat.kept))) if seat.kept else ""

    def faces(self, position: int, seat: Seat) -> tuple[Face, ...]:
        if self.state.phase == "game over":
            return tuple(Face(str(value), "kept") for value in seat.kept)
        shown = super().faces(position, seat)
        if self.state.phase != "play" or not shown or position != self.holder_of_lowest:
            return shown
        low = seat.stack.index(self.lowest)
        return (*shown[:low], Face(shown[low].value, "low", _("lowest in play")), *shown[low + 1 :])

    @cached_property
    def lowest(self) -> int:
        found: int = min(self.state.in_play())
        return found

    @cached_property
    def holder_of_lowest(self) -> int:
        return next(i for i, seat in enumerate(self.state.seats) if self.lowest in seat.stack)

    def right_side(self, position: int, seat: Seat) -> dict[str, Any]:
        limit = self.state.limit
        return {"figure": str(seat.points), "unit": f"/{limit}", "bar": (min(seat.points, limit), limit)}

    def main_button(self) -> Button | None:
        price = self.prices.get("fold")
        if price is None:
            return None
        label = ngettext("Fold: takes the {price}, {price} point", "Fold: takes the {price}, {price} points", price)
        return Button("fold", signed(price), _("Fold"), label.format(price=price))

    def second_button(self) -> Button | None:
        if self.state.phase != "play" or not cast(Pairs, self.game).may_discard_eight(self.state):
            return None
        return Button("eight", "8", _("drop, draw two"), _("Drop the 8 and draw two cards"))

    def drawing_caption(self) -> str:
        cost = self.expected_now()
        return _("draw ≈ {cost}").format(cost=about(cost)) if cost is not None else ""
