"""The coach for the pages and the API: worked out when asked for, and kept. A tap never waits for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar

from flask import current_app

from companion.coach import Advice, GameLog, GameLuck, advise, game_logs, is_hidden, report
from companion.coach.summary import Judged
from companion.table.table import Table

KEPT_ADVICE = 500  # positions
KEPT_GAMES = 500  # judged games: some kilobytes each
MOST_GAMES = 100  # of one table, on its page: fewer than are kept, so that the page is finished some day

T = TypeVar("T")


class Coaching:
    """What the coach has worked out in this process. What was not asked for longest goes first."""

    def __init__(self) -> None:
        self._advice: OrderedDict[Hashable, Advice | None] = OrderedDict()
        self._judged: OrderedDict[Hashable, GameLuck] = OrderedDict()

    def advice(self, table_id: str, table: Table) -> Advice | None:
        """What each choice of the player to act is worth now."""
        game, state = table.games[table.state.game], table.state
        # Entry and time besides the version: after a backup was restored, another state may have it.
        key = (table_id, table.version, table.head.entry, table.head.at)
        return _kept(self._advice, key, KEPT_ADVICE, lambda: advise(game, state))

    def judged(self, log: GameLog) -> GameLuck:
        """One game judged; the same entries are judged once."""
        return _kept(self._judged, log.key, KEPT_GAMES, log.judge)

    def is_judged(self, log: GameLog) -> bool:
        return log.key in self._judged

    def judge_next(self, table: Table) -> tuple[list[Judged], int]:
        """Judge one game more; all that are judged by now, and how many there are."""
        logs = list(game_logs(table))[-MOST_GAMES:]
        waiting = next((log for log in logs if not self.is_judged(log)), None)
        if waiting:
            self.judged(waiting)
        return [(log, self.judged(log)) for log in logs if self.is_judged(log)], len(logs)

    def luck(self, table: Table) -> dict[str, Any] | None:
        """Luck and skill of a table, as the API tells them; nothing where the table hides them."""
        return None if is_hidden(table) else report(self.games(table))

    def games(self, table: Table) -> Iterator[Judged]:
        """Every game that can be judged, one after the other."""
        for log in game_logs(table):
            yield log, self.judged(log)


def _kept(known: OrderedDict[Hashable, T], key: Hashable, most: int, work: Callable[[], T]) -> T:
    try:
        return known[key]
    except KeyError:
        found = known[key] = work()
    while len(known) > most:
        known.popitem(last=False)
    return found


def coaching() -> Coaching:
    """The coach of the running application."""
    found: Coaching = current_app.extensions["coaching"]
    return found
