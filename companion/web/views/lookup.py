"""Look up a price, a fine or a chance in mid-hand; no table is needed."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.errors import EntryError
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.web.dealing import UnknownTable
from companion.web.fragments import draw_page, wants_fragment
from companion.web.games import lookups, room_of
from companion.web.i18n import translate
from companion.web.screens.lookup import Asked, Lookup, LookupScreen
from companion.web.tables import tables

blueprint = Blueprint("lookup", __name__, url_prefix="/lookup")


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The first tab."""
    return show(next(iter(lookups())))


@blueprint.get("/<tab>")
def show(tab: str) -> ResponseReturnValue:
    """One tab, or that of a game; from a table it opens with the hand that is played."""
    known = lookups()
    lookup = known.get(room_of(tab).tab if tab in GAMES else tab) or abort(404)
    table_id = request.args.get("table", "")
    state = state_at(table_id)
    figures, message = answer(lookup, state)
    tabs = tuple((each.tab, translate(each.title), each is lookup) for each in known.values())
    screen = LookupScreen(tabs, lookup.tab, lookup.template, figures, table_id if state else "", message)
    return draw_page("lookup/lookup", screen), 422 if message else 200


@blueprint.get("/<tab>/best")
def best(tab: str) -> ResponseReturnValue:
    """Best play on a card: in steps as htmx asks for them, or as a page with all of it."""
    lookup = lookups().get(tab)
    if lookup is None or lookup.best is None:
        abort(404)
    card = lookup.best(Asked(request.args), wants_fragment())
    address = url_for("lookup.best", tab=tab)
    if wants_fragment():
        return render_template(card.template, x=card.figures, address=address)
    title = translate(lookup.title)
    return render_template("lookup/best.html", card=card, x=card.figures, address=address, tab=tab, title=title)


def answer(lookup: Lookup, state: AnyState | None) -> tuple[Any, str]:
    """The figures of a tab, or why there are none."""
    try:
        return lookup.figures(Asked(request.args), state), ""
    except EntryError as error:
        return None, translate(error.sentence)


def state_at(table_id: str) -> AnyState | None:
    """The state of the table the look-up was opened from, if there is one."""
    if not table_id:
        return None
    try:
        return tables().load(table_id).state
    except UnknownTable:
        return None
