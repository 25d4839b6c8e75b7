"""A table as a link: its record, packed, behind the # of the address, which no server is told."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from companion.engine.sentence import InvalidEntry, say
from companion.table.table import Table

MARK = "#r="
RAW = -15  # deflate without a head
MOST_UNPACKED = 1_000_000  # bytes: a few hundred can be packed so that they would fill the memory


def fragment_of(table: Table) -> str:
    """The end of a link that carries a table: seats and live entries, without times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, RAW)
    packed = packer.compress(table.record(notes=False).encode()) + packer.flush()
    return MARK + urlsafe_b64encode(packed).decode().rstrip("=")


def record_in(text: str) -> str:
    """The record that a link carries; any other text is one itself."""
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
