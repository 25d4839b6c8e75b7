"""A tab of the quick reference: the figures somebody needs in mid-hand, with or without a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from companion.engine.cards import VALUES, copies
from companion.engine.report import odds_shown
from companion.engine.sentence import Sentence, say
from companion.engine.state import AnyState
from companion.table import lookup
from companion.web.format import about, percent


class Asked:
    """The values in the query of the address, checked."""

    def __init__(self, query: Mapping[str, str]) -> None:
        self._query = query

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number within bounds; the default for anything else."""
        found = read_number(self._query.get(name, ""))
        return default if found is None else max(least, min(most, found))

    def text(self, name: str) -> str:
        return self._query.get(name, "")

    def has(self, name: str) -> bool:
        return bool(self._query.get(name))


def read_number(raw: str) -> int | None:
    """A whole number of at most six digits; None for anything else."""
    raw = raw.strip()
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 7 else None


@dataclass(frozen=True)
class Lookup:
    """One tab. `figures` makes what its template shows, prefilled from the table it was opened at."""

    tab: str
    title: Sentence
    template: str
    figures: Callable[[Asked, AnyState | None], Any]


@dataclass(frozen=True)
class LookupCard:
    """A value: whether it is in the stack, how many were seen elsewhere, the chance that it comes next."""

    value: int
    in_stack: bool
    seen: int
    copies: int
    chance: str


@dataclass(frozen=True)
class OddsFigures:
    """A row for each value, and the chance that the next card pairs the stack."""

    rows: tuple[LookupCard, ...]
    pair: str
    expected: str


def odds_figures(asked: Asked, state: AnyState | None) -> OddsFigures:
    stack, seen = _seen(asked, state)
    everything = stack + [value for value, count in seen.items() for _copy in range(count)]
    answer = lookup.odds(stack, everything)
    return OddsFigures(
        tuple(
            LookupCard(value, value in stack, seen[value], copies(value), percent(Fraction(answer["odds"][str(value)])))
            for value in VALUES
        ),
        percent(Fraction(answer["pair"])) if stack else "",
        about(Fraction(answer["expected"])) if stack else "",
    )


def _seen(asked: Asked, state: AnyState | None) -> tuple[list[int], dict[int, int]]:
    """The stack and the other cards seen: from the query, else from the table."""
    if state is not None and not asked.has("ask"):
        return _seen_at(state)
    stack = [value for value in VALUES if asked.has(f"s{value}")]
    return stack, {value: asked.number(f"n{value}", 0, 0, copies(value)) for value in VALUES}


def _seen_at(state: AnyState) -> tuple[list[int], dict[int, int]]:
    """The stack of the player to act; nothing where the table hides its odds."""
    if not odds_shown(state) or state.pile.decks > 1 or state.pile.unnamed:
        return [], dict.fromkeys(VALUES, 0)
    stack = sorted(set(state.seats[state.turn if state.turn is not None else 0].stack))
    return stack, {value: copies(value) - state.pile.unseen[value] - (value in stack) for value in VALUES}


ODDS_LOOKUP = Lookup("odds", say("Odds"), "lookup/_odds.html", odds_figures)
