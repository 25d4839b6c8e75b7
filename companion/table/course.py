"""How an evening went: chips by game or round, points by round. Long evenings are thinned out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from companion.engine.state import AnyState

from .ledger import ChipsByName, GamesPlayed, NamesNow, name_now, steps_back, won
from .log import Step
from .table import Table

MOST_STEPS = 40
MOST_FIGURES = 400  # for all people together
CORRECTIONS = ("points", "score")


@dataclass(frozen=True, slots=True)
class Course:
    """A line for each name: a figure at the start and after each chosen step (None: not at the table)."""

    numbers: tuple[int, ...]  # of the start and the chosen steps
    lines: Mapping[str, tuple[int | None, ...]]
    game: int = 0  # the number of the game, if it is about one
    goal: int | None = None  # the points that end it

    @property
    def steps(self) -> int:
        return self.numbers[-1] - self.numbers[0]


def chosen_steps(count: int, people: int) -> tuple[int, ...]:
    """The steps to show: all of them, or some, evenly spread; always the first and the last."""
    most = max(1, min(MOST_STEPS, MOST_FIGURES // people))
    return tuple(range(count + 1)) if count <= most else tuple(place * count // most for place in range(most + 1))


def chips_by_game(games: GamesPlayed) -> Course:
    """What each player has won or lost so far, after each game."""
    people = [seat.name for seat in games.table.state.everyone()]
    before = games.won_before(games.first)
    numbers = tuple(games.first - 1 + step for step in chosen_steps(len(games), len(people)))
    return _sums(numbers, people, before, [games.won_before(number + 1) for number in numbers])


def chips_by_round(games: GamesPlayed) -> Course:
    """What each player has won or lost so far, after each round: for an evening of one game.

    A correction counts in the round before it. A round under way does not count.
    """
    table, before = games.table, games.won_before(games.first)
    people = [seat.name for seat in table.state.everyone()]
    since = games.settled.number if games.settled else 0
    rounds = takewhile(lambda found: found[0].number >= since, steps_back(table))
    ends = [(step, dict(names)) for step, names in rounds if step.result][::-1]
    numbers = chosen_steps(len(ends), len(people))
    columns: list[ChipsByName] = [before]
    columns += [won(table.state_after(ends[number - 1][0]), ends[number - 1][1]) for number in numbers[1:]]
    if ends and table.state.between:
        columns[-1] = won(table.state)
    return _sums(numbers, people, before, columns)


def _sums(
    numbers: tuple[int, ...], people: Sequence[str], before: ChipsByName, columns: Sequence[ChipsByName]
) -> Course:
    """What each has won or lost since `before`."""
    lines = {name: tuple(column.get(name, 0) - before.get(name, 0) for column in columns) for name in people}
    return Course(numbers, lines)


def points_by_round(table: Table, first: int = 1, last: int | None = None) -> tuple[Course, ...]:
    """For each of these games that keeps points, the points of the players after each round."""
    columns: dict[int, list[tuple[Step, NamesNow]]] = {}
    newest = table.head.game if last is None else last
    for step, names in steps_back(table):
        if step.game < first:
            break
        if step.game <= newest and _scores(step):
            columns.setdefault(step.game, []).append((step, dict(names)))
    courses = (_points(table, game, found[::-1]) for game, found in sorted(columns.items()))
    return tuple(course for course in courses if course)


def _scores(step: Step) -> bool:
    """Whether the entry can change the points."""
    return step.result is not None or step.entry.verb == "game" or step.entry.verb in CORRECTIONS


def _points(table: Table, number: int, found: Sequence[tuple[Step, NamesNow]]) -> Course | None:
    game = table.games[found[0][0].entry.args[0]]
    if not game.scores_points:
        return None
    rounds: list[tuple[Step, NamesNow]] = []
    for place, (step, names) in enumerate(found):
        if step.result or not rounds:
            rounds.append((step, names))
        elif step.state is not None or place == len(found) - 1:
            rounds[-1] = (step, names)  # a correction belongs to the round before it
    seated = len(table.state.everyone())
    numbers = chosen_steps(len(rounds) - 1, seated)
    states = [(table.state_after(rounds[place][0]), rounds[place][1]) for place in numbers]
    columns = [_points_now(state, names) for state, names in states]
    people = [seat.name for seat in table.state.everyone() if any(seat.name in points for points in columns)]
    lines = {name: tuple(points.get(name) for points in columns) for name in people}
    return Course(numbers, lines, number, game.target(states[-1][0]))


def _points_now(state: AnyState, names: NamesNow) -> ChipsByName:
    return {name_now(names, seat.name): seat.points for seat in state.seats}
