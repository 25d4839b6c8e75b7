"""The cost of the coach, and how much its advice is worth.

The cost: median and worst CPU time by game and seats, over positions from random evenings, each without any cache. The
worth: in whole games one player follows the coach or a rule of thumb and the others follow a simple rule; how often does
that player lose?

    python -m tests.bench.coach [games of each simulation]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from random import Random
from statistics import median
from time import process_time
from typing import Any

from companion.coach import advise, blackstone, continuous, is_slow, luck, pairs, rocket, starboard
from companion.engine import odds
from companion.engine.cards import VALUES
from companion.engine.notation import Entry, card, parse
from companion.engine.play import open_table, play
from companion.engine.state import State
from companion.games import GAMES
from tests.known import KNOWN

from ..coach.walks import NAMES, evening, folds_by_card

POSITIONS = 20
ENTRIES = 300
GAMES_PLAYED = 100  # for each kind of player; about two minutes in all

AnyState = State[Any]
Player = Callable[[AnyState], bool]  # True to fold


# -- cost


def forget() -> None:
    """Clear the caches, so that every position is computed anew."""
    for remembered in (
        pairs.chance_after_draw,
        continuous.chances_after,
        rocket.draw_value,
        starboard.values,
        blackstone.tree_for,
    ):
        remembered.cache_clear()


def positions(game: str, seats: int) -> list[AnyState]:
    """The positions of a random evening in which a player has to choose."""
    options = KNOWN[game].walks[0]
    table = evening(game, seats, ENTRIES, 55, options)
    state = open_table(GAMES, NAMES[:seats], table.step(0).entry)
    found = []
    for step in table.steps(since=1):
        if state.phase == "play":
            found.append(state)
        state = play(GAMES, state, step.entry)
    return found


def print_costs() -> None:
    print("CPU milliseconds of one answer, without caches; * computed only on request:")
    print(f"  {'game':12}{'seats':>6}{'answers':>9}{'median':>9}{'worst':>9}")
    for game in GAMES:
        for seats in GAMES[game].players:
            found = positions(game, seats)
            sample = found[:: max(1, len(found) // POSITIONS)]
            for asked in (False, True):
                some = [state for state in sample if is_slow(GAMES[game], state) is asked]
                times = [cost for cost in map(cost_of, some) if cost is not None]
                if times:
                    mark = "*" if asked else " "
                    print(f"  {game:12}{seats:>5}{mark}{len(times):>9}{median(times):>9.1f}{max(times):>9.1f}")


def cost_of(state: AnyState) -> float | None:
    """CPU milliseconds of an answer; None if the coach has none."""
    forget()
    start = process_time()
    advice = advise(GAMES[state.game], state)
    return 1_000 * (process_time() - start) if advice else None


def print_luck() -> None:
    print(f"CPU seconds of luck and skill, an evening of {ENTRIES} entries:")
    for game, seats in (("pairs", 2), ("pairs", 4), ("rocket", 2), ("rocket", 4), ("blackstone", 3), ("blackstone", 6)):
        table = evening(game, seats, ENTRIES, 7)
        forget()
        start = process_time()
        luck(table)
        print(f"  {game:12}{seats:>6}{process_time() - start:>9.2f}")


# -- worth


def follows_coach(state: AnyState) -> bool:
    advice = advise(GAMES[state.game], state)
    assert advice is not None
    draw, fold = advice.options
    return fold.value < draw.value if advice.unit == "lose" else fold.value > draw.value


@lru_cache
def folds_above(times: float) -> Player:
    """A player that folds when a card costs more than `times` folds."""

    def folds(state: AnyState) -> bool:
        game = GAMES[state.game]
        _risk, cost = odds.of_seat(game, odds.past_shuffle(game, state), state.turn or 0)
        return float(cost) > times * game.prices(state)["fold"]

    return folds


def never_folds(_state: AnyState) -> bool:
    return False


def next_entry(state: AnyState, random: Random, folds: Player) -> Entry:
    """The choice of the player whose turn it is, or the next card."""
    legal = GAMES[state.game].legal(state)
    verbs = {entry.verb for entry in legal}
    if state.phase == "play" and "fold" in verbs and verbs != {"fold"} and folds(state):
        return Entry("fold")
    if "card" not in verbs:
        return legal[0]
    return card(random.choices(VALUES, weights=state.pile.unseen[1:])[0])


def loses_pairs(seats: int, mine: Player, others: Player, game: int) -> bool:
    """Play a whole game with `mine` in a random seat; True if that seat loses. The number of the game decides the cards."""
    random = Random(f"{seats} {game}")
    me = random.randrange(seats)
    state = open_table(GAMES, NAMES[:seats], parse("game pairs"))
    while state.phase != "game over":
        state = play(GAMES, state, next_entry(state, random, mine if state.turn == me else others))
    assert state.outcome is not None
    return state.outcome.loser == NAMES[me]


def print_pairs(count: int) -> None:
    thumb = {"never fold": never_folds, "the printed card": folds_by_card}
    thumb |= {f"fold above {x} folds": folds_above(x) for x in (0.8, 1.0, 1.5, 2.0, 3.0)}
    print(f"Pairs: how often one player loses, {count} games each; the others fold when a card costs more than a fold;")
    print("  the difference from the coach:")
    for seats in (2, 4, 6):
        lost = {
            name: [loses_pairs(seats, mine, folds_above(1.0), game) for game in range(count)]
            for name, mine in {"coach": follows_coach, **thumb}.items()
        }
        for name, games in lost.items():
            print(f"  {seats} seats  {name:22}{in_percent(games)}   {difference_from_coach(games, lost['coach'])}")


def difference_from_coach(found: Sequence[float], coach: Sequence[float]) -> str:
    """The difference from the coach on the same cards; empty if there is none."""
    more = [one - other for one, other in zip(found, coach, strict=True)]
    return in_percent(more) if any(more) else ""


def in_percent(found: Sequence[float]) -> str:
    """The mean in percent, with its standard error."""
    mean = sum(found) / len(found)
    error = sqrt(sum((each - mean) ** 2 for each in found)) / len(found)
    return f"{100 * mean:6.2f} ± {100 * error:.2f}"


def rocket_hand(mine: Player, hand: int) -> float:
    """The result of one hand for the player, in multiples of the bet. Ana deals from a fresh deck."""
    random = Random(f"rocket {hand}")
    state = open_table(GAMES, NAMES[:2], parse("game rocket bet=10"))
    while not state.result:
        state = play(GAMES, state, next_entry(state, random, mine))
    return state.result.chips[NAMES[1]] / 10


def print_rocket(count: int) -> None:
    print(f"Rocket, one deck: the result of a hand in % of the bet, {count} hands each; the difference from the coach:")
    players = {"coach": follows_coach, "never fold": never_folds}
    players |= {f"fold above {x} folds": folds_above(x) for x in (1.5, 2.0, 3.0)}
    brought = {name: [rocket_hand(mine, hand) for hand in range(count)] for name, mine in players.items()}
    for name, hands in brought.items():
        print(f"  {name:22}{in_percent(hands)}   {difference_from_coach(hands, brought['coach'])}")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES_PLAYED
    print_costs()
    print_luck()
    print_pairs(count)
    print_rocket(4 * count)


if __name__ == "__main__":
    main()
