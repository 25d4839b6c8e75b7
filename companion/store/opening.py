"""The database of a running program: the file that comes with it, or the server it is told of; and the secret key."""

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
SECONDS = 4  # no statement to a database server takes longer
# A server that hangs must not stop everybody: every wait has an end. What is answered is on its disk.
POSTGRESQL_OPTIONS = {
    "isolation_level": "AUTOCOMMIT",
    "pool_timeout": SECONDS,
    "connect_args": {
        "connect_timeout": SECONDS,
        "options": f"-c statement_timeout={SECONDS}s -c lock_timeout={SECONDS}s -c synchronous_commit=on",
    },
}


def data_folder(app: Flask) -> Path:
    """Where the data lies: as configured, else `instance/` where the program was started."""
    return Path(app.config.get("DATA") or os.environ.get("FIFTY_FIVE_DATA") or "instance").absolute()


def open_store(app: Flask) -> SqlStore:
    """Make the folder, the key and the file where they are missing. A database server must be migrated already."""
    store = find_store(app)
    try:
        if store.embedded:
            migrate(store)
        else:
            check_step(store)
    except StoreAway as failure:
        if store.embedded:
            raise
        # It may come back while we run. The driver's own words say why it is away; they hold no password.
        app.logger.warning("the database server is away: %s", str(failure.__cause__).strip())
    store.close()  # a server that forks now must not share a connection among its workers
    return store


def find_store(app: Flask) -> SqlStore:
    """The store as it is configured, with its folder and the secret key; nothing is asked yet."""
    folder = data_folder(app)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    app.config["DATA"] = str(folder)
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = given_key() or secret_key(folder / KEY)
    return store_at(app, app.config.get("SQLALCHEMY_DATABASE_URI") or os.environ.get("DATABASE_URL"))


def store_at(app: Flask, url: str | None) -> SqlStore:
    """The store at an address; the file in the data folder if there is none."""
    # No name and no secret in a log. A connection goes back to the pool as it is, because every transaction ends by
    # itself. There are as many connections as threads.
    options: dict[str, Any] = {"hide_parameters": True, "pool_reset_on_return": None, "max_overflow": -1}
    if url and not url.startswith("sqlite"):
        url = server_address(url).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
        if find_spec("psycopg") is None:
            raise Unusable(say("PostgreSQL needs psycopg: install Fifty-Five with its extra “postgres”."))
        options |= POSTGRESQL_OPTIONS
    if not url:
        file = Path(app.config["DATA"]) / DATABASE
        with suppress(FileExistsError):  # for its owner only; SQLite gives its other files the same mode
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        url = f"sqlite:///{file}"
    app.config.update(SQLALCHEMY_DATABASE_URI=url, SQLALCHEMY_ENGINE_OPTIONS=options)
    db.init_app(app)
    app.teardown_appcontext_funcs.pop()  # it would close a session after every request, and we have none
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
    """The key that signs the cookies: made once, readable by its owner only, never seen half-written."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(32))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another process was faster: its key is ours
            os.link(draft, path)
        draft.unlink()
    key = path.read_bytes()
    if len(key) < SHORTEST_KEY:  # a copy that broke off, perhaps: anybody could guess it
        raise Unusable(say("{file} is too short for a secret key: put the right one back, or remove it.", file=path))
    return key
