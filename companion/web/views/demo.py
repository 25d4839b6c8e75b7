"""Try a game without a deck: the phone deals a demonstration, card by card."""

from __future__ import annotations

from flask import abort, redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.notation import game_entry
from companion.table.change import Change
from companion.web import demo
from companion.web.addresses import addresses_of
from companion.web.i18n import gettext as _
from companion.web.security import remember_demo
from companion.web.tables import tables

from .lobby import blueprint as lobby
from .table import blueprint, change, look

GAME = "pairs"


@lobby.post("/demo")
def open_demo() -> ResponseReturnValue:
    """A table for one who wants to see how it goes. It is in no list of tables."""
    names = (_("You"), "Ana", "Ben")
    table_id, secret, _table = tables().create(names, [game_entry(GAME, {})], request.remote_addr, mark=demo.MARK)
    remember_demo(table_id, secret)
    return redirect(addresses_of(table_id).board, 303)


@blueprint.post("/turn-up")
def turn_up(table_id: str) -> ResponseReturnValue:
    """The phone turns up the next card of a demonstration."""
    if not demo.is_demo(table_id):
        abort(404)
    table, _dealer = look(table_id)
    if table.state.phase == "game over":
        return redirect(addresses_of(table_id).board, 303)
    return change(table_id, Change("enter", demo.next_card(table)))
