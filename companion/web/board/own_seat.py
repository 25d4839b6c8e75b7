"""A watcher's own seat, in large type above the board."""

from __future__ import annotations

from typing import Any

from companion.engine.state import AnyState
from companion.table.table import Table
from companion.web.board.common import BoardOf
from companion.web.board.screen import Me
from companion.web.board.triangle import LARGE_CARDS
from companion.web.format import percent, plain
from companion.web.i18n import gettext as _

Figure = tuple[str, str, str]  # label, figure, unit


def own_seat(board: BoardOf[Any], name: str) -> Me | None:
    """What a watcher sees of a seat; None if no seat has that name."""
    state = board.state
    position = next((i for i, seat in enumerate(state.seats) if seat.name == name), None)
    if position is None:
        return None
    seat = state.seats[position]
    figures = _prices(board, position)
    risk = board.chances.risk_of(position) if state.phase == "play" else None
    if risk is not None:
        figures.append((_("Risk on the next card"), percent(risk), ""))
    if board.game.scores_points:
        figures.append((_("Your points"), str(seat.points), board.tally(position).unit))
    if seat.chips or not board.game.scores_points:
        figures.append((_("Your chips"), plain(seat.chips), ""))
    cards = tuple([LARGE_CARDS[value] for value in seat.stack])
    turn = turn_began(board.table, name) if state.phase == "play" and state.turn == position else ""
    return Me(board.marks[name], name, cards, tuple(figures), board.note(position), turn, has_hidden_cards(state))


def turn_began(table: Table, name: str) -> str:
    """A key for the present turn of a seat: the number of the last entry before it. A turn may take several entries."""
    step = table.head
    while step.before and (step.seat == name or step.entry.verb == "shuffle"):
        step = step.before
    return str(step.number)


def _prices(board: BoardOf[Any], position: int) -> list[Figure]:
    """What folding or passing costs this seat now, in games that have such a price."""
    state, prices = board.state, board.prices
    if state.phase != "play" or state.seats[position].state != "in":
        return []
    fold = board.game.own_seat_keys(state, position).get("fold", prices.get("fold"))
    figures = [(_("Folding costs"), str(fold), "")] if fold is not None else []
    return figures + ([(_("Passing costs"), str(prices["pass"]), "")] if "pass" in prices else [])


def has_hidden_cards(state: AnyState) -> bool:
    """Whether players hold hidden cards, and the table shows odds at all."""
    shown = state.options["cards"] == "yes" and state.options["odds"] != "off"
    return shown and any(hasattr(seat, "hand") for seat in state.seats)
