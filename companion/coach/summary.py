"""An evening's luck: the judged games together, and what stood out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from companion.table.table import Table

from .advice import Unit
from .judging import GameLog, GameLuck, game_logs

WORTH_TELLING: dict[Unit, float] = {"lose": 0.01, "chips": 0.1}  # of a mistake
MOST_BEATS = 3

Judged = tuple[GameLog, GameLuck]


def luck(table: Table) -> dict[str, Any] | None:
    """Luck and skill of a table, as the API tells them; nothing where the game on the table hides them."""
    if is_hidden(table):
        return None
    return report((log, log.judge()) for log in game_logs(table))


def is_hidden(table: Table) -> bool:
    """Whether the table's rules forbid to tell luck from skill."""
    options = table.state.options
    return "off" in (options["coach"], options["odds"])


def report(games: Iterable[Judged]) -> dict[str, Any]:
    """The judged games as plain data, ready for JSON."""
    judged = list(games)
    return {
        "games": [
            {
                "number": log.number,
                "game": found.game,
                "unit": found.unit,
                "seats": {name: account.report() for name, account in found.accounts.items()},
            }
            for log, found in judged
        ],
        "dearest": _by_unit(judged, "mistakes", "cost", WORTH_TELLING),
        "luckiest": _by_unit(judged, "turns", "gain", {}),
        "unluckiest": _by_unit(judged, "turns", "gain", {}, sign=-1),
        "beats": _beats(judged),
    }


def _by_unit(
    judged: list[Judged], what: str, key: str, least: dict[Unit, float], sign: int = 1
) -> dict[Unit, dict[str, Any]]:
    """For each unit the moment with the largest number, if it is worth telling."""
    found: dict[Unit, dict[str, Any]] = {}
    for log, game in judged:
        for moment in getattr(game, what):
            size = sign * getattr(moment, key)
            known = sign * found[game.unit][key] if game.unit in found else least.get(game.unit, 0.0)
            if size > known:
                found[game.unit] = _told(log, moment)
    return found


def _beats(judged: list[Judged]) -> list[dict[str, Any]]:
    """The dearest ones first."""
    beats = [_told(log, beat) for log, game in judged for beat in game.beats]
    return sorted(beats, key=lambda beat: beat["cost"], reverse=True)[:MOST_BEATS]


def _told(log: GameLog, moment: Any) -> dict[str, Any]:
    """A moment with the number its entry has in the table's log."""
    return asdict(moment) | {"n": log.first + moment.n}
