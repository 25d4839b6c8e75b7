"""Where somebody sits who comes back."""

from __future__ import annotations

from .ledger import name_now, steps_back
from .table import Table


def seats_with(table: Table, name: str) -> list[str]:
    """The names around the table with one who comes back: before the next of those who sat after him when he left."""
    seated = [seat.name for seat in table.state.seats]
    for step, names in steps_back(table):
        if step.entry.verb == "leave" and name_now(names, step.entry.args[0]) == name and step.before:
            then = [name_now(names, seat.name) for seat in table.state_after(step.before).seats]
            after = [other for other in then[then.index(name) + 1 :] if other in seated]
            place = seated.index(after[0]) if after else len(seated)
            return [*seated[:place], name, *seated[place:]]
    return [*seated, name]
