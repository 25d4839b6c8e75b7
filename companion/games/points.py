"""What games with good points share: the points can also be entered without the cards."""

from __future__ import annotations

from typing import Any, TypeVar

from companion.engine.ending import Ending
from companion.engine.game import Game
from companion.engine.sentence import say
from companion.engine.state import State

St = TypeVar("St", bound=State[Any])


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
