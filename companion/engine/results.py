"""What a card or an entry leads to: an effect, payments, the end of a round, the end of the game."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .sentence import Sentence, say

NO_FATES: Mapping[str, Sentence] = {}


class Effect(NamedTuple):
    """What a card does besides joining its owner's cards: it puts the owner out, or its value must be banked."""

    does: Literal["out", "bank"]
    amount: int = 0  # what an owner who is out pays, or what is banked

    @property
    def is_bad(self) -> bool:
        """Whether the card is one to fear."""
        return self.does == "out"


class CardWords(NamedTuple):
    """What a game calls the effects of its cards."""

    out: Sentence = say("out")
    bank: Sentence = say("bank {amount}")
    nothing: Sentence | None = None  # for a card without an effect
    risk: Sentence = say("to be out")  # under the chance of being put out

    def of(self, effect: Effect) -> Sentence:
        """The word for an effect, for a key."""
        template = self.out if effect.is_bad else self.bank
        return Sentence(template.template, {"amount": effect.amount})


BEWARE_OF_PAIRS = CardWords(out=say("pair"), nothing=say("no pair"), risk=say("to pair"))


class Payment(NamedTuple):
    """Chips paid by one party to another, and why."""

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
    fates: Mapping[str, Sentence] = NO_FATES  # what became of players in the round, for games that tell

    def followed_by(self, name: str | None) -> Result:
        """The same result, with the player who deals, starts or has the button next."""
        return self._replace(next=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the game ended: who won, who lost, whom the stakes pay. A game may name a loser, winners, or both."""

    loser: str | None = None
    winners: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()  # whom the loser pays; they have not won for that
    chips: Mapping[str, int]
    reason: Sentence

    @property
    def lost(self) -> bool:
        """Whether nobody has won: the end is about the loser."""
        return self.loser is not None and not self.winners

    @property
    def decided(self) -> tuple[str, ...]:
        """The players whom the end is about: the winners, or the loser if nobody has won."""
        return self.winners or ((self.loser,) if self.loser else ())

    def renamed(self, old: str, new: str) -> Outcome:
        """The same outcome after a player was renamed."""
        return dataclasses.replace(
            self,
            loser=new if self.loser == old else self.loser,
            winners=tuple(new if name == old else name for name in self.winners),
            paid=tuple(new if name == old else name for name in self.paid),
            chips={new if name == old else name: chips for name, chips in self.chips.items()},
            reason=self.reason.renamed(old, new),
        )
