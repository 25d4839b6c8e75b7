"""What is said to the dealer: sentences that can be translated, and the two ways to refuse an entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with gaps. The template is the key for a translation; `str()` is the English."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format(**self.values)


def say(template: str, **values: Any) -> Sentence:
    """Build a sentence; the name is what the translators' extraction looks for."""
    return Sentence(template, values)


class EntryError(Exception):
    """An entry was refused; the sentence tells the dealer why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class InvalidEntry(EntryError):
    """The text cannot be read as an entry."""


class IllegalEntry(EntryError):
    """The entry can be read but does not fit the table now."""
