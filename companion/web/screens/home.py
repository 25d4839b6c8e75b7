"""The first screen, and the evenings of this phone."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from companion.engine.notation import Entry
from companion.engine.options import in_line
from companion.games import GAMES
from companion.table.table import Table
from companion.web.addresses import addresses_of
from companion.web.clock import now
from companion.web.format import number_word
from companion.web.games import board
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate
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
    again: Again | None  # where the newest table's game is over
    rules: str  # the newest table's game and options, in a line
    triangle: Triangle
    games: str  # how many there are, in words


@dataclass(frozen=True)
class Again:
    """The next game of the same evening: same seats, same rules, and the chips go on."""

    enter: str
    version: int
    entry: str


@dataclass(frozen=True)
class Evening:
    """A table this phone remembers."""

    table: KnownTable
    when: str
    dealt: bool  # here, or only watched


@dataclass(frozen=True)
class Evenings:
    evenings: tuple[Evening, ...]
    more: int | None  # where the older ones begin


@dataclass(frozen=True)
class OnThisPhone:
    """The tables of this phone, and how many there are in all."""

    evenings: Evenings
    count: int


def home_screen(newest: tuple[str, Table] | None) -> HomeScreen:
    """The table this phone dealt at last stands first."""
    if newest is None:
        return HomeScreen(
            None, None, "", triangle(Table.open(GAMES, ("A", "B"), ["game pairs"]).state), count_of_games()
        )
    table_id, table = newest
    known, entry = known_table(table_id, table), table.game_entry()
    over = table.state.phase == "game over"
    again = Again(addresses_of(table_id).enter, table.version, str(entry)) if over else None
    return HomeScreen(known, again, describe(entry), triangle(table.state), count_of_games())


def evenings_screen(found: Iterable[tuple[str, Table]], dealt: Container[str], more: int | None) -> Evenings:
    """The tables of this phone on one page."""
    evenings = (
        Evening(known_table(table_id, table), days_ago(table.head.at), table_id in dealt) for table_id, table in found
    )
    return Evenings(tuple(evenings), more)


def days_ago(at: str | None) -> str:
    """An evening that went past midnight is still today's at breakfast."""
    if at is None:
        return ""
    days = round((datetime.fromisoformat(now()) - datetime.fromisoformat(at)) / timedelta(days=1))
    return ngettext("{count} day ago", "{count} days ago", days).format(count=days) if days > 0 else _("today")


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
