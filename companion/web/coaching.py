"""The coach for pages and API: answers are worked out on request and cached. No tap waits for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from time import process_time
from typing import Any, NamedTuple

from flask import current_app

from companion.coach import Advice, GameLog, GameLuck, advise, game_logs, is_hidden, may_tell, report
from companion.coach.advice import Unit
from companion.coach.judging import Judged
from companion.engine.notation import Entry
from companion.table.table import Table

from .slow import Busy, SlowWork

KEPT_ADVICE = 500  # positions
KEPT_GAMES = 500  # judged games: some kilobytes each
KEPT_UNDER_WAY = 50  # partly judged games
KEPT_EVENINGS = 2_000  # sums of luck
# Only the newest games of a long table are judged, never more than the cache holds, so the page always finishes.
MOST_ENTRIES, MOST_GAMES = 2_000, 100
A_SLICE = 0.02  # seconds of CPU time for one request; at least one entry is judged
AT_ONCE = 10.0  # the same for the API: a whole evening takes a second or two
A_TURN = 0.5  # of those, before others get their turn


class LuckSum(NamedTuple):
    """What the cards did to one player in a judged evening."""

    name: str
    unit: Unit
    luck: float


class Progress(NamedTuple):
    """The games judged so far, the number of games, and whether the coach was busy."""

    judged: list[Judged]
    total: int
    held_up: bool


class Coaching:
    """The answers of the coach in this process. The oldest are dropped first."""

    def __init__(self, slow: SlowWork) -> None:
        self._slow = slow
        self._advice: OrderedDict[Hashable, Advice | None] = OrderedDict()
        self._judged: OrderedDict[Hashable, GameLuck] = OrderedDict()
        self._under_way: OrderedDict[Hashable, tuple[GameLuck, Iterator[Entry]]] = OrderedDict()
        self._evenings: OrderedDict[Hashable, list[LuckSum]] = OrderedDict()

    def advice(self, table_id: str, table: Table) -> Advice | None:
        """What each choice of the player to act is worth; None if nothing can or may be said."""
        game, state = table.games[table.state.game], table.state
        if not may_tell(game, state):
            return None
        # With entry and time: after a backup was restored, another state may have the same version.
        key = (table_id, table.version, table.head.entry, table.head.at)
        with suppress(KeyError):
            return self._advice[key]
        with self._slow.turn():
            if key not in self._advice:  # another request may have asked the same while this one waited
                self._advice[key] = advise(game, state)
                _trim(self._advice, KEPT_ADVICE)
            return self._advice[key]

    def judge_next(self, table: Table, seconds: float = A_SLICE) -> Progress:
        """Judge some more entries, unless the coach is busy."""
        logs = list(game_logs(table, MOST_ENTRIES))[-MOST_GAMES:]
        held_up = False
        try:
            with self._slow.turn():
                self._judge_some(logs, process_time() + seconds)
        except Busy:
            held_up = True
        judged = [(log, self._judged[log.key]) for log in logs if log.key in self._judged]
        return Progress(judged, len(logs), held_up)

    def note_evening(self, table_id: str, version: int, judged: Iterable[Judged]) -> None:
        """Remember what the cards did in an evening whose games are all judged."""
        self._evenings[table_id, version] = [
            LuckSum(name, found.unit, account.luck)
            for _log, found in judged
            for name, account in found.accounts.items()
        ]
        _trim(self._evenings, KEPT_EVENINGS)

    def luck_of_evenings(self, evenings: Iterable[tuple[str, int]]) -> list[list[LuckSum]]:
        """What the cards did in those of these evenings, each a table at a version, that were judged."""
        return [self._evenings[known] for known in evenings if known in self._evenings]

    def _judge_some(self, logs: Iterable[GameLog], until: float) -> None:
        for log in logs:
            if log.key not in self._judged and not self._judge(log, until):
                break

    def _judge(self, log: GameLog, until: float) -> bool:
        """Continue judging a game. Returns whether there is time left for another one."""
        key = log.key
        if key not in self._under_way:
            judging = log.judging()
            self._under_way[key] = (judging.found, judging.entries())
            _trim(self._under_way, KEPT_UNDER_WAY)
        found, entries = under_way = self._under_way.pop(key)
        for _entry in entries:
            if process_time() >= until:
                self._under_way[key] = under_way
                return False
        self._judged[key] = found
        _trim(self._judged, KEPT_GAMES)
        return process_time() < until

    def luck(self, table: Table) -> dict[str, Any] | None:
        """Luck and skill of a table for the API; None if the table hides them.

        A long table is judged over several requests; until then the answer says how many games are judged.
        """
        if is_hidden(table):
            return None
        until = process_time() + AT_ONCE
        found = self.judge_next(table, A_TURN)
        while not found.held_up and len(found.judged) < found.total and process_time() < until:
            found = self.judge_next(table, A_TURN)
        missing = {} if len(found.judged) == found.total else {"judged": len(found.judged), "total": found.total}
        return {**report(found.judged), **missing}


def _trim(known: OrderedDict[Hashable, Any], most: int) -> None:
    while len(known) > most:
        known.popitem(last=False)


def coaching() -> Coaching:
    """The coach of the running application."""
    found: Coaching = current_app.extensions["coaching"]
    return found
