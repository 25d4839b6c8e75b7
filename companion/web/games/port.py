"""The board of Port, and what it shares with Zombie Life: the race to the goal."""

from __future__ import annotations

from typing import Any

from companion.engine.state import Result, Seat
from companion.web.format import listing
from companion.web.i18n import gettext as _
from companion.web.screens.board import Button

from .base import BoardOf


class RaceBoard(BoardOf):
    def facts(self) -> tuple[str, ...]:
        return (_("race to {goal}").format(goal=self.goal),)

    @property
    def goal(self) -> int:
        goal: int = self.state.options["goal"]
        return goal

    def right_side(self, position: int, seat: Seat) -> dict[str, Any]:
        return {"figure": str(seat.points), "unit": f"/{self.goal}", "bar": (min(seat.points, self.goal), self.goal)}

    def headline(self, who: Seat) -> str:
        if self.state.result and self.state.phase == "round over":
            return _("Round {number} over").format(number=self.state.round)
        return super().headline(who)

    def result_text(self, result: Result) -> str:
        earned = [f"{name} +{points}" for name, points in result.points.items() if points]
        return listing(earned) if earned else _("nobody scores")


class PortBoard(RaceBoard):
    def turn_text(self, who: Seat) -> str:
        return _("draw or lock · sum {sum}").format(sum=sum(who.stack))

    def note(self, position: int, seat: Seat) -> str:
        if self.state.phase == "game over":
            return _("wins") if seat.name in self.state.outcome.winners else ""
        if seat.state == "locked":
            return _("locked {sum}").format(sum=sum(seat.stack))
        if seat.state == "out":
            return _("out")
        return _("sum {sum}").format(sum=sum(seat.stack)) if seat.stack else ""

    def main_button(self) -> Button | None:
        total = sum(self.seat(self.state.turn).stack)
        return Button("lock", str(total), _("Lock at"), _("Lock with a sum of {sum}").format(sum=total))

    def drawing_caption(self) -> str:
        return _("draw, out on a pair")
