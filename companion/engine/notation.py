"""Entries and their text, both ways: the only parser and the only printer of the notation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .cards import VALUES
from .sentence import IllegalEntry, InvalidEntry, say
from .verbs import CARD, VERBS, Form

NAME_LENGTH = 24
TEXT_LENGTH = 200
LINE_LENGTH = 1_000  # checked first, so that a hostile line costs nothing
LEAST_SEATS, MOST_SEATS = 2, 8
LARGEST_NUMBER = 999_999


class Entry(NamedTuple):
    """One observation: what was done (`verb`), its arguments, and the seat if it was named.

    A tuple, because every entry is compared with all the legal ones.
    """

    verb: str
    args: tuple[Any, ...] = ()
    seat: str | None = None

    def __str__(self) -> str:
        return text(self)


_TOKEN = re.compile(r'(?:[^\s"]|"[^"]*")+')
_NUMBER = re.compile(r"-?[0-9]+")
_OPTION = re.compile(r'([a-z]+)=(?:"([^"]*)"|([^"]*))')
_PLAIN_VALUE = re.compile(r'[^\s"#:,]+')
_PREFIX = re.compile(r'(?:"([^":]*)"|([^:"]*)):(.*)', re.DOTALL)
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that are invisible
_FORBIDDEN_IN_NAMES = ':,#"'
# Marks that change the direction of text; they would garble the line around them.
_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def card(value: int) -> Entry:
    """The entry for a card turned up."""
    return Entry(CARD, (value,))


def is_control(char: str) -> bool:
    """True for a character that must not appear in a line of text."""
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in _DIRECTION_MARKS


def clean_name(raw: str) -> str:
    """A seat's name in its stored form, or a refusal."""
    name = unicodedata.normalize("NFC", raw[:LINE_LENGTH]).strip()
    if not any(is_seen(char) for char in name):
        raise InvalidEntry(say("A name needs at least one character."))
    if len(name) > NAME_LENGTH:
        raise InvalidEntry(say("The name is too long: {most} characters at most.", most=NAME_LENGTH))
    if any(char in _FORBIDDEN_IN_NAMES or is_control(char) for char in name):
        raise InvalidEntry(say('A name cannot contain : , # " or control characters.'))
    return name


def is_seen(char: str) -> bool:
    """Whether a character is visible by itself."""
    return unicodedata.category(char) not in ("Cf", "Mn", "Me", "Zs", "Zl", "Zp") and char not in _BLANKS


def clean_text(raw: str) -> str:
    """Free text (a forfeit) in its stored form, or a refusal."""
    cleaned = unicodedata.normalize("NFC", raw[:LINE_LENGTH]).strip()
    if len(cleaned) > TEXT_LENGTH:
        raise InvalidEntry(say("The text is too long: {most} characters at most.", most=TEXT_LENGTH))
    if any(char == '"' or is_control(char) for char in cleaned):
        raise InvalidEntry(say("The text cannot contain double quotes or control characters."))
    return cleaned


def parse(line: str) -> Entry:
    """Read one entry, or refuse it with a sentence."""
    if not isinstance(line, str) or len(line) > LINE_LENGTH:
        raise InvalidEntry(say("An entry is a line of text, {most} characters at most.", most=LINE_LENGTH))
    return _parse_line(line)


@lru_cache(maxsize=2_000)  # an evening is made of the same few lines
def _parse_line(line: str) -> Entry:
    before_colon = _PREFIX.fullmatch(line.strip())
    if before_colon:
        entry = _parse_words(before_colon[3])
        if not VERBS[entry.verb].by_seat:
            raise InvalidEntry(say("“{verb}” takes no name before it.", verb=entry.verb))
        return Entry(entry.verb, entry.args, clean_name(before_colon[1] or before_colon[2] or ""))
    return _parse_words(line)


def _parse_words(line: str) -> Entry:
    words = split_words(line)
    if not words:
        raise InvalidEntry(say("An entry is missing."))
    verb, rest = words[0], words[1:]
    if _NUMBER.fullmatch(verb) and not rest:
        return card(_read_card(verb))
    known = VERBS.get(verb)
    if known is None or verb == CARD:
        raise InvalidEntry(say("“{entry}” cannot be entered.", entry=_excerpt(line)))
    form = known.form_for(tuple(rest))
    if form is None:
        raise InvalidEntry(say("“{entry}” is incomplete or has too much in it.", entry=_excerpt(line)))
    return _parse_game(rest) if verb == "game" else Entry(verb, _read_arguments(form, rest))


def _read_arguments(form: Form, words: list[str]) -> tuple[Any, ...]:
    if form.kinds == ("names",):
        return tuple(map(read_name, words))
    return tuple(_READ[kind](word) for kind, word in zip(form.kinds, words, strict=True))


def _parse_game(words: list[str]) -> Entry:
    options: dict[str, str] = {}
    for word in words[1:]:
        option = _OPTION.fullmatch(word)
        if not option:
            raise InvalidEntry(say("“{word}” is not an option: write key=value.", word=_excerpt(word)))
        if option[1] in options:
            raise InvalidEntry(say("The option “{key}” is given twice.", key=option[1]))
        options[option[1]] = clean_text(option[2] if option[2] is not None else option[3])
    return game_entry(words[0], options)


def game_entry(key: str, options: dict[str, str]) -> Entry:
    """The entry that starts a game with some options."""
    if not re.fullmatch("[a-z]+", key):
        raise InvalidEntry(say("“{key}” is not a game.", key=_excerpt(key)))
    return Entry("game", (key, tuple(options.items())))


def split_words(line: str) -> list[str]:
    """The words of a line; text in double quotes is one word."""
    if _TOKEN.sub("", line).strip():
        raise InvalidEntry(say("A double quote is not closed."))
    return _TOKEN.findall(line)


def _excerpt(raw: str) -> str:
    return raw.strip()[:40]


def _read_card(word: str) -> int:
    value = _read_integer(word)
    if value not in VALUES:
        raise InvalidEntry(say("{value} is not a card: they go from 1 to 10.", value=value))
    return value


def _read_integer(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise InvalidEntry(say("“{word}” is not a number.", word=_excerpt(word)))
    if len(word) > 9 or abs(int(word)) > LARGEST_NUMBER:
        raise InvalidEntry(say("The number is too large: {most} at most.", most=LARGEST_NUMBER))
    return int(word)


def _read_natural(word: str) -> int:
    number = _read_integer(word)
    if number < 0:
        raise InvalidEntry(say("The number cannot be below 0."))
    return number


def _read_count(word: str) -> int:
    number = _read_integer(word)
    if number < 1:
        raise InvalidEntry(say("The number must be 1 or more."))
    return number


def _read_amount(word: str) -> int:
    number = _read_integer(word)
    if number == 0:
        raise InvalidEntry(say("The number cannot be 0."))
    return number


def read_name(word: str) -> str:
    """A name as an argument: without its quotes."""
    if len(word) >= 2 and word[0] == word[-1] == '"' and '"' not in word[1:-1]:
        word = word[1:-1]
    return clean_name(word)


def _read_text(word: str) -> str:
    """Free text as an argument: without its quotes. Text that nobody could see is empty."""
    cleaned = clean_text(word[1:-1] if len(word) >= 2 and word[0] == word[-1] == '"' else word)
    return cleaned if any(map(is_seen, cleaned)) else ""


_READ: dict[str, Callable[[str], int | str]] = {
    "card": _read_card,
    "count": _read_count,
    "natural": _read_natural,
    "amount": _read_amount,
    "name": read_name,
    "yes": str,
    "no": str,
    "text": _read_text,
}


@lru_cache(maxsize=2_000)  # as for reading
def text(entry: Entry) -> str:
    """An entry as text; `parse` reads it back."""
    if entry.verb == CARD:
        written = str(entry.args[0])
    elif entry.verb == "game":
        key, options = entry.args
        written = " ".join(["game", key, *(f"{name}={_quote_value(value)}" for name, value in options)])
    else:
        write = _quote_value if VERBS[entry.verb].takes_text else _write_argument
        written = " ".join([entry.verb, *map(write, entry.args)])
    return written if entry.seat is None else f"{entry.seat}: {written}"


def _write_argument(argument: int | str) -> str:
    return quote_name(argument) if isinstance(argument, str) else str(argument)


def quote_name(name: str) -> str:
    """A name as an argument: in double quotes if it has blanks."""
    return f'"{name}"' if len(name.split()) > 1 else name


def _quote_value(value: str) -> str:
    return value if _PLAIN_VALUE.fullmatch(value) else f'"{value}"'


def check_names(names: Sequence[str]) -> None:
    """Refuse a table with too few or too many seats, or with one name twice."""
    if not LEAST_SEATS <= len(names) <= MOST_SEATS:
        raise IllegalEntry(say("A table has {least} to {most} seats.", least=LEAST_SEATS, most=MOST_SEATS))
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            raise IllegalEntry(say("The name {name} is taken.", name=name))
        seen.add(name.casefold())
