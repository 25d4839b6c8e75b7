"""What a choice is worth, and what was luck: pure functions over games and table.

`advise` says where each choice of the player to act leads. `luck` separates luck from skill after a game. Standard
library only; no clock, no randomness, no files but the package's own tables. The same state has the same answer on
every machine.
"""

from __future__ import annotations

from .advice import Advice, Choice
from .coach import advise, has_coach, is_slow, may_tell
from .judging import GameLog, GameLuck, game_logs, is_hidden, luck, may_judge, report

__all__ = [
    "Advice",
    "Choice",
    "GameLog",
    "GameLuck",
    "advise",
    "game_logs",
    "has_coach",
    "is_hidden",
    "is_slow",
    "luck",
    "may_judge",
    "may_tell",
    "report",
]
