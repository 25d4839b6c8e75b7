"""The odds panel: where every card of the deck is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from flask import Blueprint
from flask.typing import ResponseReturnValue

from companion.engine import odds
from companion.engine.cards import VALUES, Pile
from companion.engine.game import AnyGame
from companion.engine.report import odds_shown
from companion.engine.state import AnyState
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.triangle import LARGE, OddsRow, Triangle, triangle
from companion.web.format import percent
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext
from companion.web.pages import Screen, common, draw_page
from companion.web.table import load_for_phone

blueprint = Blueprint("deck", __name__, url_prefix=A_TABLE)

ROW_HEIGHT = 27
FIRST_ROW = 14


class CardCount(NamedTuple):
    """How many cards are in one place; `dot` is the class of its dot in the drawing."""

    dot: str
    text: str


@dataclass(frozen=True)
class Deck(Screen):
    unseen: int
    line: str  # the places of the unseen cards
    triangle: Triangle | None
    rows: tuple[OddsRow, ...]
    risk: str
    counts: tuple[CardCount, ...]


def deck_screen(table: Table, table_id: str, dealer: bool) -> Deck:
    """The odds panel: what is unseen, in play, kept and gone."""
    state, game = table.state, table.games[table.state.game]
    shown = odds_shown(state)
    chances = odds.next_card(game, state) if shown else {}
    return Deck(
        **common(table, table_id, dealer, _("The deck")),
        unseen=state.pile.total,
        line=_where_unseen(state.pile),
        triangle=triangle(state, LARGE) if str(VALUES[0]) in chances else None,
        rows=_rows(game, state, chances) if shown else (),
        risk=_risk(game, state) if shown else "",
        counts=_counts(state),
    )


def _where_unseen(pile: Pile) -> str:
    parts = [_("{left} to deal").format(left=pile.left)]
    if pile.burned:
        parts.append(ngettext("{count} burned", "{count} burned", pile.burned).format(count=pile.burned))
    if pile.hidden:
        parts.append(_("{count} in hands").format(count=pile.hidden))
    if pile.lost_unseen:
        parts.append(ngettext("{count} lost", "{count} lost", pile.lost_unseen).format(count=pile.lost_unseen))
    return " + ".join(parts)


def _rows(game: AnyGame, state: AnyState, chances: Mapping[str, Fraction]) -> tuple[OddsRow, ...]:
    """Each value with its copies and its chance; hot if it would put out the player who draws next."""
    seat = _next_to_draw(state)
    return tuple(
        OddsRow(
            value,
            FIRST_ROW + ROW_HEIGHT * (value - 1),
            state.pile.unseen[value],
            percent(chances[str(value)]) if str(value) in chances else "",
            seat is not None and odds.puts_out(game, state, seat, value),
        )
        for value in VALUES
    )


def _next_to_draw(state: AnyState) -> int | None:
    if state.turn is not None:
        return state.turn
    return state.waiting[0] if state.waiting else None


def _risk(game: AnyGame, state: AnyState) -> str:
    """The risk of the player to act, in a sentence; empty if it is not shown."""
    if state.phase != "play" or not game.tells_risk(state):
        return ""
    name = state.name(_next_to_draw(state))
    risks = odds.risk(game, state)
    if name not in risks:
        return ""
    return _("{name}: {chance} risk on the next card").format(name=name, chance=percent(risks[name]))


def _counts(state: AnyState) -> tuple[CardCount, ...]:
    pile = state.pile
    kept = sum(len(seat.kept) for seat in state.everyone())
    seen = sum(pile.discards) + sum(pile.lost)
    return (
        CardCount("u", _("{count} unseen").format(count=pile.total)),
        CardCount("p", _("{count} in play").format(count=len(state.on_the_table()))),
        CardCount("k", _("{count} kept").format(count=kept)),
        CardCount("g", _("{count} seen, discarded").format(count=seen)),
    )


@blueprint.get("/deck")
def show(table_id: str) -> ResponseReturnValue:
    """The deck, as a page or as a sheet over the board."""
    table, dealer = load_for_phone(table_id)
    return draw_page("table/deck", deck_screen(table, table_id, dealer))
