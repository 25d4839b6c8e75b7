"""A thousand phones watch one table while a dealer deals: `python -m tests.bench.watchers`.

It starts `companion run` on a free port of this machine with a folder of its own, lets every watcher ask as `static/watch.js`
does, and ends with code 1 when a demand fails: no errors, every tap is taken, everybody sees the last card in time.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, process_time
from typing import Any

from tests.process import HOST, Server

WATCHERS = int(os.environ.get("FIFTY_FIVE_WATCHERS") or 1_000)
SECONDS = 30.0  # how long the dealer deals
IN_TIME = 5.0  # and how soon everybody must have seen the last of it
EVERY, SLOWEST, PATIENCE = 2.0, 30.0, 5.0  # watch.js: between two questions; after errors; for one answer
TAP_EVERY = 1.5
UNDO_EVERY = 4  # so many taps, one of them takes the last one back
LARGEST = 1_000_000
NAMES = ("Ana", "Ben", "Cleo", "Dan")
LANGUAGES = ("en", "fr")  # the phones are not all alike
SHOWN = re.compile(rb'id="board" data-version="(\d+)"')
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
GZIP = re.compile(rb"\r\ncontent-encoding: *gzip\r\n", re.IGNORECASE)
TAG = re.compile(rb'\r\netag: *("[^"\r]*")\r\n', re.IGNORECASE)


class Failed(Exception):
    """Not the answer that was due."""


# A phone that waits too long raises TimeoutError, which is an OSError.
WRONG = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, Failed)


@dataclass(frozen=True)
class Answer:
    status: int
    head: bytes
    body: bytes


class Connection:
    """Just enough of HTTP/1.1: one question at a time on a connection that is kept."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.opened = 0

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Answer:
        """One answer within the patience of a phone; after a failure the next question opens anew."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(method, path, headers, body)
        except BaseException:
            self.close()
            raise

    async def _ask(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(HOST, self.port, limit=LARGEST)
            self.opened += 1
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{self.port}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(body)}"] if method != "GET" else []
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = LENGTH.search(head)
        if status != 304 and (length is None or int(length[1]) > LARGEST):
            raise Failed(f"{status} without a usable length")
        read = await self.reader.readexactly(int(length[1])) if length and status != 304 else b""
        return Answer(status, head, unpack(read) if GZIP.search(head) else read)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


def unpack(body: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(body, LARGEST)
    except zlib.error as error:
        raise Failed(f"packed wrongly, {error}") from error


@dataclass
class Tally:
    """What happened, all watchers together."""

    answers: Counter[int] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)  # for the answer to a poll
    taps: list[float] = field(default_factory=list)  # for the answer to a tap
    written: dict[int, float] = field(default_factory=dict)  # when the dealer was told that a version is written

    def wrong(self, who: str, error: BaseException) -> None:
        self.errors[f"{who}: {type(error).__name__} {error}".strip()] += 1


class Watcher:
    """A phone that shows the board and keeps asking for a newer one."""

    def __init__(self, port: int, table: str, language: str, tally: Tally) -> None:
        self.connection = Connection(port)
        self.path = f"/t/{table}"
        self.headers = {"HX-Request": "true", "Accept-Language": language, "Accept-Encoding": "gzip, deflate"}
        self.tally = tally
        self.version = 0
        self.seen: list[tuple[int, float]] = []  # every version shown, and when

    async def watch(self, phase: float, ends: float) -> None:
        wait = phase
        while monotonic() + wait < ends:
            await asyncio.sleep(wait)
            try:
                await self.poll()
                wait = EVERY
            except WRONG as error:
                self.tally.wrong("poll", error)
                wait = min(max(wait, EVERY) * 2, SLOWEST)
        self.connection.close()

    async def poll(self) -> None:
        asked = monotonic()
        answer = await self.connection.ask("GET", self.path, self.headers)
        now = monotonic()
        self.tally.waits.append(now - asked)
        self.tally.answers[answer.status] += 1
        if answer.status == 304 and "If-None-Match" in self.headers:
            return
        tag, shown = TAG.search(answer.head), SHOWN.search(answer.body)
        if answer.status != 200 or tag is None or shown is None:
            raise Failed(f"{answer.status}, which is no board")
        version = int(shown[1])
        name = tag[1].decode("latin-1")
        if version < self.version or name == self.headers.get("If-None-Match"):
            raise Failed("a board that is not newer")
        self.headers["If-None-Match"] = name
        self.version = version
        self.seen.append((version, now))

    def lags(self, written: dict[int, float]) -> Iterator[float]:
        """How long after each version was written this phone showed it, or a newer one."""
        shown = iter(self.seen)
        version, at = next(shown, (0, 0.0))
        for wanted in sorted(written):
            while version < wanted:
                version, at = next(shown, (sys.maxsize, float("inf")))
            yield max(0.0, at - written[wanted])


class Dealer:
    """Opens a table and enters what is legal; now and then takes it back."""

    def __init__(self, port: int, tally: Tally) -> None:
        self.connection = Connection(port)
        self.tally = tally
        self.random = Random(55)
        self.table = ""
        self.secret = ""
        self.state: dict[str, Any] = {}

    async def send(self, path: str, content: dict[str, Any], due: int) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        answer = await self.connection.ask("POST", path, headers, json.dumps(content).encode())
        if answer.status != due:
            raise Failed(f"{answer.status} {answer.body[:200].decode('utf-8', 'replace')}")
        found: dict[str, Any] = json.loads(answer.body)
        return found

    async def open(self) -> None:
        created = await self.send("/api/tables", {"seats": NAMES, "game": "continuous"}, 201)
        self.table, self.secret, self.state = created["table"], created["dealer"], created["state"]

    async def deal(self, ends: float) -> None:
        """Tap by the clock, and end with the last answer."""
        due = monotonic()
        number = 0
        while (due := due + TAP_EVERY) < ends:
            await asyncio.sleep(max(0.0, due - monotonic()))
            number += 1
            tapped = monotonic()
            try:
                await self.tap(takes_back=number % UNDO_EVERY == 0)
            except WRONG as error:
                self.tally.wrong("tap", error)
            else:
                self.tally.written[self.state["version"]] = monotonic()
            self.tally.taps.append(monotonic() - tapped)
        self.connection.close()

    async def tap(self, takes_back: bool) -> None:
        path = f"/api/tables/{self.table}"
        version = {"version": self.state["version"]}
        if takes_back:
            self.state = await self.send(f"{path}/undo", version, 200)
        else:
            entry = self.random.choice(self.state["legal"] or ["game continuous"])
            self.state = await self.send(f"{path}/entries", {**version, "entries": [entry]}, 200)


def complaints(server: Server) -> int:
    return len(re.findall(r"Traceback|\bERROR\b|panicked", server.said()))


async def evening(server: Server) -> list[str]:
    """Deal, watch, print the figures; the demands that were not met."""
    tally = Tally()
    dealer = Dealer(server.port, tally)
    await dealer.open()
    random = Random(1_000)
    watchers = [
        Watcher(server.port, dealer.table, LANGUAGES[number % len(LANGUAGES)], tally) for number in range(WATCHERS)
    ]
    server_before, own_before = server.cpu(), process_time()
    start = monotonic()
    ends = start + SECONDS
    tasks = [asyncio.create_task(one.watch(random.uniform(0, EVERY), ends + IN_TIME)) for one in watchers]
    try:
        async with asyncio.timeout(SECONDS + 2 * PATIENCE):
            await dealer.deal(ends)
        last = dealer.state["version"]
        while monotonic() < tally.written.get(last, ends) + IN_TIME and any(one.version < last for one in watchers):
            await asyncio.sleep(0.05)
    finally:
        took, server_after, own_after = monotonic() - start, server.cpu(), process_time()
        for task in tasks:
            task.cancel()
        for died in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(died, Exception):
                tally.wrong("watcher", died)
        for one in watchers:
            one.connection.close()
    cpu = server_after - server_before
    return report(watchers, tally, last, took, cpu, own_after - own_before, complaints(server))


def report(
    watchers: list[Watcher], tally: Tally, last: int, took: float, cpu: float, own: float, complaints: int
) -> list[str]:
    polls, taps = len(tally.waits), len(tally.taps)
    late = sum(one.version < last for one in watchers)
    all_lags = [list(one.lags(tally.written)) for one in watchers]
    last_lag = max((lags[-1] for lags in all_lags if lags), default=float("inf"))
    every_lag = [lag for lags in all_lags for lag in lags]
    opened = sum(one.connection.opened for one in watchers)
    print(f"{WATCHERS} watchers for {took:.1f} s, version {last} at the end:")
    print(f"  polls      {polls} ({polls / took:.0f} a second), on {opened} connections")
    print("  answers    " + ", ".join(f"{status}: {count}" for status, count in sorted(tally.answers.items())))
    print(f"  errors     {tally.errors.total()}, complaints of the server {complaints}")
    for error, count in tally.errors.most_common(5):
        print(f"             {count} x {error}")
    print(f"  a poll     {spread(tally.waits)}")
    print(f"  taps       {taps}: {spread(tally.taps)}")
    print(f"  a version  on a watcher's screen after {spread(every_lag)}")
    print(f"  the last   on the last watcher's screen after {last_lag:.2f} s ({late} never saw it)")
    per_watcher, per_poll = cpu / len(watchers) * 1_000, cpu / max(polls, 1) * 1_000
    print(
        f"  CPU        {cpu:.2f} s of the server ({cpu / took:.0%} of a core): {per_watcher:.1f} ms a watcher, "
        f"{per_poll:.2f} ms a poll; {own:.2f} s of the watchers themselves"
    )
    demands = {
        "There were errors.": not tally.errors and not complaints and set(tally.answers) <= {200, 304},
        "Not every tap was answered 200.": taps > 0 and len(tally.written) == taps,
        f"Not everybody saw the last version within {IN_TIME:.0f} s.": not late and last_lag <= IN_TIME,
    }
    return [demand for demand, met in demands.items() if not met]


def spread(seconds: list[float]) -> str:
    if not seconds:
        return "none"
    ranked = sorted(seconds)
    hundredth = ranked[int(len(ranked) * 0.99)]
    return f"{median(ranked) * 1_000:.0f} ms median, {hundredth * 1_000:.0f} ms 99 %, {ranked[-1] * 1_000:.0f} ms worst"


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="fifty-five-") as folder:
        with Server(Path(folder), FIFTY_FIVE_CONNECTIONS="0") as server:  # all of them come from here
            try:
                unmet = asyncio.run(evening(server))
            except WRONG as error:
                unmet = [f"{type(error).__name__}: {error}"]
        if unmet:
            print(server.said()[-2_000:], file=sys.stderr)
    for demand in unmet:
        print(demand, file=sys.stderr)
    return 1 if unmet else 0


if __name__ == "__main__":
    sys.exit(main())
