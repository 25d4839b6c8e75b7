"""The set-up: a game, the seats, the options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.engine.errors import InvalidEntry
from companion.engine.notation import LEAST_SEATS, MOST_SEATS, Entry, clean_name
from companion.engine.options import Option
from companion.engine.sentence import say
from companion.games import GAMES
from companion.web.forms import game_from, whole
from companion.web.games import room_of, rooms
from companion.web.i18n import translate

from .board import Mark
from .pieces import LETTERS
from .rules import players

FIRST_GAME = "pairs"
USUAL_SEATS = 4
LONGEST_VALUE = 300  # characters of an option that are remembered


@dataclass(frozen=True)
class GameTile:
    """A game in the menu."""

    key: str
    title: str
    players: str
    pitch: str
    faces: tuple[str, ...]
    chosen: bool = False


@dataclass(frozen=True)
class OptionField:
    """An option of the chosen game: a choice, a number or a text."""

    name: str
    title: str
    words: tuple[tuple[str, str], ...]  # as the notation and as a person says it
    value: str
    is_number: bool


@dataclass(frozen=True)
class SeatField:
    mark: Mark
    name: str


@dataclass(frozen=True)
class SetupScreen:
    games: tuple[GameTile, ...]
    numbers: range
    usual: int  # how many seats there were last time
    seats: tuple[SeatField, ...]
    people: tuple[str, ...]  # names used before
    fields: tuple[OptionField, ...]
    message: str = ""


def setup_screen(remembered: Mapping[str, str], people: Iterable[str] = (), message: str = "") -> SetupScreen:
    """What was chosen last, unless a form says otherwise."""
    chosen = remembered.get("game", FIRST_GAME)
    chosen = chosen if chosen in GAMES else FIRST_GAME
    names = remembered["names"].split("/") if remembered.get("names") else []
    return SetupScreen(
        game_tiles(chosen),
        range(LEAST_SEATS, MOST_SEATS + 1),
        whole(remembered.get("seats", "")) or USUAL_SEATS,
        tuple(seat_field(place, names) for place in range(MOST_SEATS)),
        tuple(name for name in people if name not in names),
        option_fields(chosen, remembered),
        message,
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
        )
        for room in rooms()
    )


def seat_field(place: int, names: list[str]) -> SeatField:
    return SeatField(Mark(LETTERS[place], f"s{place + 1}"), names[place] if place < len(names) else "")


def option_fields(game: str, remembered: Mapping[str, str]) -> tuple[OptionField, ...]:
    """Every option of a game, its own first."""
    return tuple(option_field(key, option, remembered) for key, option in room_of(game).game.options.items())


def option_field(key: str, option: Option, remembered: Mapping[str, str]) -> OptionField:
    name = f"o-{key}"
    words = tuple((word, translate(said)) for word, said in option.words.items())
    return OptionField(name, translate(option.title), words, remembered.get(name, ""), option.is_number)


# -- what comes back


def read_setup(form: Mapping[str, str]) -> tuple[list[str], Entry]:
    """The names and the opening entry a set-up form asks for."""
    count = whole(form.get("seats", "")) or 0
    if not LEAST_SEATS <= count <= MOST_SEATS:
        raise InvalidEntry(say("A table has {least} to {most} seats.", least=LEAST_SEATS, most=MOST_SEATS))
    names = [clean_name(form.get(f"name-{place}", "").strip() or LETTERS[place]) for place in range(count)]
    return names, read_game(form)


def read_game(form: Mapping[str, str]) -> Entry:
    """The game and those of its options that were set."""
    key = form.get("game", FIRST_GAME)
    if key not in GAMES:
        raise InvalidEntry(say("“{key}” is not a game.", key=key[:20]))
    given = {name: form.get(f"o-{name}", "").strip() for name in GAMES[key].options}
    return game_from(key, {name: value for name, value in given.items() if value})


def to_remember(form: Mapping[str, str]) -> dict[str, str]:
    """What the next set-up starts with: game, seats, names and options of a form."""
    names = "/".join(form.get(f"name-{place}", "").strip().replace("/", "") for place in range(MOST_SEATS)).rstrip("/")
    known = {f"o-{key}" for game in GAMES.values() for key in game.options}
    options = {name: value[:LONGEST_VALUE] for name, value in form.items() if name in known}
    kept = {"game": form.get("game", FIRST_GAME), "seats": form.get("seats", str(USUAL_SEATS)), "names": names}
    return {key: value for key, value in {**kept, **options}.items() if value}
