"""What is shared of a table: a picture and a text, of the game that is over or of the evening."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.downloads import as_text
from companion.web.evening import evening_screen, known_worth
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.pages import Screen, common
from companion.web.picture import Picture, evening_picture, game_picture, game_text
from companion.web.slow import slow
from companion.web.table import look
from companion.web.worth import Worth

blueprint = Blueprint("share", __name__, url_prefix=A_TABLE)


@dataclass(frozen=True)
class Shared(Screen):
    picture: str  # its address
    height: int
    label: str
    text: str


def picture_of(table: Table, table_id: str, worth: Worth, of_game: bool) -> Picture:
    """Of the game that is over, if that is wanted and one is; else of the evening."""
    if of_game and table.state.outcome:
        drawn = game_picture(table)
    else:
        drawn = evening_picture(evening_screen(table, table_id, False, worth))
    return replace(drawn, day=(table.head.at or "")[: len("2026-11-17")])


def share_screen(table: Table, table_id: str, dealer: bool, worth: Worth, of_game: bool, picture: str) -> Shared:
    """The page with both, and the buttons."""
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
    """A picture and a text for the others, of the game that is over or of the evening."""
    table, dealer = look(table_id)
    of_game = request.args.get("of") == "game"
    address = url_for("share.picture", of="game" if of_game else None)
    with slow().turn(table.head.number):
        screen = share_screen(table, table_id, dealer, known_worth(), of_game, address)
    return render_template("share/share.html", screen=screen)


@blueprint.get("/share.svg")
def picture(table_id: str) -> ResponseReturnValue:
    """The picture alone."""
    table, _dealer = look(table_id)
    with slow().turn(table.head.number):
        drawn = picture_of(table, table_id, known_worth(), request.args.get("of") == "game")
    return Response(render_template("share/picture.svg", picture=drawn), content_type="image/svg+xml; charset=utf-8")
