"""A demonstration: where nobody has a deck at hand, the phone deals. It is a table like any other, but for its id."""

from __future__ import annotations

from secrets import SystemRandom

from companion.engine.cards import VALUES
from companion.engine.game import SHUFFLE
from companion.engine.verbs import card_drawn
from companion.table.table import Table

MARK = "demo-"  # how the id of a demonstration begins: no other id does, they have no o


def is_demo(table_id: str) -> bool:
    return table_id.startswith(MARK)


def next_card(table: Table) -> tuple[str, ...]:
    """The card that is turned up now, as likely as in a real deck, and the shuffle before it if one is due."""
    shuffles = not any(card_drawn(entry) for entry in table.games[table.state.game].legal(table.state))
    unseen = (table.enter([SHUFFLE]) if shuffles else table).state.pile.unseen
    [card] = SystemRandom().choices(VALUES, [unseen[value] for value in VALUES])
    return (*([str(SHUFFLE)] if shuffles else []), str(card))
