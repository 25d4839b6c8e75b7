"""A store that goes away and comes back, and a phone that uses it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event
from werkzeug.test import TestResponse

from companion.engine.sentence import Sentence
from companion.store import Store
from companion.store.failures import AWAY, FULL
from companion.store.memory import MemoryStore
from companion.store.sql import SqlStore
from companion.web import create_app

from ..conftest import close

KEY = "a key for tests"
NEVER = 60  # seconds after which a dealer stops expecting an answer
RECORD = "fifty-five 1\nseats Ana Ben\ngame rocket\nbuy Ana 5\n"
FRENCH = {
    str(AWAY): "Les tables sont injoignables pour le moment. Tout ce qui a été saisi est conservé.",
    str(FULL): "Le disque du serveur est plein. Tout ce qui a été saisi est conservé.",
}


class Shaky:
    """A store that goes away, before or just after it has done what it was asked to do, and comes back."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.before: Exception | None = None
        self.after: Exception | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.inner, name)

        def ask(*args: Any, **kwargs: Any) -> Any:
            if self.before is not None:
                raise self.before
            found = method(*args, **kwargs)
            if self.after is not None and name in ("append", "create"):
                raise self.after
            return found

        return ask


def app_over(store: Any, **config: Any) -> Flask:
    over: Store = store
    return create_app(over, {"SECRET_KEY": KEY, **config})


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    """Restore the logger after the test: all applications of a process share it."""
    logger = logging.getLogger("companion")
    before = logger.handlers, logger.level
    yield
    logger.handlers = before[0]
    logger.setLevel(before[1])


@pytest.fixture
def shaky() -> Shaky:
    return Shaky()


@pytest.fixture
def phone(shaky: Shaky) -> FlaskClient:
    return app_over(shaky).test_client()


class Disk:
    """Settings for every connection to a database file, to imitate a full or read-only disk."""

    def __init__(self, app: Flask, file: Path) -> None:
        self.store: SqlStore = app.extensions["tables"].store
        self.file = file
        self.settings: tuple[str, ...] = ()
        event.listen(self.store.engine, "checkout", self._set)

    def _set(self, connection: Any, *_: Any) -> None:
        cursor = connection.cursor()
        for setting in self.settings:
            cursor.execute(f"PRAGMA {setting}")
            cursor.fetchall()
        cursor.close()

    def fill(self) -> None:
        self.settings = ("max_page_count=1",)  # SQLite takes this as the present size: the file can no longer grow

    def protect(self) -> None:
        self.settings = ("query_only=1",)

    def mend(self) -> None:
        self.settings = ("max_page_count=1073741823", "query_only=0")

    def rows(self) -> list[list[Any]]:
        """All rows of the file, as another program reads them; assert that the file is sound."""
        file = sqlite3.connect(self.file)
        try:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert file.execute("PRAGMA foreign_key_check").fetchall() == []
            return [file.execute(f"SELECT * FROM {table}").fetchall() for table in ("tables", "changes")]
        finally:
            file.close()


@pytest.fixture
def app_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    app = create_app(config={"DATA": str(tmp_path)})
    yield app
    close(app)


def sentence_in(answer: TestResponse) -> str:
    """The message of an answer, from JSON, a page or plain text."""
    if answer.is_json:
        message: str = answer.json["message"]
        return message
    text = unescape(answer.text)
    return text.partition('role="alert">')[2].partition("</p>")[0] if "<html" in text else text


def is_away(answer: TestResponse, sentence: Sentence | str) -> None:
    assert answer.status_code == 503, answer.text
    assert sentence_in(answer) == str(sentence)


def in_time(ask: Callable[[], TestResponse]) -> TestResponse:
    """The answer; fail if none comes within NEVER seconds."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result(timeout=NEVER)
