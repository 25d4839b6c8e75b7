"""Before a table: home, set-up, import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.errors import EntryError, InvalidEntry
from companion.engine.notation import Entry, clean_name, parse
from companion.engine.seating import LEAST_SEATS, MOST_SEATS
from companion.engine.sentence import say
from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.table.table import Table
from companion.web.addresses import addresses_of
from companion.web.dealing import UnknownTable
from companion.web.forms import whole
from companion.web.games import board
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.screens.board import Mark
from companion.web.security import remember_dealer
from companion.web.tables import tables
from companion.web.triangle import Triangle, triangle

from .api import opening

blueprint = Blueprint("lobby", __name__)

LETTERS = "ABCDEFGH"
PEOPLE = 16  # how many names a phone remembers
SHOWN_AGAIN = 50_000  # characters of a record that could not be opened
FACES = {
    "pairs": ("7", "7"),
    "continuous": ("4", "∞"),
    "port": ("21",),
    "starboard": ("4", "9"),
    "rocket": ("3",),
    "blackstone": ("●", "○"),
    "hawthorn": ("", "5"),
    "zombie": ("8", "8"),
}


@dataclass(frozen=True)
class GameCard:
    """A game in the menu."""

    key: str
    title: str
    players: str
    pitch: str
    faces: tuple[str, ...]
    chosen: bool


@dataclass(frozen=True)
class OptionField:
    """A field of the set-up: a choice, or a number."""

    key: str
    title: str
    games: str  # the keys of the games that know it, blanks between
    words: tuple[str, ...]  # for a choice
    value: str
    least: str = ""


@dataclass(frozen=True)
class Known:
    """A table this phone deals at."""

    table_id: str
    address: str
    title: str
    line: str
    mark: Mark
    triangle: Triangle
    again: str  # the entry that deals the same again
    names: tuple[str, ...]


def known_tables(most: int = 6) -> list[Known]:
    """The tables of this phone, newest first."""
    found = []
    for table_id in reversed(list(session.get("dealer", {}))[-most:]):
        try:
            found.append(_known(table_id, tables().load(table_id)))
        except UnknownTable:
            continue
    return found


def _known(table_id: str, table: Table) -> Known:
    screen = board(table, table_id, dealer=True)
    return Known(
        table_id,
        screen.at.board,
        screen.title,
        f"{screen.who} · {screen.do}",
        screen.mark,
        triangle(table.state),
        str(table.game_entry()),
        tuple(seat.name for seat in table.state.seats),
    )


def describe(entry: Entry) -> str:
    """A game and its options in one line."""
    key, options = entry.args
    words = [translate(GAMES[key].title)]
    words += [value if name == "stakes" else f"{name} {value}" for name, value in options if name != "forfeit"]
    return " · ".join(words)


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """Resume, deal again, new table."""
    tables_here = known_tables()
    newest = tables_here[0] if tables_here else None
    full = triangle(Table.open(GAMES, ("A", "B"), ["game pairs"]).state) if newest is None else newest.triangle
    again = describe(parse(newest.again)) if newest else ""
    return render_template("lobby/home.html", known=tables_here, newest=newest, again=again, triangle=full)


SETTINGS = {"language": tuple(LANGUAGES), "theme": ("auto", "dark", "light"), "hand": ("right", "left")}


@blueprint.post("/settings")
def settings() -> ResponseReturnValue:
    """Language, theme and hand, remembered on this phone."""
    for name, allowed in SETTINGS.items():
        if request.form.get(name) in allowed:
            session[name] = request.form[name]
            session.permanent = True
    return redirect(url_for("lobby.home"), 303)


@blueprint.get("/new")
def setup() -> ResponseReturnValue:
    """Choose a game, then tap the number of seats."""
    return render_template("lobby/setup.html", **setup_things({}))


def setup_things(given: Mapping[str, str], message: str = "") -> dict[str, Any]:
    """What the set-up page shows: what was chosen last, unless a form says otherwise."""
    last = {**session.get("setup", {}), **given}
    chosen = last.get("game", "pairs")
    names = last.get("names", "").split("/") if last.get("names") else []
    return {
        "games": [
            GameCard(
                key,
                translate(game.title) if key != "continuous" else _("Continuous"),
                _("{least}–{most} players").format(least=game.players[0], most=game.players[-1]),
                translate(game.pitch),
                FACES[key],
                key == chosen,
            )
            for key, game in GAMES.items()
        ],
        "numbers": range(LEAST_SEATS, MOST_SEATS + 1),
        "usual": whole(last.get("seats", "")) or 4,
        "names": [
            (Mark(LETTERS[i], f"s{i + 1}"), names[i] if i < len(names) else "", LETTERS[i]) for i in range(MOST_SEATS)
        ],
        "people": [name for name in session.get("people", []) if name not in names],
        "fields": option_fields(last),
        "message": message,
    }


TITLES = {
    "stakes": say("Stakes"),
    "sum": say("Tacoma's sum"),
    "forfeit": say("Forfeit"),
    "limit": say("Limit"),
    "calamities": say("Calamities: 7s strike"),
    "eights": say("Pieces of Eight"),
    "goal": say("Goal"),
    "decks": say("Decks"),
    "ante": say("Ante"),
    "bet": say("First bet"),
    "max": say("Largest bet"),
    "button": say("Button: lowest starts"),
    "locks": say("Locks die at a"),
    "oldest": say("Oldest first (A/B/C)"),
    "burn": say("Burn"),
    "buyin": say("Buy-in"),
    "odds": say("Odds are shown to"),
    "cards": say("Enter the cards"),
}


def option_fields(last: Mapping[str, str]) -> list[OptionField]:
    """Every option of every game, once."""
    found = []
    for key, title in TITLES.items():
        owners = [game for game in GAMES if key in GAMES[game].options]
        option = GAMES[owners[0]].options[key]
        words = tuple(str(option.takes.values.get("words", "")).split(", ")) if "words" in option.takes.values else ()
        games = "all" if len(owners) == len(GAMES) else " ".join(owners)
        found.append(OptionField(key, translate(title), games, words, last.get(f"o-{key}", "")))
    return found


def read_setup(form: Mapping[str, str]) -> tuple[list[str], Entry]:
    """The names and the opening entry a set-up form asks for."""
    count = whole(form.get("seats", "")) or 0
    if not LEAST_SEATS <= count <= MOST_SEATS:
        raise InvalidEntry(say("A table has {least} to {most} seats.", least=LEAST_SEATS, most=MOST_SEATS))
    names = [clean_name(form.get(f"name-{i}", "").strip() or LETTERS[i]) for i in range(count)]
    return names, read_game(form)


def read_game(form: Mapping[str, str]) -> Entry:
    """The game and those of its options that were set."""
    key = form.get("game", "pairs")
    if key not in GAMES:
        raise InvalidEntry(say("“{key}” is not a game.", key=key[:20]))
    known = GAMES[key].options
    options = {name: form[f"o-{name}"].strip() for name in known if form.get(f"o-{name}", "").strip()}
    return opening(key, options)


@blueprint.post("/tables")
def create() -> ResponseReturnValue:
    """Open a table as the form says; the phone that does so deals."""
    form = request.form.to_dict()
    try:
        names, entry = read_setup(form)
        table_id, secret, _table = tables().create(names, [entry], request.remote_addr)
    except EntryError as error:
        return render_template("lobby/setup.html", **setup_things(_remembered(form), translate(error.sentence))), 422
    session["setup"] = _remembered(form)
    remember_people(names)
    return _opened(table_id, secret)


def remember_people(names: list[str]) -> None:
    """Names used on this phone are offered again; letters were no names."""
    real = [name for name in names if name not in LETTERS]
    session["people"] = list(dict.fromkeys([*real, *session.get("people", [])]))[:PEOPLE]


def _remembered(form: Mapping[str, str]) -> dict[str, str]:
    names = "/".join(form.get(f"name-{i}", "").strip().replace("/", "") for i in range(MOST_SEATS)).rstrip("/")
    options = {f"o-{key}": form.get(f"o-{key}", "") for key in TITLES}
    kept = {"game": form.get("game", "pairs"), "seats": form.get("seats", "4"), "names": names, **options}
    return {key: value[:300] for key, value in kept.items() if value}


def _opened(table_id: str, secret: str) -> ResponseReturnValue:
    remember_dealer(table_id, secret)
    return redirect(addresses_of(table_id).board, 303)


@blueprint.post("/again")
def again() -> ResponseReturnValue:
    """The same people, the same game, a new table."""
    old = tables().load(request.form.get("table", ""))
    table_id, secret, _table = tables().create(
        [seat.name for seat in old.state.seats], [old.game_entry()], request.remote_addr
    )
    return _opened(table_id, secret)


@blueprint.route("/import", methods=["GET", "POST"])
def import_record() -> ResponseReturnValue:
    """A table from a record file."""
    if request.method == "GET":
        return render_template("lobby/import.html", message="", record="")
    tables().demand_room(request.remote_addr)
    upload = request.files.get("file")
    record = upload.read().decode("utf-8", "replace") if upload and upload.filename else request.form.get("record", "")
    try:
        read = Table.from_record(GAMES, record)
        table_id, secret, _table = tables().create(
            read.names, [step.entry for step in read.steps()], request.remote_addr
        )
    except EntryError as error:
        line = getattr(error, "line", None)
        where = _("Line {line}: ").format(line=line) if line else ""
        message = where + translate(error.sentence)
        shown = record if len(record) <= SHOWN_AGAIN else ""  # a book is not sent back
        return render_template("lobby/import.html", message=message, record=shown), 422
    return _opened(table_id, secret)
