"""The options of a game: what may be set, within what, and what holds if it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import InvalidEntry
from .sentence import Sentence, say

Value = int | str
YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Option:
    """One key of the `game` entry: how its text is read, and its default (None: left to the game)."""

    read: Callable[[str], Value]
    default: Value | None
    takes: Sentence  # what may stand there, for a refusal
    title: Sentence  # what the set-up calls it
    words: tuple[str, ...] = ()  # all it may be, if it is one of some words
    is_number: bool = False


def number(title: Sentence, default: int | None, least: int, most: int, step: int = 1) -> Option:
    """A whole number within bounds."""

    def read(raw: str) -> int:
        if not (raw.isascii() and raw.isdigit() and len(raw) <= 6):
            raise ValueError(raw)
        value = int(raw)
        if not least <= value <= most or value % step:
            raise ValueError(raw)
        return value

    if step == 1:
        takes = say("a whole number from {least} to {most}", least=least, most=most)
    else:
        takes = say("a multiple of {step} from {least} to {most}", step=step, least=least, most=most)
    return Option(read, default, takes, title, is_number=True)


def choice(title: Sentence, default: str, words: Iterable[str]) -> Option:
    """One of some words."""
    allowed = tuple(words)

    def read(raw: str) -> str:
        if raw not in allowed:
            raise ValueError(raw)
        return raw

    return Option(read, default, say("one of {words}", words=", ".join(allowed)), title, allowed)


def switch(title: Sentence, default: str = NO) -> Option:
    """Yes or no."""
    return choice(title, default, (YES, NO))


def free_text(title: Sentence) -> Option:
    """Any text."""

    def read(raw: str) -> str:
        if not raw:
            raise ValueError(raw)
        return raw

    return Option(read, None, say("some text"), title)


def read_options(known: Mapping[str, Option], given: Iterable[tuple[str, str]], game: Sentence) -> dict[str, Any]:
    """The options in force: what was given, checked, over the defaults."""
    options: dict[str, Any] = {key: option.default for key, option in known.items() if option.default is not None}
    for key, raw in given:
        if key not in known:
            raise InvalidEntry(say("{game} has no option “{key}”.", game=game, key=key))
        try:
            options[key] = known[key].read(raw)
        except ValueError:
            raise InvalidEntry(
                say("“{key}” must be {takes}, not “{raw}”.", key=key, takes=known[key].takes, raw=raw)
            ) from None
    return options
