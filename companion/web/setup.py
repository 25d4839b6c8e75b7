"""The set-up page: a game, the seats, the options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from flask import Blueprint, render_template, request, session
from flask.typing import ResponseReturnValue

from companion.coach import has_coach
from companion.engine.notation import LEAST_SEATS, MOST_SEATS, Entry, clean_name
from companion.engine.options import Option
from companion.engine.sentence import EntryError, InvalidEntry, Sentence, say
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
from companion.web.people import known_people, remember_people
from companion.web.phones import own_secret
from companion.web.table import change, load_for_phone, show_board
from companion.web.tables import tables

blueprint = Blueprint("setup", __name__)

FIRST_GAME = "pairs"
SCORE_ONLY = "score"  # the tile for the first game without its cards
LONGEST_VALUE = 300  # characters of an option that a phone remembers


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
class OptionField:
    """An option of the chosen game: a choice, a number or a text. An empty value is the default."""

    name: str
    title: str
    words: tuple[tuple[str, str], ...]  # each choice in the notation and in words
    value: str
    default: str  # in words
    is_number: bool


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
    fields: tuple[OptionField, ...]
    options: str  # all options in force, in one line
    message: str = ""
    who: WhoPlays | None = None


@dataclass(frozen=True)
class WhoPlays:
    """A question: more names were typed than seats were chosen."""

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
        option_fields(chosen, remembered),
        " · ".join(map(translate, options_that_hold(chosen, remembered))),
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
    pitch = _("Points only: no cards")
    title, count = _("Points only"), players(game.players[0], game.players[-1])
    return GameTile(SCORE_ONLY, title, count, pitch, ("+",), chosen == SCORE_ONLY)


def options_of(chosen: str) -> dict[str, Option]:
    """The options that can be set for a tile."""
    key = FIRST_GAME if chosen == SCORE_ONLY else chosen
    left_out = {"cards", "odds", "burn"} if chosen == SCORE_ONLY else set() if has_coach(key) else {"coach"}
    return {name: option for name, option in GAMES[key].options.items() if name not in left_out}


def options_that_hold(chosen: str, remembered: Mapping[str, str]) -> Iterator[Sentence]:
    """The options in force, set or by default. A buy-in of 0 and a sum that no stakes use are left out."""
    quiet = {"buyin"} if remembered.get("o-stakes") == "tacoma" else {"buyin", "sum"}
    for key, option in options_of(chosen).items():
        with suppress(ValueError):  # an invalid value is refused when the table is opened
            raw = remembered.get(f"o-{key}", "").strip()
            value = option.read(raw) if raw else None if key in quiet else option.default
            line = None if value is None else option.line(value)
            if line is not None:
                yield line


def seat_field(place: int, names: list[str]) -> SeatField:
    return SeatField(Mark(LETTERS[place], f"s{place + 1}"), names[place] if place < len(names) else "")


def option_fields(game: str, remembered: Mapping[str, str]) -> tuple[OptionField, ...]:
    """Every option of a game, its own first."""
    return tuple(option_field(key, option, remembered) for key, option in options_of(game).items())


def option_field(key: str, option: Option, remembered: Mapping[str, str]) -> OptionField:
    name = f"o-{key}"
    usual = option.default
    words = tuple(("" if word == usual else word, translate(said)) for word, said in option.words.items())
    value = remembered.get(name, "")
    default = translate(option.unset) if usual is None else _("{value} (default)").format(value=usual)
    return OptionField(name, translate(option.title), words, "" if value == usual else value, default, option.is_number)


def read_setup(form: Mapping[str, str]) -> tuple[list[str], Entry]:
    """The names and the first entry of a set-up form."""
    count = seats_asked(form)
    if not LEAST_SEATS <= count <= MOST_SEATS:
        raise InvalidEntry(say("A table has {least} to {most} seats.", least=LEAST_SEATS, most=MOST_SEATS))
    names = [clean_name(form.get(f"name-{place}", "").strip() or LETTERS[place]) for place in range(count)]
    return names, read_game(form)


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


def read_game(form: Mapping[str, str]) -> Entry:
    """The entry that starts the game, with the options that were set."""
    chosen = form.get("game", FIRST_GAME)
    key = FIRST_GAME if chosen == SCORE_ONLY else chosen
    if key not in GAMES:
        raise InvalidEntry(say("“{key}” is not a game.", key=key[:20]))
    given = {name: form.get(f"o-{name}", "").strip() for name in options_of(chosen)}
    if chosen == SCORE_ONLY:
        given["cards"] = "no"
    return game_from(key, {name: value for name, value in given.items() if value})


def to_remember(form: Mapping[str, str]) -> dict[str, str]:
    """The game, names and options of a form, for the next set-up on this phone."""
    known = {f"o-{key}" for game in GAMES.values() for key in game.options}
    options = {name: value[:LONGEST_VALUE] for name, value in form.items() if name in known}
    kept = {"game": form.get("game", FIRST_GAME), "names": names_of(form)}
    return {key: value for key, value in {**kept, **options}.items() if value}


def names_of(form: Mapping[str, str]) -> str:
    """All names of a form in one text."""
    return "/".join(form.get(f"name-{place}", "").strip().replace("/", "") for place in range(MOST_SEATS)).rstrip("/")


@blueprint.get("/new")
def new() -> ResponseReturnValue:
    """The set-up page for a new table. The form reloads it when another game is chosen."""
    own_secret()  # as on the home page
    remembered = {**session.get("setup", {}), **to_remember_asked()}
    return render_template("lobby/setup.html", screen=setup_screen(remembered, known_people()))


def to_remember_asked() -> dict[str, str]:
    """The fields of the set-up form while its game is being changed."""
    return to_remember(request.args.to_dict()) if "game" in request.args else {}


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
    """The page to choose the next game of a table."""
    table, _dealer = load_for_phone(table_id)
    screen = setup_screen({"game": table.state.game, **request.args.to_dict()})
    return render_template("table/game.html", version=table.version, screen=screen)


@blueprint.post(f"{A_TABLE}/game")
def start_game(table_id: str) -> ResponseReturnValue:
    """End the present game and start another."""
    try:
        entry = read_game(request.form.to_dict())
    except EntryError as error:
        table, dealer = load_for_phone(table_id)
        return show_board(table_id, table, dealer, Message(translate(error.sentence)), 422)
    return change(table_id, Change("enter", (str(entry),)))
