"""What a tap and a poll cost, beside a floor of bare Flask, Jinja and sqlite3 in the same run: `make bench`.

Floor and program take turns, request by request; what is printed is the median of the ratios of CPU time within each
pair, so it says the same on a slow machine and on a busy one. It ends with code 1 when a limit is passed.
"""

from __future__ import annotations

import gzip
import io
import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from urllib.parse import urlencode

from flask import Flask, render_template, request
from jinja2 import DictLoader
from sqlalchemy import text

from companion.engine.notation import parse
from companion.table.change import Change
from companion.web import create_app
from companion.web.tables import Tables
from tests.web.conftest import statements

PAIRS = 400
WARM_UP = 50
FEW, MANY = 10, 10_000
NAMES = ("Ana", "Ben", "Cleo", "Dan")
ROUND = ("game pairs", "7", "3", "9", "10", "fold")  # what the evening before the tap is made of
CARD = "5"

TAP, GROWTH, POLL = 1.6, 1.1, 2.5  # the limits
FIRST_LOAD, TAP_BYTES, POLL_BYTES = 30_000, 3_000, 0
STATEMENTS = 1

Answer = tuple[int, dict[str, str], bytes]


def call(app: Flask, method: str, path: str, form: dict[str, object] | None = None, **headers: str) -> Answer:
    """A request straight to the application: no client, no server, whose costs would hide the difference."""
    address, _, query = path.partition("?")
    body = urlencode(form).encode() if form else b""
    told: list[tuple[int, dict[str, str]]] = []
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": address,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost:8000",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **headers,
    }
    found = app.wsgi_app(environ, lambda status, head, info=None: told.append((int(status[:3]), dict(head))))
    content = b"".join(found)
    found.close()  # type: ignore[attr-defined]
    return *told[0], content


class Dealer:
    """A phone that deals at a table whose log has so many entries."""

    def __init__(self, app: Flask, length: int) -> None:
        self.app = app
        tables: Tables = app.extensions["tables"]
        table_id, secret, _opened = tables.create(NAMES, [parse(ROUND[0])])
        for number in range(1, length):
            tables.write(table_id, secret, number, Change("enter", (ROUND[number % len(ROUND)],)))
        # Both evenings end alike, so that the same board is drawn: in the midst of a round, with all its odds.
        self.version = length
        for entry in ROUND[:-1]:
            tables.write(table_id, secret, self.version, Change("enter", (entry,)))
            self.version += 1
        self.address = f"/t/{table_id}"
        self.headers = {"HTTP_COOKIE": cookie_of(app, table_id, secret), "HTTP_HX_REQUEST": "true"}

    def tap(self) -> bytes:
        return self._post("enter", entry=CARD)

    def undo(self) -> None:
        self._post("undo", undo="undo")

    def _post(self, what: str, **form: str) -> bytes:
        sent = {**form, "version": self.version, "id": f"tap {self.version}"}
        status, _headers, content = call(self.app, "POST", f"{self.address}/{what}", sent, **self.headers)
        assert status == 200, content
        self.version += 1
        return content


def cookie_of(app: Flask, table_id: str, secret: str) -> str:
    """The cookie of the phone that opened the table."""
    interface = app.session_interface
    serializer = interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    return f"{app.config['SESSION_COOKIE_NAME']}={serializer.dumps({'dealer': {table_id: secret}})}"


class Floor:
    """The least a tap can be: a route, a form, one durable insert, and a fragment as large as the board: as many bytes
    and as many elements, with one value each."""

    ELEMENT = '<p class="seat">{{ value }}</p>\n'

    def __init__(self, folder: Path, length: int, drawn: bytes) -> None:
        self.database = sqlite3.connect(
            folder / f"floor-{length}.sqlite3", isolation_level=None, check_same_thread=False
        )
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self.database.execute(f"PRAGMA {pragma}")
        self.database.execute("CREATE TABLE log (number INTEGER PRIMARY KEY, entry TEXT)")
        self.database.execute("BEGIN")
        self.database.executemany("INSERT INTO log (entry) VALUES (?)", [("8",)] * length)
        self.database.execute("COMMIT")
        elements = len(re.findall(rb"<[a-z]", drawn))
        room = len(drawn) // elements - len(self.ELEMENT.replace("{{ value }}", ""))
        values = ["what it says, however long".ljust(room, ".")[:room]] * elements
        self.app = Flask("floor")
        template = f"{{% for value in values %}}{self.ELEMENT}{{% endfor %}}"
        self.app.jinja_env.loader = DictLoader({"board/board.html": template})

        @self.app.post("/t/<table_id>/enter")
        def enter(table_id: str) -> str:
            self.database.execute("INSERT INTO log (entry) VALUES (?)", (request.form["entry"],))
            return render_template("board/board.html", values=values)

        @self.app.get("/bare")
        def bare() -> str:
            return "ok"

    def tap(self) -> bytes:
        return call(self.app, "POST", "/t/some-table/enter", {"entry": CARD, "version": 1, "id": "tap 1"})[2]

    def bare(self) -> None:
        call(self.app, "GET", "/bare")


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def in_turns(*works: Callable[[], object], after: Callable[[], object] = lambda: None) -> list[list[float]]:
    """CPU seconds of each, turn by turn; `after` is done between the turns and not counted."""
    for _ in range(WARM_UP):
        for work in works:
            work()
        after()
    turns = []
    for _ in range(PAIRS):
        turns.append([seconds(work) for work in works])
        after()
    return turns


def packed(content: bytes) -> int:
    return len(gzip.compress(content, 6, mtime=0))


def first_load(app: Flask, dealer: Dealer) -> int:
    """Bytes on the wire when a phone opens the board for the first time: the page and what it loads."""
    head = {**dealer.headers, "HTTP_ACCEPT_ENCODING": "gzip", "HTTP_HX_REQUEST": ""}
    page = call(app, "GET", dealer.address, None, **head)[2]
    assets = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:css|js)[^"]*)"', gzip.decompress(page).decode())
    return len(page) + sum(len(call(app, "GET", asset, None, **head)[2]) for asset in assets)


def measure(folder: Path) -> list[tuple[str, float, float, str]]:
    """Name, figure, limit, unit."""
    app = create_app(config={"DATA": str(folder), "SQLALCHEMY_DATABASE_URI": f"sqlite:///{folder / 'bench.sqlite3'}"})
    store = app.extensions["tables"].store
    with store.connect() as connection:
        connection.execute(text("PRAGMA synchronous=OFF"))  # while the long evening is written
    few, many = Dealer(app, FEW), Dealer(app, MANY)
    store.close()
    with store.connect() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2, "every tap is durable"
    sent = statements(app)
    drawn = few.tap()
    per_tap = len(sent)
    few.undo()
    low, high = Floor(folder, FEW, drawn), Floor(folder, MANY, drawn)

    def take_back() -> None:
        few.undo()
        many.undo()

    turns = in_turns(low.tap, few.tap, high.tap, many.tap, after=take_back)
    tap = median(few_tap / floor for floor, few_tap, _high, _many in turns)
    growth = median((many_tap / few_tap) / (high / low) for low, few_tap, high, many_tap in turns)

    status, headers, _content = call(app, "GET", few.address, None, **few.headers)
    fresh = {**few.headers, "HTTP_IF_NONE_MATCH": headers["ETag"]}

    def poll() -> Answer:
        return call(app, "GET", few.address, None, **fresh)

    status, _headers, nothing = poll()
    assert status == 304
    polled = median(poll / bare for bare, poll in in_turns(low.bare, poll))
    spent = [median(turn[place] for turn in turns) * 1e6 for place in range(4)]
    print(f"CPU of a tap in this run: {spent[1]:.0f} µs, of its floor {spent[0]:.0f} µs")
    print(f"                       at {MANY:,} entries: {spent[3]:.0f} µs, of its floor {spent[2]:.0f} µs\n")
    return [
        ("a tap, against its floor", tap, TAP, "x"),
        (f"a tap at {MANY:,} entries against one at {FEW}, by the floor's growth", growth, GROWTH, "x"),
        ("a poll with nothing new, against a bare Flask route", polled, POLL, "x"),
        ("first load of the board", first_load(app, few), FIRST_LOAD, "bytes"),
        ("answer to a tap", packed(drawn), TAP_BYTES, "bytes"),
        ("answer to a poll with nothing new", len(nothing), POLL_BYTES, "bytes"),
        ("statements of a tap", per_tap, STATEMENTS, ""),
    ]


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="fifty-five-") as folder:
        found = measure(Path(folder))
    wide = max(len(name) for name, *_rest in found)
    beyond = 0
    for name, figure, limit, unit in found:
        shown = f"{figure:10.2f}" if isinstance(figure, float) else f"{figure:10,}"
        fine = figure <= limit
        beyond += not fine
        print(f"{name:{wide}} {shown} {unit:5} at most {limit:,}{'' if fine else '  BEYOND ITS LIMIT'}")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
