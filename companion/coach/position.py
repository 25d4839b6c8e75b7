"""A position of Pairs or Continuous Pairs, as far as the coach needs it."""

from __future__ import annotations

from typing import NamedTuple

from companion.engine.cards import Counts
from companion.games.pairs import PairsState

from .weights import Needs


class Position(NamedTuple):
    """Everything is hashable, so that what was worked out for a position can be remembered."""

    me: int  # the player to act
    stacks: tuple[tuple[int, ...], ...]
    needs: Needs  # how many points each seat still has to go
    unseen: Counts
    left: int  # cards that can still be dealt before a shuffle
    shuffled: Counts  # what would be unseen after a shuffle now
    burn: int


def position_of(state: PairsState) -> Position:
    """The position on the table."""
    assert state.turn is not None
    return Position(
        me=state.turn,
        stacks=tuple(seat.stack for seat in state.seats),
        needs=tuple(state.limit - seat.points for seat in state.seats),
        unseen=state.pile.unseen,
        left=state.pile.left,
        shuffled=state.pile.after_shuffle,
        burn=state.options["burn"],
    )


def dealt_after_shuffle(unseen: int, burn: int) -> int:
    """How many of the cards can be dealt after a shuffle: all but the burned, but always one."""
    return max(1, unseen - burn)
