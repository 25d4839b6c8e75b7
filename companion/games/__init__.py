"""The games: one rulebook a file. To add one, see CONTRIBUTING."""

from __future__ import annotations

from typing import Any

from companion.engine.game import Game

from .blackstone import Blackstone
from .continuous import Continuous
from .hawthorn import Hawthorn
from .pairs import Pairs
from .port import Port
from .rocket import Rocket
from .starboard import Starboard
from .zombie import Zombie

_ALL: tuple[Game[Any], ...] = (
    Pairs(),
    Continuous(),
    Port(),
    Starboard(),
    Rocket(),
    Blackstone(),
    Hawthorn(),
    Zombie(),
)

GAMES: dict[str, Game[Any]] = {game.key: game for game in _ALL}
