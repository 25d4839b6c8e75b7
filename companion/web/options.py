"""The options of a game as fields of a form, and as one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from companion.coach import has_coach
from companion.engine.notation import Entry
from companion.engine.options import Option
from companion.engine.sentence import Sentence
from companion.games import GAMES
from companion.web.i18n import gettext as _
from companion.web.i18n import translate

FIRST_GAME = "pairs"
SCORE_ONLY = "score"  # the tile for the first game without its cards
OF_CARDS = ("cards", "odds", "coach", "burn")
BESIDE_A_TITLE = 16  # characters
LONGEST_VALUE = 300  # characters of an option that a phone remembers


@dataclass(frozen=True)
class OptionField:
    """An option of the chosen game: a choice, a number or a text. An empty value is the default."""

    name: str
    title: str
    words: tuple[tuple[str, str], ...]  # each choice in the notation and in words
    value: str
    default: str  # in words
    is_number: bool
    has_own_line: bool  # on a small phone its choices do not fit beside its title
    changes_others: bool  # other fields are shown or not, by its value


@dataclass(frozen=True)
class OptionFields:
    """All fields of one game."""

    game: str
    own: tuple[OptionField, ...]
    common: tuple[OptionField, ...]  # what every game has
    line: str  # all options in force, in one line


def fields_of(chosen: str, values: Mapping[str, str]) -> OptionFields:
    """The fields of a tile, filled in with the values of a form. A field that does not count now is left out."""
    options = options_of(chosen)
    own = GAMES[game_of(chosen)].own_options
    shown = {
        key: _field(key, option, options, values) for key, option in options.items() if _counts(option, options, values)
    }
    return OptionFields(
        chosen,
        tuple(field for key, field in shown.items() if key in own),
        tuple(field for key, field in shown.items() if key not in own),
        " · ".join(map(translate, _in_force(options, values))),
    )


def game_of(chosen: str) -> str:
    """The game of a tile."""
    return FIRST_GAME if chosen == SCORE_ONLY else chosen


def options_of(chosen: str) -> dict[str, Option]:
    """The options that can be set for a tile."""
    game = game_of(chosen)
    left_out = OF_CARDS if chosen == SCORE_ONLY else () if has_coach(game) else ("coach",)
    return {key: option for key, option in GAMES[game].options.items() if key not in left_out}


def _counts(option: Option, options: Mapping[str, Option], values: Mapping[str, str]) -> bool:
    """True unless the option counts only with a value that another option does not have."""
    if option.counts_with is None:
        return True
    key, wanted = option.counts_with
    return (values.get(f"o-{key}") or options[key].default) == wanted


def _field(key: str, option: Option, options: Mapping[str, Option], values: Mapping[str, str]) -> OptionField:
    usual = option.default
    words = tuple(("" if word == usual else word, translate(said)) for word, said in option.words.items())
    value = values.get(f"o-{key}", "")
    default = translate(option.unset) if usual is None else _("{value} (default)").format(value=usual)
    longest = max(len(text) for text in (default, *(label for _word, label in words)))
    return OptionField(
        f"o-{key}",
        translate(option.title),
        words,
        "" if value == usual else option.same.get(value, value),
        default,
        option.is_number,
        longest > BESIDE_A_TITLE or not (option.is_number or words),
        any(other.counts_with is not None and other.counts_with[0] == key for other in options.values()),
    )


def _in_force(options: Mapping[str, Option], values: Mapping[str, str]) -> Iterator[Sentence]:
    """The options in force, set or by default."""
    for key, option in options.items():
        with suppress(ValueError):  # an invalid value is refused when the table is opened
            raw = values.get(f"o-{key}", "").strip()
            value = option.read(raw) if raw else option.default
            line = option.line(value) if value is not None and _counts(option, options, values) else None
            if line is not None:
                yield line


def sent_options(form: Mapping[str, str]) -> dict[str, str]:
    """The options of a form, by the names of their fields; none if they were shown for another game."""
    chosen = form.get("game", FIRST_GAME)
    if game_of(chosen) not in GAMES or form.get("for", chosen) != chosen:
        return {}
    names = (f"o-{key}" for key in options_of(chosen))
    return {name: form[name].strip()[:LONGEST_VALUE] for name in names if form.get(name, "").strip()}


def values_of(entry: Entry) -> dict[str, str]:
    """The form that would send this entry, which starts a game."""
    game, options = entry.args
    values = {f"o-{key}": value for key, value in options}
    score_only = game == FIRST_GAME and values.get("o-cards") == "no"
    return {"game": SCORE_ONLY if score_only else game, **values}
