"""Helpers for testing the real server under faults: phones and dealers that keep tapping."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from random import Random
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from companion.games import GAMES
from tests.process import HOST

PATIENCE = 60.0  # seconds a phone waits for an answer; far more than needed, to allow for busy machines
AWAY = 503  # the database did not answer in time, as on a busy machine: send again with the same id
TRIES = 20
LOST = (OSError, HTTPException)  # no answer came, or only a part of it
NAMES = ("Ana", "Ben", "Cleo", "Dan")
OPENINGS = tuple(GAMES)
FORM = "application/x-www-form-urlencoded"
SHOWN = re.compile(rb'id="board"[^>]*data-version="(\d+)"')


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class HttpPhone:
    """A connection that is kept, for one request at a time. It returns a whole answer or raises one of `LOST`."""

    def __init__(self, port: int) -> None:
        self.connection = HTTPConnection(HOST, port, timeout=PATIENCE)
        self.sent: float | None = None  # when the last request had been sent completely

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> HttpAnswer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.sent = None
        try:
            self.connection.request(method, path, body or None, named)
            self.sent = monotonic()
            found = self.connection.getresponse()
            return HttpAnswer(
                found.status, {name.lower(): value for name, value in found.headers.items()}, found.read()
            )
        except BaseException:
            self.connection.close()
            raise

    def close(self) -> None:
        self.connection.close()


@dataclass(frozen=True)
class Tap:
    """A tap of a dealer with its own id: sent twice, it is entered once."""

    kind: str  # "entries", "undo", "redo", or "PUT 7": a repair
    entry: str | None
    version: int
    client: str
    by_form: bool = False


@dataclass
class DealtTable:
    """A table as its dealer knows it: the answers so far, in order."""

    table: str
    right: dict[str, str]  # the header that allows writing: the secret, or the cookie of a browser
    opening: str  # the entry that starts a new game when one is over
    state: dict[str, Any] | None = None  # None: unknown, to be requested
    entries: list[str] = field(default_factory=list)
    version: int = 1
    taps: int = 0

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"


class Dealer:
    """A phone that deals at its own tables: legal entries, and an undo now and then."""

    def __init__(self, port: int, name: str, random: Random) -> None:
        self.phone = HttpPhone(port)
        self.name = name
        self.random = random
        self.deals: list[DealtTable] = []

    def open(self, game: str, by_form: bool = False) -> DealtTable:
        opening = f"game {game}"
        if by_form:
            names = {f"name-{number}": name for number, name in enumerate(NAMES)}
            form = urlencode({"game": game, "seats": len(NAMES), **names}).encode()
            made = self.phone.ask("POST", "/tables", form, Content_Type=FORM)
            assert made.status == 303, made.body
            right = {"Cookie": made.headers["set-cookie"].partition(";")[0]}
            deal = DealtTable(made.headers["location"].rpartition("/")[2], right, opening)
        else:
            wanted = json.dumps({"seats": NAMES, "game": game}).encode()
            made = self.phone.ask("POST", "/api/tables", wanted, Content_Type="application/json")
            assert made.status == 201, made.body
            found = made.json()
            deal = DealtTable(found["table"], {"Authorization": f"Bearer {found['dealer']}"}, opening, found["state"])
        self.deals.append(deal)
        return deal

    def look(self, deal: DealtTable) -> dict[str, Any]:
        found = self.phone.ask("GET", deal.path)
        for _ in range(TRIES):
            if found.status != AWAY:
                break
            found = self.phone.ask("GET", deal.path)
        assert found.status == 200, found.body
        state: dict[str, Any] = found.json()
        return state

    def choose(self, deal: DealtTable) -> Tap:
        """The next tap, chosen from the newest state."""
        if deal.state is None:
            deal.state = self.look(deal)
        deal.taps += 1
        client = f"{self.name} {deal.taps}"
        if deal.state["undo"] is not None and self.random.random() < 0.08:
            return Tap("undo", None, deal.version, client)
        entry = self.random.choice(deal.state["legal"] or [deal.opening])
        return Tap("entries", entry, deal.version, client, "Cookie" in deal.right and self.random.random() < 0.7)

    def send(self, deal: DealtTable, tap: Tap) -> HttpAnswer:
        if tap.by_form:
            form = urlencode({"entry": tap.entry or "", "version": tap.version, "id": tap.client}).encode()
            return self.phone.ask(
                "POST", f"/t/{deal.table}/enter", form, Content_Type=FORM, HX_Request="true", **deal.right
            )
        content = {"version": tap.version, "id": tap.client}
        method, path = "POST", tap.kind
        if tap.kind == "entries":
            content |= {"entries": [tap.entry]}
        elif " " in tap.kind:
            method, number = tap.kind.split()
            path = f"entries/{number}"
            content |= {"entry": tap.entry} if tap.entry is not None else {}
        return self.phone.ask(
            method, f"{deal.path}/{path}", json.dumps(content).encode(), Content_Type="application/json", **deal.right
        )

    def note(self, deal: DealtTable, tap: Tap, answer: HttpAnswer) -> None:
        """Note an answered tap: from now on the table must have it exactly once."""
        assert answer.status == 200, (tap, answer.status, answer.body[:300])
        if tap.by_form:
            shown = SHOWN.search(answer.body)
            assert shown is not None, answer.body[:300]
            version, deal.state = int(shown[1]), None
        else:
            deal.state = answer.json()
            version = deal.state["version"]
        assert version == tap.version + 1, (tap, version)
        deal.version = version
        if tap.kind == "undo":
            deal.entries.pop()
        elif tap.entry is not None:
            deal.entries.append(tap.entry)

    def tap(self, deal: DealtTable) -> None:
        tap = self.choose(deal)
        self.note(deal, tap, self.send(deal, tap))

    def log(self, deal: DealtTable) -> list[str]:
        found = self.phone.ask("GET", f"{deal.path}/log")
        assert found.status == 200, found.body
        return [line["entry"] for line in found.json()["entries"]]

    def close(self) -> None:
        self.phone.close()


def seen(state: dict[str, Any]) -> dict[str, Any]:
    """A state without the keys that a record does not have."""
    return {key: value for key, value in state.items() if key not in ("table", "version", "undo", "redo")}
