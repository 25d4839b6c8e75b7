"""What an entry costs, in function calls: counted, not timed."""

from __future__ import annotations

import sys
from random import Random
from types import FrameType

import pytest

from companion.engine.notation import parse
from companion.games import GAMES
from companion.table.table import Table

NAMES = ("Ana", "Ben", "Cleo", "Dan")
ENTRIES = 400
MOST_CALLS = 60  # on average, over whole games; copying every seat needlessly adds four


@pytest.mark.parametrize("game", sorted(GAMES))
def test_an_entry_takes_few_calls(game: str) -> None:
    chance, opening, calls = Random(55), parse(f"game {game}"), 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    table = Table.open(GAMES, NAMES, [opening])
    for _ in range(ENTRIES):
        entry = chance.choice(GAMES[game].legal(table.state) or (opening,))
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            table = table.enter([entry])
        finally:
            sys.setprofile(before)
    assert ENTRIES < calls < MOST_CALLS * ENTRIES
