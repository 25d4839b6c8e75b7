"""The first screen: resume, deal again, open a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.engine.notation import Entry
from companion.engine.options import in_line
from companion.games import GAMES
from companion.table.table import Table
from companion.web.format import number_word
from companion.web.games import board
from companion.web.i18n import translate
from companion.web.triangle import Triangle, triangle

from .board import Mark


@dataclass(frozen=True)
class KnownTable:
    """A table this phone deals at."""

    table_id: str
    address: str
    title: str
    line: str
    mark: Mark
    names: tuple[str, ...]


@dataclass(frozen=True)
class HomeScreen:
    newest: KnownTable | None
    others: tuple[KnownTable, ...]
    again: str  # the newest table's game and options, in a line
    triangle: Triangle
    games: str  # how many there are, in words


def home_screen(found: Iterable[tuple[str, Table]]) -> HomeScreen:
    """The tables of this phone, newest first."""
    tables = list(found)
    if not tables:
        return HomeScreen(None, (), "", triangle(Table.open(GAMES, ("A", "B"), ["game pairs"]).state), count_of_games())
    newest, *others = [known_table(table_id, table) for table_id, table in tables]
    table = tables[0][1]
    return HomeScreen(newest, tuple(others), describe(table.game_entry()), triangle(table.state), count_of_games())


def count_of_games() -> str:
    return number_word(len(GAMES))


def known_table(table_id: str, table: Table) -> KnownTable:
    screen = board(table, table_id, dealer=True)
    names = tuple(seat.name for seat in table.state.seats)
    return KnownTable(table_id, screen.at.board, screen.title, f"{screen.who} · {screen.do}", screen.mark, names)


def describe(entry: Entry) -> str:
    """A game and its options in one line."""
    key, options = entry.args
    game = GAMES[key]
    return " · ".join(map(translate, (game.title, *in_line(game.options, options))))
