"""Starboard with at most three players not out: what drawing and locking are worth in chips, exactly.

Everybody plays for their own chips. Chips paid before do not count; the pot is still to be won.
"""

from __future__ import annotations

from functools import lru_cache

from companion.engine.cards import VALUES
from companion.games.starboard import LOCK, PRICE_OF_A_CARD, StarboardState

from .advice import EQUAL, Advice, Choice, best_of

MOST_NOT_OUT = 3

# For the players in, in the order of their turns; the last number is what each locked player will get.
Chips = tuple[float, ...]

# A position: the common hand as a set of values (a bit for each), the unseen cards (four bits for each value), how many
# are in, how many are locked, at what length, and the pot. Players in differ only in the order of their turns, and all
# locked players have locked at the same length. Plain numbers, as there are many positions.
Position = tuple[int, int, int, int, int, int]


def advise(state: StarboardState) -> Advice | None:
    """The values of drawing and locking."""
    if state.turn is None or not has_answer(state):
        return None
    draw, lock = values(position_of(state), state.options["locks"] == "draw", state.pile.total, state.pile.left)
    options = (Choice("draw", draw), Choice(str(LOCK), lock))
    best = best_of("chips", options, EQUAL)
    return Advice(state.seats[state.turn].name, "chips", "exact", "best play", options, best)


def has_answer(state: StarboardState) -> bool:
    """Whether there is an answer: for two or three players not out. A single player must lock."""
    return 2 <= sum(seat.state != "out" for seat in state.seats) <= MOST_NOT_OUT


def is_slow(state: StarboardState) -> bool:
    """Whether the tree is so large that it is built only when somebody asks."""
    return len(state.those_in()) == MOST_NOT_OUT


def position_of(state: StarboardState) -> Position:
    """The current position."""
    common = sum(1 << value for value in state.common)
    unseen = sum(state.pile.unseen[value] << 4 * value for value in VALUES)
    locked = [seat.locked_at or 0 for seat in state.seats if seat.state == "locked"]
    return common, unseen, len(state.those_in()), len(locked), max(locked, default=0), state.pot


@lru_cache(maxsize=512)
def values(now: Position, draws_kill_locks: bool, unseen: int, left: int) -> tuple[float, float]:
    """What drawing and locking are worth to the player to act."""
    tree = LocksTree(draws_kill_locks, unseen + now[-1], unseen - left)
    return tree.draw(now)[0], tree.lock(now)[0]


class LocksTree:
    """All the ways a round may go, each position worked out once."""

    def __init__(self, draws_kill_locks: bool, cards_and_pot: int, out_of_reach: int) -> None:
        self.draws_kill_locks = draws_kill_locks
        self.cards_and_pot = cards_and_pot  # constant: each card drawn puts a chip into the pot
        self.out_of_reach = out_of_reach  # unseen cards that cannot be dealt: burned or lost
        self.known: dict[Position, Chips] = {}

    def value(self, now: Position) -> Chips:
        """What the round is worth to everybody, if the player to act makes the best choice."""
        common, _unseen, playing, locked, length, pot = now
        if not playing:
            return (float(pot // locked),)
        # The last player in, alone or with more cards than all locks, locks and wins the pot.
        if playing == 1 and common.bit_count() > length:
            return (float(pot), 0.0)
        known = self.known.get(now)
        if known is None:
            known = self.known[now] = self.best(now)
        return known

    def best(self, now: Position) -> Chips:
        """Lock if both are equal (up to rounding), or if no card is left."""
        locking = self.lock(now)
        if self.cards_and_pot - now[-1] <= self.out_of_reach:
            return locking
        drawing = self.draw(now)
        return drawing if drawing[0] > locking[0] + EQUAL else locking

    def lock(self, now: Position) -> Chips:
        """A lock shorter than an earlier one is out at once; a longer lock puts the shorter ones out."""
        common, unseen, playing, locked, length, pot = now
        size = common.bit_count()
        if size < length:
            return (0.0, *self.value((common, unseen, playing - 1, locked, length, pot)))
        if size == length:
            after = self.value((common, unseen, playing - 1, locked + 1, length, pot))
            return (after[-1], *after)
        after = self.value((common, unseen, playing - 1, 1, size, pot))
        return (after[-1], *after[:-1], 0.0)

    def draw(self, now: Position) -> Chips:
        """A card costs 1. If it pairs, both cards are discarded, and the drawer is out."""
        common, unseen, playing, locked, length, pot = now
        cards = self.cards_and_pot - pot
        pot += PRICE_OF_A_CARD
        killed = self.draws_kill_locks and common.bit_count() >= length
        locks = (0, 0) if killed else (locked, length)
        paired, longer = [0.0] * playing, [0.0] * (playing + 1)
        for value in VALUES:
            count, rest, card = unseen >> 4 * value & 15, unseen - (1 << 4 * value), 1 << value
            if not count:
                continue
            if common & card:
                after = self.value((common ^ card, rest, playing - 1, locked, length, pot))
                paired = [chips + count * more for chips, more in zip(paired, after, strict=True)]
            else:
                after = self.value((common | card, rest, playing, *locks, pot))
                longer = [chips + count * more for chips, more in zip(longer, after, strict=True)]
        # If the card does not pair, the drawer is the last to act; after a pair the drawer wins nothing more.
        *others, own, of_locked = longer
        rest_of_table = [*others, 0.0 if killed else of_locked]
        gains = [(chips + more) / cards for chips, more in zip(paired, rest_of_table, strict=True)]
        return (own / cards - PRICE_OF_A_CARD, *gains)
