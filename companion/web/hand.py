"""A player's hand. The page gets what the table knows; the hidden cards stay on the player's phone."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint
from flask.typing import ResponseReturnValue

from companion.engine.cards import VALUES
from companion.games.hands import HiddenHands
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


@dataclass(frozen=True)
class Danger:
    """The cards that would put this player out when they are turned up for a player."""

    person: Person
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Hand(Screen):
    me: Person | None  # None if no seat was chosen on this phone, or there are no hidden cards
    round: int
    held: int
    values: tuple[Value, ...]
    alone: tuple[Danger, ...]  # for the player's own stack
    against: tuple[Danger, ...]  # for the rows of others
    percent: str  # a percentage, with # in place of the number


def hand_screen(table: Table, table_id: str, dealer: bool, name: str) -> Hand:
    state = table.state
    known = has_hidden_cards(state) and name in state.names()
    dangers = dangers_for(table, state.find(name)) if known else []
    return Hand(
        **common(table, table_id, dealer, _("My hand")),
        me=Person(name, marks(state)[name]) if known else None,
        round=state.round,
        held=getattr(state.seats[state.find(name)], "hand", 0) if known else 0,
        values=tuple(Value(value, state.pile.unseen[value]) for value in VALUES),
        alone=tuple(danger for danger in dangers if danger.person.name == name),
        against=tuple(danger for danger in dangers if danger.person.name != name),
        percent=_("{number}%").format(number="#"),
    )


def dangers_for(table: Table, position: int) -> list[Danger]:
    """What a card turned up may do to a seat, as its game says."""
    game = table.games[table.state.game]
    cards = game.dangers(table.state, position) if isinstance(game, HiddenHands) else {}
    mark_of = marks(table.state)
    return [Danger(Person(name, mark_of[name]), values) for name, values in cards.items()]


@blueprint.get("/hand")
def show(table_id: str) -> ResponseReturnValue:
    """The page on which a player counts with the hidden cards."""
    table, dealer = load_for_phone(table_id)
    return draw_page("table/hand", hand_screen(table, table_id, dealer, who_am_i(table_id)))
