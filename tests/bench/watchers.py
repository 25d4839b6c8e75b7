"""A thousand phones watch one table while a dealer deals: `make watchers`, or `python -m tests.bench.watchers`.

It starts `companion run` on a free port of this machine with its own data folder. Every watcher polls the address that its
board names every two seconds. The exit code is 1 if there were errors, if a tap was refused, or if a watcher did not see
the last card in time.
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
from html import unescape
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, process_time
from typing import Any

from tests.process import HOST, Server

from .phones import POLLED
from .processes import cpu

WATCHERS = int(os.environ.get("FIFTY_FIVE_WATCHERS") or 1_000)
SECONDS = 30.0  # how long the dealer deals
IN_TIME = 5.0  # seconds after the last tap within which everybody must have seen it
EVERY, SLOWEST, PATIENCE = 2.0, 30.0, 5.0  # seconds, as on a phone: between polls; the longest pause; for one answer
TAP_EVERY = 1.5
UNDO_EVERY = 4  # one tap in four is an undo
LARGEST = 1_000_000
NAMES = ("Ana", "Ben", "Cleo", "Dan")
LANGUAGES = ("en", "fr")  # every second phone is in French
SHOWN = re.compile(r'data-version="(\d+)"')
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
GZIP = re.compile(rb"\r\ncontent-encoding: *gzip\r\n", re.IGNORECASE)
NOTHING_NEW = 204


class Failed(Exception):
    """An answer that was not expected."""


# A TimeoutError, after too long a wait, is an OSError.
WRONG = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, Failed)


@dataclass(frozen=True)
class PollAnswer:
    status: int
    body: bytes


class Connection:
    """Just enough of HTTP/1.1: one request at a time on a connection that is kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.opened = 0

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> PollAnswer:
        """Return the answer, or fail after PATIENCE. After a failure the next request opens a new connection."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(method, path, headers, body)
        except BaseException:
            self.close()
            raise

    async def _ask(self, method: str, path: str, headers: dict[str, str], body: bytes) -> PollAnswer:
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
        if status == NOTHING_NEW:
            return PollAnswer(status, b"")
        if length is None or int(length[1]) > LARGEST:
            raise Failed(f"{status} without a usable length")
        read = await self.reader.readexactly(int(length[1]))
        return PollAnswer(status, unpack(read) if GZIP.search(head) else read)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


def unpack(body: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(body, LARGEST)
    except zlib.error as error:
        raise Failed(f"bad gzip, {error}") from error


@dataclass
class WatcherCount:
    """Counts and times for all watchers and the dealer."""

    answers: Counter[int] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)  # seconds of each poll
    taps: list[float] = field(default_factory=list)  # seconds of each tap
    written: dict[int, float] = field(default_factory=dict)  # when the dealer had the answer for each version

    def wrong(self, who: str, error: BaseException) -> None:
        self.errors[f"{who}: {type(error).__name__} {error}".strip()] += 1


class PollingWatcher:
    """A phone that shows the board and polls for a newer one."""

    def __init__(self, port: int, table: str, language: str, tally: WatcherCount) -> None:
        self.connection = Connection(port)
        self.path = f"/t/{table}"
        self.headers = {"HX-Request": "true", "Accept-Language": language, "Accept-Encoding": "gzip, deflate"}
        self.tally = tally
        self.version = 0
        self.seen: list[tuple[int, float]] = []  # every version shown, and its time

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
        if answer.status == NOTHING_NEW and self.version:
            return
        board = answer.body.decode("utf-8", "replace")
        polled, shown = POLLED.search(board), SHOWN.search(board)
        if answer.status != 200 or polled is None or shown is None:
            raise Failed(f"{answer.status}, not a board")
        path, version = unescape(polled[1]), int(shown[1])
        if version < self.version or path == self.path:
            raise Failed("a board that is not newer")
        self.path, self.version = path, version
        self.seen.append((version, now))

    def lags(self, written: dict[int, float]) -> Iterator[float]:
        """Yield, for each version, the seconds until this phone showed it or a newer one."""
        shown = iter(self.seen)
        version, at = next(shown, (0, 0.0))
        for wanted in sorted(written):
            while version < wanted:
                version, at = next(shown, (sys.maxsize, float("inf")))
            yield max(0.0, at - written[wanted])


class BusyDealer:
    """Opens a table and enters random legal entries, with an undo now and then."""

    def __init__(self, port: int, tally: WatcherCount) -> None:
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
        """Tap at fixed intervals until `ends`."""
        due = monotonic()
        number = 0
        while (due := due + TAP_EVERY) < ends:
            await asyncio.sleep(max(0.0, due - monotonic()))
            number += 1
            tapped = monotonic()
            try:
                await self.tap(undo=number % UNDO_EVERY == 0)
            except WRONG as error:
                self.tally.wrong("tap", error)
            else:
                self.tally.written[self.state["version"]] = monotonic()
            self.tally.taps.append(monotonic() - tapped)
        self.connection.close()

    async def tap(self, undo: bool) -> None:
        path = f"/api/tables/{self.table}"
        version = {"version": self.state["version"]}
        if undo:
            self.state = await self.send(f"{path}/undo", version, 200)
        else:
            entry = self.random.choice(self.state["legal"] or ["game continuous"])
            self.state = await self.send(f"{path}/entries", {**version, "entries": [entry]}, 200)


def complaints(server: Server) -> int:
    return len(re.findall(r"Traceback|\bERROR\b|panicked", server.said()))


async def evening(server: Server) -> list[str]:
    """Deal, watch and print the figures; return the demands that were not met."""
    tally = WatcherCount()
    dealer = BusyDealer(server.port, tally)
    await dealer.open()
    random = Random(1_000)
    watchers = [
        PollingWatcher(server.port, dealer.table, LANGUAGES[number % len(LANGUAGES)], tally)
        for number in range(WATCHERS)
    ]
    assert server.process
    main = server.process.pid
    server_before, own_before = cpu(main), process_time()
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
        took, server_after, own_after = monotonic() - start, cpu(main), process_time()
        for task in tasks:
            task.cancel()
        for died in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(died, Exception):
                tally.wrong("watcher", died)
        for one in watchers:
            one.connection.close()
    return report(watchers, tally, last, took, server_after - server_before, own_after - own_before, complaints(server))


def report(
    watchers: list[PollingWatcher],
    tally: WatcherCount,
    last: int,
    took: float,
    spent: float,
    own: float,
    complaints: int,
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
    print(f"  errors     {tally.errors.total()}, and {complaints} in the server's log")
    for error, count in tally.errors.most_common(5):
        print(f"             {count} x {error}")
    print(f"  a poll     {spread(tally.waits)}")
    print(f"  taps       {taps}: {spread(tally.taps)}")
    print(f"  a version  on a watcher's screen after {spread(every_lag)}")
    print(f"  the last   on the last watcher's screen after {last_lag:.2f} s ({late} never saw it)")
    per_watcher, per_poll = spent / len(watchers) * 1_000, spent / max(polls, 1) * 1_000
    print(
        f"  CPU        {spent:.2f} s of the server ({spent / took:.0%} of a core): {per_watcher:.1f} ms a watcher, "
        f"{per_poll:.2f} ms a poll; {own:.2f} s of the watchers themselves"
    )
    demands = {
        "There were errors.": not tally.errors and not complaints and set(tally.answers) <= {200, NOTHING_NEW},
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
        with Server(Path(folder)) as server:
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
