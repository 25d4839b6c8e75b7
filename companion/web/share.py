"""A picture and a text to share, of the game that is over or of the evening."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import NamedTuple

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.state import AnyState, Seat
from companion.games.stakes import STAKES_TITLES
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.screen import Mark, marks
from companion.web.charts import Chart
from companion.web.downloads import as_text
from companion.web.evening import EveningScreen, evening_screen, known_worth
from companion.web.format import signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate
from companion.web.pages import Screen, common
from companion.web.slow import slow
from companion.web.table import load_for_phone
from companion.web.worth import Worth

blueprint = Blueprint("share", __name__, url_prefix=A_TABLE)

WIDTH, SIDE = 540, 32
HEAD, TITLE, ROW, PAYMENT, FOOT = 74, 40, 52, 40, 44  # heights
CHART_SCALE = 1.58
BAR = 96  # the length of a full bar
# Letters that fit with any font: a name alone, beside a bar, in a payment; a line of words.
LONGEST_NAME, BESIDE_BAR, SHORT_NAME, WORDS = 22, 16, 11, 42
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
    y: int
    who: Seal | None
    name: str
    whom: Seal | None
    other: str
    figure: str


@dataclass(frozen=True)
class Picture:
    """A picture with the positions of all its parts."""

    height: int
    title: str
    line: str
    lines: tuple[PictureLine, ...]
    chart: Chart | None
    chart_y: int
    payments: tuple[PaidLine, ...]
    words: tuple[tuple[int, str], ...]  # lines of text at the foot, with their positions
    label: str  # for screen readers
    day: str = ""  # when it was played
    colours = COLOURS
    triangle = TRIANGLE
    full_bar = BAR


def seal_of(mark: Mark | None) -> Seal | None:
    return mark and Seal(mark.letter, SHAPES[mark.style], COLOURS[mark.style])


def short(name: str, most: int = LONGEST_NAME) -> str:
    """A name, cut to fit its column."""
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


def evening_picture(screen: EveningScreen) -> Picture:
    """The picture of an evening: who won what, a chart, who pays whom."""
    ranked = sorted(screen.accounts, key=lambda account: -account.won)
    y = HEAD + TITLE
    lines = []
    for account in ranked:
        seal = seal_of(account.person.mark)
        assert seal is not None
        lines.append(PictureLine(y, seal, short(account.person.name), account.total, account.money))
        y += ROW
    chart_y = y + 12
    if screen.chips:
        y = chart_y + round(screen.chips.height * CHART_SCALE) + 12
    due = [payment for group in screen.due for payment in group.payments]
    payments = []
    for payment in due[:MOST_PAYMENTS]:
        who, whom = short(payment.who.name, SHORT_NAME), short(payment.whom.name, SHORT_NAME)
        figure = payment.money or str(payment.amount)
        payments.append(PaidLine(y, seal_of(payment.who.mark), who, seal_of(payment.whom.mark), whom, figure))
        y += PAYMENT
    owed = [
        _("{name}: {what}").format(name=short(owed.who.name), what=short(owed.what, 30)) for owed in screen.forfeits
    ]
    words = tuple((y + 22 + 28 * place, text) for place, text in enumerate(owed))
    y += 28 * len(words)
    totals = ", ".join(f"{account.person.name} {account.total}" for account in ranked)
    label = _("{name}: {what}").format(name=screen.title, what=totals)
    return Picture(
        y + FOOT, screen.title, screen.line, tuple(lines), screen.chips, chart_y, tuple(payments), words, label
    )


def game_picture(table: Table) -> Picture:
    """The picture of a game that is over: the points, and who pays what."""
    state = table.state
    assert state.outcome is not None
    named, game = marks(state), table.games[state.game]
    target = game.target(state)
    y = HEAD + TITLE
    lines = []
    for seat in ranked_seats(table):
        seal = seal_of(named[seat.name])
        assert seal is not None
        chips = state.outcome.chips.get(seat.name, 0)
        note = signed(chips) if chips else ""
        bar = round(BAR * min(1, max(0, seat.points) / target), 1) if target else None
        marked = seat.name in state.outcome.decided
        lines.append(PictureLine(y, seal, short(seat.name, BESIDE_BAR), figure_of(table, seat), note, bar, marked))
        y += ROW
    wrapped = [line for text in outcome_words(table) for line in wrap(text, WORDS)]
    words = tuple((y + 28 + 28 * place, line) for place, line in enumerate(wrapped))
    y += 28 * len(words)
    title = translate(game.title)
    return Picture(
        y + FOOT, title, rounds_line(state), tuple(lines), None, 0, (), words, ". ".join((title, *game_text(table)))
    )


def rounds_line(state: AnyState) -> str:
    rounds = state.result.round if state.result else state.round
    return ngettext("{count} round", "{count} rounds", rounds).format(count=rounds)


def ranked_seats(table: Table) -> list[Seat]:
    """The seats by their places: the best one first, or the loser where nobody has won."""
    state = table.state
    assert state.outcome is not None
    places = table.games[state.game].places(state)
    order = sorted(range(len(places)), key=places.__getitem__, reverse=state.outcome.lost)
    return [state.seats[position] for position in order]


def figure_of(table: Table, seat: Seat) -> str:
    """What a game is played for: points, or chips."""
    return str(seat.points) if table.games[table.state.game].scores_points else signed(seat.chips)


def outcome_words(table: Table) -> Iterator[str]:
    """Why the game is over, and the stakes."""
    state = table.state
    assert state.outcome is not None
    yield translate(state.outcome.reason)
    loser, stakes = state.outcome.loser, state.options.get("stakes")
    if stakes and stakes != "forfeit":
        yield _("{name}: {what}").format(name=_("Stakes"), what=translate(STAKES_TITLES[stakes]))
    if loser and stakes == "forfeit":
        what = state.options.get("forfeit", "") or _("a forfeit")
        yield _("{name} owes: {what}").format(name=short(loser), what=short(what, 30))


def game_text(table: Table) -> tuple[str, ...]:
    """A game that is over, as lines of a message."""
    state = table.state
    assert state.outcome is not None
    figures = ", ".join(f"{seat.name} {figure_of(table, seat)}" for seat in ranked_seats(table))
    chips = ", ".join(f"{name} {signed(number)}" for name, number in state.outcome.chips.items() if number)
    return (
        figures,
        *outcome_words(table),
        *((_("{name}: {what}").format(name=_("Chips"), what=chips),) if chips else ()),
    )


@dataclass(frozen=True)
class Shared(Screen):
    picture: str  # its address
    height: int
    label: str
    text: str


def picture_of(table: Table, table_id: str, worth: Worth, of_game: bool) -> Picture:
    """The picture of the game that is over, if it is wanted and there is one; else of the evening."""
    if of_game and table.state.outcome:
        drawn = game_picture(table)
    else:
        drawn = evening_picture(evening_screen(table, table_id, False, worth))
    return replace(drawn, day=(table.head.at or "")[: len("2026-11-17")])


def share_screen(table: Table, table_id: str, dealer: bool, worth: Worth, of_game: bool, picture: str) -> Shared:
    """The page with picture, text and buttons."""
    drawn = picture_of(table, table_id, worth, of_game)
    if of_game and table.state.outcome:
        title = translate(table.games[table.state.game].title)
        text = "\n".join((title, *game_text(table))) + "\n"
    else:
        title = _("The evening")
        text = as_text(evening_screen(table, table_id, dealer, worth))
    return Shared(
        **common(table, table_id, dealer, title), picture=picture, height=drawn.height, label=drawn.label, text=text
    )


@blueprint.get("/share")
def show(table_id: str) -> ResponseReturnValue:
    """The page with a picture and a text to share."""
    table, dealer = load_for_phone(table_id)
    of_game = request.args.get("of") == "game"
    address = url_for("share.picture", of="game" if of_game else None)
    with slow().turn(table.head.number):
        screen = share_screen(table, table_id, dealer, known_worth(), of_game, address)
    return render_template("share/share.html", screen=screen)


@blueprint.get("/share.svg")
def picture(table_id: str) -> ResponseReturnValue:
    """The picture as an SVG file."""
    table, _dealer = load_for_phone(table_id)
    with slow().turn(table.head.number):
        drawn = picture_of(table, table_id, known_worth(), request.args.get("of") == "game")
    return Response(render_template("share/picture.svg", picture=drawn), content_type="image/svg+xml; charset=utf-8")
