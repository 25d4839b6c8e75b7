"""Evenings as people play them: whole games of every kind, with random legal entries, over many tables."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from companion.games import GAMES
from companion.table.table import Table

from .phones import NAMES

TABLES_OF_A_GAME = 3


class BenchTap(NamedTuple):
    """The next entry of one phone."""

    table: int
    entry: str


def openings() -> list[str]:
    """The entry that opens each table: some tables of every game."""
    return [f"game {key}" for key in GAMES for _ in range(TABLES_OF_A_GAME)]


def taps(count: int, seed: int = 55) -> Iterator[BenchTap]:
    """Yield `count` taps over all tables in random order, each legal when it comes."""
    random = Random(seed)
    tables = [Table.open(GAMES, NAMES, [opening]) for opening in openings()]
    for _ in range(count):
        number = random.randrange(len(tables))
        table = tables[number]
        entry = next_entry(table, openings()[number], random)
        tables[number] = table.enter([entry])
        yield BenchTap(number, entry)


def evening(opening: str, count: int, names: tuple[str, ...] = NAMES, seed: int = 55) -> Iterator[str]:
    """Yield the `count` entries of one table, the opening first, game after game."""
    random = Random(seed)
    table = Table.open(GAMES, names, [opening])
    yield opening
    for _ in range(count - 1):
        entry = next_entry(table, opening, random)
        table = table.enter([entry])
        yield entry


def next_entry(table: Table, opening: str, random: Random) -> str:
    """A random legal entry; the opening again when the game is over."""
    legal = GAMES[table.state.game].legal(table.state)
    return str(random.choice(legal)) if legal else opening
