"""The book of a game: how luck, mistakes and corrections led each seat from its first value to its result.

Every seat has a running value; higher is better. Whatever changes it is recorded under its cause, so that the causes
add up to the result exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

Values = Mapping[str, float]  # by name


@dataclass(slots=True)
class Account:
    """What changed the value of one seat, by cause."""

    start: float = 0.0
    skill: float = 0.0  # own mistakes, never above 0
    gifts: float = 0.0  # others' mistakes
    luck: float = 0.0
    other: float = 0.0  # corrections, and void rounds
    result: float = 0.0

    def add(self, more: Account) -> None:
        """Add the account of another game of the same seat."""
        for cause, value in asdict(more).items():
            setattr(self, cause, getattr(self, cause) + value)

    def report(self) -> dict[str, float]:
        """The account as the API shows it."""
        return asdict(self)


@dataclass(slots=True)
class Book:
    """The accounts of all seats, and their current values."""

    accounts: dict[str, Account] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)

    def open(self, values: Values) -> None:
        """Start with what each seat can expect before the first card."""
        self.values = dict(values)
        for name, value in values.items():
            self.accounts.setdefault(name, Account()).start += value

    def decide(self, name: str, better: float, chosen: float, receivers: Values) -> float:
        """Record a decision, and return its cost, which the other seats gain by their shares."""
        cost = better - chosen
        account = self.accounts[name]
        account.luck += better - self.values[name]
        account.skill -= cost
        self.values[name] = chosen
        for other, share in receivers.items():
            self.accounts[other].gifts += cost * share
            self.values[other] += cost * share
        return cost

    def end_round(self, values: Values) -> dict[str, float]:
        """End a round: every change not yet explained was luck. Return it for each seat."""
        gains = {name: value - self.values[name] for name, value in values.items()}
        for name, gain in gains.items():
            self.accounts[name].luck += gain
        self.values = dict(values)
        return gains

    def correct(self, values: Values) -> None:
        """Record new values after an entry that is neither a card nor a choice."""
        for name, value in values.items():
            self.accounts[name].other += value - self.values[name]
        self.values = dict(values)

    def close(self) -> None:
        """Record the current values as results."""
        for name, value in self.values.items():
            self.accounts[name].result += value
        self.values = {}

    def rename(self, old: str, new: str) -> None:
        """Give a seat another name."""
        if old in self.accounts:
            self.accounts[new] = self.accounts.pop(old)
        if old in self.values:
            self.values[new] = self.values.pop(old)
