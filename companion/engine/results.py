"""What came of an entry: chips that were paid, how a round ended, how the game did."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .sentence import Sentence, say


class Payment(NamedTuple):
    """Chips that went from one party to another, and why."""

    who: str
    whom: str
    amount: int
    why: Sentence


class Result(NamedTuple):
    """How the last round ended, and what it changed."""

    round: int
    how: str
    who: str | None
    value: int | None
    points: Mapping[str, int]
    chips: Mapping[str, int]
    winners: tuple[str, ...]
    share: int | None
    stacks: Mapping[str, tuple[int, ...]]
    next: str | None = None

    def followed_by(self, name: str | None) -> Result:
        """The same, with who deals, starts or holds the button next."""
        return Result(*self[:-1], name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the game ended, and what was paid for it."""

    loser: str | None = None
    winners: tuple[str, ...] = ()
    chips: Mapping[str, int]
    reason: Sentence

    def renamed(self, old: str, new: str) -> Outcome:
        """The same, with somebody's new name."""
        return dataclasses.replace(
            self,
            loser=new if self.loser == old else self.loser,
            winners=tuple(new if name == old else name for name in self.winners),
            chips={new if name == old else name: chips for name, chips in self.chips.items()},
            reason=say(
                self.reason.template,
                **{key: new if value == old else value for key, value in self.reason.values.items()},
            ),
        )
