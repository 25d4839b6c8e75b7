"""Exact values, compared with a plain walk of the whole tree through the engine, with few cards unseen."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from companion.coach import advise
from companion.engine.cards import VALUES, add, full
from companion.engine.notation import Entry, card
from companion.engine.play import play
from companion.engine.state import State
from companion.games import GAMES

from .records import position

Chips = dict[str, float]
AnyState = State[Any]


def with_few_cards(state: AnyState, unseen: tuple[int, ...]) -> AnyState:
    """The same position with only these cards unseen, and nothing to shuffle back."""
    return state.but(pile=state.pile.but(unseen=add((0,) * 11, unseen), burned=0))


def gains(before: AnyState, after: AnyState) -> Chips:
    """What each seat has won since, in points or chips."""
    return {
        new.name: float(new.points - old.points + new.chips - old.chips)
        for old, new in zip(before.seats, after.seats, strict=True)
    }


class Walk:
    """Everybody makes the best choice for themselves; of equal choices, the first."""

    def __init__(self, root: AnyState) -> None:
        self.root = root
        self.known: dict[object, Chips] = {}

    def value(self, state: AnyState) -> Chips:
        """As `best`, each position once. Positions differ in any field except the order of common cards."""
        if state.result:
            return gains(self.root, state)
        own = (getattr(state, name, None) for name in ("white", "white_values", "last", "pending", "drawn"))
        common = frozenset(getattr(state, "common", ())), frozenset(getattr(state, "horde", ()))
        key = (state.seats, state.pile, state.turn, state.pot, *own, *common)
        if key not in self.known:
            self.known[key] = self.best(state)
        return self.known[key]

    def best(self, state: AnyState) -> Chips:
        me = state.seats[state.turn or 0].name
        values = list(self.choices(state).values())
        assert values, "nobody can move"
        best = values[0]
        for other in values[1:]:
            if other[me] > best[me] + 1e-12:
                best = other
        return best

    def choices(self, state: AnyState) -> dict[str, Chips]:
        """What each choice leads to; the choice that wins a tie comes first."""
        legal = GAMES[state.game].legal(state)
        found = {str(entry): self.value(play(GAMES, state, entry)) for entry in self.others(legal)}
        if any(entry.verb == "card" for entry in legal):
            found["draw"] = self.draw(state)
        return found

    def others(self, legal: tuple[Entry, ...]) -> list[Entry]:
        return [entry for entry in legal if entry.verb in ("fold", "lock", "pass", "refuge", "horde")]

    def draw(self, state: AnyState) -> Chips:
        unseen, total = state.pile.unseen, state.pile.total
        sums: Chips = {}
        for value in VALUES:
            if unseen[value]:
                for name, chips in self.value(play(GAMES, state, card(value))).items():
                    sums[name] = sums.get(name, 0.0) + unseen[value] / total * chips
        return sums


class BlackstoneWalk(Walk):
    """Takes come first: they win a tie against a pass. Antes in front of players still belong to them."""

    numbers = 9

    def value(self, state: AnyState) -> Chips:
        if not state.result:
            return super().value(state)
        ante = self.root.options["ante"]
        return {name: chips - ante for name, chips in gains(self.root, state).items()}

    def choices(self, state: AnyState) -> dict[str, Chips]:
        if state.pending:  # type: ignore[attr-defined]
            return {"draw": self.draw(state)}
        takes = [entry for entry in GAMES["blackstone"].legal(state) if entry.verb == "take"]
        found = {str(entry): self.value(play(GAMES, state, entry)) for entry in takes[: self.numbers]}
        return found | {"pass": self.value(play(GAMES, state, Entry("pass")))}


class LeastWalk(BlackstoneWalk):
    """Nobody takes more than they must."""

    numbers = 1


class RocketWalk(Walk):
    """The dealer must draw; with no card left the round is worth nothing more."""

    def value(self, state: AnyState) -> Chips:
        if not state.result and state.pile.left == 0:
            return gains(self.root, state)
        return super().value(state)

    def choices(self, state: AnyState) -> dict[str, Chips]:
        return {"draw": self.draw(state)} | super().choices(state)


def compared(walk: Callable[[AnyState], Walk], state: AnyState, scale: float = 1.0) -> None:
    advice = advise(GAMES[state.game], state)
    assert advice is not None
    naive = walk(state).choices(state)
    assert {option.entry for option in advice.options} == set(naive)
    for option in advice.options:
        assert option.value * scale == pytest.approx(naive[option.entry][advice.turn], abs=1e-9)


@pytest.mark.parametrize(
    ("own", "dealers", "unseen"),
    [(6, 1, (1, 3, 6, 6, 9)), (2, 9, (2, 4, 4, 9, 10)), (10, 4, (1, 4, 5, 5, 10, 3)), (5, 5, (5,))],
)
def test_rocket(own: int, dealers: int, unseen: tuple[int, ...]) -> None:
    state = position("Ana Ben", f"game rocket bet=50,{own},{dealers}")
    compared(RocketWalk, with_few_cards(state, unseen), scale=50)


@pytest.mark.parametrize("ante", [1, 5])
@pytest.mark.parametrize(
    ("seats", "deal", "unseen"),
    [
        ("Ana Ben", "4,7", (3, 5, 6, 10, 10)),
        ("Ana Ben", "4,10", (3, 5, 10)),
        ("Ana Ben Cleo", "4,7,8", (3, 5, 6, 10, 10)),
        ("Ana Ben Cleo", "4,10,9", (2, 9, 10, 10)),
    ],
)
def test_blackstone(seats: str, deal: str, unseen: tuple[int, ...], ante: int) -> None:
    state = position(seats, f"game blackstone ante={ante},{deal}")
    compared(BlackstoneWalk, with_few_cards(state, unseen))


@pytest.mark.parametrize(
    ("deal", "unseen"),
    [
        ("4,7,8,9", (3, 5, 6, 10, 10)),
        ("4,10,8,9,take 2,3,10", (2, 3, 5, 10, 10)),
        ("4,10,9,8,take 1,3", (10, 10)),
    ],
)
def test_blackstone_with_four_at_the_least(deal: str, unseen: tuple[int, ...]) -> None:
    state = position("Ana Ben Cleo Dora", f"game blackstone,{deal}")
    compared(LeastWalk, with_few_cards(state, unseen))


@pytest.mark.parametrize("locks", ["lock", "draw"])
@pytest.mark.parametrize(
    ("seats", "entries", "unseen"),
    [
        ("Ana Ben", "4,10", (4, 9, 10, 10, 7)),
        ("Ana Ben", "4,10,lock", (4, 9, 10, 7)),
        ("Ana Ben Cleo", "4,10", (4, 9, 10, 7)),
        ("Ana Ben Cleo", "4,10,lock", (4, 9, 10, 7, 8)),
        ("Ana Ben Cleo", "4,10,9,lock,10", (4, 9, 10, 7)),
        ("Ana Ben Cleo", "1,2,lock", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),  # here it matters when a lock is put out
    ],
)
def test_starboard(seats: str, entries: str, unseen: tuple[int, ...], locks: str) -> None:
    state = position(seats, f"game starboard locks={locks},{entries}")
    compared(Walk, with_few_cards(state, unseen))


@pytest.mark.parametrize("unseen", [(4, 4, 10, 7, 3, 9), (4, 10, 10, 10, 9), (1, 2, 3, 4, 4, 9), (10,)])
def test_zombie_life_last_in(unseen: tuple[int, ...]) -> None:
    state = position("Ana Ben", "game zombie goal=99,4,9,10,refuge,pass")
    compared(Walk, with_few_cards(state, unseen))


@pytest.mark.parametrize("unseen", [(5, 10, 1, 2, 9), (5, 5, 5, 4), (1, 2, 3, 6, 10, 10)])
def test_port_last_in(unseen: tuple[int, ...]) -> None:
    state = position("Ana Ben Cleo", "game port goal=99,5,8,9,10,10,lock,1,lock")
    assert len(state.those_in()) == 1
    compared(Walk, with_few_cards(state, unseen))


def test_rocket_worked_out_plainly() -> None:
    """The definition in the specification, from a fresh deck."""
    counts = list(add(full(), (9, 2), -1))

    @cache
    def value(own: frozenset[int], dealers: frozenset[int]) -> float:
        return max(-min(own | dealers) / 10, hit(own, dealers))

    def hit(own: frozenset[int], dealers: frozenset[int]) -> float:
        return mean(lambda v: -v / 10 if v in own else turn(own | {v}, dealers))

    @cache
    def turn(own: frozenset[int], dealers: frozenset[int]) -> float:
        return mean(lambda v: 0.3 if v == 3 else v / 10 if v in dealers else value(own, dealers | {v}))

    def mean(worth: Callable[[int], float]) -> float:
        total, found = sum(counts), 0.0
        for v in VALUES:
            if counts[v]:
                number = counts[v]
                counts[v] -= 1
                found += number * worth(v)
                counts[v] += 1
        return found / total if total else 0.0

    advice = advise(GAMES["rocket"], position("Ana Ben", "game rocket,9,2"))
    assert advice is not None
    assert advice.value("draw") == pytest.approx(hit(frozenset((9,)), frozenset((2,))), abs=1e-12)


def test_blackstone_a_pass_that_is_only_as_good_as_a_card() -> None:
    """Three hold a black stone; unseen are 2 white stones and 5 black ones, 43 are white, the pot is 42.

    After a white stone the next player pays 22 for a pass and, with a card, 1/6 * 88 - 5/6 * 44 = -22, and so takes it.
    That brings the player to act 5/6 * (42 + 44) / 2 - 1/6 * 23 = 32, so a card is worth 2/7 * 32 - 5/7 * 43 = -151/7.
    """
    deal, whites = "1,10,10,10,10,take 1,10", ",take 1,white"
    state = position("Ana Ben Cleo Dora Eve", f"game blackstone ante=0,{deal}{whites * 40},pass,pass{whites * 2}")
    advice = advise(GAMES["blackstone"], state)
    assert advice is not None
    assert advice.method == "exact"
    assert advice.options[0].value == pytest.approx(-151 / 7)
    assert advice.best == "take 1"


def test_starboard_a_card_that_is_only_as_good_as_a_lock() -> None:
    """Some later players gain the same by both: they lock. Worked out in fractions, without rounding."""
    state = with_few_cards(position("Ana Ben Cleo", "game starboard,8,9"), (9, 5, 9, 5, 10, 6, 1))
    advice = advise(GAMES["starboard"], state)
    assert advice is not None
    assert [choice.value for choice in advice.options] == pytest.approx([3 / 7, 4 / 7])
    assert advice.best == "lock"


def test_port_a_card_that_is_only_as_good_as_a_lock() -> None:
    """Another player may gain the same by both, and locks. Worked out in fractions, without rounding."""
    state = with_few_cards(position("Ana Ben Cleo", "game port,9,8,5"), (6, 2, 4, 2, 7, 1, 4, 5, 7))
    advice = advise(GAMES["port"], state)
    assert advice is not None
    assert [choice.value for choice in advice.options] == pytest.approx([213743 / 190512, 781 / 756])
