"""Pieces of a board that come again and again: each is made once."""

from __future__ import annotations

from functools import lru_cache

from companion.engine.cards import copies
from companion.engine.state import AnyState
from companion.web.format import number_word, percent_of
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext
from companion.web.triangle import dashes

from .board import Face, Key, Mark

LETTERS = "ABCDEFGH"  # of the seats, while they have no names
FACES = tuple(Face(str(value)) for value in range(11))


def marks(state: AnyState) -> dict[str, Mark]:
    """A letter for every seat: the name's own initial if it is free, else the next one."""
    return marks_of(tuple([(seat.name, seat.mark) for seat in state.everyone()]))


@lru_cache(maxsize=500)  # the same people sit at a table all evening
def marks_of(people: tuple[tuple[str, int], ...]) -> dict[str, Mark]:
    letters: dict[str, str] = {}
    for name, _mark in people:
        initial = next((char for char in name if char.isalnum()), "A").upper()[:1]
        free = (letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter not in letters.values())
        letters[name] = initial if initial not in letters.values() else next(free, initial)
    return {name: Mark(letters[name], f"s{mark + 1}") for name, mark in people}


@lru_cache(maxsize=1_000)
def deck_label(left: int, total: int | None, _language: str) -> str:
    if total is None:
        return ngettext("Deck: {left} card left to deal", "Deck: {left} cards left to deal", left).format(left=left)
    label = ngettext(
        "Deck: {left} card left to deal, {total} unseen. Show the odds",
        "Deck: {left} cards left to deal, {total} unseen. Show the odds",
        left,
    )
    return label.format(left=left, total=total)


@lru_cache(maxsize=4_000)  # the same keys come again and again
def key_with_odds(entry: str, value: int, count: int, total: int, decks: int, word: str, _language: str) -> Key:
    if not count:
        label = _("{value}, none left: repair an entry").format(value=value)
        return Key(entry, value, label, "×0", "", none=True, dim=dashes(value))
    lit = min(value, -(-count // decks))
    label = _("{value}, {count} left").format(value=value, count=number_word(count))
    if word == _("pair"):
        label = _("{value}, {count} left, would pair").format(value=value, count=number_word(count))
    elif word:
        label = _("{value}, {count} left, {word}").format(value=value, count=number_word(count), word=word)
    return Key(
        entry,
        value,
        label,
        f"×{count}",
        percent_of(count, total) if total else "",
        word,
        lit=dashes(lit),
        dim=dashes(copies(value) - lit, lit),
    )
