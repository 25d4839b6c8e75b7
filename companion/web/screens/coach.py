"""The coach: its line on the board, and the sheet that says why."""

from __future__ import annotations

from dataclasses import dataclass

from companion.coach import Advice, Choice
from companion.coach.advice import Unit
from companion.coach.words import amount, choice_name, choices, how_found
from companion.engine.sentence import Sentence, say
from companion.engine.state import AnyState
from companion.table.table import Table
from companion.web.i18n import gettext as _
from companion.web.i18n import translate

from .board import Mark
from .page import Screen, common
from .pieces import marks

MEANINGS: dict[Unit, Sentence] = {
    "lose": say("The chance to lose the whole game, not only this round. Low is good."),
    "points": say("The points to expect from now to the end of the round. High is good."),
    "chips": say(
        "The chips to expect from now to the end of the round; what is paid already does not count. High is good."
    ),
    "bet": say("What to expect from this hand, in parts of the bet: −10% is a tenth of it. High is good."),
}
PRICES = say("What each choice costs at once, in chips.")


def speaks_to(state: AnyState, dealer: bool, me: str) -> bool:
    """Whether a phone hears the coach: the dealer's always, a watcher's where its own seat is to act.

    A watcher who did not say who he is hears it only where the table shows it to all.
    """
    if dealer:
        return True
    if me and any(seat.name == me for seat in state.seats):
        return state.turn is not None and state.name(state.turn) == me
    return bool(state.options["coach"] == "all")


@dataclass(frozen=True)
class CoachLine(Screen):
    """One sentence for the player to act. The better choice stands apart from the rest, to be framed."""

    turn: str
    better: str  # nothing where the choices are about equal
    rest: str


@dataclass(frozen=True)
class ChoiceRow:
    """A choice in the sheet."""

    name: str
    value: str
    best: bool


@dataclass(frozen=True)
class CoachSheet(Screen):
    """Why: the numbers of every choice, what they mean and where they come from."""

    line: CoachLine | None
    mark: Mark | None = None
    rows: tuple[ChoiceRow, ...] = ()
    meaning: str = ""
    found: str = ""


def coach_line(table: Table, table_id: str, dealer: bool, advice: Advice) -> CoachLine:
    """The line for the board."""
    sentence = translate(choices(advice))
    best = next((option for option in advice.options if option.entry == advice.best), None)
    better = translate(choice_name(best)) if best else ""
    return CoachLine(
        **common(table, table_id, dealer, _("Coach")),
        turn=advice.turn,
        better=better if sentence.startswith(better) else "",
        rest=sentence.removeprefix(better),
    )


def coach_sheet(table: Table, table_id: str, dealer: bool, advice: Advice | None) -> CoachSheet:
    """The sheet behind the line; without advice it says that there is none."""
    fields = common(table, table_id, dealer, _("Coach"))
    if advice is None:
        return CoachSheet(**fields, line=None)
    meaning = PRICES if advice.method == "price" else MEANINGS[advice.unit]
    return CoachSheet(
        **fields,
        line=coach_line(table, table_id, dealer, advice),
        mark=marks(table.state)[advice.turn],
        rows=tuple(_row(advice, option) for option in advice.options),
        meaning=translate(meaning),
        found=translate(how_found(advice, table.state.game)),
    )


def _row(advice: Advice, option: Choice) -> ChoiceRow:
    value = -option.value if advice.method == "price" else option.value
    return ChoiceRow(translate(choice_name(option)), translate(amount(advice.unit, value)), option.entry == advice.best)
