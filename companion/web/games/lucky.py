"""Lucky Day on the screens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.engine.cards import VALUES
from companion.engine.notation import Entry
from companion.engine.sentence import say
from companion.engine.state import AnyState
from companion.engine.verbs import VERBS
from companion.games import GAMES
from companion.games.lucky import LuckyState
from companion.games.race import DEFAULT_GOAL
from companion.web.board.default import DefaultBoard
from companion.web.board.screen import BoardPart, Button, Face, Mark
from companion.web.format import signed
from companion.web.games.examples import Example, ExampleRecord, face, row
from companion.web.games.lookups import Asked, Lookup
from companion.web.i18n import gettext as _
from companion.web.i18n import translate

from .room import Room


def after_banking(points: int, goal: int) -> str:
    """What a number of points means once a card is banked."""
    if points == goal:
        return _("wins")
    return _("{points}, out").format(points=points) if points > goal else str(points)


class Banked(NamedTuple):
    """A card that can be banked, whose it is, and what follows."""

    value: int
    entry: str
    mark: Mark
    label: str
    then: str  # the points after it, or the end of the game
    wins: bool


class BankCard(NamedTuple):
    """The cards that can be banked, the lowest first."""

    choices: tuple[Banked, ...]


class LuckyBoard(DefaultBoard):
    @cached_property
    def many(self) -> bool:
        """Banking always asks for the card, so that the button never changes its meaning."""
        return bool(self.choices)

    @cached_property
    def missing(self) -> int:
        """The points that the player to act still needs."""
        points = 0 if self.state.turn is None else self.seat(self.state.turn).points
        return int(self.state.options["goal"]) - points

    def turn_text(self) -> str:
        if self.choosing and self.many:
            return _("banks which card?")
        return _("draw or bank") if self.many else _("must draw")

    def main_button(self) -> Button | None:
        """It shows the most points that one can bank without going beyond the goal."""
        button = super().main_button()
        if button is None or self.choosing:
            return button
        values = [entry.args[0] for entry in self.legal if entry.verb == "bank"]
        within = [value for value in values if value <= self.missing]
        best = max(within, default=min(values))
        caption = _("Bank, and out") if not within else _("Bank and win") if best == self.missing else _("Bank")
        label = _("{name}: {what}").format(name=caption, what=signed(best))
        return button._replace(figure=signed(best), caption=caption, label=label)

    def second_button(self) -> Button | None:
        return None

    def instead_of_keys(self) -> BoardPart | None:
        """While a card is being chosen: every card that can be banked."""
        if not (self.choosing and self.many):
            return None
        banks = [self.banked(entry) for entry in self.legal if entry.verb == "bank"]
        return BoardPart("board/_lucky_bank.html", BankCard(tuple(sorted(banks))))

    def banked(self, entry: Entry) -> Banked:
        value, *names = entry.args
        mark = self.marks[names[0] if names else self.seat(self.state.turn or 0).name]
        goal: int = self.state.options["goal"]
        then = after_banking(goal - self.missing + value, goal)
        label = _("{name}: {what}").format(name=translate(VERBS[entry.verb].offered(entry.args)), what=then)
        return Banked(value, str(entry), mark, label, _("out") if value > self.missing else then, value == self.missing)

    def faces(self, position: int) -> tuple[Face, ...]:
        """A card that makes exactly the goal is marked."""
        shown = super().faces(position)
        if self.state.turn is None:
            return shown
        wins = Face(str(self.missing), "low", _("wins"))
        return tuple(wins if face.value == wins.value else face for face in shown)


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
    faces=("7",),
    board=LuckyBoard,
    lookups=(Lookup("lucky", say("Lucky Day"), "lookup/_lucky.html", lucky_figures),),
    tab="lucky",
    rules="rules/lucky.html",
    record=RECORD,
    example=example,
    words=((say("to bank a card"), "bank"),),
)
