"""How each game looks on the table screen. No rule is here: the engine is asked."""

from __future__ import annotations

from companion.table.table import Table
from companion.web.screens.board import Board, Message

from .base import BoardOf
from .blackstone import BlackstoneBoard
from .continuous import ContinuousBoard
from .hawthorn import HawthornBoard
from .pairs import PairsBoard
from .port import PortBoard
from .rocket import RocketBoard
from .scores import ScoreBoard
from .starboard import StarboardBoard
from .zombie import ZombieBoard

BOARDS: dict[str, type[BoardOf]] = {
    "pairs": PairsBoard,
    "continuous": ContinuousBoard,
    "port": PortBoard,
    "starboard": StarboardBoard,
    "rocket": RocketBoard,
    "blackstone": BlackstoneBoard,
    "hawthorn": HawthornBoard,
    "zombie": ZombieBoard,
}


def board(
    table: Table,
    table_id: str,
    dealer: bool,
    choosing: bool = False,
    message: Message | None = None,
    me: str = "",
    offered: bool = False,
) -> Board:
    """The screen of a table as it stands; a watcher may say who he is."""
    kind = BOARDS[table.state.game] if table.state.options["cards"] == "yes" else ScoreBoard
    drawn = kind(table, table_id, dealer, choosing)
    screen = drawn.screen(message)
    return screen if dealer else screen._replace(me=drawn.me(me), offered=offered)
