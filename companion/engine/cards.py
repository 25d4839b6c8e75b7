"""The triangular deck, with v copies of each value v from 1 to 10, and the pile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from .sentence import Sentence, say

VALUES = range(1, 11)
CARDS_IN_A_DECK = sum(VALUES)

# How many cards of each value; index 0 is unused, so that counts[v] is the count of value v.
Counts = tuple[int, ...]
NONE: Counts = (0,) * 11


def copies(value: int, decks: int = 1) -> int:
    """How many cards of a value these decks contain."""
    return value * decks


def full(decks: int = 1) -> Counts:
    """All the cards of that many decks."""
    return tuple(copies(value, decks) for value in range(11))


def add(counts: Counts, cards: Iterable[int], times: int = 1) -> Counts:
    """The counts with these cards added or, with times=-1, removed."""
    changed = list(counts)
    for value in cards:
        changed[value] += times
    return tuple(changed)


def merge(*several: Counts) -> Counts:
    """The sum of several counts."""
    return tuple(map(sum, zip(*several, strict=True)))


class Frozen:
    """Mixin for frozen dataclasses without slots. `dataclasses.replace` does the same ten times slower."""

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        fields = self.__dict__
        changed = fields | changes
        if len(changed) != len(fields):
            raise TypeError(f"{type(self).__name__} has no field of one of the names {sorted(changes)}")
        new = _new(type(self))
        _set_fields(new, changed)
        return new


# These go past the guard of a frozen dataclass, and are looked up once: every entry makes several new states.
_new = object.__new__
_set_fields = Frozen.__dict__["__dict__"].__set__


@dataclass(frozen=True)
class Pile(Frozen):
    """All cards that are not in front of a player: the draw pile, burned cards, discards and lost cards."""

    decks: int
    unseen: Counts
    discards: Counts = NONE
    lost: Counts = NONE  # those whose value was seen
    burned: int = 0
    hidden: int = 0  # in hands
    lost_unseen: int = 0
    unnamed: int = 0  # turned up, but their value was not entered: still counted in `unseen`

    @staticmethod
    @lru_cache
    def fresh(decks: int, burn: int) -> Pile:
        """A full deck, shuffled, its first cards burned."""
        return Pile(decks, full(decks)).shuffle(burn)

    @property
    def total(self) -> int:
        """The number of unseen cards: the denominator of the odds."""
        return sum(self.unseen) - self.unnamed

    @property
    def left(self) -> int:
        """How many cards can be dealt before a shuffle."""
        return sum(self.unseen) - self.unnamed - self.burned - self.hidden - self.lost_unseen

    @property
    def lost_count(self) -> int:
        return sum(self.lost) + self.lost_unseen

    @property
    def can_shuffle(self) -> bool:
        """Whether a shuffle would bring any card back."""
        return self.burned > 0 or self.lost_count > 0 or sum(self.discards) > 0

    @property
    def after_shuffle(self) -> Counts:
        """The unseen cards if everything were shuffled back now."""
        return merge(self.unseen, self.discards, self.lost)

    def draw(self, value: int) -> Pile:
        """The pile after a card was turned up."""
        unseen = list(self.unseen)
        unseen[value] -= 1
        return self.but(unseen=tuple(unseen))

    def surface(self, value: int) -> Pile:
        """The pile without a card that was scored but not entered: from the deck, else burned, lost or hidden."""
        taken = self.draw(value)
        if self.left:
            return taken
        if self.burned:
            return taken.but(burned=self.burned - 1)
        return taken.but(lost_unseen=self.lost_unseen - 1) if self.lost_unseen else taken.but(hidden=self.hidden - 1)

    def pick_up(self, value: int) -> Pile:
        """The pile after a card was taken out of the discards."""
        return self.but(discards=add(self.discards, (value,), -1))

    def draw_unnamed(self, number: int = 1) -> Pile:
        """The pile after cards were turned up whose values were not entered."""
        return self.but(unnamed=self.unnamed + number)

    def put_back(self, cards: Iterable[int]) -> Pile:
        """The pile after cards from the table were shuffled straight back."""
        return self.but(unseen=add(self.unseen, cards))

    def discard(self, cards: Iterable[int]) -> Pile:
        """The pile after cards from the table were discarded."""
        return self.but(discards=add(self.discards, cards))

    def lose(self, value: int | None) -> Pile:
        """The pile after it lost a card, seen or not; the card comes back at the next shuffle."""
        if value is None:
            return self.but(lost_unseen=self.lost_unseen + 1)
        return self.but(unseen=add(self.unseen, (value,), -1), lost=add(self.lost, (value,)))

    def hide(self, number: int) -> Pile:
        """The pile after cards were dealt face down into hands."""
        return self.but(hidden=self.hidden + number)

    def reveal(self, value: int) -> Pile:
        """The pile after a card was played from a hand."""
        return self.but(unseen=add(self.unseen, (value,), -1), hidden=self.hidden - 1)

    def shuffle(self, burn: int) -> Pile:
        """Discards, burned and lost cards go back; then cards are burned, but at least one is left to deal."""
        back = self.but(unseen=self.after_shuffle, discards=NONE, lost=NONE, burned=0, lost_unseen=0)
        return back.but(burned=max(0, min(burn, back.left - 1)))


def none_left(value: int, decks: int) -> Sentence:
    """The refusal of a card that has no copy left: an earlier entry must be wrong."""
    count = copies(value, decks)
    if count == 1:
        return say("The only {value} is out: an earlier entry is wrong.", value=value)
    word = NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else count
    return say("All {count} {value}s are out: an earlier entry is wrong.", count=word, value=value)


NUMBER_WORDS = (
    say("none"),
    say("one"),
    say("two"),
    say("three"),
    say("four"),
    say("five"),
    say("six"),
    say("seven"),
    say("eight"),
    say("nine"),
    say("ten"),
)
