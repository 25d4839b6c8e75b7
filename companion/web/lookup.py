"""The quick reference: tabs with figures to look up, with or without a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from companion.engine.sentence import EntryError
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.web.dealing import UnknownTable
from companion.web.games import lookups, room_of
from companion.web.games.lookups import Asked, Lookup
from companion.web.i18n import translate
from companion.web.pages import draw_page
from companion.web.tables import tables


@dataclass(frozen=True)
class LookupScreen:
    """A page of the quick reference: the tabs, and the figures of the open one."""

    tabs: tuple[tuple[str, str, bool], ...]  # key, title, whether it is the open one
    tab: str
    template: str
    figures: Any
    table_id: str  # the table from which it was opened; empty if none
    message: str = ""


blueprint = Blueprint("lookup", __name__, url_prefix="/lookup")


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The first tab."""
    return show(next(iter(lookups())))


@blueprint.get("/<tab>")
def show(tab: str) -> ResponseReturnValue:
    """A tab, by its own name or a game's. Opened from a table, it is filled in from the present state."""
    known = lookups()
    lookup = known.get(room_of(tab).tab if tab in GAMES else tab) or abort(404)
    table_id = request.args.get("table", "")
    state = state_at(table_id)
    figures, message = answer(lookup, state)
    tabs = tuple((each.tab, translate(each.title), each is lookup) for each in known.values())
    screen = LookupScreen(tabs, lookup.tab, lookup.template, figures, table_id if state else "", message)
    return draw_page("lookup/lookup", screen), 422 if message else 200


def answer(lookup: Lookup, state: AnyState | None) -> tuple[Any, str]:
    """The figures of a tab, or None and a sentence that says why."""
    try:
        return lookup.figures(Asked(request.args), state), ""
    except EntryError as error:
        return None, translate(error.sentence)


def state_at(table_id: str) -> AnyState | None:
    """The state of the table from which the tab was opened; None if there is none."""
    if not table_id:
        return None
    try:
        return tables().load(table_id).state
    except UnknownTable:
        return None
