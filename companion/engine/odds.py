"""Exact odds. A game answers what one card would do; here the answers are weighted by the unseen cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from .cards import VALUES, Pile, add, full, none_left
from .game import AnyGame
from .results import Effect
from .sentence import InvalidEntry, say
from .state import AnyState


def past_shuffle(game: AnyGame, state: AnyState) -> AnyState:
    """The state that the next card is dealt from: after the shuffle, if one is needed first."""
    if game.shuffle_mark(state) == "needed":
        return state.but(pile=state.pile.shuffle(0))
    return state


def next_card(game: AnyGame, state: AnyState) -> dict[str, Fraction]:
    """The chance that the next card is each value (or kind, where values are not shown)."""
    kinds = game.kinds(past_shuffle(game, state))
    total = sum(kinds.values())
    return {kind: Fraction(count, total) for kind, count in kinds.items()} if total else {}


def risk(game: AnyGame, state: AnyState) -> dict[str, Fraction]:
    """For every seat still in: the chance that one card now would put it out."""
    return {state.seats[seat].name: chance for seat, (chance, _cost) in of_all(game, state).items()}


def expected(game: AnyGame, state: AnyState) -> dict[str, Fraction]:
    """For every seat that pays for a card: what one card now costs it on average."""
    found = of_all(game, state)
    return {state.seats[seat].name: found[seat][1] for seat in game.pays_for_cards(state) if seat in found}


def of_all(game: AnyGame, state: AnyState) -> dict[int, tuple[Fraction, Fraction]]:
    """The odds (`of_seat`) of every seat still in, by position; nothing if no card is left."""
    dealt_from = past_shuffle(game, state)
    return {seat: of_seat(game, dealt_from, seat) for seat in state.those_in() if dealt_from.pile.total}


def of_seat(game: AnyGame, dealt_from: AnyState, seat: int) -> tuple[Fraction, Fraction]:
    """The chance that the next card would put a seat out, and what that costs on average.

    `dealt_from` is the state after a needed shuffle (`past_shuffle`). A card must be left.
    """
    return weighed(effects(game, dealt_from, seat), dealt_from.pile)


def effects(game: AnyGame, dealt_from: AnyState, seat: int) -> dict[int, Effect]:
    """What each card would do to the seat, by value; only the cards that have an effect."""
    asked = [(value, game.effect(dealt_from, seat, value)) for value in VALUES]
    return {value: effect for value, effect in asked if effect is not None}


def puts_out(game: AnyGame, state: AnyState, seat: int, value: int) -> bool:
    """Whether this card would put the seat out."""
    effect = game.effect(state, seat, value)
    return effect is not None and effect.is_bad


def weighed(effects: Mapping[int, Effect], pile: Pile) -> tuple[Fraction, Fraction]:
    """The chance that the next card puts its owner out, and what it costs on average. A card must be left."""
    bad = [(pile.unseen[value], effect.amount) for value, effect in effects.items() if effect.is_bad]
    hits = sum([count for count, _cost in bad])
    cost = sum([count * cost for count, cost in bad])
    return Fraction(hits, pile.total), Fraction(cost, pile.total)


def at_least(wanted: int, drawn: int, good: int, total: int) -> Fraction:
    """The chance of at least `wanted` good cards when `drawn` of `total` cards are drawn."""
    fewer = sum(comb(good, k) * comb(total - good, drawn - k) for k in range(min(wanted, drawn + 1)))
    return 1 - Fraction(fewer, comb(total, drawn))


def odds_for(
    stack: Sequence[int], seen: Sequence[int], decks: int = 1
) -> tuple[Fraction, Fraction, dict[int, Fraction]]:
    """Without a table: the chance that the next card pairs a stack, its expected price, each value's chance.

    The seen cards include the stack.
    """
    if len(set(stack)) < len(stack):
        raise InvalidEntry(say("A stack holds no value twice."))
    unseen = add(full(decks), seen, -1)
    for value in VALUES:
        if unseen[value] < 0:
            raise InvalidEntry(none_left(value, decks))
        if list(stack).count(value) > list(seen).count(value):
            raise InvalidEntry(say("The cards of the stack are not all among the cards seen."))
    total = sum(unseen)
    if not total:
        raise InvalidEntry(say("Every card has been seen: nothing is left to draw."))
    odds = {value: Fraction(unseen[value], total) for value in VALUES}
    pair = sum((odds[value] for value in set(stack)), Fraction(0))
    cost = sum((odds[value] * value for value in set(stack)), Fraction(0))
    return pair, cost, odds
