"""A table that came by a link or as a file, as it is shown before it is opened."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.table import Table
from companion.web.i18n import translate

from .chips import ScoreRow
from .people import Person
from .pieces import marks


@dataclass(frozen=True)
class Arrival:
    game: str
    round: int
    entries: int
    points: bool  # whether the game is about them
    scores: tuple[ScoreRow, ...]
    record: str  # sent back when it is opened


def arrival_screen(table: Table) -> Arrival:
    state = table.state
    game, named = table.games[state.game], marks(state)
    return Arrival(
        game=translate(game.title),
        round=state.round,
        entries=table.head.number,
        points=game.scores_points,
        scores=tuple(
            ScoreRow(Person(seat.name, named[seat.name]), seat.points, seat.chips) for seat in state.everyone()
        ),
        record=table.record(notes=False),
    )
