"""The menu behind the board."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint
from flask.typing import ResponseReturnValue

from companion.engine.cards import VALUES
from companion.table.done import describe_change
from companion.table.log import card_forms
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.games import room_of
from companion.web.i18n import translate
from companion.web.pages import Screen, common, draw_page
from companion.web.table import load_for_phone

blueprint = Blueprint("menu", __name__, url_prefix=A_TABLE)


@dataclass(frozen=True)
class Menu(Screen):
    game: str
    redo: str
    seen: tuple[int, ...]  # the values of which a card can be lost
    under_way: bool
    cards: bool
    lookup: str


def menu_screen(table: Table, table_id: str, dealer: bool) -> Menu:
    state = table.state
    return Menu(
        **common(table, table_id, dealer, translate(table.games[state.game].title)),
        game=state.game,
        redo=_redo(table),
        seen=tuple(value for value in VALUES if state.pile.unseen[value]),
        under_way=not state.between or state.phase == "play",
        cards=state.options["cards"] == "yes",
        lookup=room_of(state.game).tab,
    )


def _redo(table: Table) -> str:
    """The change that redo would restore, in words."""
    done = table.future.done if table.future else None
    if done is None:
        return ""
    before = table.head if done.kind == "enter" else table.step(done.number).before
    return translate(describe_change(done, table.games, card_forms(before)))


@blueprint.get("/menu")
def show(table_id: str) -> ResponseReturnValue:
    """The menu, as a page or as a sheet over the board."""
    table, dealer = load_for_phone(table_id)
    return draw_page("table/menu", menu_screen(table, table_id, dealer))
