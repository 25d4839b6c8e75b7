"""The board of a table that only keeps the score."""

from __future__ import annotations

from typing import Any

from companion.engine.state import Result, Seat
from companion.web.format import signed
from companion.web.i18n import gettext as _
from companion.web.screens.board import DeckButton, Face

from .base import BoardOf


class ScoreBoard(BoardOf):
    def facts(self) -> tuple[str, ...]:
        options = self.state.options
        if "goal" in options:
            return (_("race to {goal}").format(goal=options["goal"]), _("score only"))
        if self.game.scores_points:
            return (_("limit {limit}").format(limit=self.state.limit), _("score only"))
        return (_("score only"),)

    def what_to_do(self, who: Seat) -> str:
        if self.state.phase == "game over":
            return self.how_it_ended()
        if self.state.result:
            return self.result_text(self.state.result)
        return _("tap a player, then the points") if self.game.scores_points else _("who pays whom?")

    def headline(self, who: Seat) -> str:
        return super().headline(who) if self.state.result or self.state.outcome else _("Score")

    def result_text(self, result: Result) -> str:
        return super().result_text(result)

    def deck(self) -> DeckButton | None:
        return None

    def faces(self, position: int, seat: Seat) -> tuple[Face, ...]:
        return tuple(Face(str(value), "kept") for value in seat.kept)

    def right_side(self, position: int, seat: Seat) -> dict[str, Any]:
        if not self.game.scores_points:
            return {"figure": signed(seat.chips)}
        most = self.state.options.get("goal") or self.state.limit
        return {"figure": str(seat.points), "unit": f"/{most}", "bar": (min(seat.points, most), most)}

    def action_part(self) -> dict[str, Any]:
        points = self.game.scores_points
        hint = _("Tap a player, then the points") if points else _("Tap who pays, to whom, and how much")
        return {"sentence": None if self.state.phase == "game over" else (hint, "")}

    def keys_part(self) -> dict[str, Any]:
        if self.state.phase == "game over":
            return super().keys_part()
        seats = [(self.marks[seat.name], seat.name) for seat in self.state.seats]
        return {
            "keys_template": "board/_scores.html",
            "things": {"seats": seats, "points": self.game.scores_points},
        }
