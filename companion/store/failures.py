"""Errors of the database, as sentences for the dealer."""

from __future__ import annotations

from sqlalchemy.exc import TimeoutError as PoolTimeout

from companion.engine.sentence import Sentence, say

from . import DamagedTable, StoreAway

AWAY = say("The tables cannot be reached right now. Everything entered so far is safe.")
FULL = say("The server’s disk is full. Everything entered so far is safe.")
READ_ONLY = say("The server cannot save. Everything entered so far is safe.")
MOVED = say("The server’s data is not where it was: put it back, or stop the program before you replace it.")
OLD = say("The database is not up to date: run “companion migrate”.")
DAMAGED = say("The database file is damaged: put a backup in its place.")

# SQLite's names, and PostgreSQL's codes.
SENTENCES = {
    "SQLITE_FULL": FULL,
    "SQLITE_IOERR": FULL,  # any failed write; a full disk is the likeliest cause
    "SQLITE_READONLY": READ_ONLY,
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_CORRUPT": DAMAGED,
    "53100": FULL,
    "25006": READ_ONLY,
    "42P01": OLD,
}
# The database failed. A DataError or an IntegrityError would be our own mistake.
TROUBLE = ("OperationalError", "InterfaceError", "InternalError")


class ConnectionLost(StoreAway):
    """The connection is gone; a new one may work."""

    def __init__(self) -> None:
        super().__init__(AWAY)


def failure_of(error: Exception) -> StoreAway | DamagedTable | None:
    """The error to raise instead; None if the database did not fail."""
    if "Could not decode to UTF-8" in str(error):  # SQLite's message for bytes that are not text
        return DamagedTable("a text is not UTF-8")
    if getattr(error, "connection_invalidated", False):
        return ConnectionLost()
    sentence = sentence_for(error)
    return StoreAway(sentence) if sentence else None


def sentence_for(error: Exception) -> Sentence | None:
    cause = getattr(error, "orig", None) or error
    name = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""
    primary = "_".join(name.split("_")[:2])
    if primary == "SQLITE_ERROR":  # a statement that does not fit the schema
        return OLD if "no such table" in str(cause) else None
    if primary in SENTENCES:
        return SENTENCES[primary]
    kinds = {kind.__name__ for kind in type(cause).__mro__}
    failed = isinstance(error, PoolTimeout) or not kinds.isdisjoint(TROUBLE)
    return AWAY if failed else None
