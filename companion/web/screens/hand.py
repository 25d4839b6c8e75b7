"""A player's hidden cards, which only his phone knows: what the table knows goes out, his cards never come in."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine.cards import VALUES
from companion.engine.state import AnyState
from companion.table.table import Table
from companion.web.i18n import gettext as _

from .page import Screen, common
from .people import Person
from .pieces import marks


@dataclass(frozen=True)
class Value:
    """A card that may be in the hand or come next, as far as the table knows."""

    value: int
    unseen: int
    pairs: bool  # whether drawing it would put this player out


@dataclass(frozen=True)
class Hand(Screen):
    me: Person | None  # None: it is not known who asks, or there are no hidden cards
    round: int
    held: int
    values: tuple[Value, ...]


def has_hidden_cards(state: AnyState) -> bool:
    """Whether players hold hidden cards, and the table shows odds at all."""
    shown = state.options["cards"] == "yes" and state.options["odds"] != "off"
    return shown and any(hasattr(seat, "hand") for seat in state.seats)


def hand_screen(table: Table, table_id: str, dealer: bool, name: str) -> Hand:
    state, game = table.state, table.games[table.state.game]
    place = next((place for place, seat in enumerate(state.seats) if seat.name == name), None)
    known = place if has_hidden_cards(state) else None
    return Hand(
        **common(table, table_id, dealer, _("My hand")),
        me=None if known is None else Person(name, marks(state)[name]),
        round=state.round,
        held=0 if known is None else getattr(state.seats[known], "hand", 0),
        values=tuple(
            Value(value, state.pile.unseen[value], known is not None and game.price(state, known, value) is not None)
            for value in VALUES
        ),
    )
