"""What a database says when it fails, as a sentence for the dealer."""

from __future__ import annotations

from sqlalchemy.exc import InterfaceError, InternalError, OperationalError, ProgrammingError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from companion.engine.errors import Sentence, say

from . import StoreAway

# Not DataError nor IntegrityError: those are said of what we sent, not of how the database fares.
FAILURES = (OperationalError, InterfaceError, InternalError, ProgrammingError, PoolTimeout)

AWAY = say("The tables cannot be reached at the moment. What was entered before is safe; try again.")
FULL = say("The server's disk is full: nothing can be entered until there is room. What was entered before is safe.")
READ_ONLY = say("The server may not write to its data: nothing can be entered. What was entered before is safe.")
OLD = say("The database is not up to date: run “companion migrate”.")

# SQLite's names, and PostgreSQL's codes.
SENTENCES = {
    "SQLITE_FULL": FULL,
    "SQLITE_IOERR": FULL,  # what a failed write of any other kind is called; room is the likeliest lack
    "SQLITE_READONLY": READ_ONLY,
    "53100": FULL,
    "25006": READ_ONLY,
    "42P01": OLD,
}


def away(error: SQLAlchemyError) -> Exception:
    """What to raise for a failure; a statement that is wrong in itself is a mistake of ours and stays one."""
    sentence = sentence_for(error)
    return error if isinstance(error, ProgrammingError) and sentence is not OLD else StoreAway(sentence)


def sentence_for(error: SQLAlchemyError) -> Sentence:
    cause = getattr(error, "orig", None)
    name = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""
    primary = "_".join(name.split("_")[:2])
    if primary == "SQLITE_ERROR" and "no such table" in str(cause):
        return OLD
    return SENTENCES.get(primary, AWAY)
