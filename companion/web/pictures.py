"""Pictures to share: the parts of one, each with its position, and the picture of a game that is over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

from companion.engine.state import AnyState, Seat
from companion.table.table import Table
from companion.web.board.over import settled, who_ended
from companion.web.board.screen import Mark, marks
from companion.web.charts import Chart
from companion.web.format import day_in_words, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate

HEAD, ROW, PAYMENT, FOOT = 114, 52, 40, 44  # heights
LARGE, REASON = 44, 28  # the heights of a line that says who won or lost, and of one that says why
CHART_SCALE = 1.58
BAR = 96  # the length of a full bar
# Letters that fit with any font: a name alone, beside a bar, in a payment; a line of words.
LONGEST_NAME, BESIDE_BAR, SHORT_NAME, WORDS = 22, 16, 11, 42
LARGE_WORDS, TITLE_WORDS = 22, 26
MOST_PAYMENTS = 12
COLOURS = {
    "s1": "#e39a8a",
    "s2": "#9bbbe3",
    "s3": "#a9c98e",
    "s4": "#c6aee4",
    "s5": "#82c9c1",
    "s6": "#e2a3c2",
    "s7": "#d2c19a",
    "s8": "#b4c0c8",
}
# The shapes of the seats in a square of 30: disc, square, shield, diamond, hexagon, arch, house, waist.
SHAPES = {
    "s1": "M15 0a15 15 0 1 0 .01 0z",
    "s2": "M3 1h24a2 2 0 0 1 2 2v24a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2z",
    "s3": "M0 1h30v17.6L15 30 0 18.6z",
    "s4": "M15-2 32 15 15 32-2 15z",
    "s5": "M8 1h14l8 14-8 14H8L0 15z",
    "s6": "M2 29V14a13 13 0 0 1 26 0v15z",
    "s7": "M15 0 30 11v18.4H0V11z",
    "s8": "M0 .6h30L25.8 15 30 29.4H0L4.2 15z",
}
# The deck as a triangle of 55 dots: the logo of the program.
TRIANGLE = " ".join(f"M{20 - 2 * row + 4 * dot} {3.6 * row + 2:g}h0" for row in range(10) for dot in range(row + 1))


class Seal(NamedTuple):
    """The mark of a player, as a drawing."""

    letter: str
    shape: str
    colour: str


class PictureLine(NamedTuple):
    """A player with a figure, and a bar or a note beside it."""

    y: int
    seal: Seal
    name: str
    figure: str
    note: str = ""
    bar: float | None = None
    marked: bool = False  # the loser or a winner


class PaidLine(NamedTuple):
    """Who pays whom: the name of the other is shown if it is only one."""

    y: int
    who: Seal | None
    name: str
    whom: tuple[Seal, ...]
    other: str
    figure: str


@dataclass(frozen=True)
class Picture:
    """A picture with the positions of all its parts."""

    height: int
    title: str
    line: str
    large: tuple[tuple[int, str], ...]  # who has won or lost: lines with their positions
    colour: str  # of these lines
    lines: tuple[PictureLine, ...]
    chart: Chart | None
    chart_y: int
    payments: tuple[PaidLine, ...]
    words: tuple[tuple[int, str], ...]  # lines of text at the foot, with their positions
    label: str  # for screen readers
    day: str  # when it was played
    colours = COLOURS
    triangle = TRIANGLE
    full_bar = BAR


def seal_of(mark: Mark | None) -> Seal | None:
    return mark and Seal(mark.letter, SHAPES[mark.style], COLOURS[mark.style])


def short(name: str, most: int = LONGEST_NAME) -> str:
    """A name, cut to fit its column."""
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


def game_picture(table: Table) -> Picture:
    """The picture of a game that is over: who has won or lost and why, everybody's points, and who pays whom."""
    state = table.state
    assert state.outcome is not None
    title = translate(table.games[state.game].title)
    large = set_in_lines(who_ended(state.outcome, SHORT_NAME), LARGE_WORDS, HEAD + 16, LARGE)
    reasons = [line for text in outcome_words(table) for line in wrap(text, WORDS)]
    y = HEAD + 16 + LARGE * len(large)
    words = tuple((y - 8 + REASON * place, line) for place, line in enumerate(reasons))
    y += REASON * len(reasons) + 12
    payments = tuple(payments_of_game(table, y))
    y += PAYMENT * len(payments) + 12
    lines = tuple(lines_of_game(table, y))
    decided = state.outcome.decided
    return Picture(
        y + ROW * len(lines) + FOOT,
        title,
        rounds_line(state),
        large,
        COLOURS[marks(state)[decided[0]].style] if decided else "",
        lines,
        None,
        0,
        payments,
        words,
        ". ".join((title, *game_text(table))),
        day_in_words(table.head.at),
    )


def set_in_lines(text: str, width: int, y: int, step: int) -> tuple[tuple[int, str], ...]:
    """A text in lines of at most `width` letters, each with its position."""
    return tuple((y + step * place, line) for place, line in enumerate(wrap(text, width)))


def lines_of_game(table: Table, y: int) -> Iterator[PictureLine]:
    """Everybody's points, the best first; the winners or the loser marked."""
    state = table.state
    assert state.outcome is not None
    named, target = marks(state), table.games[state.game].target(state)
    for place, seat in enumerate(ranked_seats(table)):
        seal = seal_of(named[seat.name])
        assert seal is not None
        chips = state.outcome.chips.get(seat.name, 0)
        bar = round(BAR * min(1, max(0, seat.points) / target), 1) if target else None
        yield PictureLine(
            y + ROW * place,
            seal,
            short(seat.name, BESIDE_BAR),
            figure_of(table, seat),
            signed(chips) if chips else "",
            bar,
            seat.name in state.outcome.decided,
        )


def payments_of_game(table: Table, y: int) -> Iterator[PaidLine]:
    """What the loser pays, and to whom."""
    stakes = settled(table)
    if stakes and stakes.payment:
        paid = stakes.payment
        whom = tuple(filter(None, (seal_of(mark) for mark, _name in paid.to)))
        other = short(paid.to[0][1], SHORT_NAME) if len(paid.to) == 1 else ""
        name = short(paid.from_name, SHORT_NAME)
        yield PaidLine(y, seal_of(paid.from_mark), name, whom, other, str(paid.chips))


def rounds_line(state: AnyState) -> str:
    rounds = state.result.round if state.result else state.round
    return ngettext("{count} round", "{count} rounds", rounds).format(count=rounds)


def ranked_seats(table: Table) -> list[Seat]:
    """The seats by their places: the best one first."""
    state = table.state
    assert state.outcome is not None
    places = table.games[state.game].places(state)
    order = sorted(range(len(places)), key=places.__getitem__)
    return [state.seats[position] for position in order]


def figure_of(table: Table, seat: Seat) -> str:
    """What a game is played for: points, or chips."""
    return str(seat.points) if table.games[table.state.game].scores_points else signed(seat.chips)


def outcome_words(table: Table) -> Iterator[str]:
    """Why the game is over, and what the loser pays or owes."""
    assert table.state.outcome is not None
    yield translate(table.state.outcome.reason)
    stakes = settled(table)
    if stakes:
        yield stakes.sentence


def game_text(table: Table) -> tuple[str, ...]:
    """A game that is over, as lines of a message."""
    state = table.state
    assert state.outcome is not None
    figures = ", ".join(f"{seat.name} {figure_of(table, seat)}" for seat in ranked_seats(table))
    chips = ", ".join(f"{name} {signed(number)}" for name, number in state.outcome.chips.items() if number)
    return (
        *filter(None, (who_ended(state.outcome),)),
        *outcome_words(table),
        figures,
        *((_("{name}: {what}").format(name=_("Chips"), what=chips),) if chips else ()),
    )
