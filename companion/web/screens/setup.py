"""The set-up: a game, the seats, the options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from companion.engine.notation import LEAST_SEATS, MOST_SEATS, Entry, clean_name
from companion.engine.options import Option
from companion.engine.sentence import InvalidEntry, Sentence, say
from companion.games import GAMES
from companion.web.forms import game_from, whole
from companion.web.games import rooms
from companion.web.i18n import gettext as _
from companion.web.i18n import translate

from .board import Mark
from .pieces import LETTERS
from .rules import players

FIRST_GAME = "pairs"
SCORE_ONLY = "score"  # a tile of its own: the first game, without entering the cards
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
    counts: range = range(LEAST_SEATS, MOST_SEATS + 1)  # how many can play it


@dataclass(frozen=True)
class OptionField:
    """An option of the chosen game: a choice, a number or a text. An empty value is the default."""

    name: str
    title: str
    words: tuple[tuple[str, str], ...]  # as the notation and as a person says it
    value: str
    default: str  # what holds if nothing is set, in words
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
    options: str  # what holds, in a line
    message: str = ""
    who: WhoPlays | None = None


@dataclass(frozen=True)
class WhoPlays:
    """More names were typed than seats were tapped."""

    count: int  # the seats that were tapped
    some: tuple[str, ...]  # the names on them
    all: tuple[str, ...]


def setup_screen(
    remembered: Mapping[str, str], people: Iterable[str] = (), message: str = "", who: WhoPlays | None = None
) -> SetupScreen:
    """What was chosen last, unless a form says otherwise."""
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
    pitch = _("Just who took how many points")
    title, count = _("Score only"), players(game.players[0], game.players[-1])
    return GameTile(SCORE_ONLY, title, count, pitch, ("+",), chosen == SCORE_ONLY)


def options_of(chosen: str) -> dict[str, Option]:
    """The options that a tile leaves open."""
    if chosen != SCORE_ONLY:
        return dict(GAMES[chosen].options)
    return {key: option for key, option in GAMES[FIRST_GAME].options.items() if key not in ("cards", "odds", "burn")}


def options_that_hold(chosen: str, remembered: Mapping[str, str]) -> Iterator[Sentence]:
    """What was set, and what holds where nothing was. A buy-in is told if there is one, a sum where one is paid."""
    quiet = {"buyin"} if remembered.get("o-stakes") == "tacoma" else {"buyin", "sum"}
    for key, option in options_of(chosen).items():
        with suppress(ValueError):  # what cannot be read is refused when the table is opened
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


# -- what comes back


def read_setup(form: Mapping[str, str]) -> tuple[list[str], Entry]:
    """The names and the opening entry a set-up form asks for."""
    count = seats_asked(form)
    if not LEAST_SEATS <= count <= MOST_SEATS:
        raise InvalidEntry(say("A table has {least} to {most} seats.", least=LEAST_SEATS, most=MOST_SEATS))
    names = [clean_name(form.get(f"name-{place}", "").strip() or LETTERS[place]) for place in range(count)]
    return names, read_game(form)


def seats_asked(form: Mapping[str, str]) -> int:
    return whole(form.get("only") or form.get("seats", "")) or 0


def names_left_out(form: Mapping[str, str], remembered: Mapping[str, str]) -> WhoPlays | None:
    """More names than seats: who plays? Nothing if it was asked and answered, or if all stood there already."""
    count = seats_asked(form)
    typed = [form.get(f"name-{place}", "").strip() for place in range(MOST_SEATS)]
    while typed and not typed[-1]:
        typed.pop()
    if form.get("only") or len(typed) <= count or count < LEAST_SEATS or names_of(form) == remembered.get("names"):
        return None
    everybody = tuple(name or LETTERS[place] for place, name in enumerate(typed))
    return WhoPlays(count, everybody[:count], everybody)


def read_game(form: Mapping[str, str]) -> Entry:
    """The game and those of its options that were set."""
    chosen = form.get("game", FIRST_GAME)
    key = FIRST_GAME if chosen == SCORE_ONLY else chosen
    if key not in GAMES:
        raise InvalidEntry(say("“{key}” is not a game.", key=key[:20]))
    given = {name: form.get(f"o-{name}", "").strip() for name in options_of(chosen)}
    if chosen == SCORE_ONLY:
        given["cards"] = "no"
    return game_from(key, {name: value for name, value in given.items() if value})


def to_remember(form: Mapping[str, str]) -> dict[str, str]:
    """What the next set-up starts with: game, names and options of a form."""
    known = {f"o-{key}" for game in GAMES.values() for key in game.options}
    options = {name: value[:LONGEST_VALUE] for name, value in form.items() if name in known}
    kept = {"game": form.get("game", FIRST_GAME), "names": names_of(form)}
    return {key: value for key, value in {**kept, **options}.items() if value}


def names_of(form: Mapping[str, str]) -> str:
    """All names of a form in one text."""
    return "/".join(form.get(f"name-{place}", "").strip().replace("/", "") for place in range(MOST_SEATS)).rstrip("/")
