"""What a repair would change, in sentences for the dealer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.engine.ending import Ending
from companion.engine.results import Result
from companion.engine.sentence import MINUS, Sentence, say, say_many
from companion.engine.state import AnyState

if TYPE_CHECKING:
    from .table import Table

Rounds = dict[tuple[int, int], tuple[Ending, Result]]  # by the numbers of the game and the round


def differences(old: Table, new: Table) -> list[Sentence]:
    """Rounds that would end differently, then points, chips and whose turn it is."""
    return [
        *_rounds(_results(old), _results(new)),
        *_seats(old.state, new.state),
        *_figures(old.state, new.state),
        *_situation(old.state, new.state),
        *_evening(old, new),
    ] or [say("Nothing else changes.")]


def _results(table: Table) -> Rounds:
    rounds: Rounds = {}
    for step in table.steps():
        if step.entry.verb == "game":
            game = table.games[step.entry.args[0]]
        if step.result:
            rounds[step.game, step.round] = game.endings[step.result.how], step.result
    return rounds


def _rounds(old: Rounds, new: Rounds) -> list[Sentence]:
    sentences = []
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if after is None:
            sentences.append(say("Round {round} would not be over.", round=key[1]))
        elif before is None or _essence(before[1]) != _essence(after[1]):
            sentences.append(
                say("Round {round} would end like this: {ending}.", round=key[1], ending=_describe_ending(*after))
            )
    return sentences


def _essence(result: Result) -> tuple[object, ...]:
    return (result.how, result.who, result.value, dict(result.points), dict(result.chips))


def _describe_ending(ending: Ending, result: Result) -> Sentence:
    changes = _signed(result.points) + _signed(result.chips)
    what = ", ".join(changes) or "0"
    how = ending.name
    if result.who and result.value:
        return say("{name}, {how} ({value}) → {what}", name=result.who, how=how, value=result.value, what=what)
    return say("{how} → {what}", how=how, what=what)


def _signed(changes: Mapping[str, int]) -> list[str]:
    return [f"{name} {'+' if number > 0 else MINUS}{abs(number)}" for name, number in changes.items() if number]


def _seats(old: AnyState, new: AnyState) -> list[Sentence]:
    before, after = ([seat.name for seat in state.seats] for state in (old, new))
    sentences = [say("{name} would not sit at the table.", name=name) for name in before if name not in after]
    sentences += [say("{name} would sit at the table.", name=name) for name in after if name not in before]
    if not sentences and before != after:
        sentences.append(say("The seats would be in another order."))
    return sentences


def _figures(old: AnyState, new: AnyState) -> list[Sentence]:
    before = {seat.name: seat for seat in old.everyone()}
    sentences = []
    for seat in new.everyone():
        was = before.get(seat.name)
        if was is None:
            continue
        if was.points != seat.points:
            sentences.append(
                say_many(
                    "{name}: {new} point instead of {old}.",
                    "{name}: {new} points instead of {old}.",
                    seat.points,
                    name=seat.name,
                    new=seat.points,
                    old=was.points,
                )
            )
        if was.chips != seat.chips:
            sentences.append(
                say_many(
                    "{name}: {new} chip instead of {old}.",
                    "{name}: {new} chips instead of {old}.",
                    abs(seat.chips),
                    name=seat.name,
                    new=seat.chips,
                    old=was.chips,
                )
            )
    return sentences


def _situation(old: AnyState, new: AnyState) -> list[Sentence]:
    if (old.game, old.options) != (new.game, new.options):
        return [say("It would be a different game, or have different options.")]
    if (new.phase == "game over") != (old.phase == "game over"):
        over = new.phase == "game over"
        return [say("The game would be over.") if over else say("The game would not be over.")]
    if new.turn is not None and new.name(new.turn) != old.name(old.turn):
        return [say("It would be {name}’s turn.", name=new.name(new.turn))]
    if (old.pot, old.middle) != (new.pot, new.middle):
        return [say("The pot would be {pot}, with {carried} carried over.", pot=new.pot, carried=new.middle)]
    if old.on_the_table() != new.on_the_table():
        return [say("Different cards would be on the table.")]
    return []


def _evening(old: Table, new: Table) -> list[Sentence]:
    """The name of the evening, and whether its debts are settled."""
    sentences = []
    title = new.state.title
    if title != old.state.title:
        named = say("The evening would be called “{title}”.", title=title)
        sentences.append(named if title else say("The evening would have no name."))
    before, after = _settlements(old), _settlements(new)
    if after > before:
        sentences.append(say("What was owed until then would be settled."))
    elif after < before:
        sentences.append(say("What was owed until then would be owed again."))
    return sentences


def _settlements(table: Table) -> int:
    return sum(step.entry.verb == "settled" for step in table.steps())
