"""The database that comes with the program, and the secret key beside it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from flask import Flask

from .sql import SqlStore

DATABASE = "fifty-five.sqlite3"
KEY = "secret.key"


def data_folder(app: Flask) -> Path:
    """Where the data lies: as configured, else `instance/` where the program was started."""
    return Path(app.config.get("DATA") or os.environ.get("FIFTY_FIVE_DATA") or "instance").absolute()


def open_store(app: Flask) -> SqlStore:
    """Make the folder, the key and the database, where they are missing."""
    folder = data_folder(app)
    folder.mkdir(parents=True, exist_ok=True)
    app.config["DATA"] = str(folder)
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = secret_key(folder / KEY)
    url = os.environ.get("DATABASE_URL") or f"sqlite:///{folder / DATABASE}"
    app.config.setdefault("SQLALCHEMY_DATABASE_URI", url)
    return SqlStore(app)


def secret_key(path: Path) -> bytes:
    """The key that signs the cookies: made once, readable by its owner only."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(descriptor, "wb") as file:
        file.write(secrets.token_bytes(32))
    return path.read_bytes()
