"""Who sits at the table: joining, leaving, new names, a new order, all between rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .game import AnyGame
from .notation import MOST_SEATS
from .sentence import IllegalEntry, say
from .state import AnyState, Seat

MOST_PEOPLE = 40  # in an evening, including those who left


def sit(game: AnyGame, state: AnyState, name: str) -> AnyState:
    """A player joins, in the last place; one who was here before gets their chips (and points of this game) back."""
    _between_rounds(state)
    _free_name(state.seats, name)
    game.check_players(len(state.seats) + 1, state.options)
    known = [seat for seat in state.away if seat.name.casefold() == name.casefold()]
    if not known and len(state.everyone()) >= MOST_PEOPLE:
        raise IllegalEntry(say("{most} people have sat here tonight: open a new table.", most=MOST_PEOPLE))
    person = known[0] if known else Seat(name=name, mark=len(state.everyone()))
    state = state.but(away=tuple(seat for seat in state.away if seat is not person))
    taken = {seat.mark for seat in state.seats}
    if person.mark in taken or person.mark >= MOST_SEATS:
        person = person.but(mark=min(set(range(MOST_SEATS)) - taken))
    state = _reseat(game, state, [*range(len(state.seats)), game.seat_for(person, state.options)])
    return game.between_rounds(game.buy_in(state, len(state.seats) - 1))


def leave(game: AnyGame, state: AnyState, name: str) -> AnyState:
    """A player leaves. Their kept cards stay out of the deck, their chips stay in the ledger."""
    _between_rounds(state)
    position = state.find(name)
    game.check_players(len(state.seats) - 1, state.options)
    state = state.discard_stacks((position,))
    seat = state.seats[position]
    state = state.but(away=(*state.away, seat))
    return game.between_rounds(_reseat(game, state, [i for i in range(len(state.seats)) if i != position]))


def rename(game: AnyGame, state: AnyState, old: str, new: str) -> AnyState:
    """A seat gets another name, and keeps everything else."""
    _between_rounds(state)
    position = state.find(old)
    others = [seat for i, seat in enumerate(state.seats) if i != position]
    _free_name((*others, *state.away), new)
    outcome = state.outcome and state.outcome.renamed(state.seats[position].name, new)
    return game.between_rounds(state.seat_but(position, name=new).but(outcome=outcome))


def order(game: AnyGame, state: AnyState, names: Iterable[str]) -> AnyState:
    """The seats change their order; each is named once."""
    _between_rounds(state)
    positions = [state.find(name) for name in names]
    if sorted(positions) != list(range(len(state.seats))):
        raise IllegalEntry(say("The new order must name every seat once."))
    return game.between_rounds(_reseat(game, state, positions))


def _between_rounds(state: AnyState) -> None:
    if not state.between:
        raise IllegalEntry(say("A round is under way: seats can only change between rounds."))


def _free_name(seats: Iterable[Seat], name: str) -> None:
    if any(seat.name.casefold() == name.casefold() for seat in seats):
        raise IllegalEntry(say("The name {name} is taken.", name=name))


def _reseat(game: AnyGame, state: AnyState, places: Sequence[int | Seat]) -> AnyState:
    """The state with its seats in new places. A position whose seat is gone passes to a neighbour."""
    new_place = {old: new for new, old in enumerate(places) if isinstance(old, int)}
    moved: dict[str, Any] = {
        "seats": tuple(state.seats[place] if isinstance(place, int) else place for place in places)
    }
    for field in (*state.POSITIONS, *state.LAST_POSITIONS):
        old = getattr(state, field)
        if old is not None:
            clockwise = state.round_from(old)
            order = clockwise if field in state.POSITIONS else (old, *reversed(clockwise[1:]))
            moved[field] = next(new_place[other] for other in order if other in new_place)
    return state.but(**moved)
