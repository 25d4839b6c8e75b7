"""What games with good points share: points without cards, and a race to a goal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from companion.engine.ending import Ending
from companion.engine.game import Game
from companion.engine.options import Option, number, with_value
from companion.engine.results import Outcome
from companion.engine.sentence import say, say_many
from companion.engine.state import State

St = TypeVar("St", bound=State[Any])

DEFAULT_GOAL = 21
GOAL: Mapping[str, Option] = {"goal": number(say("Goal"), with_value(say("goal {value}")), DEFAULT_GOAL, 1, 999)}


class GoodPoints(Game[St]):
    """Most points is best."""

    scores_points = True
    endings = {"scored": Ending(say("scored"), say("scored {value}"))}

    def on_score(self, state: St, seat: int, points: int) -> St:
        """Add points for cards that were not entered."""
        result = self.result(state, "scored", seat, points, points={seat: points}) if state.between else None
        return self.on_points(state, seat, state.seats[seat].points + points).but(result=result)

    def on_points(self, state: St, seat: int, points: int) -> St:
        """A goal is checked between rounds; after a correction a finished game may go on."""
        state = state.seat_but(seat, points=points)
        if state.phase == "game over":
            state = state.but(phase="round over", outcome=None)
        return self.between_rounds(state)


class Race(GoodPoints[St]):
    """Port and Zombie Life: the first player to the goal wins."""

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
