"""The options of a game: what may be set, within what, and what holds if it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .sentence import InvalidEntry, Sentence, say, say_many

Value = int | str
LineFor = Callable[[Value], Sentence | None]
YES, NO = "yes", "no"
NOTHING = Sentence("–")


@dataclass(frozen=True, slots=True)
class Option:
    """One key of the `game` entry: how its text is read, and its default (None: left to the game)."""

    read: Callable[[str], Value]
    default: Value | None
    takes: Sentence  # what may stand there
    title: Sentence  # what the set-up calls it
    line: LineFor  # how its value is told among others, in a line
    words: Mapping[str, Sentence] = field(default_factory=dict)  # all it may be, if it is one of some words
    is_number: bool = False
    unset: Sentence = NOTHING  # what holds if there is no default, for the set-up


def number(
    title: Sentence, line: LineFor, default: int | None, least: int, most: int, step: int = 1, unset: Sentence = NOTHING
) -> Option:
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
    return Option(read, default, takes, title, line, is_number=True, unset=unset)


def choice(title: Sentence, default: str, words: Mapping[str, Sentence], lines: Mapping[str, Sentence]) -> Option:
    """One of some words, each as the set-up says it; `lines` for those that are told among others."""

    def read(raw: str) -> str:
        if raw not in words:
            raise ValueError(raw)
        return raw

    takes = say("one of these: {words}", words=tuple(words.values()))
    return Option(read, default, takes, title, lambda word: lines.get(str(word)), words)


def switch(title: Sentence, line: Sentence) -> Option:
    """Yes or no; it is told among others if it is on."""
    return choice(title, NO, {YES: say("yes"), NO: say("no")}, {YES: line})


def free_text(title: Sentence, line: LineFor) -> Option:
    """Any text."""

    def read(raw: str) -> str:
        if not raw:
            raise ValueError(raw)
        return raw

    return Option(read, None, say("some text"), title, line)


def with_value(template: Sentence) -> LineFor:
    """A line with the value in its gap, which is called {value}."""
    return lambda value: Sentence(template.template, {"value": value})


def decks_line(count: Value) -> Sentence:
    """The line of the option that more than one game has."""
    return say_many("{decks} deck", "{decks} decks", int(count), decks=count)


def no_line(value: Value) -> None:
    """The line of an option that is not told among others."""


def read_options(known: Mapping[str, Option], given: Iterable[tuple[str, str]], game: Sentence) -> dict[str, Any]:
    """The options in force: what was given, checked, over the defaults."""
    options: dict[str, Any] = {key: option.default for key, option in known.items() if option.default is not None}
    for key, raw in given:
        if key not in known:
            raise InvalidEntry(say("{game} has no option “{key}”.", game=game, key=key))
        try:
            options[key] = known[key].read(raw)
        except ValueError:
            raise InvalidEntry(_refusal(known[key], raw)) from None
    return options


def _refusal(option: Option, raw: str) -> Sentence:
    if option.words:
        return say("“{raw}” is not a choice for “{title}”.", title=option.title, raw=raw)
    return say("“{title}” must be {takes}, not “{raw}”.", title=option.title, takes=option.takes, raw=raw)


def in_line(known: Mapping[str, Option], given: Iterable[tuple[str, str]]) -> tuple[Sentence, ...]:
    """Options that were set, in words, for one line."""
    lines = (known[key].line(known[key].read(raw)) for key, raw in given)
    return tuple(line for line in lines if line is not None)
