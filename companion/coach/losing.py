"""What the coaches of Pairs and Continuous Pairs share: a position, the chance of losing from the points, and paths.

Every seat has a weight that depends on how many points it still has to go, its need. A seat loses with the share its
weight has in the sum of all weights. The weights were fitted to games that the program played against itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import count, islice
from math import isqrt, sqrt
from typing import NamedTuple

from companion.engine.cards import VALUES, Counts
from companion.games.pairs import PairsState

Needs = tuple[int, ...]


# -- the position


class Position(NamedTuple):
    """A position of Pairs or Continuous Pairs. It is hashable, so that results can be cached."""

    me: int  # the player to act
    stacks: tuple[tuple[int, ...], ...]
    needs: Needs  # how many points each seat still has to go
    unseen: Counts
    left: int  # cards that can still be dealt before a shuffle
    shuffled: Counts  # the unseen cards after a shuffle now
    burn: int


def position_of(state: PairsState) -> Position:
    """The current position."""
    assert state.turn is not None
    return Position(
        me=state.turn,
        stacks=tuple(seat.stack for seat in state.seats),
        needs=tuple(state.limit - seat.points for seat in state.seats),
        unseen=state.pile.unseen,
        left=state.pile.left,
        shuffled=state.pile.after_shuffle,
        burn=state.options["burn"],
    )


def dealt_after_shuffle(unseen: int, burn: int) -> int:
    """How many cards can be dealt after a shuffle: all but the burned ones, at least one."""
    return max(1, unseen - burn)


# -- the chance of losing


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights for one number of seats: by need from 1 on, and the ratio for each point beyond the last."""

    by_need: tuple[float, ...]
    ratio: float

    def of(self, need: int) -> float:
        """The weight of a seat with `need` points to go."""
        beyond = need - len(self.by_need)
        return self.by_need[need - 1] if beyond <= 0 else self.by_need[-1] * self.ratio**beyond


@cache
def table(game: str) -> dict[int, Weights]:
    """The weights of a game by the number of seats, read on first use."""
    found = {}
    for line in data_lines(f"{game}_weights.csv"):
        seats, ratio, *weights = line.split(",")
        found[int(seats)] = Weights(tuple(map(float, weights)), float(ratio))
    return found


def data_lines(name: str) -> list[str]:
    """The lines of a data file of the package, without comments."""
    text = (files(__package__) / "data" / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@lru_cache(maxsize=4_096)
def chances(game: str, needs: Needs) -> tuple[float, ...]:
    """Each seat's chance of losing the game. A seat that needs no more points has lost."""
    if min(needs) <= 0:
        loser = needs.index(min(needs))
        return tuple(float(seat == loser) for seat in range(len(needs)))
    row = table(game)[len(needs)]
    weights = [row.of(need) for need in needs]
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def after(needs: Needs, seat: int, points: int) -> Needs:
    """The needs after a seat took some points."""
    return (*needs[:seat], needs[seat] - points, *needs[seat + 1 :])


@lru_cache(maxsize=4_096)
def prices(game: str, needs: Needs, seat: int) -> tuple[float, ...]:
    """By how much taking each card raises the seat's own chance of losing; index 0 is unused."""
    now = chances(game, needs)[seat]
    return (0.0, *(chances(game, after(needs, seat, value))[seat] - now for value in VALUES))


def losses(game: str, needs: Needs, me: int) -> Sequence[Sequence[float]]:
    """The chance that I lose after each seat takes each card: by seat, then by value; index 0 is unused."""
    return [[0.0, *(chances(game, after(needs, seat, value))[me] for value in VALUES)] for seat in range(len(needs))]


# -- numbers in place of random ones: the fractional parts of r times the root of a prime, spread evenly from 0 to 1.
# Path r of a calculation picks its k-th card by the k-th prime, so a position has the same answer on every machine.


def primes() -> Iterator[int]:
    """2, 3, 5, 7 and so on."""
    return (number for number in count(2) if all(number % divisor for divisor in range(2, isqrt(number) + 1)))


# More steps than any path takes: eight seats that all draw the ten values, or six laps of eight seats.
ROOTS = tuple(sqrt(prime) for prime in islice(primes(), 100))
