"""A picture and a text to share, of the game that is over or of the evening."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.downloads import as_text
from companion.web.evening import EveningScreen, evening_screen, known_worth
from companion.web.format import day_in_words
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.pages import Screen, common
from companion.web.pictures import (
    CHART_SCALE,
    FOOT,
    HEAD,
    MOST_PAYMENTS,
    PAYMENT,
    ROW,
    SHORT_NAME,
    TITLE_WORDS,
    PaidLine,
    Picture,
    PictureLine,
    game_picture,
    game_text,
    seal_of,
    short,
)
from companion.web.slow import slow
from companion.web.table import load_for_phone
from companion.web.worth import Worth

blueprint = Blueprint("share", __name__, url_prefix=A_TABLE)


def evening_picture(screen: EveningScreen) -> Picture:
    """The picture of an evening: who won what, a chart, who pays whom."""
    ranked = sorted(screen.accounts, key=lambda account: -account.won)
    y = HEAD
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
        seals = tuple(filter(None, (seal_of(payment.whom.mark),)))
        payments.append(PaidLine(y, seal_of(payment.who.mark), who, seals, whom, figure))
        y += PAYMENT
    owed = [
        _("{name}: {what}").format(name=short(owed.who.name), what=short(owed.what, 30)) for owed in screen.forfeits
    ]
    words = tuple((y + 22 + 28 * place, text) for place, text in enumerate(owed))
    y += 28 * len(words)
    totals = ", ".join(f"{account.person.name} {account.total}" for account in ranked)
    label = _("{name}: {what}").format(name=screen.title, what=totals)
    return Picture(
        y + FOOT,
        short(screen.title, TITLE_WORDS),
        screen.line,
        (),
        "",
        tuple(lines),
        screen.chips,
        chart_y,
        tuple(payments),
        words,
        label,
        screen.day,
    )


def dated(title: str, table: Table) -> str:
    """The title with the day of the last entry."""
    return " · ".join(filter(None, (title, day_in_words(table.head.at))))


@dataclass(frozen=True)
class Shared(Screen):
    picture: str  # its address
    height: int
    label: str
    text: str


def picture_of(table: Table, table_id: str, worth: Worth, of_game: bool) -> Picture:
    """The picture of the last game if that is wanted and the game is over; else of the evening."""
    if of_game and table.state.outcome:
        return game_picture(table)
    return evening_picture(evening_screen(table, table_id, False, worth))


def share_screen(table: Table, table_id: str, dealer: bool, worth: Worth, of_game: bool, picture: str) -> Shared:
    """The page with picture, text and buttons."""
    drawn = picture_of(table, table_id, worth, of_game)
    if of_game and table.state.outcome:
        title = translate(table.games[table.state.game].title)
        text = "\n".join((dated(title, table), *game_text(table))) + "\n"
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
