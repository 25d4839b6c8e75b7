"""The database of a running program (its own SQLite file, or a PostgreSQL server) and the secret key."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from companion.engine.sentence import say

from . import StoreAway, Unusable
from .models import db
from .schema import check_step, migrate
from .sql import SqlStore

DATABASE = "fifty-five.sqlite3"
KEY = "secret.key"
SHORTEST_KEY = 16
# No name and no secret in a log; no thread waits for another one's connection to the file.
SQLITE_OPTIONS: dict[str, Any] = {"hide_parameters": True, "pool_size": 16, "max_overflow": -1}
# Every wait for a database server has an end, so that one that hangs does not stop everybody: a second for a connection
# of the pool, three for a new one, four for a statement (or `timeouts.py`, if the server does not end it). What is
# answered is on the server's disk.
POSTGRESQL_OPTIONS: dict[str, Any] = {
    "hide_parameters": True,
    "pool_size": 10,  # fewer than the threads of our server
    "max_overflow": 0,
    "pool_timeout": 1,  # a whole number: Flask-SQLAlchemy cuts off what follows the point
    "pool_pre_ping": True,
    "connect_args": {
        "connect_timeout": 3,
        "options": "-c statement_timeout=4s -c lock_timeout=4s -c synchronous_commit=on",
    },
}


def data_folder(app: Flask) -> Path:
    """The data folder: as configured, else `instance/` in the current folder."""
    return Path(app.config.get("DATA") or os.environ.get("FIFTY_FIVE_DATA") or "instance").absolute()


def open_store(app: Flask) -> SqlStore:
    """The store, ready for use. Folder, key and file are made if missing; a database server must be up to date."""
    store = find_store(app)
    try:
        if store.embedded:
            migrate(store)
        else:
            check_step(store)
    except StoreAway as failure:
        if store.embedded:
            raise
        # It may come back while we run. The driver's message says why it is away; it contains no password.
        app.logger.warning("the database server is away: %s", str(failure.__cause__).strip())
    store.close()  # processes that a server forks must not share a connection
    return store


def find_store(app: Flask) -> SqlStore:
    """The store as configured, with its folder and the secret key; the database is not asked yet."""
    folder = data_folder(app)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    app.config["DATA"] = str(folder)
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = given_key() or secret_key(folder / KEY)
    return store_at(app, app.config.get("SQLALCHEMY_DATABASE_URI") or os.environ.get("DATABASE_URL"))


def store_at(app: Flask, url: str | None) -> SqlStore:
    """The store at an address, or on the file in the data folder."""
    options = SQLITE_OPTIONS
    if url and not url.startswith("sqlite"):
        url = server_address(url).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
        if find_spec("psycopg") is None:
            raise Unusable(say("PostgreSQL needs psycopg: install Fifty-Five with its extra “postgres”."))
        options = POSTGRESQL_OPTIONS
    if not url:
        file = Path(app.config["DATA"]) / DATABASE
        with suppress(FileExistsError):  # for its owner only; SQLite gives its other files the same mode
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        url = f"sqlite:///{file}"
    options = {**options, **app.config.get("SQLALCHEMY_ENGINE_OPTIONS", {})}
    app.config.update(SQLALCHEMY_DATABASE_URI=url, SQLALCHEMY_ENGINE_OPTIONS=options)
    db.init_app(app)
    with app.app_context():
        return SqlStore(db.engine)


def given_key() -> str | None:
    key = os.environ.get("FIFTY_FIVE_SECRET_KEY")
    if key and len(key) < SHORTEST_KEY:
        raise Unusable(say("FIFTY_FIVE_SECRET_KEY is too short: {least} characters at least.", least=SHORTEST_KEY))
    return key


def server_address(url: str) -> URL:
    """The address of a database server, or a refusal."""
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))  # what many hosts still write
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is None or parsed.get_backend_name() != "postgresql":
        raise Unusable(say("DATABASE_URL must name a PostgreSQL server: postgresql://…"))
    return parsed


def secret_key(path: Path) -> bytes:
    """The key that signs the cookies. It is made once, readable by its owner only, and never seen half-written."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(32))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another process was faster: we use its key
            os.link(draft, path)
        draft.unlink()
    key = path.read_bytes()
    if len(key) < SHORTEST_KEY:  # perhaps a broken copy: anybody could guess it
        raise Unusable(say("{file} is too short for a secret key: put the right one back, or remove it.", file=path))
    return key
