"""A phone without a browser: its journal is three dictionaries, and its Python can be restarted at any time."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.pocket.phone import Phone
from companion.store.memory import MemoryStore
from companion.web import create_app

ORIGIN = "https://pub.example"
FORM = "application/x-www-form-urlencoded"


@cache
def versions() -> dict[str, str]:
    """The version of every static file, as the build notes it."""
    found: dict[str, str] = create_app(MemoryStore()).extensions["static versions"]()
    return found


class Journal:
    """A replacement for IndexedDB, where `add` refuses a key that exists."""

    def __init__(self) -> None:
        self.tables: dict[str, Any] = {}
        self.rows: dict[tuple[str, int], Any] = {}
        self.session: dict[str, Any] = {}

    def write(self, written: list[tuple[str, str, Any]]) -> None:
        for store, how, value in json.loads(json.dumps(written)):
            kept: dict[Any, Any] = getattr(self, store)
            if how == "delete":
                del kept[tuple(value) if store == "rows" else value]
                continue
            key = (value["table"], value["number"]) if store == "rows" else value["id"]
            assert how == "put" or key not in kept, key
            kept[key] = value

    def everything(self) -> str:
        rows = [self.rows[key] for key in sorted(self.rows)]
        return json.dumps({"tables": list(self.tables.values()), "rows": rows, "session": list(self.session.values())})


class Pocket:
    """A phone with its journal, connected as in python.js."""

    def __init__(self, root: str = "") -> None:
        self.root = root
        self.journal = Journal()
        self.wake()

    def wake(self) -> None:
        """Restart Python: it knows only what is in the journal."""
        self.python = Phone(self.root, ORIGIN, versions())
        self.python.restore(self.journal.everything())

    def ask(self, method: str, path: str, form: Any = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
        head = {"Content-Type": FORM, **(headers or {})}
        body = json.dumps(form) if head["Content-Type"] == "application/json" else urlencode(form or {}, doseq=True)
        found: dict[str, Any] = json.loads(
            self.python.answer(method, self.root + path, json.dumps(list(head.items())), body.encode())
        )
        self.journal.write(found["written"])
        found["head"] = dict(found["headers"])
        return found

    def open(self, game: str = "pairs", seats: int = 3) -> str:
        """Open a table; return its path."""
        made = self.ask("POST", "/tables", {"seats": seats, "game": game})
        assert made["status"] == 303
        return str(made["head"]["Location"]).removeprefix(self.root)

    def enter(self, table: str, entry: str, version: int, client: str = "") -> dict[str, Any]:
        form = {"entry": entry, "version": version, "id": client or f"{entry} at {version} of a night"}
        return self.ask("POST", f"{table}/enter", form, {"HX-Request": "true"})


def without_ids(page: str) -> str:
    """The page without the ids of its forms, which differ each time."""
    return re.sub(r'value="form-\w+"', "", page)


@pytest.fixture
def pocket() -> Pocket:
    return Pocket()
