"""A table that came by a link or as a file, as it is shown before it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.table.table import Table
from companion.web.i18n import translate

from .chips import ScoreRow
from .home import days_ago
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


@dataclass(frozen=True)
class ArrivingTable:
    """One of many tables in a file."""

    game: str
    names: tuple[str, ...]
    when: str  # it was played last, where the file says so
    entries: int
    here: bool  # this phone has it already


@dataclass(frozen=True)
class Arrivals:
    tables: tuple[ArrivingTable, ...]
    new: int
    text: str  # sent back when they are opened


def arrivals_screen(arrived: Sequence[tuple[Table, str | None, bool]], text: str) -> Arrivals:
    listed = tuple(
        ArrivingTable(
            translate(table.games[table.state.game].title), table.names, days_ago(played), table.head.number, here
        )
        for table, played, here in arrived
    )
    return Arrivals(listed, sum(not one.here for one in listed), text)
