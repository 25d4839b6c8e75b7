"""The schema's steps: which one a database is at, and how to bring it to the newest."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from companion.engine.sentence import say

from . import Unusable
from .sql import SqlStore

NEWEST = "0003"  # the newest file in migrations/versions
FIRST = "0001"  # the schema of release 0.1.0, whose databases do not name their step
LOCK = 55  # PostgreSQL's advisory lock for a migration


def migrate(store: SqlStore) -> str | None:
    """Bring a database to the newest step, all or nothing. Returns the step before, None if it was empty."""
    with store.connect() as connection:
        before = step_of(connection)
    if before == NEWEST:
        return before  # the usual case: Alembic is not even imported
    with store.transaction() as connection:
        if not store.embedded:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        _run(connection)
    return before


def check_step(store: SqlStore) -> None:
    """Raise `Unusable` if the database is at another step."""
    with store.connect() as connection:
        step = step_of(connection)
    if step is None or step < NEWEST:
        raise Unusable(say("The database is not up to date: run “companion migrate”."))
    _refuse_newer(step)


def step_of(connection: Connection) -> str | None:
    """The step a database is at; None if it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _refuse_newer(step: str | None) -> None:
    if step is not None and step > NEWEST:
        raise Unusable(say("The database was made by a newer release of Fifty-Five: install that release."))


def _run(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    step = step_of(connection)
    _refuse_newer(step)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    if step is None and inspect(connection).has_table("tables"):
        command.stamp(config, FIRST)
    command.upgrade(config, "head")
