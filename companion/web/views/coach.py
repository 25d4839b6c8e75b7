"""The coach of a table: the line on the board, the sheet that says why, and afterwards luck and skill."""

from __future__ import annotations

from flask import Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.coach import Advice, is_hidden
from companion.table.table import Table
from companion.web.addresses import addresses_of
from companion.web.coaching import Progress, coaching
from companion.web.forms import whole
from companion.web.fragments import draw_page, wants_fragment
from companion.web.lane import Busy
from companion.web.screens.coach import busy_sheet, coach_line, coach_sheet, speaks_to
from companion.web.screens.luck import luck_screen

from .table import blueprint, look, who_am_i

NOTHING = 204  # htmx leaves the board as it is


@blueprint.get("/coach")
def coach(table_id: str) -> ResponseReturnValue:
    """The line for the board that asks; nothing for a board that is no longer the newest."""
    table, dealer = look(table_id)
    if not wants_fragment():
        return redirect(addresses_of(table_id).why)
    if whole(request.args.get("version", "")) != table.version:
        return Response(status=NOTHING)
    try:
        advice = advice_for(table_id, table, dealer)
    except Busy:
        return render_template("coach/_later.html", at=addresses_of(table_id), version=table.version)
    if advice is None:
        return Response(status=NOTHING)
    return render_template("coach/_line.html", screen=coach_line(table, table_id, dealer, advice))


@blueprint.get("/coach/why")
def why(table_id: str) -> ResponseReturnValue:
    """The numbers behind the line, and how they were found."""
    table, dealer = look(table_id)
    try:
        sheet = coach_sheet(table, table_id, dealer, advice_for(table_id, table, dealer))
    except Busy:
        sheet = busy_sheet(table, table_id, dealer)
    return draw_page("coach/why", sheet)


@blueprint.get("/luck")
def luck(table_id: str) -> ResponseReturnValue:
    """Luck and skill. Each request judges a little more, and the page asks again until all are."""
    table, dealer = look(table_id)
    hidden = is_hidden(table)
    progress = Progress([], 0, held_up=False) if hidden else coaching().judge_next(table)
    return draw_page("coach/luck", luck_screen(table, table_id, dealer, *progress, hidden))


def advice_for(table_id: str, table: Table, dealer: bool) -> Advice | None:
    """What the coach says to this phone."""
    me = "" if dealer else who_am_i(table_id)
    return coaching().advice(table_id, table) if speaks_to(table.state, dealer, me) else None
