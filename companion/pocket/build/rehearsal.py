"""An evening of every kind of request, the same every time: on CPython, and on the phone's Python.

The build learns from it which modules the phone needs, and the tests that both Pythons give the same bytes. It runs in
the browser's Python too, so it uses nothing but the standard library and the program.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
import secrets
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from companion.games import GAMES
from companion.pocket.phone import Phone
from companion.web import clock, coaching
from companion.web.games import lookups

TAPS = 24  # at each table
FORM = "application/x-www-form-urlencoded"
LONG_NUMBER = re.compile(r"\d\.\d{13,}")
LOBBY = (
    "/",
    "/new",
    "/import",
    "/lookup",
    "/rules",
    "/no/such/page",
    "/api/lookup/stakes",
    "/evenings",
    "/phone",
    "/phone/tables.txt",
    "/join",
    "/forget",
)
PAGES = (
    *("", "?choose=1", "/menu", "/deck", "/seats", "/chips", "/game"),
    *("/history", "/history?n=2", "/history?n=2&kind=amend&entry=5"),
    *(
        "/evening",
        "/evening?by=game",
        "/evening.txt",
        "/evening.csv",
        "/record",
        "/payments",
        "/pass-on",
        "/code",
        "/coach/why",
        "/luck",
    ),
)

Answer = tuple[str, str, int, str]


def make_certain() -> None:
    """Fix the clock and the random numbers, so that two runs are the same."""
    numbers = itertools.count(1)
    clock.time = lambda: 1_800_000_000.0  # type: ignore[attr-defined]
    coaching.process_time = lambda: 0.0  # type: ignore[attr-defined]  # a slow machine judges as many games as a fast one
    secrets.token_urlsafe = lambda nbytes=None: f"id{next(numbers):014}"
    secrets.token_bytes = lambda nbytes=None: hashlib.sha256(str(next(numbers)).encode()).digest()
    secrets.token_hex = lambda nbytes=None: f"{next(numbers):024}"


class Rehearsal:
    """Sends requests to a phone and keeps the answers."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.random = random.Random(7)
        self.answers: list[Answer] = []

    def ask(self, method: str, path: str, form: Any = None, **headers: str) -> dict[str, Any]:
        sent = {"Content-Type": FORM, **{name.replace("_", "-"): value for name, value in headers.items()}}
        body = json.dumps(form) if sent["Content-Type"] == "application/json" else urlencode(form or {}, doseq=True)
        text = self.phone.answer(method, path, json.dumps(list(sent.items())), body.encode())
        answer: dict[str, Any] = json.loads(text)
        answer["headers"] = [header for header in answer["headers"] if header[0] != "Date"]
        # Newer Pythons add floats more exactly, so the last digits, which only the API shows, are left out.
        content = LONG_NUMBER.sub(lambda number: f"{float(number[0]):.12f}", json.dumps(answer)).encode()
        self.answers.append((method, path, answer["status"], hashlib.sha256(content).hexdigest()[:16]))
        return answer

    def evening(self, language: str) -> None:
        speaks = {"Accept_Language": language}
        tabs = [f"/lookup/{tab}" for tab in dict.fromkeys((*lookups(), *GAMES))]
        for path in (*LOBBY, *tabs, *(f"/rules/{game}" for game in GAMES)):
            self.ask("GET", path, **speaks)
        for game in GAMES:
            self.table(game, language)
        self.ask("GET", "/", **speaks)

    def table(self, game: str, language: str) -> None:
        speaks = {"Accept_Language": language}
        setup = {"seats": 4, "game": game, "name-0": "Ana", "name-1": "Benoît", "name-2": "Zoë & Co"}
        made = self.ask("POST", "/tables", setup, **speaks)
        path = dict(made["headers"])["Location"]
        for number, entry in enumerate(self.entries(path.removeprefix("/t/"))):
            form = {"entry": entry, "version": self.version(path), "id": f"{game} {language} {number}"}
            self.ask("POST", f"{path}/enter", form, HX_Request="true", **speaks)
            if number % 13 == 5:
                undo = {"version": self.version(path), "id": f"undo {game} {language} {number}"}
                self.ask("POST", f"{path}/undo", undo, HX_Request="true", **speaks)
            if number % 15 == 9:
                self.ask("GET", f"{path}/coach?version={self.version(path)}", HX_Request="true", **speaks)
        for page in PAGES:
            self.ask("GET", path + page, **speaks)
        api = path.replace("/t/", "/api/tables/")
        for page in ("", "/log", "/coach", "/luck"):
            self.ask("GET", api + page)
        version = self.version(path)
        repair = {"n": 2, "kind": "amend", "entry": "5", "version": version, "id": f"repair {game} {language}"}
        self.ask("POST", f"{path}/repair", repair, **speaks)
        record = {"record": self.ask("GET", f"{path}/record")["body"]}
        self.ask("POST", "/import", record, **speaks)

    def entries(self, table_id: str) -> Iterator[str]:
        """Yield entries: mostly legal ones, and now and then one that must be refused."""
        tables = self.phone.app.extensions["tables"]
        for number in range(TAPS):
            state = tables.load(table_id).state
            legal = sorted(map(str, GAMES[state.game].legal(state)))
            if not legal:
                return
            yield self.random.choice(legal) if number % 9 else "11"

    def version(self, path: str) -> int:
        version: int = self.phone.app.extensions["tables"].load(path.removeprefix("/t/")).version
        return version


def rehearse(phone: Phone) -> list[Answer]:
    """Play every game in both languages; return the answers."""
    make_certain()
    rehearsal = Rehearsal(phone)
    for language in ("en", "fr"):
        rehearsal.evening(language)
    return rehearsal.answers
