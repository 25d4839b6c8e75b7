"""Continuous Pairs: Pairs as one endless round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.engine.notation import Entry
from companion.engine.options import YES
from companion.engine.sentence import IllegalEntry, Sentence, say

from .pairs import FOLD, Pairs, PairsState, Stacks


@lru_cache(maxsize=1_000)  # most stacks stay as they are from turn to turn
def taking(name: str, stack: tuple[int, ...]) -> tuple[Entry, ...]:
    """The folds that take a card from this player's stack."""
    return tuple(Entry("fold", (value, name)) for value in sorted(set(stack)))


class Continuous(Pairs):
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

    def end_round(self, state: PairsState, how: str, seat: int, value: int, stacks: Stacks) -> PairsState:
        """Only this player's stack goes; the others keep theirs, and play goes on to the left."""
        result = self.result(state, how, seat, value, points={seat: value}, stacks=stacks)
        player = state.seats[seat]
        under_way = state.phase == "play" or state.options["cards"] != YES
        state = state.but(
            seats=state.seats_but(seat, points=player.points + value, stack=()),
            pile=state.pile.discard(player.stack),
            phase="play" if under_way else "deal",
            between=True,
            round=state.round + 1,
        )
        state = self.conclude(state)
        if state.phase == "game over":
            return self.clear(state).but(result=result, round=result.round)
        turn = None if state.turn is None else self.following(state, seat)
        return state.but(turn=turn, again=False, pending=0, result=result.followed_by(state.name(turn)))

    def on_score(self, state: PairsState, seat: int, points: int) -> PairsState:
        if state.phase == "deal" and not state.between:
            raise IllegalEntry(say("Finish the deal first."))
        return super().on_score(state, seat, points)
