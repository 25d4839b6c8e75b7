"""Sentences for the dealer that can be translated, and the refusals that carry one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with gaps. The template is the key for a translation; `str()` is the English."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    plural: str = ""  # the template for any count but one, where the sentence counts something
    count: int = 1

    def __str__(self) -> str:
        template = self.plural if self.plural and self.count != 1 else self.template
        return template.format(**{gap: in_gap(value) for gap, value in self.values.items()})

    def renamed(self, old: str, new: str) -> Sentence:
        """The same sentence after a player was renamed. A name fills a gap, alone or in a list."""

        def now(value: Any) -> Any:
            if isinstance(value, tuple):
                return tuple(map(now, value))
            return value.renamed(old, new) if isinstance(value, Sentence) else new if value == old else value

        return replace(self, values={gap: now(value) for gap, value in self.values.items()})


def say(template: str, **values: Any) -> Sentence:
    """Build a sentence; `make messages` finds sentences by the name of this function."""
    return Sentence(template, values) if values else _without_gaps(template)


@cache  # bounded: these are literals in the program
def _without_gaps(template: str) -> Sentence:
    return Sentence(template)


def say_many(one: str, many: str, count: int, /, **values: Any) -> Sentence:
    """Build a sentence that counts something, from its singular, its plural and the number."""
    return Sentence(one, values, many, count)


def in_gap(value: Any) -> Any:
    """A value as it is written in a gap: a list with commas, a negative number with a real minus."""
    if isinstance(value, tuple):
        return ", ".join(str(in_gap(part)) for part in value)
    return f"{MINUS}{-value}" if isinstance(value, int) and value < 0 else value


class EntryError(Exception):
    """An entry was refused; the sentence tells the dealer why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class InvalidEntry(EntryError):
    """The text cannot be read as an entry."""


class IllegalEntry(EntryError):
    """The entry can be read but is not allowed now."""
