"""A night in a pub without a browser: the dealer's phone, the real server on SQLite, and a bad line between them.

The phone does what its service worker does: it answers first, keeps every row in its journal before it shows anything,
and sends the unsent rows in order. The line goes down, loses or delays answers, and delays or repeats requests. Phone and
server may be killed at any moment.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

from werkzeug.test import TestResponse

from companion import __version__
from companion.games import GAMES
from companion.pocket.phone import Phone
from companion.table.change import Change
from companion.table.table import Table
from companion.web.dealing import fingerprint
from companion.web.rows import MOST_ROWS
from companion.web.tables import Tables
from tests.engine.test_walk import NAMES
from tests.known import KNOWN
from tests.web.conftest import app_on, close

from .conftest import FORM, Pocket

STEPS = 120  # events in a night
REFUSALS = (401, 403, 404, 409, 422)
HTMX = {"HX-Request": "true"}


class KilledServer:
    """The real application on SQLite. It can lose its memory at any time, as in a restart."""

    def __init__(self, folder: Path) -> None:
        self.app = app_on(folder)
        self.tables: Tables = self.app.extensions["tables"]

    def restart(self) -> None:
        close(self.app)
        for table in list(self.tables._cache):
            self.tables.forget(table)

    def ask(self, method: str, path: str, cookie: str, **more: Any) -> TestResponse:
        headers = {**more.pop("headers", {}), **({"Cookie": cookie} if cookie else {})}
        return self.app.test_client(use_cookies=False).open(path, method=method, headers=headers, **more)


class BadLine:
    """The connection between phone and server. Late requests and answers arrive at the next `deliver`."""

    FAULTS = ("cut", "answer lost", "answer late", "request late", "twice")

    def __init__(self, random: Random, server: KilledServer) -> None:
        self.random, self.server = random, server
        self.up = self.good = True
        self.late: list[Callable[[], object]] = []

    def ask(self, heard: Callable[[TestResponse], None], method: str, path: str, cookie: str, **more: Any) -> bool:
        """Send a request and pass its answer to `heard`; True if the answer came at once."""
        if not self.up:
            return False
        fault = "" if self.good or self.random.random() < 0.5 else self.random.choice(self.FAULTS)
        if fault == "cut":
            return False
        if fault == "request late":
            self.late.append(lambda: self.server.ask(method, path, cookie, **dict(more)))
            return False
        answer = self.server.ask(method, path, cookie, **dict(more))
        if fault == "twice":
            answer = self.server.ask(method, path, cookie, **dict(more))
        if fault == "answer late":
            self.late.append(lambda: heard(answer))
        if fault in ("answer late", "answer lost"):
            return False
        heard(answer)
        return True

    def deliver(self) -> None:
        due, self.late = self.late, []
        for one in due:
            one()


class DealersPhone(Pocket):
    """Pages, service worker, journal and Python of one phone."""

    def __init__(self, random: Random, line: BadLine, python: Phone) -> None:
        self.python = python
        super().__init__()
        self.random, self.line = random, line
        self.cookie = ""
        self.behind: set[str] = set()  # tables for which the server has more rows
        self.count = 0
        self.shown: dict[str, set[str]] = {}  # by table: the ids of the entries that were shown
        self.refused: set[str] = set()
        self.reached: set[str] = set()  # tables that the server knows

    def wake(self) -> None:
        """The browser was killed: Python now knows only what is in the journal."""
        self.python.restore(self.journal.everything())

    # -- the journal

    def rows(self, key: str) -> list[Any]:
        return [self.journal.rows[one] for one in sorted(self.journal.rows) if one[0] == key]

    def unsent(self, key: str) -> list[Any]:
        return [row for row in self.rows(key) if not row["sent"]]

    def table(self, key: str) -> Table:
        found: Table = self.python.app.extensions["tables"].load(key)
        return found

    # -- from and to the server

    def keep_cookie(self, answer: TestResponse) -> None:
        for one in answer.headers.getlist("Set-Cookie"):
            self.cookie = one.partition(";")[0]

    def put(self, key: str, rows: list[Any]) -> None:
        """Add rows of the server after those in the journal."""
        for row in rows:
            here = len(self.rows(key))
            if row["number"] == here + 1:
                self.journal.rows[key, row["number"]] = {**row, "table": key, "sent": 1}
            elif row["number"] > here:
                self.behind.add(key)
        self.catch_up(key)

    def catch_up(self, key: str) -> None:
        rows = self.rows(key)[self.python.version(key, 0) :]
        kept = {"tables": [self.journal.tables[key]], "rows": rows, "session": list(self.journal.session.values())}
        self.python.catch_up(json.dumps(kept))

    def pull(self, key: str) -> None:
        def heard(answer: TestResponse) -> None:
            if answer.status_code != 200 or self.unsent(key):
                return
            if key not in self.journal.tables:
                self.journal.tables[key] = {"id": key, "names": answer.json["names"], "copy": 0}
            self.put(key, answer.json["rows"])
            if len(self.rows(key)) == answer.json["version"]:
                self.behind.discard(key)

        after = len(self.rows(key))
        self.line.ask(heard, "GET", f"/api/tables/{key}/rows?after={after}", self.cookie)

    def send(self) -> None:
        for key, table in list(self.journal.tables.items()):
            rows = self.unsent(key)[:MOST_ROWS]
            if not rows or "refused" in table:
                continue
            body = {"engine": __version__, "names": table["names"], "rows": [dict(row) for row in rows]}
            body["opening"] = self.rows(key)[0]["client"]

            def heard(answer: TestResponse, key: str = key, rows: list[Any] = rows) -> None:
                self.heard_of(key, rows, answer)

            self.line.ask(heard, "POST", f"/api/tables/{key}/rows", self.cookie, json=body)

    def heard_of(self, key: str, rows: list[Any], answer: TestResponse) -> None:
        self.keep_cookie(answer)
        if key not in self.journal.tables:
            return
        assert answer.status_code in (200, *REFUSALS, 503), answer.text
        if answer.status_code == 503:
            return
        self.reached.add(key)
        for row in rows[: answer.json.get("taken", 0)]:
            with suppress(KeyError):
                self.journal.rows[key, row["number"]]["sent"] = 1
        if answer.status_code in REFUSALS:
            refused = {"status": answer.status_code, "message": answer.json["message"]}
            self.journal.tables[key]["refused"] = refused
            self.refused.add(key)
            self.catch_up(key)

    # -- actions of a person

    def new_id(self) -> str:
        self.count += 1
        return f"id-of-tap-{self.random.getrandbits(48):012x}-{self.count}"

    def tap(self, key: str, path: str, form: dict[str, Any]) -> None:
        """Send a tap until it is answered, always with the same id."""
        form = {**form, "id": self.new_id()}
        for _try in range(40):
            form["version"] = len(self.rows(key))
            status = self.ask_python(f"/t/{key}{path}", form) if self.here(key) else self.ask_server(key, path, form)
            if status in (200, 303):
                self.shown.setdefault(key, set()).add(form["id"])
            if status:
                return
            if self.random.random() < 0.5:
                self.line.deliver()

    def here(self, key: str) -> bool:
        """True if Python on the phone answers: always while rows are unsent, else mostly, if it has all rows."""
        return bool(self.unsent(key)) or (key not in self.behind and self.random.random() < 0.8)

    def ask_python(self, path: str, form: dict[str, Any]) -> int:
        head = json.dumps([["Content-Type", FORM], *HTMX.items()])
        found = json.loads(self.python.answer("POST", path, head, urlencode(form).encode()))
        if self.random.random() < 0.04:  # killed before the journal was written: nothing was shown
            self.wake()
            return 0
        self.journal.write(found["written"])
        if self.random.random() < 0.04:  # killed after it was on disk, but before it was on the screen
            self.wake()
            return 0
        return int(found["status"])

    def ask_server(self, key: str, path: str, form: dict[str, Any]) -> int:
        status = 0

        def heard(answer: TestResponse) -> None:
            nonlocal status
            status = answer.status_code if answer.status_code < 500 else 0
            if "X-Row" in answer.headers and not self.unsent(key):
                self.put(key, [json.loads(answer.headers["X-Row"])])
            elif status == 200:
                self.behind.add(key)
            if status in REFUSALS:
                self.behind.add(key)

        self.line.ask(heard, "POST", f"/t/{key}{path}", self.cookie, data=dict(form), headers=HTMX)
        if key in self.behind:
            self.pull(key)
        return status

    def open_table(self, game: str) -> None:
        seats = self.random.choice(GAMES[game].players)
        form = {"game": game, "seats": seats, "id": self.new_id()}
        form |= {f"name-{seat}": name for seat, name in enumerate(NAMES[:seats])}
        for option in self.random.choice(KNOWN[game].walks).split():
            name, _, value = option.partition("=")
            form[f"o-{name}"] = value
        if self.random.random() < 0.5:
            while not self.ask_python("/tables", form):
                pass
            return
        for _try in range(5):
            found: list[TestResponse] = []
            if not self.cookie and not self.line.ask(self.keep_cookie, "GET", "/new", ""):
                continue  # no form, nothing to send
            if self.line.ask(found.append, "POST", "/tables", self.cookie, data=dict(form)):
                self.keep_cookie(found[0])
                key = found[0].headers["Location"].rpartition("/")[2]
                self.reached.add(key)
                for _again in range(20):
                    self.pull(key)
                    if key in self.journal.tables:
                        return
                return

    def enter_something(self, key: str) -> None:
        """Mostly tap a legal entry; sometimes undo, redo, a repair, chips, or an entry that must be refused."""
        table, random = self.table(key), self.random
        legal = [str(entry) for entry in table.games[table.state.game].legal(table.state)]
        path, form = "/enter", {"entry": random.choice(legal) if legal else "shuffle"}
        chance = random.random()
        if chance < 0.08:
            path = random.choice(("/undo", "/redo"))
        elif chance < 0.12:
            number = random.randrange(table.head.number + 1)
            others = [str(entry) for entry in table.alternatives(number)] or ["7"]
            path, form = "/repair", {"n": str(number), "kind": "amend", "entry": random.choice(others)}
        elif chance < 0.16:
            form = {"entry": f"buy {table.state.seats[0].name} 5"}
        elif chance < 0.20:
            form = {"entry": "11"}
        self.tap(key, path, form)

    def fork(self, key: str) -> str:
        """Keep this phone's copy as a separate table; return its id."""
        known = set(self.journal.tables)
        entries = [str(step.entry) for step in self.table(key).steps()]
        while key in self.journal.tables:
            self.ask_python(f"/t/{key}/fork", {"id": self.new_id()})
        (new,) = set(self.journal.tables) - known
        assert [str(step.entry) for step in self.table(new).steps()] == entries
        return new


class BadNight:
    """One evening with random events from a seed, so that a failing one can be repeated."""

    def __init__(self, seed: int, server: KilledServer, python: Phone) -> None:
        self.random = Random(f"night {seed}")
        self.server = server
        self.line = BadLine(self.random, self.server)
        self.phone = DealersPhone(self.random, self.line, python)
        self.games = [sorted(GAMES)[(seed + place) % len(GAMES)] for place in range(2)]
        self.taken_over: set[str] = set()
        self.forks = 0

    def live(self) -> None:
        phone, line, random = self.phone, self.line, self.random
        line.good = False
        while self.games and not phone.journal.tables:
            phone.open_table(self.games[0])
        for step in range(STEPS):
            if step == STEPS // 2:
                phone.open_table(self.games[-1])
            chance = random.random()
            if chance < 0.06:
                line.up = not line.up
            elif chance < 0.08:
                self.server.restart()
            elif chance < 0.11:
                phone.wake()
            elif chance < 0.125:
                self.take_over()
            elif chance < 0.30:
                phone.send()
                line.deliver()
            else:
                self.play()
        self.end()

    def play(self) -> None:
        phone = self.phone
        key = self.random.choice(list(phone.journal.tables))
        refused = "refused" in phone.journal.tables[key]
        if refused and self.random.random() < 0.3:
            phone.fork(key)
            self.forks += 1
        elif key in phone.behind:
            phone.pull(key)
        else:
            phone.enter_something(key)

    def take_over(self) -> None:
        """Let another phone take the deal of a table that the server knows, or another tab enter something there."""
        known = [key for key in self.phone.journal.tables if key in self.phone.reached]
        if not known:
            return
        key, tables = self.random.choice(known), self.server.tables
        self.taken_over.add(key)
        if self.random.random() < 0.3:  # another tab of this phone enters something
            form = {"version": tables.load(key).version, "entry": f"buy {tables.load(key).state.seats[0].name} 9"}
            self.server.ask("POST", f"/t/{key}/enter", self.phone.cookie, data=form, headers=HTMX)
            return
        assert tables.store.change_secret(key, fingerprint("another phone"), tables.store.takeover(key).epoch)
        table = tables.load(key)
        if self.random.random() < 0.7:
            bought = Change("enter", (f"buy {table.state.seats[0].name} 7",))
            tables.write(key, "another phone", table.version, bought)

    def end(self) -> None:
        """Repair the line and send everything; each refused table becomes a separate one."""
        phone, line = self.phone, self.line
        line.up = line.good = True
        for _round in range(40):
            line.deliver()
            phone.send()
            for key in list(phone.journal.tables):
                if key in phone.behind and not phone.unsent(key):
                    phone.pull(key)
                if "refused" in phone.journal.tables[key]:
                    phone.fork(key)
                    self.forks += 1
            if not line.late and not any(phone.unsent(key) for key in phone.journal.tables):
                return
        raise AssertionError("something is still unsent")

    def check(self) -> None:
        """Assert that no entry is lost or doubled, and that phone and server have the same tables."""
        phone, store = self.phone, self.server.tables.store
        assert phone.refused <= self.taken_over, "rows were refused, and nobody had taken the deal"
        for key in phone.journal.tables:
            here, there = phone.rows(key), store.rows(key)
            if key in self.taken_over:  # another phone deals there, and this one has no unsent rows
                there = there[: len(here)]
            local = [(row["number"], row["kind"], row["entries"], row["entry"]) for row in here]
            assert local == [
                (row.number, row.change.kind, list(row.change.entries), row.change.number) for row in there
            ]
            clients = [row.client for row in there if row.client]
            assert len(clients) == len(set(clients))
            assert phone.shown.get(key, set()) <= set(clients), "what was shown is not on the server"
            if key not in self.taken_over:
                elsewhere = self.server.tables.load(key)
                assert elsewhere.report() == phone.table(key).report()
                assert [step.entry for step in elsewhere.steps()] == [step.entry for step in phone.table(key).steps()]
