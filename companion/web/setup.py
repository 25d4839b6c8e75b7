"""The set-up page: a game, the seats, the options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flask import Blueprint, render_template, request, session
from flask.typing import ResponseReturnValue

from companion.engine.notation import LEAST_SEATS, MOST_SEATS, Entry, clean_name
from companion.engine.sentence import EntryError, InvalidEntry, say
from companion.games import GAMES
from companion.table.change import Change
from companion.table.people import LETTERS
from companion.web.addresses import A_TABLE
from companion.web.board.screen import Mark, Message
from companion.web.forms import game_from, whole
from companion.web.games import rooms
from companion.web.games.examples import players
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.importing import opened
from companion.web.options import (
    FIRST_GAME,
    SCORE_ONLY,
    OptionFields,
    fields_of,
    game_of,
    sent_options,
    values_of,
)
from companion.web.people import known_people, remember_people
from companion.web.phones import own_secret
from companion.web.table import change, load_for_phone, show_board
from companion.web.tables import tables

blueprint = Blueprint("setup", __name__)


@dataclass(frozen=True)
class GameTile:
    """A game in the menu."""

    key: str
    title: str
    players: str
    pitch: str
    faces: tuple[str, ...]
    chosen: bool = False
    counts: range = range(LEAST_SEATS, MOST_SEATS + 1)  # of players


@dataclass(frozen=True)
class SeatField:
    mark: Mark
    name: str


@dataclass(frozen=True)
class SetupScreen:
    games: tuple[GameTile, ...]
    numbers: range
    seats: tuple[SeatField, ...]
    people: tuple[str, ...]  # names used before
    options: OptionFields
    message: str = ""
    who: WhoPlays | None = None


@dataclass(frozen=True)
class WhoPlays:
    """The question who plays, where more names were typed than seats were chosen."""

    count: int  # the seats that were chosen
    some: tuple[str, ...]  # the names on those seats
    all: tuple[str, ...]


def setup_screen(
    remembered: Mapping[str, str], people: Iterable[str] = (), message: str = "", who: WhoPlays | None = None
) -> SetupScreen:
    """The set-up page, filled in with the values that a phone remembers or a form sent."""
    chosen = remembered.get("game", FIRST_GAME)
    chosen = chosen if chosen in GAMES or chosen == SCORE_ONLY else FIRST_GAME
    names = remembered["names"].split("/") if remembered.get("names") else []
    return SetupScreen(
        (*game_tiles(chosen), score_tile(chosen)),
        range(LEAST_SEATS, MOST_SEATS + 1),
        tuple(seat_field(place, names) for place in range(MOST_SEATS)),
        tuple(name for name in people if name not in names),
        fields_of(chosen, remembered),
        message,
        who,
    )


def game_tiles(chosen: str = "") -> tuple[GameTile, ...]:
    return tuple(
        GameTile(
            room.game.key,
            room.title,
            players(room.game.players[0], room.game.players[-1]),
            translate(room.game.pitch),
            room.tile,
            room.game.key == chosen,
            room.game.players,
        )
        for room in rooms()
    )


def score_tile(chosen: str) -> GameTile:
    game = GAMES[FIRST_GAME]
    pitch = _("no cards to enter")
    title, count = _("Points only"), players(game.players[0], game.players[-1])
    return GameTile(SCORE_ONLY, title, count, pitch, ("+",), chosen == SCORE_ONLY)


def seat_field(place: int, names: list[str]) -> SeatField:
    return SeatField(Mark(LETTERS[place], f"s{place + 1}"), names[place] if place < len(names) else "")


def read_setup(form: Mapping[str, str]) -> tuple[list[str], Entry]:
    """The names and the first entry of a set-up form."""
    count = seats_asked(form)
    if not LEAST_SEATS <= count <= MOST_SEATS:
        raise InvalidEntry(say("A table has {least} to {most} seats.", least=LEAST_SEATS, most=MOST_SEATS))
    names = [clean_name(form.get(f"name-{place}", "").strip() or LETTERS[place]) for place in range(count)]
    return names, read_game(form, count)


def seats_asked(form: Mapping[str, str]) -> int:
    return whole(form.get("only") or form.get("seats", "")) or 0


def names_left_out(form: Mapping[str, str], remembered: Mapping[str, str]) -> WhoPlays | None:
    """The question who plays, if there are more names than seats.

    None if it was answered already, or if the names are those that the form was filled in with.
    """
    count = seats_asked(form)
    typed = [form.get(f"name-{place}", "").strip() for place in range(MOST_SEATS)]
    while typed and not typed[-1]:
        typed.pop()
    if form.get("only") or len(typed) <= count or count < LEAST_SEATS or names_of(form) == remembered.get("names"):
        return None
    everybody = tuple(name or LETTERS[place] for place, name in enumerate(typed))
    return WhoPlays(count, everybody[:count], everybody)


def read_game(form: Mapping[str, str], count: int) -> Entry:
    """The entry that starts the game for this many players, with the options that were set."""
    chosen = form.get("game", FIRST_GAME)
    key = game_of(chosen)
    if key not in GAMES:
        raise InvalidEntry(say("“{key}” is not a game.", key=key[:20]))
    sent = {name.removeprefix("o-"): value for name, value in sent_options(form).items()}
    cards = {"cards": "no"} if chosen == SCORE_ONLY else {}
    return game_from(key, {**GAMES[key].options_for(count), **sent, **cards})


def to_remember(form: Mapping[str, str]) -> dict[str, str]:
    """The game, names and options of a form, for the next set-up on this phone."""
    kept = {"game": form.get("game", FIRST_GAME), "names": names_of(form)}
    return {**{key: value for key, value in kept.items() if value}, **sent_options(form)}


def names_of(form: Mapping[str, str]) -> str:
    """All names of a form in one text."""
    return "/".join(form.get(f"name-{place}", "").strip().replace("/", "") for place in range(MOST_SEATS)).rstrip("/")


@blueprint.get("/new")
def new() -> ResponseReturnValue:
    """The set-up page for a new table. The form reloads it when another game is chosen."""
    own_secret()  # as on the home page
    return render_template("lobby/setup.html", screen=setup_screen(asked_or(session.get("setup", {})), known_people()))


def asked_or(before: Mapping[str, str]) -> Mapping[str, str]:
    """The set-up form while its game or options are being changed; else what was set before.

    Options belong to one game. A game that was just chosen has its defaults, or its own options from before.
    """
    form = request.args.to_dict()
    if "game" not in form:
        return before
    asked = to_remember(form)
    just_chosen = form.get("for", asked["game"]) != asked["game"]
    return {**before, **asked} if just_chosen and before.get("game") == asked["game"] else asked


@blueprint.post("/tables")
def create() -> ResponseReturnValue:
    """Open a table. The phone that opens it deals."""
    form = request.form.to_dict()
    who = names_left_out(form, session.get("setup", {}))
    if who is not None:
        screen = setup_screen(to_remember(form), known_people(), who=who)
        return render_template("lobby/setup.html", screen=screen), 422
    try:
        names, entry = read_setup(form)
        answer = opened(names, [entry])
    except EntryError as error:
        screen = setup_screen(to_remember(form), known_people(), translate(error.sentence))
        return render_template("lobby/setup.html", screen=screen), 422
    session["setup"] = to_remember(form)
    remember_people(names)
    return answer


@blueprint.post("/new-evening")
def new_evening() -> ResponseReturnValue:
    """Open a new table for the same people and game: everything starts at zero."""
    old = tables().load(request.form.get("table", ""))
    return opened([seat.name for seat in old.state.seats], [old.game_entry()])


@blueprint.get(f"{A_TABLE}/game")
def game(table_id: str) -> ResponseReturnValue:
    """The page to choose the next game of a table: the same with the same options, or another."""
    table, _dealer = load_for_phone(table_id)
    screen = setup_screen(asked_or(values_of(table.game_entry())))
    return render_template("table/game.html", version=table.version, screen=screen)


@blueprint.post(f"{A_TABLE}/game")
def start_game(table_id: str) -> ResponseReturnValue:
    """End the present game and start another."""
    table, dealer = load_for_phone(table_id)
    try:
        entry = read_game(request.form.to_dict(), len(table.state.seats))
    except EntryError as error:
        return show_board(table_id, table, dealer, Message(translate(error.sentence)), 422)
    return change(table_id, Change("enter", (str(entry),)))
