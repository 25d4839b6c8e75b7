"""Who comes back gets his old chair."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from companion.table.chairs import seats_with
from companion.table.table import Table


@pytest.mark.parametrize(
    ("entries", "name", "around"),
    [
        (["leave Ben"], "Ben", "Ana Ben Cleo Dan"),
        (["leave Ana"], "Ana", "Ana Ben Cleo Dan"),
        (["leave Dan"], "Dan", "Ana Ben Cleo Dan"),
        (["leave Ben", "leave Cleo"], "Ben", "Ana Ben Dan"),  # the next who is still there
        (["leave Ben", "rename Cleo Clea"], "Ben", "Ana Ben Clea Dan"),
        (["leave Ben", "sit Ben", "order Ana Cleo Dan Ben", "leave Ben"], "Ben", "Ana Cleo Dan Ben"),
    ],
)
def test_the_chair_is_where_it_was(entries: list[str], name: str, around: str) -> None:
    table = Table.open(GAMES, ("Ana", "Ben", "Cleo", "Dan"), ["game pairs", *entries])
    assert seats_with(table, name) == around.split()
