"""The chance of losing the game, from the points: Pairs and Continuous Pairs.

Every seat has a weight that depends on how many points it still has to go, its need. A seat loses with the share its
weight has in the sum of all weights. The weights were fitted to games that the program played against itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from companion.engine.cards import VALUES

Needs = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights for one number of seats: by need, from 1 on, and the ratio for each point beyond."""

    by_need: tuple[float, ...]
    ratio: float

    def of(self, need: int) -> float:
        """The weight of a seat that has so many points to go."""
        beyond = need - len(self.by_need)
        return self.by_need[need - 1] if beyond <= 0 else self.by_need[-1] * self.ratio**beyond


@cache
def table(game: str) -> dict[int, Weights]:
    """The weights of a game by the number of seats. Read once, when they are first asked for."""
    found = {}
    for line in data_lines(f"{game}_weights.csv"):
        seats, ratio, *weights = line.split(",")
        found[int(seats)] = Weights(tuple(map(float, weights)), float(ratio))
    return found


def data_lines(name: str) -> list[str]:
    """The lines of one of the package's tables, without its comments."""
    text = (files(__package__) / "data" / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@lru_cache(maxsize=4_096)
def chances(game: str, needs: Needs) -> tuple[float, ...]:
    """The chance of each seat to lose the game. A seat that needs nothing more has lost."""
    if min(needs) <= 0:
        loser = needs.index(min(needs))
        return tuple(float(seat == loser) for seat in range(len(needs)))
    row = table(game)[len(needs)]
    weights = [row.of(need) for need in needs]
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def after(needs: Needs, seat: int, points: int) -> Needs:
    """The needs after a seat has taken so many points."""
    return (*needs[:seat], needs[seat] - points, *needs[seat + 1 :])


@lru_cache(maxsize=4_096)
def prices(game: str, needs: Needs, seat: int) -> tuple[float, ...]:
    """By how much each card, taken, raises the seat's own chance of losing; index 0 is never used."""
    now = chances(game, needs)[seat]
    return (0.0, *(chances(game, after(needs, seat, value))[seat] - now for value in VALUES))


def losses(game: str, needs: Needs, me: int) -> Sequence[Sequence[float]]:
    """The chance that I lose after each seat takes each card: by seat, then by value; index 0 is never used."""
    return [[0.0, *(chances(game, after(needs, seat, value))[me] for value in VALUES)] for seat in range(len(needs))]
