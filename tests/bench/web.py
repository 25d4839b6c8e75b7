"""What a tap and a poll cost, beside a floor of bare Flask, Jinja and sqlite3 in the same run: `make bench`.

Whole games of all kinds are played with random legal entries over many tables. Program and floor take turns, tap by
tap, so that a busy machine slows both. It ends with code 1 when a limit is passed. `served.py` measures the same with
the server program around both.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from time import process_time
from typing import TypeVar
from urllib.parse import urlencode

from flask import Flask
from sqlalchemy import text

from companion.engine.notation import parse
from companion.games import GAMES
from companion.table.change import Change
from companion.web import create_app
from companion.web.tables import Tables
from tests.web.conftest import statements

from .evenings import NAMES, Tap, openings, taps
from .floor import create_floor, shape_of

T = TypeVar("T")

TAPS = 2_000
TURNS, WARM_UP = 400, 50
FEW, MANY = 10, 10_000
ROUND = ("game pairs", "7", "3", "9", "10", "fold")  # what the long evening is made of

TAP, GROWTH, POLL = 1.5, 1.1, 2.5  # the limits
FIRST_LOAD, TAP_BYTES, LARGEST_TAP, POLL_BYTES = 30_000, 3_000, 5_000, 0
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
    if hasattr(found, "close"):
        found.close()
    return *told[0], content


class Dealer:
    """A phone that deals at a table."""

    def __init__(self, app: Flask, opening: str) -> None:
        self.app = app
        tables: Tables = app.extensions["tables"]
        self.table_id, self.secret, _opened = tables.create(NAMES, [parse(opening)])
        self.version = 1
        self.address = f"/t/{self.table_id}"
        self.headers = {"HTTP_COOKIE": cookie_of(app, self.table_id, self.secret), "HTTP_HX_REQUEST": "true"}

    def form(self, entry: str) -> dict[str, object]:
        return {"entry": entry, "version": self.version, "id": f"tap {self.version}"}

    def tap(self, entry: str) -> bytes:
        status, _headers, content = call(self.app, "POST", f"{self.address}/enter", self.form(entry), **self.headers)
        assert status == 200, content
        self.version += 1
        return content

    def write(self, entry: str) -> None:
        """The same without a request."""
        tables: Tables = self.app.extensions["tables"]
        tables.write(self.table_id, self.secret, self.version, Change("enter", (entry,)))
        self.version += 1


def cookie_of(app: Flask, table_id: str, secret: str) -> str:
    """The cookie of the phone that opened the table."""
    interface = app.session_interface
    serializer = interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    return f"{app.config['SESSION_COOKIE_NAME']}={serializer.dumps({'dealer': {table_id: secret}})}"


def seconds(work: Callable[[], T]) -> tuple[float, T]:
    """CPU seconds, and what came of it."""
    start = process_time()
    done = work()
    return process_time() - start, done


def packed(content: bytes) -> int:
    return len(gzip.compress(content, 6, mtime=0))


def first_load(app: Flask, dealer: Dealer) -> int:
    """Bytes on the wire when a phone opens the board for the first time: the page and what it loads."""
    head = {**dealer.headers, "HTTP_ACCEPT_ENCODING": "gzip", "HTTP_HX_REQUEST": ""}
    page = call(app, "GET", dealer.address, None, **head)[2]
    assets = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:css|js)[^"]*)"', gzip.decompress(page).decode())
    return len(page) + sum(len(call(app, "GET", asset, None, **head)[2]) for asset in assets)


class Stream:
    """The program and its floor in turns, tap by tap, over whole games of every kind."""

    def __init__(self, folder: Path, app: Flask) -> None:
        self.floor = create_floor(folder)
        self.dealers = [Dealer(app, opening) for opening in openings()]
        self.spent, self.least, self.answers = [], [], []  # type: list[float], list[float], list[bytes]

    def run(self, stream: Iterable[Tap]) -> None:
        for table, entry in stream:
            dealer = self.dealers[table]
            spent, drawn = seconds(lambda dealer=dealer, entry=entry: dealer.tap(entry))
            elements, length = shape_of(drawn)
            form = {"entry": entry, "version": elements * 10_000 + length, "id": f"tap {dealer.version}"}
            least, _answer = seconds(lambda form=form: call(self.floor, "POST", "/t/some-table/enter", form))
            self.spent.append(spent)
            self.least.append(least)
            self.answers.append(drawn)  # packed later: that would leave the next tap a cold machine, and not its floor

    def ratio(self) -> float:
        """Over the whole stream; a tenth of the turns, the dearest, is left out: another program had the machine."""
        pairs = sorted(zip(self.spent, self.least, strict=True), key=sum)[: len(self.spent) * 9 // 10]
        return sum(spent for spent, _ in pairs) / sum(least for _, least in pairs)

    def sizes(self) -> list[int]:
        return [packed(answer) for answer in self.answers]


def growth(app: Flask) -> float:
    """What a tap costs at the end of a long log against one at the end of a short log, on the same board."""
    few, many = Dealer(app, ROUND[0]), Dealer(app, ROUND[0])
    for dealer, length in ((few, FEW), (many, MANY)):
        for number in range(1, length - length % len(ROUND) + 1):
            dealer.write(ROUND[number % len(ROUND)])
    ratios = []
    for number in range(WARM_UP + TURNS):
        entry = ROUND[(number + 1) % len(ROUND)]
        short, _ = seconds(lambda entry=entry: few.tap(entry))
        long, _ = seconds(lambda entry=entry: many.tap(entry))
        ratios.append(long / short)
    return median(ratios[WARM_UP:])


def polled(app: Flask, floor: Flask, dealer: Dealer) -> tuple[float, int]:
    """A poll with nothing new against a bare route, and how many bytes it has."""
    _status, headers, _content = call(app, "GET", dealer.address, None, **dealer.headers)
    fresh = {**dealer.headers, "HTTP_IF_NONE_MATCH": headers["ETag"]}
    ratios = []
    for _ in range(WARM_UP + TURNS):
        spent, (status, _headers, nothing) = seconds(lambda: call(app, "GET", dealer.address, None, **fresh))
        assert status == 304
        least, _answer = seconds(lambda: call(floor, "GET", "/bare"))
        ratios.append(spent / least)
    return median(ratios[WARM_UP:]), len(nothing)


def measure(folder: Path) -> list[tuple[str, float, float, str]]:
    """Name, figure, limit, unit."""
    app = create_app(config={"DATA": str(folder), "SQLALCHEMY_DATABASE_URI": f"sqlite:///{folder / 'bench.sqlite3'}"})
    store = app.extensions["tables"].store
    with store.connect() as connection:
        connection.execute(text("PRAGMA synchronous=OFF"))  # while the long evening is written
    grown = growth(app)
    store.close()
    with store.connect() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2, "every tap is durable"
    stream = Stream(folder, app)
    first, *rest = taps(TAPS)
    sent = statements(app)
    stream.run([first])
    per_tap = len(sent)
    stream.run(rest)
    poll, poll_bytes = polled(app, stream.floor, stream.dealers[0])
    sizes = stream.sizes()
    print(
        f"{TAPS:,} taps of {len(GAMES)} games at {len(stream.dealers)} tables: {median(stream.spent) * 1e6:.0f} µs CPU, "
    )
    print(f"the floor {median(stream.least) * 1e6:.0f} µs\n")
    return [
        ("a tap, against its floor", stream.ratio(), TAP, "x"),
        (f"a tap at {MANY:,} entries against one at {FEW}", grown, GROWTH, "x"),
        ("a poll with nothing new, against a bare Flask route", poll, POLL, "x"),
        ("first load of the board", first_load(app, stream.dealers[0]), FIRST_LOAD, "bytes"),
        ("answer to a tap, the median", int(median(sizes)), TAP_BYTES, "bytes"),
        ("answer to a tap, the largest", max(sizes), LARGEST_TAP, "bytes"),
        ("answer to a poll with nothing new", poll_bytes, POLL_BYTES, "bytes"),
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
