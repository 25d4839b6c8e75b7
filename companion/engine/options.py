"""The options of a game: what can be set, the values they accept, and their defaults."""

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
    takes: Sentence  # the values it accepts, in words
    title: Sentence  # what the set-up calls it
    line: LineFor  # its value in a one-line summary of all options
    words: Mapping[str, Sentence] = field(default_factory=dict)  # all its values, if it is a choice of words
    is_number: bool = False
    unset: Sentence = NOTHING  # what the set-up shows if there is no default
    same: Mapping[str, str] = field(default_factory=dict)  # other words for some values: read, but not offered
    counts_with: tuple[str, str] | None = None  # another option, and the value without which this one is not used


def number(
    title: Sentence,
    line: LineFor,
    default: int | None,
    least: int,
    most: int,
    step: int = 1,
    unset: Sentence = NOTHING,
    counts_with: tuple[str, str] | None = None,
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
    return Option(read, default, takes, title, line, is_number=True, unset=unset, counts_with=counts_with)


def choice(
    title: Sentence,
    default: str,
    words: Mapping[str, Sentence],
    lines: Mapping[str, Sentence],
    same: Mapping[str, str] | None = None,
) -> Option:
    """One of several words: `words` are their names in the set-up, `lines` those in the one-line summary."""
    others = same or {}

    def read(raw: str) -> str:
        if raw not in words and raw not in others:
            raise ValueError(raw)
        return raw

    takes = say("one of these: {words}", words=tuple(words.values()))
    return Option(read, default, takes, title, lambda word: lines.get(str(word)), words, same=others)


def switch(title: Sentence, line: Sentence) -> Option:
    """Yes or no; the summary names it if it is on."""
    return choice(title, NO, {YES: say("yes"), NO: say("no")}, {YES: line})


def free_text(
    title: Sentence, line: LineFor, unset: Sentence = NOTHING, counts_with: tuple[str, str] | None = None
) -> Option:
    """Any text; `unset` is an example."""

    def read(raw: str) -> str:
        if not raw:
            raise ValueError(raw)
        return raw

    return Option(read, None, say("some text"), title, line, unset=unset, counts_with=counts_with)


def with_value(template: Sentence) -> LineFor:
    """A line for the summary, with the value in its gap {value}."""
    return lambda value: Sentence(template.template, {"value": value})


def decks_line(count: Value) -> Sentence:
    """The line for the number of decks, an option that several games have."""
    return say_many("{decks} deck", "{decks} decks", int(count), decks=count)


def unless_none(template: Sentence) -> LineFor:
    """The same, but nothing for 0."""
    return lambda value: Sentence(template.template, {"value": value}) if value else None


def no_line(value: Value) -> None:
    """For an option that the summary leaves out."""


def read_options(known: Mapping[str, Option], given: Iterable[tuple[str, str]], game: Sentence) -> dict[str, Any]:
    """The options in force: the given ones, checked, and the defaults for the others."""
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
    """The options that were set, in words, for a one-line summary."""
    lines = (known[key].line(known[key].read(raw)) for key, raw in given)
    return tuple(line for line in lines if line is not None)
