"""Pages without a table: home, the tables of this phone, joining by code, settings."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.notation import Entry
from companion.engine.options import in_line
from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.store import Listed
from companion.table.table import Table
from companion.web import another_phone
from companion.web.board.screen import Mark
from companion.web.board.triangle import Triangle, triangle
from companion.web.dealing import TYPED_LENGTH, UnknownTable, id_from
from companion.web.files import MARK, file_of
from companion.web.format import number_word
from companion.web.games import board_screen
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.importing import arrived, found
from companion.web.phones import my_aliases, my_tables, note_copy, own_secret, remember_watched, tables_in_sight
from companion.web.slow import slow
from companion.web.tables import tables


@dataclass(frozen=True)
class KnownTable:
    """A table this phone deals at."""

    table_id: str
    title: str
    line: str
    mark: Mark
    names: tuple[str, ...]


@dataclass(frozen=True)
class HomeScreen:
    newest: KnownTable | None
    again: Again | None  # if the game at the newest table is over
    rules: str  # the newest table's game and options, in a line
    triangle: Triangle
    games: str  # their number in words


@dataclass(frozen=True)
class Again:
    """The button for the next game at the same table, with the same rules."""

    version: int
    entry: str


def home_screen(newest: tuple[Listed, Table] | None) -> HomeScreen:
    """The home page, with the table that this phone dealt last."""
    if newest is None:
        return HomeScreen(
            None, None, "", triangle(Table.open(GAMES, ("A", "B"), ["game pairs"]).state), count_of_games()
        )
    listed, table = newest
    known, entry = known_table(listed.table, table), table.game_entry()
    over = table.state.phase == "game over"
    again = Again(table.version, str(entry)) if over else None
    return HomeScreen(known, again, describe(entry), triangle(table.state), count_of_games())


def count_of_games() -> str:
    return number_word(len(GAMES))


def known_table(table_id: str, table: Table) -> KnownTable:
    screen = board_screen(table, table_id, dealer=True)
    names = tuple(seat.name for seat in table.state.seats)
    said = screen.title.rpartition(" · ")[2].casefold() == screen.who.casefold()  # that the round is over
    line = screen.do if said else f"{screen.who} · {screen.do}"
    return KnownTable(table_id, screen.title, line, screen.mark, names)


def describe(entry: Entry) -> str:
    """A game and its options in one line."""
    key, options = entry.args
    game = GAMES[key]
    return " · ".join(map(translate, (game.title, *in_line(game.options, options))))


blueprint = Blueprint("lobby", __name__)

LONGEST_CODE = 200  # characters of a wrong code that are shown again
SETTINGS = {"language": LANGUAGES, "theme": ("auto", "dark", "light"), "thumb": ("right", "left")}


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """The home page."""
    dealt = (one for one in tables_in_sight() if one.dealt)
    # `load` finds every damage that the table's page would find.
    newest = next(found(dealt, lambda one: tables().load(one.table)), None)
    own_secret()  # before any form: if the answer to it is lost, the phone can still deal
    return render_template("lobby/home.html", screen=home_screen(newest))


@blueprint.get("/phone/tables.txt")
def all_tables() -> ResponseReturnValue:
    """All tables of this phone in one file, the newest last, for the import."""
    with slow().turn():
        text = file_of(found(reversed(my_tables())), my_aliases())
    note_copy()
    answer = Response(text, content_type="text/plain; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="fifty-five-tables.txt"'
    return answer


@blueprint.route("/join", methods=["GET", "POST"])
def join() -> ResponseReturnValue:
    """Watch a table by its code, typed or scanned."""
    typed = request.form.get("code", "")
    if request.method == "GET":
        return render_template("lobby/join.html", message="", code="")
    if MARK in typed:  # the code holds a whole table
        return arrived(typed)
    if another_phone.link() in typed:
        return redirect(url_for("another_phone.add", code=another_phone.code_in(typed)), 303)
    table_id = id_from(typed)
    try:
        tables().dealing.standing(table_id)
    except UnknownTable:
        message = _("No table has this code. It is written under the QR code on the dealer’s phone.")
        if len(typed.strip()) < TYPED_LENGTH:
            message = _(
                "This code is too short: a table code has {count} letters and digits, in groups of four."
            ).format(count=TYPED_LENGTH)
        return render_template("lobby/join.html", message=message, code=typed[:LONGEST_CODE]), 422
    remember_watched(table_id)
    return redirect(url_for("table.show", table_id=table_id), 303)


@blueprint.route("/forget", methods=["GET", "POST"])
def forget() -> ResponseReturnValue:
    """Clear everything on this phone: settings, names, and the right to deal at its tables."""
    if request.method == "GET":
        return render_template("lobby/forget.html")
    session.clear()
    answer = redirect(url_for("lobby.home"), 303)
    answer.headers["Clear-Site-Data"] = '"storage"'  # with the copies of boards
    return answer


@blueprint.post("/settings")
def settings() -> ResponseReturnValue:
    """Set language, theme and left or right thumb, for this phone."""
    for name, allowed in SETTINGS.items():
        if request.form.get(name) in allowed:
            session[name] = request.form[name]
            session.permanent = True
    return redirect(url_for("lobby.home", settings="open", _anchor="settings"), 303)
