"""Line charts drawn on the server: one line a person, told apart by colour, pattern and the letter at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .format import plain, signed
from .i18n import gettext as _
from .screens.board import Mark

WIDTH, HEIGHT = 300, 176
TOP, BOTTOM = 14, 30  # space above and below the lines
DIGIT = 7  # how wide a figure of 12 px is at most
BETWEEN_LABELS = 14
MOST_STEPS = 6  # of the vertical axis
MOST_LABELS = 11  # on the horizontal one
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

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A person's line. Who was away has several pieces; a piece of one point is a dot."""

    style: str
    dashes: str
    pieces: tuple[str, ...]
    dots: tuple[Point, ...]
    label: str
    x: float
    y: float


@dataclass(frozen=True)
class Person:
    name: str
    mark: Mark


@dataclass(frozen=True)
class Chart:
    """A drawing, and the table of figures behind it."""

    title: str
    label: str  # for those who hear the page
    height: int
    left: float
    right: float
    grid: tuple[tuple[float, str, bool], ...]  # height, figure, whether it is 0
    ticks: tuple[tuple[float, int], ...]
    goal: tuple[float, str] | None
    lines: tuple[Line, ...]
    step: str  # what the columns count: "Game", "Round"
    people: tuple[Person, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def draw(
    title: str,
    step: str,
    marks: Mapping[str, Mark],
    series: Mapping[str, Sequence[int | None]],
    goal: tuple[int, str] | None = None,
    with_sign: bool = True,
) -> Chart:
    """A chart of figures that begin before the first step."""
    write = signed if with_sign else plain
    figures = [figure for line in series.values() for figure in line if figure is not None]
    figures += [0, *((goal[0],) if goal else ())]
    levels = axis(min(figures), max(figures))
    height = max(HEIGHT, TOP + BOTTOM + BETWEEN_LABELS * (len(series) - 1))
    ends = {name: next((f for f in reversed(line) if f is not None), 0) for name, line in series.items()}
    labels = {name: f"{marks[name].letter} {write(end)}" for name, end in ends.items()}
    left = 8.0 + DIGIT * max(len(write(level)) for level in levels)
    right = WIDTH - 8.0 - DIGIT * max(map(len, labels.values()))
    count = max(map(len, series.values()))

    def x(place: int) -> float:
        return round(left + (right - left) * place / max(1, count - 1), 1)

    def y(figure: int) -> float:
        share = (levels[-1] - figure) / (levels[-1] - levels[0])
        return round(TOP + (height - TOP - BOTTOM) * share, 1)

    paths = {
        name: _pieces([None if figure is None else (x(place), y(figure)) for place, figure in enumerate(line)])
        for name, line in series.items()
    }
    heights = spread([y(ends[name]) for name in series], TOP, height - BOTTOM)
    every = -(-(count - 1) // MOST_LABELS) or 1
    start = any(line[0] for line in series.values())
    return Chart(
        title=title,
        label=_("{name}: {what}").format(
            name=title, what=", ".join(f"{name} {write(end)}" for name, end in ends.items())
        ),
        height=height,
        left=left,
        right=right,
        grid=tuple((y(level), write(level), level == 0) for level in levels),
        ticks=tuple((x(place), place) for place in range(every, count, every)),
        goal=(y(goal[0]), goal[1]) if goal else None,
        lines=tuple(
            Line(
                style=marks[name].style,
                dashes=DASHES[marks[name].style],
                pieces=tuple(" ".join(f"{px:g},{py:g}" for px, py in piece) for piece in pieces if len(piece) > 1),
                dots=tuple(piece[0] for piece in pieces if len(piece) == 1),
                label=labels[name],
                x=right + 6,
                y=at + 4,
            )
            for (name, pieces), at in zip(paths.items(), heights, strict=True)
        ),
        step=step,
        people=tuple(Person(name, marks[name]) for name in series),
        rows=tuple(
            (place, tuple("–" if line[place] is None else write(line[place] or 0) for line in series.values()))
            for place in range(0 if start else 1, count)
        ),
    )


def axis(least: int, most: int) -> list[int]:
    """Round levels around the figures; 0 is one of them, and there are at least two."""
    most = max(most, least + 1)
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            low, high = least // step, -(-most // step)
            if high - low <= MOST_STEPS:
                return [level * step for level in range(low, high + 1)]
        size *= 10


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
    """What lies between the times somebody was not at the table."""
    pieces: list[list[Point]] = [[]]
    for point in points:
        if point is None:
            pieces.append([])
        else:
            pieces[-1].append(point)
    return [piece for piece in pieces if piece]
