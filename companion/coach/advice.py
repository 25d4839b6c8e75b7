"""The coach's answer for a position: each choice with its value, and how the values were found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Unit = Literal["lose", "points", "chips", "bet"]
Method = Literal["exact", "estimate", "price"]
Assumption = Literal["rule", "stops", "no shuffle", "best play", "minimum"]

# Exact values that differ by less than this are equal: the rest is rounding.
EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of the player to act; 19 of 20 values are within the error."""

    entry: str
    value: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Advice:
    """The coach's answer for one position."""

    turn: str
    unit: Unit
    method: Method
    assumes: Assumption | None
    options: tuple[Choice, ...]
    best: str | None
    share: float | None = None  # Hawthorn: how often the pot must be won

    @property
    def better(self) -> float:
        """The value of the best choice, even where the difference is too small to name one."""
        return ranked(self.unit, self.options)[0].value

    def value(self, entry: str) -> float | None:
        """The value of one choice, or None if the coach has none."""
        return next((option.value for option in self.options if option.entry == entry), None)

    def in_chips(self, bet: int) -> Advice:
        """The same in chips, if the values are parts of a bet that is known."""
        if self.unit != "bet" or not bet:
            return self
        options = tuple(Choice(each.entry, each.value * bet, each.error * bet) for each in self.options)
        return replace(self, unit="chips", options=options)

    def report(self) -> dict[str, Any]:
        """The answer as the API shows it."""
        shown: dict[str, Any] = {
            "turn": self.turn,
            "unit": self.unit,
            "method": self.method,
            "assumes": self.assumes,
            "options": [
                {"entry": option.entry, "value": option.value, "error": option.error} for option in self.options
            ],
            "best": self.best,
        }
        return shown if self.method != "price" else shown | {"share": self.share}


def ranked(unit: Unit, options: Sequence[Choice]) -> list[Choice]:
    """The choices, best first: lower is better for a chance of losing, higher for everything else."""
    return sorted(options, key=lambda option: option.value, reverse=unit != "lose")


def best_of(unit: Unit, options: Sequence[Choice], margin: float) -> str | None:
    """The best entry; None if the two best differ by no more than the margin."""
    first, second = ranked(unit, options)[:2]
    return first.entry if abs(first.value - second.value) > margin else None
