"""The end of a round and of a game: its result, who is paid, and which cards are put away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from .cards import Pile
from .deal import DealRules
from .results import Outcome, Result
from .sentence import Sentence, say
from .state import MIDDLE, POT, State

St = TypeVar("St", bound=State[Any])


@dataclass(frozen=True, slots=True)
class Ending:
    """A way a round can end: its name and, where that is too short for the table, a sentence."""

    name: Sentence
    sentence: Sentence | None = None  # may have a gap for the {value} of the last card

    def in_words(self, value: int | None) -> Sentence:
        """The sentence for the table."""
        return Sentence((self.sentence or self.name).template, {"value": value})


class EndRules(DealRules[St], Generic[St]):
    """How most games end a round: add the points, put the cards away, prepare the next deal."""

    endings: ClassVar[Mapping[str, Ending]] = {}  # by the `how` of a result
    whole_deck_each_round: ClassVar[bool] = False
    scores_points: ClassVar[bool] = False  # else it is played for chips
    points_are_bad: ClassVar[bool] = False  # whoever has the fewest is ahead
    target_line: ClassVar[Sentence] = say("race to {value}")  # the points that end the game, in a few words
    seat_of_round: ClassVar[Mapping[str, Any]] = {}  # further seat fields, as a round begins

    def between_rounds(self, state: St) -> St:
        """After any change between rounds: end the game if it is decided, else prepare the next deal."""
        if state.between and state.phase in ("deal", "round over"):
            state = self.conclude(state)
            return state if state.phase == "game over" else self.ready(state)
        return state

    def result(
        self,
        state: St,
        how: str,
        who: int | None = None,
        value: int | None = None,
        points: Mapping[int, int] | None = None,
        winners: Iterable[int] = (),
        share: int | None = None,
        stacks: Mapping[str, tuple[int, ...]] | None = None,
    ) -> Result:
        """The result of a round that ended; `stacks` as they were, if a card has been taken away since."""
        names = state.names()
        earned = dict.fromkeys(names, 0)
        for position, number in (points or {}).items():
            earned[names[position]] = number
        return Result(
            state.round,
            how,
            state.name(who),
            value,
            earned,
            state.chips_of_round(during_entry=True) if state.round_paid or state.paid else dict.fromkeys(names, 0),
            tuple([names[i] for i in winners]),
            share,
            stacks or state.stacks(),
            fates={name: fate for i, name in enumerate(names) if (fate := self.fate(state, i)) is not None},
        )

    def fate(self, state: St, position: int) -> Sentence | None:
        """What became of a player in the round, in a word or two; None where points, chips and cards say enough."""
        return None

    def finish(self, state: St, result: Result) -> St:
        """End the round: add the points, put the cards away, prepare the next deal."""
        for position, seat in enumerate(state.seats):
            if result.points[seat.name]:
                state = state.seat_but(position, points=seat.points + result.points[seat.name])
        state = self.clear(self.pass_on(state))
        state = self.between_rounds(state.but(phase="round over", between=True, turn=None, deal=None))
        following = None if state.phase == "game over" else self.next_first(state)
        return state.but(result=result.followed_by(state.name(following)))

    def pass_on(self, state: St) -> St:
        """Move the button or the dealer on after a finished round."""
        return state

    def next_first(self, state: St) -> int | None:
        """The seat that deals, starts or has the button next, where the rules say so."""
        return None

    def clear(self, state: St) -> St:
        """Clear the table after a round: stacks go to the discards, and everybody is in again."""
        whole = self.whole_deck_each_round
        pile = self.fresh_pile(state.options) if whole else state.pile.discard(state.in_play())
        seats = tuple([seat.but(stack=(), state="in", **self.seat_of_round) for seat in state.seats])
        return state.but(pile=pile, seats=seats)

    def conclude(self, state: St) -> St:
        """Between rounds: end the game if it is decided."""
        return state

    def share_pot(self, state: St, winners: tuple[int, ...]) -> tuple[St, int]:
        """Share the pot equally among the winners; chips that cannot be divided are carried over."""
        share = state.pot // len(winners)
        for winner in winners:
            state = state.pay(POT, winner, share, say("the pot"))
        return state.pay(POT, MIDDLE, state.pot, say("remainder, carried over")), share

    # -- the end of the game

    def target(self, state: St) -> int | None:
        """The points that end the game: a limit or a goal; None if no number of points does."""
        return None

    def places(self, state: St) -> tuple[int, ...]:
        """The place of every seat, 1 for the best. Seats that are equally good share one."""
        merits = [self.merit(state, position) for position in range(len(state.seats))]
        return tuple([1 + sum(other > own for other in merits) for own in merits])

    def merit(self, state: St, position: int) -> tuple[int, int]:
        """The rank of a seat, more is better: first the end of the game, then points (or chips)."""
        seat, ended = state.seats[position], 0
        if state.outcome:
            ended = (seat.name in state.outcome.winners) - (seat.name == state.outcome.loser)
        points = seat.points if self.scores_points else seat.chips
        return ended, -points if self.points_are_bad else points

    def end_game(self, state: St, outcome: Outcome) -> St:
        return state.but(phase="game over", between=True, turn=None, deal=None, outcome=outcome)

    def fresh_pile(self, options: Mapping[str, Any]) -> Pile:
        return Pile.fresh(options.get("decks", 1), options["burn"])
