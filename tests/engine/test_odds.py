"""The odds against brute force: every order of a small remaining deck, burned and hidden cards included."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

from companion.engine import odds
from companion.engine.cards import VALUES
from companion.engine.notation import Entry, card, parse
from companion.engine.play import open_table, play
from companion.engine.sentence import EntryError
from companion.engine.state import State
from companion.games import GAMES
from companion.games.blackstone import second_black
from tests.known import KNOWN, SEATS

NAMES = ("Ann", "Bob", "Cy")
SMALL = 6
OPENINGS = [f"{game} {options}" for game in GAMES for options in KNOWN[game].odds]


def small_states(opening: str, count: int = 6) -> list[State[Any]]:
    """Positions in play with a handful of unseen cards; all others were lost or dealt."""
    found: list[State[Any]] = []
    random = Random(opening)
    while len(found) < count:
        state = open_table(GAMES, NAMES, parse(f"game {opening}"))
        for _ in range(random.randrange(4, 14)):
            if state.phase != "game over":
                state = play(GAMES, state, random.choice(GAMES[state.game].legal(state)))
        if state.phase == "game over":
            continue
        state = thin_out(state, random)
        drawing = state.turn is not None and any(e.verb == "card" for e in GAMES[state.game].legal(state))
        if state.phase == "play" and drawing and state.pile.total <= SMALL:
            found.append(state)
    return found


def thin_out(state: State[Any], random: Random) -> State[Any]:
    """The state with few unseen cards; hidden hands get smaller, too."""
    state = state.but(pile=state.pile.but(hidden=min(state.pile.hidden, 2)))
    while state.pile.total > SMALL and state.pile.left > 1:
        value = random.choice([v for v in VALUES if state.pile.unseen[v]])
        state = play(GAMES, state, Entry("lost", (value,)))
    if state.pile.left > 1:
        state = play(GAMES, state, Entry("lost"))
    return state


def orders(state: State[Any]) -> list[tuple[int, ...]]:
    cards = [value for value in VALUES for _ in range(state.pile.unseen[value])]
    return list(permutations(cards))


def next_of(state: State[Any], order: tuple[int, ...]) -> int:
    """The next card in an order that starts with the burned, hidden and lost cards."""
    pile = state.pile
    return order[pile.burned + pile.hidden + pile.lost_unseen]


def goes_out(state: State[Any], seat: int, value: int) -> tuple[bool, int]:
    """Play the card: whether it puts the seat out, and what the seat pays for it."""
    after = play(GAMES, state.but(turn=seat), card(value))
    name = state.seats[seat].name
    result = after.result
    bad = ("dealer pair", "dealer 3", *(("pair",) if GAMES[state.game].points_are_bad else ()))
    ended = result is not None and result.who == name and result.how in bad
    nobody, winners = result is not None and result.how == "all out", result.winners if result else ()
    others_won = nobody or (bool(winners) and name not in winners)
    lost = after.outcome is not None and after.outcome.loser == name
    out = ended or after.seats[seat].state == "out" or others_won or lost
    points = after.seats[seat].points - state.seats[seat].points if state.game in ("pairs", "continuous") else 0
    paid = sum(p.amount for p in after.paid if p.who == name and "pair" in p.why.template)
    return out, points + paid


@pytest.mark.parametrize("opening", OPENINGS)
def test_odds_are_those_of_all_orders(opening: str) -> None:
    for state in small_states(opening):
        game = GAMES[state.game]
        all_orders = orders(state)
        for kind, chance in odds.next_card(game, state).items():
            hits = sum(next_of(state, order) == int(kind) for order in all_orders)
            assert chance == Fraction(hits, len(all_orders))


@pytest.mark.parametrize("opening", OPENINGS)
def test_risk_and_expected_cost_are_those_of_all_orders(opening: str) -> None:
    for state in small_states(opening):
        game = GAMES[state.game]
        risk, cost = odds.risk(game, state), odds.expected(game, state)
        comes = [next_of(state, order) for order in orders(state)]
        share = {value: Fraction(comes.count(value), len(comes)) for value in VALUES}
        for seat in state.those_in():
            name = state.seats[seat].name
            found = {value: goes_out(state, seat, value) for value in VALUES if share[value]}
            assert risk[name] == sum((share[v] for v, (out, _) in found.items() if out), Fraction(0))
            if name in cost:
                paid = sum((share[v] * price for v, (_, price) in found.items()), Fraction(0))
                assert cost[name] == paid


@pytest.mark.parametrize("players", [2, 3, 8])
def test_the_chance_of_a_challenge_is_that_of_all_orders(players: int) -> None:
    """Pirates' Inn: the card turned up puts the challenger out if it pairs the row of the player challenged."""
    for state in challenging(players):
        assert state.turn is not None
        me = state.seats[state.turn].name
        chances = GAMES["inn"].chances(state)["challenge"]
        assert set(chances) == {seat.name for seat in state.seats if seat.state == "in"} - {me}
        comes = [next_of(state, order) for order in orders(state)]
        for name, chance in chances.items():
            challenged = play(GAMES, state, Entry("challenge", (name,)))
            out = {value for value in set(comes) if is_out(play(GAMES, challenged, card(value)), me)}
            assert chance == Fraction(sum(value in out for value in comes), len(comes))


def challenging(players: int, count: int = 8) -> list[State[Any]]:
    """Positions of Pirates' Inn with a handful of unseen cards, in which a challenge may put the challenger out."""
    found: list[State[Any]] = []
    random = Random(players)
    while len(found) < count:
        state = open_table(GAMES, SEATS[:players], parse("game inn"))
        for _ in range(players + random.randrange(12)):
            state = play(GAMES, state, random.choice(GAMES["inn"].legal(state)))
        chances = GAMES["inn"].chances(state).get("challenge") if state.phase == "play" else None
        if chances:
            thin = thin_out(state, random)
            if any(GAMES["inn"].chances(thin)["challenge"].values()):
                found.append(thin)
    return found


def is_out(state: State[Any], name: str) -> bool:
    """Whether a player is out; the round may be over for it."""
    if state.result:
        return name not in state.result.winners
    return state.seats[state.find(name)].state == "out"


def test_while_a_shuffle_is_needed_the_odds_are_those_after_it() -> None:
    state = open_table(GAMES, NAMES, parse("game pairs burn=0"))
    random = Random(3)
    for value in (2, 3, 9):
        state = play(GAMES, state, card(value))
    while state.pile.left:
        value = random.choice([v for v in VALUES if state.pile.unseen[v]])
        state = play(GAMES, state, Entry("lost", (value,)))
    game = GAMES["pairs"]
    assert game.shuffle_mark(state) == "needed"
    shuffled = play(GAMES, state, Entry("shuffle"))
    assert odds.next_card(game, state) == odds.next_card(game, shuffled)
    assert odds.risk(game, state) == odds.risk(game, shuffled)
    assert odds.expected(game, state) == odds.expected(game, shuffled)


@pytest.mark.parametrize("held", [0, 1])
@pytest.mark.parametrize(("white", "black"), [(4, 3), (5, 2), (0, 3), (6, 1), (5, 0)])
def test_chance_of_a_second_black_stone_is_that_of_all_orders(held: int, white: int, black: int) -> None:
    stones = [1] * black + [0] * white
    all_orders = list(permutations(stones))
    for taken in range(1, len(stones) + 1):
        hits = sum(sum(order[:taken]) + held >= 2 for order in all_orders)
        assert second_black(taken, held, white, black) == Fraction(hits, len(all_orders))


def test_odds_without_a_table() -> None:
    """Stack 7 5, seen 7 5 10: six 7s and four 5s among 52."""
    pair, cost, each = odds.odds_for((7, 5), (7, 5, 10))
    assert pair == Fraction(10, 52)
    assert cost == Fraction(6 * 7 + 4 * 5, 52)
    assert each[10] == Fraction(9, 52)
    for stack, seen in (((1, 1), (1, 1)), ((7,), (5,)), ((), (2, 2, 2))):
        with pytest.raises(EntryError):
            odds.odds_for(stack, seen)
