"""Changes of seats that depend on the log: a new name in mid-round, and the old place of a player who comes back."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.notation import quote_name
from companion.engine.play import play
from companion.engine.sentence import IllegalEntry, say

from .change import Change
from .ledger import name_now, steps_back
from .log import Refused
from .table import Table


def rename(table: Table, names: Mapping[str, str]) -> Change:
    """The change that gives seats new names, by their old ones, between rounds or in one."""
    entries = renames(names)
    return Change("enter", entries) if table.state.between else rename_in_round(table, *entries)


def renames(names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"rename {quote_name(old)} {quote_name(new)}" for old, new in names.items())


def rename_in_round(table: Table, *entries: str) -> Change:
    """The change that inserts new names before the round under way; refused if they do not fit there."""
    wanted = Change("insert", entries, first_of_round(table))
    try:
        table.change(wanted)
    except Refused as refused:
        if refused.at == wanted.number:
            raise
        raise IllegalEntry(say("An entry of this round calls the player by name: rename after the round.")) from refused
    return wanted


def first_of_round(table: Table) -> int:
    """The number of the last entry before which no round was under way."""
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


def seats_with(table: Table, name: str) -> list[str]:
    """The names around the table with a player who comes back: before the next player who sat after them then."""
    seated = [seat.name for seat in table.state.seats]
    for step, names in steps_back(table):
        if step.entry.verb == "leave" and name_now(names, step.entry.args[0]) == name and step.before:
            then = [name_now(names, seat.name) for seat in table.state_after(step.before).seats]
            after = [other for other in then[then.index(name) + 1 :] if other in seated]
            place = seated.index(after[0]) if after else len(seated)
            return [*seated[:place], name, *seated[place:]]
    return [*seated, name]
