"""Positions written as their entries."""

from __future__ import annotations

from typing import Any

from companion.engine.notation import parse
from companion.engine.play import replay
from companion.engine.state import State
from companion.games import GAMES


def position(seats: str, entries: str) -> State[Any]:
    """The state after some entries, separated by commas."""
    return replay(GAMES, tuple(seats.split()), [parse(entry) for entry in entries.split(",")])
