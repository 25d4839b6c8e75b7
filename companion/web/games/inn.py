"""The board of Pirates’ Inn: first against whom, then what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from companion.engine.cards import VALUES
from companion.engine.notation import Entry, text
from companion.engine.report import odds_shown
from companion.engine.sentence import say
from companion.engine.state import AnyState
from companion.engine.verbs import CARD
from companion.games import GAMES
from companion.games.inn import ANSWERS, Inn, InnState
from companion.web.board.screen import BoardPart, Button, Mark, SeatRow, marks, short_name
from companion.web.format import percent, signed
from companion.web.games.examples import Example, ExampleRecord, faces, row
from companion.web.games.lookups import Asked, Lookup
from companion.web.i18n import gettext as _
from companion.web.i18n import translate

from .hidden import HiddenBoard
from .room import Room

SHORT_TITLE = say("The Inn")
ROOM_FOR_CHANCES = 3  # seats, beside whose names a watching phone has room for the chance of a challenge


class Other(NamedTuple):
    """Another player still in."""

    number: int  # by which the board asks what is done against them
    mark: Mark
    name: str
    short: str  # the name, for narrow places
    chance: str  # that a challenge puts the player to act out; empty if there is no challenge, or it is not shown


class Others(NamedTuple):
    """The players that something can be done against."""

    others: tuple[Other, ...]


class AttackKey(NamedTuple):
    """A card that the attacker may hold."""

    value: int
    entry: str  # empty if it cannot be made
    label: str


class Against(NamedTuple):
    """What can be done against one player; an empty entry cannot be made."""

    other: Other
    challenge: str
    accuse: tuple[str, ...]  # with a pair, and without
    attacks: tuple[AttackKey, ...]
    me: str  # the player to act


class InnBoard(HiddenBoard[InnState]):
    @cached_property
    def others(self) -> list[int]:
        """The other players still in, in the order of their lines."""
        return [i for i in self.state.those_in() if i != self.state.turn]

    @cached_property
    def against(self) -> int | None:
        """The player that the next entry is against, where it is known: challenged, chosen, or the only other one."""
        if self.state.challenged is not None or self.state.phase != "play":
            return self.state.challenged
        if len(self.others) == 1:
            return self.others[0]
        return self.choosing - 1 if self.choosing - 1 in self.others else None

    # -- words

    def title(self) -> str:
        return super().title().replace(translate(self.game.title), translate(SHORT_TITLE))

    def turn_text(self) -> str:
        challenged = self.state.name(self.state.challenged)
        if challenged:
            return _("the card for {name}").format(name=short_name(challenged, 12))
        can_draw = "draw" in self.legal_texts
        if not self.dealer or len(self.others) == 1:
            return _("attacks, challenges, draws or accuses") if can_draw else _("attacks or accuses")
        if self.against is not None:
            return _("against {name}: what?").format(name=short_name(self.seat(self.against).name, 12))
        return _("draw, or tap whom it is against") if can_draw else _("tap whom it is against")

    def note_in_play(self, position: int) -> str:
        seat = self.state.seats[position]
        if self.state.between:
            return ""
        if seat.state != "in":
            return _("out")
        chance = self.challenges.get(seat.name)
        if not chance or self.dealer or len(self.state.seats) > ROOM_FOR_CHANCES:
            return self.held(position)
        return _("{cards}, challenge {chance}").format(cards=self.held(position), chance=chance)

    @cached_property
    def challenges(self) -> Mapping[str, str]:
        return challenge_chances(self.state)

    def what_came_of_it(self) -> str:
        """After a challenge: whether the card made a pair in the other player’s row."""
        before = self.table.head.before
        if self.table.head.entry.verb != CARD or before is None or self.state.phase != "play":
            return ""
        return _("out") if self.named(self.table.head.seat or "").state != "in" else _("no pair")

    # -- seats

    def row(self, position: int, lean: bool) -> SeatRow:
        """A card against a player lands in that player’s row."""
        shown = super().row(position, lean)
        if self.state.phase != "play":
            return shown
        return shown._replace(lands=self.dealer and position == self.against)

    # -- the action row and the pad

    def main_button(self) -> Button | None:
        if self.state.challenged is not None:
            return None
        if self.against is not None and len(self.others) > 1:
            return Button("", "✕", _("Go back"), _("Choose another player"), "close")
        if "draw" in self.legal_texts:
            return Button("draw", _("Draw"), _("unseen"), _("Draw unseen"), quiet=True)
        if "pass" in self.legal_texts:
            return Button("pass", _("Out"), _("cannot attack"), _("Out: no card in hand fits"), quiet=True)
        return None

    def forced_sentence(self) -> tuple[str, str]:
        if self.state.challenged is None:
            return _("The pile is empty"), _("attack or accuse")
        name = short_name(self.seat(self.state.challenged).name, 12)
        risk, who = self.chances.risk(), short_name(self.seat(self.state.turn or 0).name, 10)
        soft = "" if risk is None else _("{chance} risk for {name}").format(chance=percent(risk), name=who)
        return _("Card for {name}").format(name=name), soft

    def price_of_drawing(self) -> tuple[str, str] | None:
        """Nothing puts anybody out unless it is said: in its place a way to the quick reference."""
        return ("4", _("actions")) if self.dealer else None

    def instead_of_keys(self) -> BoardPart | None:
        state = self.state
        if state.phase != "play" or state.challenged is not None or not self.dealer:
            return None
        if self.against is None:
            return BoardPart("board/_inn_others.html", Others(tuple(self.other(position) for position in self.others)))
        return BoardPart("board/_inn_against.html", self.what_against(self.against))

    def other(self, position: int) -> Other:
        name = self.state.seats[position].name
        return Other(position + 1, self.marks[name], name, short_name(name, 10), self.challenges.get(name, ""))

    def what_against(self, position: int) -> Against:
        name = self.state.seats[position].name
        accuse = tuple(self.if_legal("accuse", name, word) for word in ANSWERS)
        attacks = tuple(self.attack_key(value, name) for value in VALUES)
        me = short_name(self.state.name(self.state.turn) or "", 10)
        return Against(self.other(position), self.if_legal("challenge", name), accuse, attacks, me)

    def attack_key(self, value: int, name: str) -> AttackKey:
        label = _("Attack {name} with the {value}").format(name=name, value=value)
        return AttackKey(value, self.if_legal("attack", value, name), label)

    def if_legal(self, verb: str, *about: int | str) -> str:
        """The entry as text; empty if it is not legal now."""
        entry = text(Entry(verb, about))
        return entry if entry in self.legal_texts else ""


def challenge_chances(state: AnyState) -> Mapping[str, str]:
    """For each player who can be challenged: the chance that it puts the player to act out, if the table shows it."""
    if not isinstance(state, InnState) or not odds_shown(state):
        return {}
    return {name: percent(chance) for name, chance in GAMES["inn"].chances(state).get("challenge", {}).items()}


# -- the look-up tab


@dataclass(frozen=True)
class InnFigures:
    """Who can be challenged at the table it was opened from, and how that may end."""

    me: str
    challenges: tuple[tuple[Mark, str, tuple[int, ...], str], ...]  # mark, name, row, chance


def inn_figures(asked: Asked, state: AnyState | None) -> InnFigures:
    chances = {} if state is None else challenge_chances(state)
    if state is None or not chances:
        return InnFigures("", ())
    mark_of, rows = marks(state), {seat.name: seat.stack for seat in state.seats}
    challenges = tuple((mark_of[name], name, rows[name], chance) for name, chance in chances.items())
    return InnFigures(state.name(state.turn) or "", challenges)


# -- the rules page

RECORD = ExampleRecord(
    "Ana Ben Cleo", "game inn, play 6, play 4, play 9, attack 5 Ana, challenge Cleo, 9, accuse Ben yes"
)


def example() -> Example:
    """An attack, a challenge that pairs, an accusation that is right."""
    state, before = RECORD.after(), RECORD.after(1)
    card = RECORD.after(2).seats[2].stack[-1]
    figures = {
        "low": before.seats[1].stack[0],
        "attack": before.seats[0].stack[-1],
        "pair": card,
        "points": state.result.points["Cleo"],
    }
    return Example(tuple(example_row(state, position) for position in range(3)), figures=figures)


def example_row(state: Any, position: int) -> SeatRow:
    result, name = state.result, state.seats[position].name
    wins = name in result.winners
    note, figure = (_("last one in"), signed(result.points[name])) if wins else (_("out"), "")
    return row(state, position, faces(result.stacks[name]), label=note, figure=figure)


ROOM = Room(
    game=GAMES["inn"],
    short_title=SHORT_TITLE,
    faces=("", "3"),
    board=InnBoard,
    lookups=(Lookup("inn", SHORT_TITLE, "lookup/_inn.html", inn_figures),),
    tab="inn",
    rules="rules/inn.html",
    record=RECORD,
    example=example,
    figures=lambda: {"hand": Inn.hand},
    words=(
        (say("accuse"), "accuse"),
        (say("attack"), "attack"),
        (say("challenge"), "challenge"),
        (say("oldest"), "tie"),
    ),
)
