"""The two ways to refuse an entry."""

from __future__ import annotations

from .sentence import Sentence


class EntryError(Exception):
    """An entry was refused; the sentence tells the dealer why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class InvalidEntry(EntryError):
    """The text cannot be read as an entry."""


class IllegalEntry(EntryError):
    """The entry can be read but does not fit the table now."""
