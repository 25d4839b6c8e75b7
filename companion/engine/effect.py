"""What a card does to the player who draws it, and what a game calls that."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .sentence import Sentence, say


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
