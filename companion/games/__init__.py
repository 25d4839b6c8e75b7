"""The games: one rulebook a file. To add one, see CONTRIBUTING."""

from __future__ import annotations

from typing import Any

from companion.engine import verbs
from companion.engine.game import Game

from .blackstone import Blackstone
from .continuous import Continuous
from .hawthorn import Hawthorn
from .inn import Inn
from .lucky import LuckyDay
from .pairs import Pairs
from .port import Port
from .rocket import Rocket
from .starboard import Starboard
from .zombie import Zombie

GAMES: dict[str, Game[Any]] = {}


def register(game: Game[Any]) -> None:
    """Add a game to the list, and its verbs to the notation."""
    verbs.register(game.own_verbs)
    GAMES[game.key] = game


for _game in (
    Pairs(),
    Continuous(),
    Port(),
    Starboard(),
    Rocket(),
    Blackstone(),
    Hawthorn(),
    Zombie(),
    LuckyDay(),
    Inn(),
):
    register(_game)
