"""A demonstration without a deck: the phone deals the cards."""

from __future__ import annotations

from secrets import SystemRandom

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.cards import VALUES
from companion.engine.game import SHUFFLE
from companion.engine.notation import game_entry
from companion.engine.verbs import card_drawn
from companion.table.change import Change
from companion.table.table import Table
from companion.web.addresses import A_TABLE, DEMO, is_demo
from companion.web.i18n import gettext as _
from companion.web.phones import own_secret
from companion.web.table import change, load_for_phone
from companion.web.tables import tables

blueprint = Blueprint("demo", __name__)

GAME = "pairs"


@blueprint.post("/demo")
def open_demo() -> ResponseReturnValue:
    """Open a demonstration. It is not in any list of tables."""
    names = (_("You"), "Ana", "Ben")
    opening = [game_entry(GAME, {})]
    table_id, _secret, _table = tables().create(names, opening, request.remote_addr, mark=DEMO, phone=own_secret())
    return redirect(url_for("table.show", table_id=table_id), 303)


@blueprint.post(f"{A_TABLE}/turn-up")
def turn_up(table_id: str) -> ResponseReturnValue:
    """Turn up the next card of a demonstration."""
    if not is_demo(table_id):
        abort(404)
    table, _dealer = load_for_phone(table_id)
    if table.state.phase == "game over":
        return redirect(url_for("table.show", table_id=table_id), 303)
    return change(table_id, Change("enter", next_card(table)))


def next_card(table: Table) -> tuple[str, ...]:
    """A random card, as likely as from a real deck, with the shuffle before it if one is due."""
    shuffles = not any(card_drawn(entry) for entry in table.games[table.state.game].legal(table.state))
    unseen = (table.enter([SHUFFLE]) if shuffles else table).state.pile.unseen
    [card] = SystemRandom().choices(VALUES, [unseen[value] for value in VALUES])
    return (*([str(SHUFFLE)] if shuffles else []), str(card))
