"""Stakes on the screens: who pays what when a game of Pairs or Continuous Pairs is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine.sentence import Sentence, say
from companion.engine.state import AnyState
from companion.games.stakes import DEFAULT_SUM, STAKES, STAKES_TITLES
from companion.table import lookup
from companion.table.people import LETTERS
from companion.web.format import signed
from companion.web.games.lookups import Asked, Lookup, read_number
from companion.web.i18n import translate

# The scores on which the rules page shows the stakes; the loser first.
SCORES = (17, 10, 8, 7, 2)
SHOWN: dict[str, tuple[Sentence, Sentence]] = {
    "forfeit": (STAKES_TITLES["forfeit"], say("the drinks, a song")),
    "downspear": (say("Downspear, Seattle"), say("1 to each")),
    "norland": (STAKES_TITLES["norland"], say("1 to each player with the lowest score")),
    "cutchfeld": (STAKES_TITLES["cutchfeld"], say("loser’s points, to the lowest score")),
    "tacoma": (STAKES_TITLES["tacoma"], say("{sum}, or what you agree, to the lowest score", sum=DEFAULT_SUM)),
    "olympia": (STAKES_TITLES["olympia"], say("the gap, to the lowest score")),
    "portland": (STAKES_TITLES["portland"], say("the gap, to each player")),
}
MOST_CHIPS = 99_999


@dataclass(frozen=True)
class StakesLine:
    """A line of the table on the rules page."""

    title: str
    pays: str
    chips: int


def stakes_lines() -> list[StakesLine]:
    """What the loser pays in all, under each of the stakes."""
    points = dict(zip(LETTERS, SCORES, strict=False))
    return [
        StakesLine(translate(title), translate(pays), -lookup.stakes(key, points)["chips"]["A"])
        for key, (title, pays) in SHOWN.items()
    ]


def scores_text() -> str:
    """The scores, on one line."""
    return "\N{WORD JOINER}–\N{WORD JOINER}".join(map(str, SCORES))


@dataclass(frozen=True)
class StakesFigures:
    """All stakes on any scores."""

    names: tuple[tuple[int, str, int | str], ...]  # place, name, points
    carried: int
    sum: int
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...], int], ...]  # stakes, chips of each, carried on


def stakes_figures(asked: Asked, state: AnyState | None) -> StakesFigures:
    known = {seat.name: seat.points for seat in state.seats} if state else {}
    names = tuple(known) or tuple(LETTERS)
    points = _points(asked, names, known)
    carried = asked.number("carried", state.middle if state else 0, 0, MOST_CHIPS)
    sum_ = asked.number("sum", state.options.get("sum", DEFAULT_SUM) if state else DEFAULT_SUM, 1, MOST_CHIPS)
    return StakesFigures(
        tuple((place, name, points.get(name, "")) for place, name in enumerate(names)),
        carried,
        sum_,
        tuple(points),
        _rows(points, carried, sum_),
    )


def _points(asked: Asked, names: tuple[str, ...], known: Mapping[str, int]) -> dict[str, int]:
    """The points that were typed; those of the table while nothing was."""
    if known and not any(asked.has(f"p{place}") for place in range(len(names))):
        return dict(known)
    typed = {name: read_number(asked.text(f"p{place}")) for place, name in enumerate(names)}
    return {name: points for name, points in typed.items() if points is not None and points <= MOST_CHIPS}


def _rows(points: Mapping[str, int], carried: int, sum_: int) -> tuple[tuple[str, tuple[str, ...], int], ...]:
    if len(points) < 2 or not any(points.values()):
        return ()
    rows = []
    for key in STAKES:
        if key in SHOWN:  # Seattle is another name of Downspear
            answer = lookup.stakes(key, points, carried, sum_)
            rows.append(
                (translate(STAKES_TITLES[key]), tuple(map(signed, answer["chips"].values())), answer["carried"])
            )
    return tuple(rows)


STAKES_LOOKUP = Lookup("stakes", say("Stakes"), "lookup/_stakes.html", stakes_figures)
