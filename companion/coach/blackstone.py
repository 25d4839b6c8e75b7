"""Blackstone: what each number of cards and a pass are worth in chips, if everybody plays as well as possible.

With two or three players in, the whole round is worked out. With more, nobody is assumed to take more than they must.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.games.blackstone import BLACK, PASS, BlackstoneState, pass_fine

from .advice import EQUAL, Advice, Choice, best_of

MOST_IN_EXACT = 3
MORE_THAN_LEAST = 8  # taking more than this above the least never pays
ERROR, MARGIN = 2.0, 0.5  # for the estimate
SLOW = (3, 7, 8)  # numbers of players for which the tree takes longer than a tap may
MOST_REMEMBERED = 100_000  # positions of one tree; the largest has 75,000

Chips = tuple[float, ...]  # for every player in, starting with the one to act
CANNOT: Chips = (float("-inf"),)  # no card is left to take


# A round as the player to act sees it: the white stones in the middle, the black ones of every player in (their own
# first), white and black stones unseen, the pot, and the least that may be taken. A plain tuple, as there are many.
Round = tuple[int, tuple[int, ...], int, int, int, int]


def advise(state: BlackstoneState) -> Advice | None:
    """The value of a pass and of each number of cards worth considering."""
    if state.turn is None or not has_answer(state):
        return None
    now = round_of(state)
    exact = len(now[1]) <= MOST_IN_EXACT
    error = 0.0 if exact else ERROR
    tree = tree_for(state.options["ante"], out_of_reach(state), MORE_THAN_LEAST if exact else 0)
    options = (
        *(Choice(f"take {count}", chips[0], error) for count, chips in tree.takes(now)),
        Choice(str(PASS), float(-pass_fine(state.white, state.options["ante"])), error),
    )
    best = best_of("chips", options, EQUAL if exact else MARGIN)
    name = state.seats[state.turn].name
    if exact:
        return Advice(name, "chips", "exact", "best play", options, best)
    return Advice(name, "chips", "estimate", "minimum", options, best)


def has_answer(state: BlackstoneState) -> bool:
    """Whether there is a choice: not while announced cards are still to come."""
    return not state.pending


def round_of(state: BlackstoneState) -> Round:
    """The current round."""
    assert state.turn is not None
    playing = [i for i in state.round_from(state.turn) if state.seats[i].state == "in"]
    blacks = tuple(len(state.seats[i].stack) for i in playing)
    return state.white, blacks, state.unseen_white, state.pile.unseen[BLACK], state.pot, state.least


def is_slow(state: BlackstoneState) -> bool:
    """Whether the tree is so large that it is built only when somebody asks."""
    return len(state.those_in()) in SLOW


def out_of_reach(state: BlackstoneState) -> int:
    """Unseen cards that cannot be dealt: burned or lost."""
    return state.pile.total - state.pile.left


@lru_cache(maxsize=2)
def tree_for(ante: int, out_of_reach: int, more_than_least: int) -> StonesTree:
    """The tree for all rounds with the same settings: each round begins with the whole deck."""
    return StonesTree(ante, out_of_reach, more_than_least)


class StonesTree:
    """All the ways a round may go, each position worked out once."""

    def __init__(self, ante: int, out_of_reach: int, more_than_least: int) -> None:
        self.ante = ante
        self.out_of_reach = out_of_reach
        self.more_than_least = more_than_least
        self.known: dict[Round, Chips] = {}

    def value(self, now: Round) -> Chips:
        """What the round is worth to every player in, if the player to act makes the best choice."""
        if len(now[1]) == 1:
            return (float(now[4]),)  # the last player in takes the pot
        known = self.known.get(now)
        if known is None:
            if len(self.known) >= MOST_REMEMBERED:
                self.known.clear()
            known = self.known[now] = self.best(now)
        return known

    def best(self, now: Round) -> Chips:
        """Take the smallest of the best numbers; pass only if that is better than all of them.

        Differences by rounding count as equal: they would change what the other players do.
        """
        white, blacks, unseen_white, unseen_black, pot, least = now
        passing = -pass_fine(white, self.ante)
        if least == 1 and not self.more_than_least:
            taking = self.take_one(now)
        else:
            taking = CANNOT
            for _count, chips in self.takes(now):
                if chips[0] > taking[0] + EQUAL:
                    taking = chips
        if taking[0] >= passing - EQUAL:
            return taking
        # Follow the others after a pass only where it is the best choice: that keeps the tree small.
        rest = self.value((white, blacks[1:], unseen_white, unseen_black, pot - passing, least))
        return (float(passing), *rest)

    def take_one(self, now: Round) -> Chips:
        """The same as `takes` for a single card, in a fraction of the time: the estimate needs nothing else."""
        white, blacks, unseen_white, unseen_black, pot, _least = now
        holds, others = blacks[0], blacks[1:]
        cards = unseen_white + unseen_black
        clean = unseen_white / cards
        black = 1.0 - clean
        least = min(1, cards - 1 - self.out_of_reach)
        bare = (white + 1, (*others, holds), unseen_white - 1, unseen_black, pot, least)
        first = self.value(bare) if unseen_white else (0.0,) * len(blacks)
        if holds:  # a black stone would be the second
            fine = self.ante + white
            won = black * ((pot + fine) // len(others))
            return (clean * first[-1] - black * fine, *[won + clean * chips for chips in first[:-1]])
        with_one = (white, (*others, 1), unseen_white, unseen_black - 1, pot, least)
        second = self.value(with_one) if unseen_black else (0.0,) * len(blacks)
        own = clean * first[-1] + black * second[-1]
        return (own, *[clean * a + black * b for a, b in zip(first[:-1], second[:-1], strict=True)])

    def takes(self, now: Round) -> Iterator[tuple[int, Chips]]:
        """Each number that may be taken, and what it is worth to every player in.

        The cards come one by one: `clean` is the chance that all were white so far, `one` that the player's first
        black stone was among them; `lost` and `won` add up the ways in which a second one ended the round.
        """
        white, blacks, unseen_white, unseen_black, pot, least = now
        holds, others = blacks[0], blacks[1:]
        cards = unseen_white + unseen_black
        left = cards - self.out_of_reach
        nothing = (0.0,) * len(blacks)
        clean, one, lost, won = 1.0, 0.0, 0.0, 0.0
        for drawn in range(min(least + self.more_than_least, left)):
            rest, count = cards - drawn, drawn + 1
            if holds:
                second, fine = clean * unseen_black / rest, self.ante + white + drawn
            else:
                second, fine = one * (unseen_black - 1) / rest, self.ante + white + drawn - 1
                one = (one * (unseen_white - drawn + 1) + clean * unseen_black) / rest
            lost += second * fine
            won += second * ((pot + fine) // len(others))
            clean *= (unseen_white - drawn) / rest
            if count >= least:
                following = min(count, left - count)
                bare = (white + count, (*others, holds), unseen_white - count, unseen_black, pot, following)
                with_one = (white + drawn, (*others, 1), unseen_white - drawn, unseen_black - 1, pot, following)
                first = self.value(bare) if clean else nothing
                other = self.value(with_one) if one else nothing
                # The player who took is the last in the order of the next turns.
                own = clean * first[-1] + one * other[-1] - lost
                yield count, (own, *[won + clean * a + one * b for a, b in zip(first[:-1], other[:-1], strict=True)])
