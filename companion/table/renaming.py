"""A new name in the middle of a round: it is told before the round began, where the rules of the table allow it."""

from __future__ import annotations

from companion.engine.errors import IllegalEntry
from companion.engine.play import play
from companion.engine.sentence import say

from .change import Change
from .log import Refused
from .table import Table


def rename_in_round(table: Table, entry: str) -> Change:
    """The change that tells of a new name before the round under way; a refusal if it does not fit there."""
    wanted = Change("insert", (entry,), first_of_round(table))
    try:
        table.change(wanted)
    except Refused as refused:
        if refused.at == wanted.number:
            raise
        raise IllegalEntry(say("An entry of this round calls the player by name: rename after the round.")) from refused
    return wanted


def first_of_round(table: Table) -> int:
    """The last entry before which no round was under way."""
    start = table.head
    while start.before is not None and (start.before.game, start.before.round) == (table.head.game, table.head.round):
        start = start.before
    first = start.before or start
    state = table.state_after(first)
    found = first.number + 1
    for following in table.steps(since=first.number + 1):
        if state.between:
            found = following.number
        state = play(table.games, state, following.entry)
    return found
