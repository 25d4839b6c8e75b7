"""Tables as text: many of them in one file, or one in a link."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.engine.record import RECORD_HEAD, RecordError, strip_comment
from companion.engine.sentence import InvalidEntry, say
from companion.store import Listed
from companion.table.people import Aliases
from companion.table.table import Table
from companion.web.rows import is_time

MARK = "#r="  # before the packed record in a link
RAW = -15  # deflate without a header
MOST_UNPACKED = 1_000_000  # bytes: a limit against zip bombs


def fragment_of(table: Table) -> str:
    """The fragment of a link with a whole table in it: seats and live entries, without times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, RAW)
    packed = packer.compress(table.record(notes=False).encode()) + packer.flush()
    return MARK + urlsafe_b64encode(packed).decode().rstrip("=")


def record_in(text: str) -> str:
    """The record in a link; any other text is a record itself."""
    _address, mark, packed = text.strip().rpartition(MARK)
    return _unpacked(packed) if mark and len(text.split()) == 1 else text


def _unpacked(packed: str) -> str:
    unpacker = zlib.decompressobj(RAW)
    try:
        found = unpacker.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), MOST_UNPACKED)
        if unpacker.unconsumed_tail or not unpacker.eof:
            raise ValueError
        return found.decode()
    except (ValueError, zlib.error):
        raise InvalidEntry(say("The link is incomplete or carries no table: copy all of it.")) from None


MOST_LINES = 50_000  # of all tables together; each table has its own limit
MOST_TABLES = 1_000
TOO_LONG = say("This file is too long. Cut it, and open its tables in several steps.")
# Notes of a phone's list, which are comments in a record. A name has neither quotes nor colons.
PLAYED = "# played "
HIDDEN = "# out of sight"
SEAT = re.compile(r'# seat "([^":]{1,24})"')
ALSO = re.compile(r'# also "([^":]{1,99})": "([^":]{1,24})"')
NOTES = 5  # lines below the head of a table in which its notes are looked for
TIME = re.compile(rf"{PLAYED}(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00)")


class TableInFile(NamedTuple):
    """One of the tables in a file."""

    record: str
    line: int  # its first line in the file, from 0
    played: str | None  # when it was played last
    hidden: bool = False  # it was taken out of sight
    seat: str = ""  # that was chosen on the phone

    @property
    def bare(self) -> str:
        """Its lines without notes and blanks."""
        return bare_lines(self.record)


def file_of(tables: Iterable[tuple[Listed, Table]], aliases: Aliases) -> str:
    """The text of one file with all tables of a list, and the other names of people at its end."""
    written = [_with_notes(table, listed) for listed, table in tables]
    also = "".join(f'# also "{key}": "{name}"\n' for key, name in sorted(aliases.items()))
    return "\n".join([*written, also] if also else written)


def _with_notes(table: Table, listed: Listed) -> str:
    head, rest = table.record(notes=False).split("\n", 1)
    notes = [f"{PLAYED}{table.head.at}", *([HIDDEN] if listed.hidden else [])]
    return "\n".join([head, *notes, *([f'# seat "{listed.seat}"'] if listed.seat else []), rest])


def tables_in(text: str) -> list[TableInFile]:
    """The tables of a file; a single record is one."""
    return [_table_in(first, lines) for first, lines in _split(text)]


def _table_in(first: int, lines: list[str]) -> TableInFile:
    notes = [line.strip() for line in lines[:NOTES]]
    seats = (SEAT.fullmatch(line) for line in notes)
    seat = next((found[1] for found in seats if found), "")
    return TableInFile("\n".join(lines), first, _time_in(lines), HIDDEN in notes, seat)


def aliases_in(text: str) -> dict[str, str]:
    """The other names of people that a file has at its end, by key."""
    found = (ALSO.fullmatch(line.strip()) for line in text.splitlines()[-MOST_TABLES:])
    return {line[1]: line[2] for line in found if line}


def _split(text: str) -> Iterator[tuple[int, list[str]]]:
    if text.count("\n") + text.count("\r") > 2 * MOST_LINES:  # a line may end with both
        raise RecordError(MOST_LINES, TOO_LONG)
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    begins = [number for number, line in enumerate(lines) if RECORD_HEAD in line and strip_comment(line) == RECORD_HEAD]
    if (len(begins) > 1 and len(lines) > MOST_LINES) or len(begins) > MOST_TABLES:
        raise RecordError(MOST_LINES, TOO_LONG)
    begins = [0, *begins[1:]]  # text before the first table is kept: reading it gives the refusal
    for first, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        yield first, lines[first:end]


def _time_in(lines: list[str]) -> str | None:
    found = (TIME.fullmatch(line.strip()) for line in lines[:3])
    return next((time[1] for time in found if time and is_time(time[1])), None)


def bare_lines(record: str) -> str:
    """A record's lines without notes and blanks, each with its end: two records are compared by them."""
    lines = map(strip_comment, re.split(r"\r\n|\r|\n", record.removeprefix("\ufeff")))
    return "".join(f"{line}\n" for line in lines if line)
