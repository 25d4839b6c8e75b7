"""Line charts as SVG: one line per person, with its own colour and pattern, and a letter at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import NamedTuple

from companion.web.board.screen import Mark
from companion.web.people import Person

from .format import plain, signed
from .i18n import gettext as _

WIDTH, HEIGHT = 300, 176
TOP, BOTTOM = 14, 30  # space above and below the lines
LETTER, DIGIT = 14, 8.5  # their width at most, in bold type of 12 px, with any font
BETWEEN_LABELS = 14
MOST_STEPS = 6  # of the vertical axis
MOST_LABELS = 11  # on the horizontal axis, of at most two digits
LONG_LABELS = 5  # of three or more
DASHES = {
    "s1": "",
    "s2": "8 3",
    "s3": "2 3",
    "s4": "12 3 2 3",
    "s5": "5 3",
    "s6": "14 3 2 3 2 3",
    "s7": "3 6",
    "s8": "9 6",
}

Figures = Sequence[int | None]  # of one person, the start first; None while away


class Point(NamedTuple):
    x: float
    y: float


class GridLine(NamedTuple):
    """A level of the vertical axis."""

    y: float
    figure: str
    zero: bool


class Tick(NamedTuple):
    """A label of the horizontal axis."""

    x: float
    number: int


class GoalLine(NamedTuple):
    """A line across the chart: where the game ends."""

    y: float
    words: str


class FigureRow(NamedTuple):
    """One step in the table of figures."""

    number: int
    figures: tuple[str, ...]


@dataclass(frozen=True)
class PersonLine:
    """A person's line. A person who was away has several pieces; a piece of one point is a dot."""

    style: str
    dashes: str
    pieces: tuple[str, ...]
    dots: tuple[Point, ...]
    label: str
    x: float
    y: float


@dataclass(frozen=True)
class Chart:
    """A drawing, and the table of figures behind it."""

    title: str
    label: str  # for screen readers
    height: int
    left: float
    right: float
    grid: tuple[GridLine, ...]
    ticks: tuple[Tick, ...]
    goal: GoalLine | None
    lines: tuple[PersonLine, ...]
    step: str  # what the columns count: "Game", "Round"
    people: tuple[Person, ...]
    rows: tuple[FigureRow, ...]


def draw_chart(
    title: str,
    step: str,
    marks: Mapping[str, Mark],
    series: Mapping[str, Figures],
    numbers: Sequence[int],
    goal: tuple[int, str] | None = None,
    with_sign: bool = True,
) -> Chart:
    """A chart of figures by step; the first figure is the one before the first step."""
    return _Drawing(marks, series, numbers, goal, signed if with_sign else plain).chart(title, step)


class _Drawing:
    """Places everything in a chart: the figures determine the axes, the axes every point."""

    def __init__(
        self,
        marks: Mapping[str, Mark],
        series: Mapping[str, Figures],
        numbers: Sequence[int],
        goal: tuple[int, str] | None,
        write: Callable[[int], str],
    ) -> None:
        self.marks = marks
        self.series = series
        self.goal = goal
        self.write = write
        self.numbers = numbers
        self.ends = {name: _last(figures) for name, figures in series.items()}
        self.labels = {name: f"{marks[name].letter} {write(end)}" for name, end in self.ends.items()}
        self.levels = self._levels()
        self.height = max(HEIGHT, TOP + BOTTOM + BETWEEN_LABELS * (len(series) - 1))
        self.left = 8.0 + DIGIT * max(len(write(level)) for level in self.levels)
        self.right = WIDTH - 8.0 - LETTER - DIGIT * (max(map(len, self.labels.values())) - 1)

    def _levels(self) -> list[int]:
        shown = [figure for figures in self.series.values() for figure in figures if figure is not None]
        shown += [0, *((self.goal[0],) if self.goal else ())]
        return axis(min(shown), max(shown))

    def chart(self, title: str, step: str) -> Chart:
        return Chart(
            title=title,
            label=self._label(title),
            height=self.height,
            left=self.left,
            right=self.right,
            grid=tuple(GridLine(self._y(level), self.write(level), level == 0) for level in self.levels),
            ticks=self._ticks(),
            goal=GoalLine(self._y(self.goal[0]), self.goal[1]) if self.goal else None,
            lines=self._lines(),
            step=step,
            people=tuple(Person(name, self.marks[name]) for name in self.series),
            rows=self._rows(),
        )

    def _x(self, number: int) -> float:
        first, last = self.numbers[0], self.numbers[-1]
        return round(self.left + (self.right - self.left) * (number - first) / max(1, last - first), 1)

    def _y(self, figure: int) -> float:
        lowest, highest = self.levels[0], self.levels[-1]
        share = (highest - figure) / (highest - lowest)
        return round(TOP + (self.height - TOP - BOTTOM) * share, 1)

    def _label(self, title: str) -> str:
        ends = ", ".join(f"{name} {self.write(end)}" for name, end in self.ends.items())
        return _("{name}: {what}").format(name=title, what=ends)

    def _ticks(self) -> tuple[Tick, ...]:
        first, last = self.numbers[0], self.numbers[-1]
        every = round_size(last - first, MOST_LABELS if last < 100 else LONG_LABELS)
        return tuple(Tick(self._x(number), number) for number in range(every, last + 1, every) if number > first)

    def _lines(self) -> tuple[PersonLine, ...]:
        heights = spread([self._y(end) for end in self.ends.values()], TOP, self.height - BOTTOM)
        return tuple(self._line(name, height) for name, height in zip(self.series, heights, strict=True))

    def _line(self, name: str, label_height: float) -> PersonLine:
        pieces = _pieces(self._points(self.series[name]))
        style = self.marks[name].style
        return PersonLine(
            style=style,
            dashes=DASHES[style],
            pieces=tuple(" ".join(f"{x:g},{y:g}" for x, y in piece) for piece in pieces if len(piece) > 1),
            dots=tuple(piece[0] for piece in pieces if len(piece) == 1),
            label=self.labels[name],
            x=self.right + 6,
            y=label_height + 4,
        )

    def _points(self, figures: Figures) -> list[Point | None]:
        return [
            None if figure is None else Point(self._x(number), self._y(figure))
            for number, figure in zip(self.numbers, figures, strict=True)
        ]

    def _rows(self) -> tuple[FigureRow, ...]:
        """A row for every step shown, and one for the start unless everybody started at 0."""
        start = any(figures[0] for figures in self.series.values())
        rows = [FigureRow(number, self._row(place)) for place, number in enumerate(self.numbers)]
        return tuple(rows if start else rows[1:])

    def _row(self, place: int) -> tuple[str, ...]:
        at_place = (figures[place] for figures in self.series.values())
        return tuple("–" if figure is None else self.write(figure) for figure in at_place)


def _last(figures: Figures) -> int:
    """The last figure of somebody who may have left before the end."""
    return next((figure for figure in reversed(figures) if figure is not None), 0)


def axis(least: int, most: int) -> list[int]:
    """Round levels around the figures; 0 is one of them, and there are at least two."""
    most = max(most, least + 1)
    for step in _round_sizes():
        low, high = least // step, -(-most // step)
        if high - low <= MOST_STEPS:
            return [level * step for level in range(low, high + 1)]
    raise AssertionError("some size is large enough")


def round_size(length: int, most: int) -> int:
    """The smallest round size that fits into the length at most `most` times."""
    return next(size for size in _round_sizes() if length // size <= most)


def _round_sizes() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 and so on."""
    for power in count():
        yield from (10**power, 2 * 10**power, 5 * 10**power)


def spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """The same heights, moved apart so that no label covers another."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    moved = list(heights)
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + BETWEEN_LABELS)
    limit = bottom
    for place in reversed(order):
        moved[place] = min(moved[place], limit)
        limit = moved[place] - BETWEEN_LABELS
    return [round(max(top, height), 1) for height in moved]


def _pieces(points: Sequence[Point | None]) -> list[list[Point]]:
    """The points in pieces, cut where the person was away."""
    pieces: list[list[Point]] = [[]]
    for point in points:
        if point is None:
            pieces.append([])
        else:
            pieces[-1].append(point)
    return [piece for piece in pieces if piece]
