"""The board of Continuous Pairs: folding asks which card is taken."""

from __future__ import annotations

from typing import NamedTuple

from companion.engine.sentence import say
from companion.engine.state import Seat
from companion.games import GAMES
from companion.web.board.screen import BoardPart, Button, Mark
from companion.web.format import signed
from companion.web.games.examples import Example, ExampleRecord, face, row
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate

from .pairs import PairsBoard, rule_figures
from .room import Room


class Taken(NamedTuple):
    """A card that a fold may take, and whose it is."""

    value: int
    entry: str
    mark: Mark
    name: str
    lowest: bool


class TakeCard(NamedTuple):
    """The cards a fold may take, the lowest first."""

    choices: tuple[Taken, ...]


class ContinuousBoard(PairsBoard):
    def title(self) -> str:
        return super().title().replace(translate(self.game.title), _("Continuous"))

    def turn_text(self) -> str:
        return super().turn_text() if self.can_fold() or self.state.pending else _("must draw")

    def what_to_do(self, who: Seat) -> str:
        return _("takes which card?") if self.choosing else super().what_to_do(who)

    def can_fold(self) -> bool:
        return any(entry.verb == "fold" for entry in self.legal)

    def main_button(self) -> Button | None:
        button = super().main_button()
        if button is None:
            return None
        if self.choosing:
            return Button("", "✕", _("Go back"), _("Do not fold"), "close")
        price = self.prices["fold"]
        label = ngettext(
            "Fold: then tap the card that is taken, {price} point at least",
            "Fold: then tap the card that is taken, {price} points at least",
            price,
        )
        return button._replace(entry="", chooser="open", label=label.format(price=price))

    def instead_of_keys(self) -> BoardPart | None:
        """While a fold is being made: every card in play."""
        if not self.choosing or not self.can_fold():
            return None
        lowest = min(self.state.in_play())
        folds = [(*entry.args, str(entry)) for entry in self.legal if entry.verb == "fold" and len(entry.args) == 2]
        cards = (Taken(value, text, self.marks[name], name, value == lowest) for value, name, text in folds)
        return BoardPart("board/_continuous_take.html", TakeCard(tuple(sorted(cards))))


# -- the rules page

RECORD = ExampleRecord("Ana Ben Cleo", "game continuous, 5, 7, 3, 9, 8, 10, 9, 2, fold")


def example() -> Example:
    """A pair cleared one stack; a fold takes another's card."""
    before, state = RECORD.after(1), RECORD.after()
    result = state.result
    rows = []
    for position, seat in enumerate(before.seats):
        shown = tuple(face(value, "low") if value == result.value else face(value) for value in seat.stack)
        shown += tuple(face(value, "kept") for value in seat.kept)
        gained = state.seats[position].points
        rows.append(row(state, position, shown, figure=signed(gained) if gained else ""))
    figures = {
        "pair": before.seats[2].kept[0],
        "lost": before.seats[2].points,
        "card": result.value,
        "points": result.points["Ben"],
        "first": state.seats[0].stack[0],
        "second": state.seats[0].stack[1],
    }
    return Example(tuple(rows), figures=figures)


ROOM = Room(
    game=GAMES["continuous"],
    short_title=say("Continuous"),
    faces=("4", "∞"),
    board=ContinuousBoard,
    tab="pairs",
    rules="rules/continuous.html",
    record=RECORD,
    example=example,
    figures=rule_figures,
)
