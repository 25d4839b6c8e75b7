"""The record: a table as a text file, its seats and then one entry a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .notation import LINE_LENGTH, Entry, check_names, parse, quote_name, read_name, split_words
from .sentence import EntryError, InvalidEntry, Sentence, say

RECORD_HEAD = "fifty-five 1"


class RecordError(InvalidEntry):
    """A line of a record cannot be read, or its entry does not fit."""

    def __init__(self, line: int, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.line = line


def strip_comment(line: str) -> str:
    """The line up to the first # that is not inside double quotes."""
    quoted = False
    for position, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted:
            return line[:position].strip()
    return line.strip()


def parse_seats(line: str) -> tuple[str, ...]:
    """Read the `seats` line of a record."""
    if len(line) > LINE_LENGTH:
        raise InvalidEntry(say("The line is too long: {most} characters at most.", most=LINE_LENGTH))
    words = split_words(line)
    if len(words) < 2 or words[0] != "seats":
        raise InvalidEntry(say("This line must be “seats” followed by the names."))
    return tuple(read_name(word) for word in words[1:])


def print_seats(names: tuple[str, ...]) -> str:
    """Write the `seats` line of a record."""
    return " ".join(["seats", *map(quote_name, names)])


def read_record(record: str) -> tuple[tuple[str, ...], Iterator[tuple[int, Entry]]]:
    """The names and, one after another, the entries with their line numbers."""
    lines = (
        (n, strip_comment(line)) for n, line in enumerate(re.split(r"\r\n|\r|\n", record.removeprefix("\ufeff")), 1)
    )
    filled = ((n, line) for n, line in lines if line)
    number, head = next(filled, (1, ""))
    if head != RECORD_HEAD:
        raise RecordError(number, say("A table file begins with “{head}”.", head=RECORD_HEAD))
    number, seats = next(filled, (number + 1, ""))
    try:
        names = parse_seats(seats)
        check_names(names)
    except EntryError as error:
        raise RecordError(number, error.sentence) from error
    return names, _read_entries(filled)


def _read_entries(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Entry]]:
    for number, line in lines:
        try:
            entry = parse(line)
        except InvalidEntry as error:
            raise RecordError(number, error.sentence) from error
        yield number, entry
