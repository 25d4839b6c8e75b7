"""The look-up tab of the odds: the chance that the next card pairs any stack, with any cards seen."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from companion.engine.cards import VALUES, copies
from companion.engine.report import odds_shown
from companion.engine.sentence import say
from companion.engine.state import AnyState
from companion.table import lookup
from companion.web.format import about, percent
from companion.web.screens.lookup import Asked, Lookup


@dataclass(frozen=True)
class OddsFigures:
    """A row for each value: whether it is in the stack, how many were seen elsewhere, the chance that it is next."""

    rows: tuple[tuple[int, bool, int, range, str], ...]
    pair: str = ""
    exactly: str = ""
    expected: str = ""


def odds_figures(asked: Asked, state: AnyState | None) -> OddsFigures:
    stack, seen = _seen(asked, state)
    if not stack:
        return OddsFigures(_rows(stack, seen, {}))
    everything = stack + [value for value, count in seen.items() for _copy in range(count)]
    answer = lookup.odds(stack, everything)
    return OddsFigures(
        _rows(stack, seen, answer["odds"]),
        percent(Fraction(answer["pair"])),
        answer["pair"],
        about(Fraction(answer["expected"])),
    )


def _seen(asked: Asked, state: AnyState | None) -> tuple[list[int], dict[int, int]]:
    """The stack, and what else was seen: as it was asked for, else as it lies on the table."""
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


def _rows(
    stack: list[int], seen: dict[int, int], chances: dict[str, str]
) -> tuple[tuple[int, bool, int, range, str], ...]:
    return tuple(
        (
            value,
            value in stack,
            seen[value],
            range(copies(value) + 1),
            percent(Fraction(chances[str(value)])) if chances else "",
        )
        for value in VALUES
    )


ODDS_LOOKUP = Lookup("odds", say("Odds"), "lookup/_odds.html", odds_figures)
