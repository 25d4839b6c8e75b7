"""Continuous Pairs: Pairs as one endless round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.engine.notation import Entry
from companion.engine.scoring import Endless
from companion.engine.sentence import Sentence, say

from .pairs import FOLD, Pairs, PairsState


@lru_cache(maxsize=1_000)  # most stacks stay as they are from turn to turn
def taking(name: str, stack: tuple[int, ...]) -> tuple[Entry, ...]:
    """The folds that take a card from this player's stack."""
    return tuple(Entry("fold", (value, name)) for value in sorted(set(stack)))


class Continuous(Endless[PairsState], Pairs):
    """Pairs without a break: only the loser's stack goes, and a fold may take any card."""

    key = "continuous"
    title = say("Continuous Pairs")
    pitch = say("One deal, no break")

    def folds(self, state: PairsState) -> Iterator[Entry]:
        """Any card in play may be taken. A player without cards must draw."""
        if state.turn is None or not state.seats[state.turn].stack:
            return
        in_play = state.in_play()
        if in_play.count(min(in_play)) == 1:
            yield FOLD
        for seat in state.seats:
            yield from taking(seat.name, seat.stack)

    def refusal(self, state: PairsState, entry: Entry) -> Sentence:
        if entry == FOLD and state.phase == "play" and state.turn is not None and not state.pending:
            if not state.seats[state.turn].stack:
                return say("A player with no cards must draw.")
            return say("Several cards are lowest: say which one is taken.")
        return super().refusal(state, entry)

    def on_fold(self, state: PairsState, seat: int, value: int = 0, name: str = "") -> PairsState:
        """The card taken leaves its stack."""
        if not value:
            return super().on_fold(state, seat)
        return self.score_card(state, "fold", seat, value, holder=state.find(name))
