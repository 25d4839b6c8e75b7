"""Evenings as people play them: whole games of every kind, with random legal entries, over many tables."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from companion.engine.notation import parse
from companion.games import GAMES
from companion.table.table import Table

NAMES = ("Ana", "Ben", "Cleo", "Dan")
TABLES_OF_A_GAME = 3


class Tap(NamedTuple):
    """What one phone enters next."""

    table: int
    entry: str


def openings() -> list[str]:
    """The entry that opens each table: some of every game."""
    return [f"game {key}" for key in GAMES for _ in range(TABLES_OF_A_GAME)]


def taps(count: int, seed: int = 55) -> Iterator[Tap]:
    """So many taps, from one table and then another, each legal where it comes."""
    chance = Random(seed)
    tables = [Table.open(GAMES, NAMES, [opening]) for opening in openings()]
    for _ in range(count):
        number = chance.randrange(len(tables))
        table = tables[number]
        legal = GAMES[table.state.game].legal(table.state) or (parse(openings()[number]),)
        entry = chance.choice(legal)
        tables[number] = table.enter([entry])
        yield Tap(number, str(entry))
