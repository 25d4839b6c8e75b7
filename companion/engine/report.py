"""The state as the API shows it: plain data, ready for JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from . import odds
from .game import AnyGame
from .notation import text
from .options import YES
from .results import Outcome, Result
from .state import AnyState


def report(game: AnyGame, state: AnyState) -> dict[str, Any]:
    """Every key of the state that applies to the game on the table."""
    shown: dict[str, Any] = {
        "game": state.game,
        "options": dict(state.options),
        "round": state.round,
        "phase": state.phase,
        "turn": state.name(state.turn),
        "waiting": [],
        "legal": [text(entry) for entry in game.legal(state)],
        "prices": game.prices(state),
        "carried": state.middle,
        "seats": [_seat(game, state, position) for position in range(len(state.seats))],
        "shuffle": game.shuffle_mark(state),
        "result": state.result and _result(state.result),
        "outcome": state.outcome and _outcome(state.outcome),
        **game.own_keys(state),
    }
    if state.title:
        shown["title"] = state.title
    if game.has_pot:
        shown["pot"] = state.pot
    if state.options["cards"] == YES:
        shown["waiting"] = [state.name(position) for position in state.waiting]
        shown["deck"] = _deck(game, state)
        if odds_shown(state):
            shown |= _odds(game, state)
    return shown


def odds_shown(state: AnyState) -> bool:
    """Whether the table's rules allow the odds to be shown now."""
    rule = state.options["odds"]
    return rule == "all" or (rule == "after" and state.between and state.phase != "play")


def fraction(number: Fraction) -> str:
    """An exact chance as text."""
    return f"{number.numerator}/{number.denominator}"


def _fractions(numbers: dict[Any, Fraction]) -> dict[str, str]:
    return {str(key): fraction(number) for key, number in numbers.items()}


def _odds(game: AnyGame, state: AnyState) -> dict[str, Any]:
    shown = {"odds": _fractions(odds.next_card(game, state))}
    if game.tells_risk(state):
        found, paying = odds.of_all(game, state), game.pays_for_cards(state)
        names = [seat.name for seat in state.seats]
        shown["risk"] = {names[seat]: fraction(risk) for seat, (risk, _cost) in found.items()}
        if paying:
            shown["expected"] = {names[seat]: fraction(found[seat][1]) for seat in paying if seat in found}
    return shown | {name: _fractions(numbers) for name, numbers in game.chances(state).items()}


def _deck(game: AnyGame, state: AnyState) -> dict[str, Any]:
    pile = state.pile
    deck: dict[str, Any] = {
        "decks": pile.decks,
        "left": pile.left,
        "burned": pile.burned,
        "discards": sum(pile.discards),
        "lost": pile.lost_count,
        "total": pile.total,
    }
    if odds_shown(state):
        deck["unseen"] = game.kinds(state)
    return deck


def _seat(game: AnyGame, state: AnyState, position: int) -> dict[str, Any]:
    seat = state.seats[position]
    return {
        "name": seat.name,
        "points": seat.points,
        "chips": seat.chips,
        "state": seat.state,
        "stack": list(seat.stack),
        "kept": list(seat.kept),
        **game.own_seat_keys(state, position),
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "how": result.how,
        "who": result.who,
        "value": result.value,
        "points": dict(result.points),
        "chips": dict(result.chips),
        "winners": list(result.winners),
        "share": result.share,
        "stacks": {name: list(stack) for name, stack in result.stacks.items()},
        "next": result.next,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "loser": outcome.loser,
        "winners": list(outcome.winners or outcome.paid),
        "chips": dict(outcome.chips),
        "reason": str(outcome.reason),
    }
