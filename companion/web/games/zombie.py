"""The board of Zombie Life: the Horde in the middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from companion.engine.notation import Entry
from companion.engine.sentence import say
from companion.engine.state import AnyState, Seat
from companion.games import GAMES
from companion.games.zombie import ZombieState, turned_down
from companion.web.board.screen import BoardPart, Button, Face, SeatRow
from companion.web.format import signed
from companion.web.games.examples import Example, ExampleRecord, face, faces, row
from companion.web.games.lookups import Asked, Lookup
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext

from .race import RaceBoard
from .room import Room


class HordeCard(NamedTuple):
    """One of the common cards."""

    value: int
    entry: str  # the one that takes it; nothing: this phone does not deal
    may_take: bool


class Horde(NamedTuple):
    """The common cards."""

    cards: tuple[HordeCard, ...]
    may_take: bool  # one of them can be tapped now


class Placing(NamedTuple):
    """A card that may go to two places."""

    value: int
    who: str


class ZombieBoard(RaceBoard[ZombieState]):
    def turn_text(self) -> str:
        if self.state.drawn is not None:
            return _("where does the {value} go?").format(value=self.state.drawn)
        grabs = any(entry.verb == "grab" for entry in self.legal)
        return _("draw, take or pass") if grabs else _("draw or pass")

    def deal_text(self, who: Seat) -> str:
        dealer = self.state.name(self.state.dealer)
        return _("a card from {name}").format(name=dealer) if dealer else _("first card")

    def rows_style(self) -> str:
        if self.state.phase == "game over":
            return super().rows_style()
        return "two crowd" if len(self.state.seats) >= 7 else "two"

    def note_in_play(self, position: int) -> str:
        seat = self.state.seats[position]
        if self.state.between:
            return _("deals") if position == self.state.dealer else ""
        return {"in": _("in"), "passed": _("passed")}.get(seat.state, _("out"))

    def seat_style(self, position: int) -> str:
        """Whoever passed is not out: the Refuge still counts."""
        style = super().seat_style(position)
        return "safe" if style == "out" and self.state.seats[position].state == "passed" else style

    def faces(self, position: int) -> tuple[Face, ...]:
        """After a round, too, the cards that did not count lie face down."""
        seat, shown = self.state.seats[position], super().faces(position)
        result = self.state.result if self.state.phase != "play" else None
        up = result.points.get(seat.name, 0) if result else len(shown) - seat.facedown
        return (*shown[:up], *(Face(face.value, "down", _("face down")) for face in shown[up:]))

    def done(self, entry: Entry) -> str:
        return _("takes the {value}").format(value=entry.args[0]) if entry.verb == "grab" else super().done(entry)

    def middle(self) -> BoardPart | None:
        state = self.state
        if state.phase != "play":
            return None
        cards = tuple([self.horde_card(value) for value in state.horde])
        may_take = state.drawn is None and any(card.may_take for card in cards)
        return BoardPart("board/_zombie_horde.html", Horde(cards, may_take), "horde")

    def horde_card(self, value: int) -> HordeCard:
        entry = f"grab {value}"
        return HordeCard(value, entry, entry in self.legal_texts) if self.dealer else HordeCard(value, "", False)

    def instead_of_keys(self) -> BoardPart | None:
        """Where the card just drawn goes."""
        drawn, who = self.state.drawn, self.state.name(self.state.turn)
        return None if drawn is None else BoardPart("board/_zombie_place.html", Placing(drawn, who or ""))

    def main_button(self) -> Button | None:
        if "pass" not in self.legal_texts:
            return None
        stack = self.state.seats[self.state.turn or 0].stack
        down = turned_down(len(stack), len(self.state.those_in()) - 1)
        up = len(stack) - down
        label = ngettext("Pass: {down} turned down, {up} point now", "Pass: {down} turned down, {up} points now", up)
        caption = _("Pass, hide {down}").format(down=down) if down else _("Pass")
        return Button("pass", f"+{up}" if up else "0", caption, label.format(down=down, up=up))

    def forced_sentence(self) -> tuple[str, str]:
        return _("Place the {value}").format(value=self.state.drawn), _("either place is allowed")


# -- the look-up tab


@dataclass(frozen=True)
class ZombieFigures:
    """The points of a pass, by one's own cards and the others still in."""

    others: tuple[int, ...]
    rows: tuple[tuple[int, tuple[int, ...]], ...]


def zombie_figures(asked: Asked, state: AnyState | None) -> ZombieFigures:
    others = tuple(range(8))
    return ZombieFigures(
        others,
        tuple((cards, tuple(cards - turned_down(cards, count) for count in others)) for cards in range(1, 11)),
    )


# -- the rules page

RECORD = ExampleRecord(
    "Ana Ben Cleo",
    "game zombie, 4, 6, 5, 9, refuge, 8, horde, 10, refuge, 7, refuge, 8, 9, refuge, pass, 8, pass",
)


def example() -> Example:
    """One passes early, one is overwhelmed, one stays to the end."""
    state, before, passed = (RECORD.after(fewer) for fewer in (0, 1, 2))
    result = state.result
    figures = {
        "others": len(passed.those_in()),
        "down": passed.seats[0].facedown,
        "card": passed.seats[1].stack[-1],
        "up": result.points["Ana"],
        "all": result.points["Cleo"],
    }
    rows = tuple(example_row(state, before, passed, position) for position in range(3))
    return Example(rows, tuple(face(value) for value in before.horde), figures=figures)


def example_row(state: Any, before: Any, passed: Any, position: int) -> SeatRow:
    seat = before.seats[position]
    if seat.state == "out":
        stack = passed.seats[position].stack
        shown, note = (*faces(stack), face(stack[-1], "hit")), _("out")
    else:
        stack = state.result.stacks.get(seat.name, ())
        up = len(stack) - seat.facedown
        shown, note = (*faces(stack[:up]), *(face(value, "down") for value in stack[up:])), _("passed")
    return row(state, position, shown, label=note, figure=signed(state.result.points.get(seat.name, 0)))


ROOM = Room(
    game=GAMES["zombie"],
    faces=("8", "8"),
    board=ZombieBoard,
    lookups=(Lookup("zombie", say("Zombie Life"), "lookup/_zombie.html", zombie_figures),),
    tab="zombie",
    rules="rules/zombie.html",
    record=RECORD,
    example=example,
    words=(
        (say("face down"), "down"),
        (say("Horde"), "horde"),
        (say("overwhelmed"), "over"),
        (say("Refuge"), "refuge"),
    ),
)
