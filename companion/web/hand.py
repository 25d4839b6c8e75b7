"""A player's hand. The page gets what the table knows; the hidden cards stay on the player's phone."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint
from flask.typing import ResponseReturnValue

from companion.engine.cards import VALUES
from companion.engine.odds import puts_out
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.own_seat import has_hidden_cards
from companion.web.board.screen import marks
from companion.web.i18n import gettext as _
from companion.web.pages import Screen, common, draw_page
from companion.web.people import Person
from companion.web.phones import who_am_i
from companion.web.table import load_for_phone

blueprint = Blueprint("hand", __name__, url_prefix=A_TABLE)


@dataclass(frozen=True)
class Value:
    """A card that may be in the hand or come next, as far as the table knows."""

    value: int
    unseen: int
    pairs: bool  # whether it would put this player out


@dataclass(frozen=True)
class Hand(Screen):
    me: Person | None  # None if no seat was chosen on this phone, or there are no hidden cards
    round: int
    held: int
    values: tuple[Value, ...]
    percent: str  # a percentage, with # in place of the number


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
            Value(value, state.pile.unseen[value], known is not None and puts_out(game, state, known, value))
            for value in VALUES
        ),
        percent=_("{number}%").format(number="#"),
    )


@blueprint.get("/hand")
def show(table_id: str) -> ResponseReturnValue:
    """The page on which a player counts with the hidden cards."""
    table, dealer = load_for_phone(table_id)
    return draw_page("table/hand", hand_screen(table, table_id, dealer, who_am_i(table_id)))
