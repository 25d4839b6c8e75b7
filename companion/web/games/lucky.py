"""Lucky Day on the screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.engine.cards import VALUES
from companion.engine.sentence import say
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.games.lucky import LuckyState
from companion.games.race import DEFAULT_GOAL
from companion.web.format import signed
from companion.web.games.examples import Example, ExampleRecord, face, row
from companion.web.games.lookups import Asked, Lookup
from companion.web.i18n import gettext as _

from .room import Room


def after_banking(points: int, goal: int) -> str:
    """What a number of points means once a card is banked."""
    if points == goal:
        return _("wins")
    return _("{points}: out").format(points=points) if points > goal else str(points)


# -- the look-up tab


class CardDoes(NamedTuple):
    """What one card would do to a player."""

    value: int
    mine: bool  # it lies in the player's stack
    drawn: str
    banked: str  # the points after it, or the end of the game


@dataclass(frozen=True)
class LuckyFigures:
    """What each card would do to the player to act, or to one with the points and the stack that are asked for."""

    name: str
    points: int
    goal: int
    rows: tuple[CardDoes, ...]


def lucky_figures(asked: Asked, state: AnyState | None) -> LuckyFigures:
    """For the player to act at a table of Lucky Day, unless something else is asked for."""
    table = state if isinstance(state, LuckyState) else None
    goal: int = table.options["goal"] if table else DEFAULT_GOAL
    seat = table.seats[table.turn] if table and table.turn is not None and not asked.has("ask") else None
    points = asked.number("points", seat.points if seat else 0, 0, goal - 1)
    stack = seat.stack if seat else [value for value in VALUES if asked.has(f"s{value}")]
    rows = tuple(card_does(value, value in stack, points, goal) for value in VALUES)
    return LuckyFigures(seat.name if seat else "", points, goal, rows)


def card_does(value: int, mine: bool, points: int, goal: int) -> CardDoes:
    banked = after_banking(points + value, goal)
    return CardDoes(value, mine, banked if mine else _("nothing"), banked)


# -- the rules page

RECORD = ExampleRecord("Ana Ben Cleo", "game lucky, 4, 7, 9, 10, 5, bank 7 Ben")


def example() -> Example:
    """Another player's card is banked, and the player's own stack goes."""
    state = RECORD.after()
    result = state.result
    rows = []
    for position, seat in enumerate(state.seats):
        stack, points = result.stacks[seat.name], result.points[seat.name]
        shown = tuple(face(value, "kept" if value == result.value else "") for value in stack)
        rows.append(row(state, position, shown, figure=signed(points) if points else ""))
    figures = {
        "card": result.value,
        "points": result.points["Cleo"],
        "lost": result.stacks["Cleo"][0],
        "left": state.seats[1].stack[0],
    }
    return Example(tuple(rows), figures=figures)


ROOM = Room(
    game=GAMES["lucky"],
    faces=("21",),
    lookups=(Lookup("lucky", say("Lucky Day"), "lookup/_lucky.html", lucky_figures),),
    tab="lucky",
    rules="rules/lucky.html",
    record=RECORD,
    example=example,
    words=((say("to bank a card"), "bank"),),
)
