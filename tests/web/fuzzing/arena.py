"""An application that notes every table it opens, and a scene at one of its tables."""

from __future__ import annotations

import gzip
import io
import json
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlencode

from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, encode_multipart, run_wsgi_app

from companion.engine.notation import parse
from companion.games import GAMES
from companion.store import Store
from companion.table.change import Change
from companion.table.table import Table
from companion.web.api import log_of
from companion.web.dealing import fingerprint
from companion.web.tables import Tables
from tests.engine.test_walk import NAMES

from .requests import Blank, FuzzedEvening, FuzzRequest
from .values import LONGEST_COOKIE, MARKUP, RAW_BODIES

DELETIONS = {("/t/<table_id>/delete", 303), ("/api/tables/<table_id>", 204)}
PHONE = "the secret of the dealer's phone"


@dataclass
class FuzzCount:
    """The results of the whole run."""

    answers: Counter[int] = field(default_factory=Counter)
    slow: list[str] = field(default_factory=list)


@dataclass
class Arena:
    app: Flask
    tally: FuzzCount
    created: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tables: Tables = self.app.extensions["tables"]
        self.store: Store = self.tables.store
        create = self.store.create

        def noted(table: str, *rest: Any) -> None:
            create(table, *rest)
            self.created.append(table)

        self.store.create = noted  # type: ignore[method-assign]

    def standing(self, table: str) -> Any:
        """Everything stored about a table, except the guesses of its code."""
        takeover = self.store.takeover(table)
        return self.store.names(table), self.store.rows(table), self.store.standing(table), takeover and takeover.epoch

    def rows_of(self, tables: list[str]) -> list[Any]:
        return [(self.store.names(table), self.store.rows(table)) for table in tables]


@dataclass(frozen=True)
class FuzzAnswer:
    method: str
    path: str
    status: int
    headers: Headers
    text: str

    @classmethod
    def to(cls, app: Flask, environ: dict[str, Any]) -> FuzzAnswer:
        """Call the application as a server does: a test client would tidy the request up, or fail on it."""
        parts, status, headers = run_wsgi_app(app, environ, buffered=True)
        body = b"".join(parts)
        if body and headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
        return cls(environ["REQUEST_METHOD"], path, int(status.split()[0]), headers, body.decode("utf-8", "replace"))

    def taken(self) -> int:
        """How many rows were accepted before one was refused. Only this call may be accepted in part."""
        return json.loads(self.text).get("taken", 0) if self.path.endswith("/rows") and self.text else 0

    def keeps_the_promises(self) -> None:
        """Assert that nothing broke, that a refusal is explained in a sentence, and that no text became markup."""
        assert self.status < 500, self.text
        assert all(len(cookie) <= LONGEST_COOKIE for cookie in self.headers.getlist("Set-Cookie"))
        if self.headers.get("Content-Type", "").startswith("text/html"):
            assert not [markup for markup in MARKUP if markup in self.text]
        if self.method == "HEAD":
            assert not self.text
        elif self.status >= 400 and self.path.startswith(("/api", "/healthz", "/standings.json")):
            answered = json.loads(self.text)
            assert answered["error"].strip()
            assert answered["message"].strip()
        elif self.status >= 400:
            assert re.search(r'role="alert"[^>]*>\s*[^<\s]', self.text), self.text


class Scene:
    """A table in the middle of an evening, its dealer's phone, and another table that the dealer must not change."""

    def __init__(self, arena: Arena, evening: FuzzedEvening, more: str) -> None:
        self.arena = arena
        self.first = len(arena.created)
        self.deleted = False
        opened = [parse(entry) for entry in evening.entries]
        half = len(opened) // 2 + 1
        with arena.app.app_context():
            self.other, _secret, _table = arena.tables.create(NAMES[:2], [parse("game pairs")])
            self.table, self.secret, table = arena.tables.create(evening.names, opened[:half], phone=PHONE)
            if opened[half:]:
                later = Change("enter", evening.entries[half:])
                table = arena.tables.write(self.table, self.secret, 1, later, "tap-1")
                if more == "undone":
                    arena.tables.write(self.table, self.secret, table.version, Change("undo"))
            if more == "offered":
                arena.tables.dealing.offer(self.table, self.secret)

    # -- values that the dealer's phone knows

    def fill(self, value: Any) -> Any:
        match value:
            case Blank(what):
                return getattr(self, what) if what in ("table", "other") else getattr(self, f"_{what}")()
            case list():
                return [self.fill(part) for part in value]
            case dict():
                return {name: self.fill(part) for name, part in value.items()}
            case _:
                return value

    def now(self) -> Table:
        with self.arena.app.app_context():
            return self.arena.tables.load(self.table)

    def _version(self) -> int:
        return self.now().version

    def _next(self) -> int:
        return self._version() + 1

    def _unopened(self) -> str:
        return token_urlsafe(12)

    def _length(self) -> int:
        return self.now().head.number

    def _legal(self) -> str:
        table = self.now()
        legal = table.games[table.state.game].legal(table.state)
        return str(legal[table.version % len(legal)]) if legal else "shuffle"

    def _name(self) -> str:
        table = self.now()
        return table.state.seats[table.version % len(table.state.seats)].name

    def _recovery(self) -> str:
        with self.arena.app.app_context():
            return self.arena.tables.dealing.recovery_code(self.table)

    def _client(self) -> str:
        return f"tap-{self._version()}"

    # -- sending

    def environ(self, request: FuzzRequest) -> dict[str, Any]:
        """The WSGI environment for the request, exact to the byte."""
        path = request.rule
        for name, value in request.arguments.items():
            path = str(self.fill(value)).join(re.split(rf"<(?:\w+:)?{name}>", path))
        pairs = [(name, self.fill(value)) for name, value in request.fields]
        words = [(name, part if isinstance(part, str) else str(part)) for name, part in pairs]
        query, body, kind = request.query or "", b"", ""
        if request.where == "query":
            query = "&".join(filter(None, (urlencode(words, errors="surrogatepass"), query)))
        elif request.where == "form":
            body, kind = urlencode(words, errors="surrogatepass").encode(), "application/x-www-form-urlencoded"
        elif request.where == "json":
            inside = ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in pairs)  # doubles stay
            body, kind = f"{{{inside}}}".encode(), "application/json"
        else:
            parts = {name: text.encode("utf-8", "replace").decode() for name, text in words}
            files = {"file": (io.BytesIO(parts.pop("file", "").encode()), "record.txt")}
            boundary, body = encode_multipart({**parts, **files})
            kind = f"multipart/form-data; boundary={boundary}"
        body = body if request.body is None else RAW_BODIES[request.body]
        made: dict[str, Any] = EnvironBuilder(method=request.method, input_stream=io.BytesIO(body)).get_environ()
        made |= {"PATH_INFO": path.encode("utf-8", "surrogatepass").decode("latin-1"), "QUERY_STRING": query}
        made |= {"CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": request.content_type or kind}
        for name, value in (*self.rights(request), *request.headers):
            key = name.upper().replace("-", "_")
            if key == "COOKIE" and "HTTP_COOKIE" in made:
                value = f"{made['HTTP_COOKIE']}; {value}"
            made["CONTENT_LENGTH" if key == "CONTENT_LENGTH" else f"HTTP_{key}"] = value
        return made

    def rights(self, request: FuzzRequest) -> list[tuple[str, str]]:
        """The headers with which the sender claims to be the dealer."""
        if request.who == "bearer":
            return [("Authorization", f"Bearer {self.secret}")]
        if request.who == "liar":
            return [("Authorization", f"Bearer {self.secret[::-1]}")]
        if request.who == "cookie":
            signer = self.arena.app.session_interface.get_signing_serializer(self.arena.app)  # type: ignore[attr-defined]
            kept = {"phone": PHONE, "people": ["Ann", "Bob"]}
            return [("Cookie", f"fifty-five={signer.dumps(kept)}")]
        return []

    def may_write(self, request: FuzzRequest) -> bool:
        standing = self.arena.store.standing(self.table)
        assert standing is not None
        sent = dict(request.headers)
        foreign = sent.get("Sec-Fetch-Site") in ("cross-site", "same-site", "", "\xff")
        return request.who in ("bearer", "cookie") and standing.secret == fingerprint(self.secret) and not foreign

    def send(self, request: FuzzRequest) -> None:
        """Send the request, and assert that the answer and the tables are as they should be."""
        tables, store = [self.table, self.other], self.arena.store
        before, rows = [self.arena.standing(table) for table in tables], self.arena.rows_of(tables)
        known, may_write = len(self.arena.created), self.may_write(request)
        environ = self.environ(request)
        started = time.process_time()
        answer = FuzzAnswer.to(self.arena.app, environ)
        self.note(request, answer, time.process_time() - started)

        answer.keeps_the_promises()
        if self.arena.store.standing(self.table) is None:
            assert may_write, "somebody who does not deal has deleted the table"
            assert (request.rule, answer.status) in DELETIONS
            self.deleted = True
            return
        after = [self.arena.standing(table) for table in tables]
        if answer.status >= 400 and not answer.taken():
            assert after == before, "a refused request has changed the table"
            assert len(self.arena.created) == known, "a refused request has opened a table"
        if not may_write:
            assert self.arena.rows_of(tables) == rows, "somebody who does not deal has changed the table"
            if not (request.rule.endswith("/take") and answer.status == 303):
                assert after == before, "somebody who does not deal has changed who deals"
        assert after[1] == before[1], "the table next to it has changed"
        assert store.names(self.table) == before[0][0]

    def note(self, request: FuzzRequest, answer: FuzzAnswer, seconds: float) -> None:
        self.arena.tally.answers[answer.status] += 1
        if seconds > 1:
            self.arena.tally.slow.append(f"{seconds:.1f} s: {str(request)[:2_000]}")

    def replays(self) -> None:
        """Assert that replaying its log gives the same table, for each one of this scene or opened in it."""
        for table_id in self.arena.created[self.first :]:
            if table_id == self.table and self.deleted:
                continue
            with self.arena.app.app_context():
                table = self.arena.tables.load(table_id)
            names, (opening, *later) = self.arena.store.names(table_id), self.arena.store.rows(table_id)
            assert names is not None
            again = Table.open(GAMES, names, opening.change.entries, opening.at)
            for row in later:
                again = again.change(row.change, row.at)
            assert again.report() == table.report()
            assert log_of(again) == log_of(table)
            answered = Table.from_record(GAMES, table.record()).report()
            own = ("version", "undo", "redo")
            assert {**answered, **dict.fromkeys(own)} == {**table.report(), **dict.fromkeys(own)}


def act(arena: Arena, evening: FuzzedEvening, more: str, sent: list[FuzzRequest]) -> None:
    scene = Scene(arena, evening, more)
    for request in sent:
        if not scene.deleted:
            scene.send(request)
    scene.replays()
