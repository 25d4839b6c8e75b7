"""The page for corrections, and chips bought and paid."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint
from flask.typing import ResponseReturnValue

from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.screen import marks
from companion.web.i18n import gettext as _
from companion.web.pages import Screen, common, draw_page
from companion.web.people import Person
from companion.web.table import FormPage, enter_score, load_for_phone

blueprint = Blueprint("chips", __name__, url_prefix=A_TABLE)


@dataclass(frozen=True)
class ScoreRow:
    """Points and chips of a player, at the table or away."""

    person: Person
    points: int
    chips: int


@dataclass(frozen=True)
class Chips(Screen):
    points: bool
    scores: tuple[ScoreRow, ...]
    people: tuple[Person, ...]  # at the table or away
    seated: tuple[Person, ...]
    carried: int
    message: str = ""  # why a change was refused


def chips_screen(table: Table, table_id: str, dealer: bool, message: str = "") -> Chips:
    state = table.state
    game, named = table.games[state.game], marks(state)
    return Chips(
        **common(table, table_id, dealer, _("Points and chips")),
        points=game.scores_points,
        scores=tuple(
            ScoreRow(Person(seat.name, named[seat.name]), seat.points, seat.chips) for seat in state.everyone()
        ),
        people=tuple(Person(seat.name, named[seat.name]) for seat in state.everyone()),
        seated=tuple(Person(seat.name, named[seat.name]) for seat in state.seats),
        message=message,
        carried=state.middle,
    )


def draw(table: Table, table_id: str, dealer: bool, message: str = "") -> str:
    return draw_page("table/chips", chips_screen(table, table_id, dealer, message))


PAGE = FormPage("chips.show", draw)


@blueprint.get("/chips")
def show(table_id: str) -> ResponseReturnValue:
    """The page, or a sheet over the board."""
    table, dealer = load_for_phone(table_id)
    return draw(table, table_id, dealer)


@blueprint.post("/chips")
def change(table_id: str) -> ResponseReturnValue:
    """Enter a correction or a payment."""
    return enter_score(table_id, PAGE)
