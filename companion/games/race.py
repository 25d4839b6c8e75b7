"""What Port and Zombie Life share: points are good, and the first player to the goal wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from companion.engine.ending import Ending
from companion.engine.options import Option, number, with_value
from companion.engine.results import Outcome
from companion.engine.sentence import say, say_many
from companion.engine.state import State

from .points import GoodPoints

St = TypeVar("St", bound=State[Any])

DEFAULT_GOAL = 21
GOAL: Mapping[str, Option] = {"goal": number(say("Goal"), with_value(say("goal {value}")), DEFAULT_GOAL, 1, 999)}


class Race(GoodPoints[St]):
    """First to the goal."""

    own_options = GOAL
    endings = {**GoodPoints.endings, "all out": Ending(say("all out"), say("everybody is out"))}

    def target(self, state: St) -> int:
        goal: int = state.options["goal"]
        return goal

    def leaders(self, state: St) -> tuple[int, ...]:
        """The seats with the most points, once somebody has reached the goal."""
        most = max(seat.points for seat in state.seats)
        if most < state.options["goal"]:
            return ()
        return tuple(i for i, seat in enumerate(state.seats) if seat.points == most)

    def win(self, state: St, winners: tuple[int, ...]) -> St:
        names = tuple(state.seats[i].name for i in winners)
        points = state.seats[winners[0]].points
        reason = say_many("{names}: {points} point.", "{names}: {points} points.", points, names=names, points=points)
        chips = {seat.name: 0 for seat in state.seats}
        return self.end_game(state, Outcome(winners=names, chips=chips, reason=reason))

    def own_keys(self, state: St) -> dict[str, Any]:
        return {"goal": state.options["goal"]}
