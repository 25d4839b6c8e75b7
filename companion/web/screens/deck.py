"""The odds panel: the whole deck, and where every card is."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine import odds
from companion.engine.cards import VALUES
from companion.engine.report import odds_shown
from companion.table.table import Table
from companion.web.format import percent
from companion.web.i18n import gettext as _
from companion.web.triangle import LARGE, OddsRow, Triangle, triangle

from .board import Mark
from .page import Screen, common
from .pieces import marks


@dataclass(frozen=True)
class Deck(Screen):
    triangle: Triangle | None
    rows: tuple[OddsRow, ...]
    sums: tuple[tuple[str, str], ...]
    line: str
    risk: str
    who: Mark | None


def deck_screen(table: Table, table_id: str, dealer: bool) -> Deck:
    """The odds panel: what is unseen, in play, kept and gone."""
    state, game = table.state, table.games[table.state.game]
    pile = state.pile
    shown = odds_shown(state)
    kept = sum(len(seat.kept) for seat in state.everyone())
    parts = [_("{left} to deal").format(left=pile.left)]
    parts += [_("{count} burned").format(count=pile.burned)] if pile.burned else []
    parts += [_("{count} in hands").format(count=pile.hidden)] if pile.hidden else []
    parts += [_("{count} lost").format(count=pile.lost_unseen)] if pile.lost_unseen else []
    chances = odds.next_card(game, state) if shown else {}
    turn = state.turn if state.turn is not None else (state.waiting[0] if state.waiting else None)
    rows = tuple(
        OddsRow(
            value,
            14 + 27 * (value - 1),
            pile.unseen[value],
            percent(chances[str(value)]) if str(value) in chances else "",
            turn is not None and game.price(state, turn, value) is not None,
        )
        for value in VALUES
    )
    risks = odds.risk(game, state) if shown and game.tells_risk(state) else {}
    name = state.name(turn)
    told = name in risks and state.phase == "play"
    return Deck(
        **common(table, table_id, dealer, _("The deck")),
        triangle=triangle(state, LARGE) if shown and str(VALUES[0]) in chances else None,
        rows=rows if shown else (),
        sums=(
            ("u", _("{count} unseen").format(count=pile.total)),
            ("p", _("{count} in play").format(count=len(state.on_the_table()))),
            ("k", _("{count} kept").format(count=kept)),
            ("g", _("{count} seen, discarded").format(count=sum(pile.discards) + sum(pile.lost))),
        ),
        line=" + ".join(parts),
        risk=_("{name}: {chance} to go out on the next card").format(name=name, chance=percent(risks[str(name)]))
        if told
        else "",
        who=marks(state)[str(name)] if told else None,
    )
