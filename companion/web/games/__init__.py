"""One room a game: how it looks on the screens. No rule is here: the engine is asked."""

from __future__ import annotations

from typing import NamedTuple

from companion.games import GAMES
from companion.table.table import Table
from companion.web.addresses import is_demo
from companion.web.board.own_seat import own_seat
from companion.web.board.scores import ScoreBoard
from companion.web.board.screen import Board, BoardPart, Message
from companion.web.games.lookups import ODDS_LOOKUP, Lookup
from companion.web.i18n import gettext as _

from . import blackstone, continuous, hawthorn, inn, lucky, pairs, port, rocket, starboard, zombie
from .room import Room

ROOMS: dict[str, Room] = {
    module.ROOM.game.key: module.ROOM
    for module in (pairs, continuous, port, starboard, rocket, blackstone, hawthorn, zombie, lucky, inn)
}


def room_of(game: str) -> Room:
    """The room of a game, or the default room."""
    return ROOMS.get(game) or Room(game=GAMES[game])


def rooms() -> list[Room]:
    """The rooms of all games, in the order of the menu."""
    return [room_of(game) for game in GAMES]


def lookups() -> dict[str, Lookup]:
    """The look-up tabs, always in the same order."""
    return {tab.tab: tab for room in rooms() for tab in room.lookups} | {ODDS_LOOKUP.tab: ODDS_LOOKUP}


def board_screen(
    table: Table,
    table_id: str,
    dealer: bool,
    choosing: int = 0,
    message: Message | None = None,
    me: str = "",
    offered: bool = False,
    recovery: str = "",
) -> Board:
    """The board of a table; `me` is the seat that a watcher has chosen."""
    room = room_of(table.state.game)
    kind = room.board if table.state.options["cards"] == "yes" else ScoreBoard
    drawn = kind(table, table_id, dealer, choosing)
    screen = drawn.screen(room.tab, message, me, recovery)
    if is_demo(table_id):
        screen = as_demo(screen, table)
    return screen if dealer else screen._replace(me=own_seat(drawn, me), offered=offered)


class Demo(NamedTuple):
    """The one button of a demonstration besides the choices of the player."""

    turn_up: str
    hint: str  # what the figures on the screen mean for the player


def as_demo(screen: Board, table: Table) -> Board:
    """The same board, marked; where there would be keys, the phone turns up the card."""
    screen = screen._replace(bar=(_("demonstration"), *screen.bar), recovery="")
    if not screen.keys:
        return screen
    button = Demo(_("Draw a card") if table.state.phase == "play" else _("Deal a card"), hint(screen, table))
    return screen._replace(keys=(), instead_of_keys=BoardPart("board/_demo.html", button))


def hint(screen: Board, table: Table) -> str:
    """Where there is a choice, what it costs; otherwise what the game is about."""
    action = screen.action
    if action.main and action.figure:
        return _(
            "Points are bad. Fold: {price} for sure."
            " Draw: {risk} to make a pair and take its value; ≈ is the average cost."
        ).format(price=action.main.figure, risk=action.figure[0])
    limit = table.games[table.state.game].target(table.state)
    return _("Points are bad: whoever reaches {limit} loses.").format(limit=limit)
