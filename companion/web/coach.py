"""The coach: its line on the board, and the sheet with the reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.coach import Advice, Choice
from companion.coach.advice import Unit
from companion.coach.words import amount, choice_name, choices, decimal, how_found
from companion.engine.sentence import Sentence, say
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.common import speaks_to
from companion.web.board.screen import Mark, marks
from companion.web.coaching import coaching
from companion.web.format import percent
from companion.web.forms import whole
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.pages import Screen, common, draw_page, wants_fragment
from companion.web.phones import who_am_i
from companion.web.slow import Busy
from companion.web.table import load_for_phone

blueprint = Blueprint("coach", __name__, url_prefix=A_TABLE)

MEANINGS: dict[Unit, Sentence] = {
    "lose": say("The chance of losing the whole game, not only this round. The lower, the better."),
    "points": say("The points you can expect from now to the end of the round. The higher, the better."),
    "chips": say(
        "The chips you can expect to win from now to the end of the round. "
        "What you have already paid does not count. The higher, the better."
    ),
    "bet": say("What you can expect from this round, as a share of the bet. The higher, the better."),
}
# In Blackstone the ante leaves the chips at once, but it is lost only when the player passes or loses.
MEANINGS_OF_GAMES = {
    "blackstone": say(
        "The chips you can expect to win or lose by the end of the round, your ante included. The higher, the better."
    )
}
MORE = say("A larger take can be worth more: the next player must then take at least as many.")
NO_MORE = say("With four players in or more, larger takes are not analysed.")
NEXT_CARD = say("On the board, ≈ is the next card alone. The coach looks further.")
PRICES = say("What each choice costs at once, in chips.")
BUSY = say("The coach is busy with other tables: ask again in a moment.")


@dataclass(frozen=True)
class CoachLine(Screen):
    """One sentence for the player to act. The better choice is separate from the rest, to be framed."""

    turn: str
    better: str  # empty if the choices are about equal
    rest: str


@dataclass(frozen=True)
class ChoiceRow:
    """A choice in the sheet."""

    name: str
    value: str
    best: bool
    risk: str = ""  # of a second black stone


@dataclass(frozen=True)
class CoachSheet(Screen):
    """The figures of every choice, what they mean and how they were found."""

    line: CoachLine | None
    mark: Mark | None = None
    rows: tuple[ChoiceRow, ...] = ()
    meaning: str = ""
    more: str = ""  # about larger takes
    found: str = ""
    beside: str = ""  # why the board shows another figure
    busy: str = ""  # a sentence, while the coach works for other tables; the page asks again


def coach_line(table: Table, table_id: str, dealer: bool, advice: Advice) -> CoachLine:
    """The line for the board."""
    advice = advice.in_chips(bet_of(table, advice.turn))
    sentence = translate(choices(advice))
    best = next((option for option in advice.options if option.entry == advice.best), None)
    better = translate(choice_name(best)) if best else ""
    return CoachLine(
        **common(table, table_id, dealer, _("Coach")),
        turn=advice.turn,
        better=better if sentence.startswith(better) else "",
        rest=sentence.removeprefix(better),
    )


def coach_sheet(table: Table, table_id: str, dealer: bool, advice: Advice | None) -> CoachSheet:
    """The sheet behind the line, or one that says there is no advice."""
    fields = common(table, table_id, dealer, _("Coach"))
    if advice is None:
        return CoachSheet(**fields, line=None)
    advice = advice.in_chips(bet_of(table, advice.turn))
    of_unit = MEANINGS_OF_GAMES.get(table.state.game) or MEANINGS[advice.unit]
    meaning = PRICES if advice.method == "price" else of_unit
    more = MORE if advice.method == "exact" else NO_MORE
    draws = advice.method != "price" and any(option.entry == "draw" for option in advice.options)
    rows = _rows(advice, table.games[table.state.game].chances(table.state).get("second", {}))
    return CoachSheet(
        **fields,
        line=coach_line(table, table_id, dealer, advice),
        mark=marks(table.state)[advice.turn],
        rows=rows,
        meaning=translate(meaning),
        more=translate(more) if any(row.risk for row in rows) else "",
        found=translate(how_found(advice, table.state.game)),
        beside=translate(NEXT_CARD) if draws else "",
    )


def busy_sheet(table: Table, table_id: str, dealer: bool) -> CoachSheet:
    """The sheet while the coach works for other tables."""
    return CoachSheet(**common(table, table_id, dealer, _("Coach")), line=None, busy=translate(BUSY))


def bet_of(table: Table, name: str) -> int:
    """The bet of a player; 0 in games without bets."""
    return next((getattr(seat, "bet", 0) for seat in table.state.seats if seat.name == name), 0)


def _rows(advice: Advice, second: Mapping[int, Fraction]) -> tuple[ChoiceRow, ...]:
    """Every choice. Those with the same figure as the best one are framed, too."""
    best = next((_figure(advice, option) for option in advice.options if option.entry == advice.best), None)
    rows = []
    for option in advice.options:
        value, (verb, *count) = _figure(advice, option), option.entry.split()
        chance = second.get(int(count[0])) if verb == "take" else None
        risk = "" if chance is None else _("{chance} risk of a second black").format(chance=percent(chance))
        rows.append(ChoiceRow(translate(choice_name(option)), value, value == best, risk))
    return tuple(rows)


def _figure(advice: Advice, option: Choice) -> str:
    if advice.method == "price":
        return translate(decimal(-option.value))
    return translate(amount(advice.unit, option.value))


NOTHING = 204  # htmx leaves the board as it is


@blueprint.get("/coach")
def line(table_id: str) -> ResponseReturnValue:
    """The line for a board; 204 if the board is out of date or there is no advice."""
    table, dealer = load_for_phone(table_id)
    if not wants_fragment():
        return redirect(url_for("coach.why"))
    if whole(request.args.get("version", "")) != table.version:
        return Response(status=NOTHING)
    try:
        advice = advice_for(table_id, table, dealer)
    except Busy:
        return render_template("coach/_later.html", version=table.version)
    if advice is None:
        return Response(status=NOTHING)
    return render_template("coach/_line.html", screen=coach_line(table, table_id, dealer, advice))


@blueprint.get("/coach/why")
def why(table_id: str) -> ResponseReturnValue:
    """The sheet behind the line."""
    table, dealer = load_for_phone(table_id)
    try:
        sheet = coach_sheet(table, table_id, dealer, advice_for(table_id, table, dealer))
    except Busy:
        sheet = busy_sheet(table, table_id, dealer)
    return draw_page("coach/why", sheet)


def advice_for(table_id: str, table: Table, dealer: bool) -> Advice | None:
    """The advice, if this phone may see it."""
    me = "" if dealer else who_am_i(table_id)
    return coaching().advice(table_id, table) if speaks_to(table.state, dealer, me) else None
