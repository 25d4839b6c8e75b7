"""The rules: one page a game, in our own words; the figures come from the engine."""

from __future__ import annotations

from types import SimpleNamespace
from unicodedata import normalize

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.cards import CARDS_IN_A_DECK
from companion.games import GAMES
from companion.web.dealing import AN_ID
from companion.web.games import room_of, rooms
from companion.web.games.examples import DECK, players
from companion.web.i18n import translate
from companion.web.lobby import count_of_games
from companion.web.options import options_of
from companion.web.setup import game_tiles

blueprint = Blueprint("rules", __name__, url_prefix="/rules")


def words() -> list[tuple[str, str, str]]:
    """The index: a word, the game whose page explains it, and the place on that page."""
    found = [(translate(word), room.game.key, place) for room in rooms() for word, place in room.words]
    return sorted(found, key=lambda entry: normalize("NFD", entry[0]).casefold())  # é is sorted as e


def table_left() -> str:
    """The id of the table that the reader came from, or an empty text."""
    table_id = request.args.get("table", "")
    return table_id if AN_ID.fullmatch(table_id) else ""


def way_back(otherwise: str) -> str:
    return url_for("table.show", table_id=table_left()) if table_left() else url_for(otherwise)


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The games, and an index of words."""
    return render_template(
        "rules/index.html",
        back=way_back("lobby.home"),
        table=table_left(),
        games=game_tiles(),
        count=count_of_games(),
        words=words(),
        cards=CARDS_IN_A_DECK,
        deck=DECK,
    )


@blueprint.get("/<game>")
def page(game: str) -> ResponseReturnValue:
    """One game."""
    if game not in GAMES:
        abort(404)
    room = room_of(game)
    return render_template(
        room.rules,
        back=way_back("rules.index"),
        table=table_left(),
        title=translate(room.game.title),
        players=players(room.game.players[0], room.game.players[-1]),
        game=room.game,
        options=options_of(game).values(),
        example=room.example() if room.example else None,
        n=SimpleNamespace(**room.rule_figures()),
    )
