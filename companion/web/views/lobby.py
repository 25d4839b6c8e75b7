"""Before a table: home, set-up, import."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.sentence import EntryError
from companion.i18n import LANGUAGES
from companion.web.addresses import addresses_of
from companion.web.dealing import TYPED_LENGTH, UnknownTable, id_from
from companion.web.forms import whole
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.links import MARK
from companion.web.many_tables import file_of
from companion.web.screens.home import Evenings, OnThisPhone, evenings_screen, home_screen
from companion.web.screens.pieces import LETTERS
from companion.web.screens.setup import names_left_out, read_setup, setup_screen, to_remember
from companion.web.security import remember_watched, tables_of_this_phone
from companion.web.tables import tables

from .arriving import arrived, found, opened

blueprint = Blueprint("lobby", __name__)

PEOPLE = 16  # how many names a phone remembers
EVENINGS = 8  # on a page
LONGEST_CODE = 200  # characters of a code that are shown again
SETTINGS = {"language": tuple(LANGUAGES), "theme": ("auto", "dark", "light"), "thumb": ("right", "left")}


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """Resume, deal again, new table."""
    newest = next(found(reversed(session.get("dealer", {}))), None)
    return render_template("lobby/home.html", screen=home_screen(newest))


@blueprint.get("/evenings")
def evenings() -> ResponseReturnValue:
    """All tables of this phone, past ones too: where it dealt, and where it watched."""
    return render_template("lobby/evenings.html", screen=evenings_wanted())


def evenings_wanted() -> Evenings:
    """As many as a page holds."""
    first = whole(request.args.get("from", "")) or 0
    here = tables_of_this_phone()
    more = first + EVENINGS if len(here) > first + EVENINGS else None
    return evenings_screen(found(here[first : first + EVENINGS]), session.get("dealer", {}), more)


@blueprint.get("/phone")
def on_this_phone() -> ResponseReturnValue:
    """What this phone keeps: its tables, the room they take, and all of them as one file."""
    screen = OnThisPhone(evenings_wanted(), len(tables_of_this_phone()))
    return render_template("lobby/phone.html", screen=screen)


@blueprint.get("/phone/tables.txt")
def all_tables() -> ResponseReturnValue:
    """All tables of this phone in one file, the newest last; the import reads it."""
    text = file_of(table for _id, table in found(reversed(tables_of_this_phone())))
    answer = Response(text, content_type="text/plain; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="fifty-five-tables.txt"'
    return answer


@blueprint.route("/join", methods=["GET", "POST"])
def join() -> ResponseReturnValue:
    """Watch a table whose code was typed, or scanned by this page."""
    typed = request.form.get("code", "")
    if request.method == "GET":
        return render_template("lobby/join.html", message="", code="")
    if MARK in typed:  # a code that holds a whole table
        return arrived(typed)
    table_id = id_from(typed)
    try:
        tables().dealing.standing(table_id)
    except UnknownTable:
        message = _("No table has this code. It is written under the QR code on the dealer's phone.")
        if len(typed.strip()) < TYPED_LENGTH:
            message = _("This code is too short: it has {count} letters and digits, in groups of four.").format(
                count=TYPED_LENGTH
            )
        return render_template("lobby/join.html", message=message, code=typed[:LONGEST_CODE]), 422
    if table_id not in session.get("me", {}):
        remember_watched(table_id)
    return redirect(addresses_of(table_id).board, 303)


@blueprint.route("/forget", methods=["GET", "POST"])
def forget() -> ResponseReturnValue:
    """This phone forgets everything: settings, names, and the right to deal at its tables."""
    if request.method == "GET":
        return render_template("lobby/forget.html")
    session.clear()
    answer = redirect(url_for("lobby.home"), 303)
    answer.headers["Clear-Site-Data"] = '"storage"'  # the last seen boards, too
    return answer


@blueprint.post("/settings")
def settings() -> ResponseReturnValue:
    """Language, theme and the thumb that taps, remembered on this phone."""
    for name, allowed in SETTINGS.items():
        if request.form.get(name) in allowed:
            session[name] = request.form[name]
            session.permanent = True
    return redirect(url_for("lobby.home", settings="open", _anchor="settings"), 303)


@blueprint.get("/new")
def setup() -> ResponseReturnValue:
    """Choose a game, then tap the number of seats. A form that changes the game asks for its options."""
    remembered = {**session.get("setup", {}), **to_remember_asked()}
    return render_template("lobby/setup.html", screen=setup_screen(remembered, session.get("people", [])))


def to_remember_asked() -> dict[str, str]:
    """What the set-up form holds while its game is being changed."""
    return to_remember(request.args.to_dict()) if "game" in request.args else {}


@blueprint.post("/tables")
def create() -> ResponseReturnValue:
    """Open a table as the form says; the phone that does so deals."""
    form = request.form.to_dict()
    who = names_left_out(form, session.get("setup", {}))
    if who is not None:
        screen = setup_screen(to_remember(form), session.get("people", []), who=who)
        return render_template("lobby/setup.html", screen=screen), 422
    try:
        names, entry = read_setup(form)
        answer = opened(names, [entry])
    except EntryError as error:
        screen = setup_screen(to_remember(form), session.get("people", []), translate(error.sentence))
        return render_template("lobby/setup.html", screen=screen), 422
    session["setup"] = to_remember(form)
    remember_people(names)
    return answer


def remember_people(names: list[str]) -> None:
    """Names used on this phone are offered again; letters were no names."""
    real = [name for name in names if name not in LETTERS]
    session["people"] = list(dict.fromkeys([*real, *session.get("people", [])]))[:PEOPLE]


@blueprint.post("/new-evening")
def new_evening() -> ResponseReturnValue:
    """The same people and the same game at a new table: everything starts at zero."""
    old = tables().load(request.form.get("table", ""))
    return opened([seat.name for seat in old.state.seats], [old.game_entry()])


@blueprint.route("/import", methods=["GET", "POST"])
def import_record() -> ResponseReturnValue:
    """A table from a record file, or from a link that carries one; it can be looked at before it is opened."""
    if request.method == "GET":
        return render_template("lobby/import.html", message="", record="")
    upload = request.files.get("file")
    record = upload.read().decode("utf-8", "replace") if upload and upload.filename else request.form.get("record", "")
    return arrived(record, look="look" in request.form)
