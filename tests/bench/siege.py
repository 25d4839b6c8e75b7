"""Many expensive requests at once, and how long others wait meanwhile: `make siege`, or `python -m tests.bench.siege [word …]`.

It starts `companion run` on this machine, imports tables near their limit of 4,000 entries, and sends 16 and then 64 of one
expensive request at the same moment, for each kind of request (with words: for the kinds whose names contain one of them).
Meanwhile one phone taps and one opens pages on another table. It prints the longest tap and the longest page. A phone that
is refused sends again, and its wait counts until it has its answer. Every request has a deadline, so the run ends by itself.
`FIFTY_FIVE_SIEGE` sets another number of entries. The exit code is 1 if a tap was lost or entered twice, or if anything was
answered with status 500.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPException
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier, Event
from typing import NamedTuple
from urllib.parse import urlencode

from tests.process import Server

from .evenings import evening
from .phones import FORM, FRAGMENT, JSON, Answer, BenchDealer, Importer, OverHttp, record_of
from .processes import cpu

AT_ONCE = (16, 64)
ENTRIES = int(os.environ.get("FIFTY_FIVE_SIEGE") or 3_990)  # a little below the limit, so that a rename still fits
DEADLINE = 90.0  # seconds for one answer
AT_LEAST = 2.0  # seconds for which the phones are measured, however short the siege
PAUSE = 0.05  # seconds between two taps or two pages
RETRY = 0.2  # seconds until a phone that was refused sends again
CALM, CALM_WITHIN = 0.05, 60.0  # the share of a core below which the server is calm; seconds to wait for that
AGAIN = (429, 503)  # refused for now
BROKEN = 500
PAGES = ("", "/menu", "/history", "/seats", "/evening")
EIGHT = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")


class DearRequest(NamedTuple):
    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = {}


# -- the tables


@cache
def long_evening() -> str:
    """Whole games of Pairs with stakes."""
    return record_of(evening("game pairs stakes=tacoma", ENTRIES, EIGHT), EIGHT)


def many_antes() -> str:
    """The most expensive table to replay: eight antes with every card. Any repair of entry 1 leaves the rest legal."""
    return record_of(("game blackstone", "buy Ana 100", *("3", "misdeal") * (ENTRIES // 2 - 1)), EIGHT)


@cache
def long_rocket() -> str:
    """One game of Rocket, the most expensive to judge."""
    return record_of(evening("game rocket", ENTRIES, EIGHT[:7]), EIGHT[:7])


def long_round() -> str:
    """One round with very many payments in it, all of which a rename replays."""
    return record_of(("game blackstone", "3", *(f"pay Ben Cleo {number % 9 + 1}" for number in range(ENTRIES - 2))))


def many_rows() -> str:
    """Only the opening; the rows are entered one by one."""
    return record_of(["game pairs"], EIGHT)


# -- the expensive requests: each function takes the table and the number of the attacker, so that no two are the same


def preview_page(table: Importer, number: int) -> DearRequest:
    asked = urlencode({"n": 1, "kind": "amend", "entry": f"buy Ana {number + 1}"})
    return DearRequest("GET", f"{table.address}/history?{asked}", headers=table.right)


def preview_api(table: Importer, number: int) -> DearRequest:
    body = json.dumps({"version": table.version, "entry": f"buy Ana {number + 1}"}).encode()
    return DearRequest("PUT", f"/api/tables/{table.table}/entries/1?preview=1", body, {**JSON, **table.right})


def rows(table: Importer, _number: int) -> DearRequest:
    return DearRequest("GET", f"/api/tables/{table.table}/rows?after=0", headers=table.right)


def rename(table: Importer, number: int) -> DearRequest:
    form = {"name-0": f"Zoe{number}", "version": table.version, "id": f"rename {number}"}
    return DearRequest("POST", f"{table.address}/names", urlencode(form).encode(), {**FORM, **FRAGMENT, **table.right})


def rename_by_visitor(table: Importer, number: int) -> DearRequest:
    return rename(table, number)._replace(headers={**FORM, **FRAGMENT})


def fork(table: Importer, _number: int) -> DearRequest:
    return DearRequest("POST", f"{table.address}/fork", headers=FORM)


def import_record(_table: Importer, number: int) -> DearRequest:
    body = json.dumps({"record": many_antes().replace("buy Ana 100", f"buy Ana {number + 1}")})
    return DearRequest("POST", "/api/tables/import", body.encode(), JSON)


def page(below: str) -> Callable[[Importer, int], DearRequest]:
    return lambda table, _number: DearRequest("GET", f"{table.address}{below}")


def luck_api(table: Importer, _number: int) -> DearRequest:
    return DearRequest("GET", f"/api/tables/{table.table}/luck")


KINDS: dict[str, tuple[Callable[[], str], Callable[[Importer, int], DearRequest]]] = {
    "repair preview, page": (many_antes, preview_page),
    "repair preview, API": (many_antes, preview_api),
    "rows": (many_rows, rows),
    "rename by the dealer": (long_round, rename),
    "rename by a visitor": (long_round, rename_by_visitor),
    "fork": (many_antes, fork),
    "import": (many_antes, import_record),
    "luck, page": (long_rocket, page("/luck")),
    "luck, API": (long_rocket, luck_api),
    "evening": (long_evening, page("/evening")),
    "evening.csv": (many_antes, page("/evening.csv")),
    "share.svg": (long_evening, page("/share.svg")),
}


def attack(port: int, requests: list[DearRequest]) -> list[tuple[str, float]]:
    """Send all requests at once; return the status and seconds of each answer. This runs in a separate process."""
    ready = Barrier(len(requests))

    def send(request: DearRequest) -> tuple[str, float]:
        line = OverHttp(port, DEADLINE)
        ready.wait()
        began = time.monotonic()
        try:
            status = str(line.ask(*request).status)
        except (OSError, HTTPException) as error:
            status = type(error).__name__
        line.close()
        return status, time.monotonic() - began

    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(send, requests))


# -- the phones on another table


@dataclass
class Waits:
    """How long the answers of one phone took."""

    answers: int = 0
    longest: float = 0.0
    slowest: str = ""
    again: int = 0  # how often it was refused for now, or had no answer within the deadline

    def until_answered(self, what: str, ask: Callable[[], Answer]) -> None:
        """Send until the answer has status 200, as a phone does, but at most for three deadlines."""
        began = time.monotonic()
        while (answer := answered(ask)) is None or answer.status in AGAIN:
            self.again += 1
            assert time.monotonic() < began + 3 * DEADLINE, f"{what} is not answered"
            time.sleep(RETRY)
        took = time.monotonic() - began
        assert answer.status == 200, (what, answer.status, answer.body[:300])
        self.answers += 1
        if took > self.longest:
            self.longest, self.slowest = took, what


def answered(ask: Callable[[], Answer]) -> Answer | None:
    """The answer, or None if the connection failed or the deadline passed."""
    try:
        return ask()
    except (OSError, HTTPException):
        return None


@dataclass
class SiegePhones:
    """A phone that taps and one that opens pages, until they are asked to stop."""

    port: int
    stop: Event = field(default_factory=Event)
    taps: Waits = field(default_factory=Waits)
    pages: Waits = field(default_factory=Waits)
    whole: bool = True  # False if the log lacks a tap or has one twice

    def __post_init__(self) -> None:
        self.dealer = BenchDealer(OverHttp(self.port, DEADLINE), "game pairs")

    def tap(self) -> None:
        entered = []
        opening, *entries = evening("game pairs", 3_000)
        for entry in entries:
            if self.stop.is_set():
                break
            self.taps.until_answered(entry, lambda entry=entry: self.dealer.send(entry))
            self.dealer.version += 1
            entered.append(entry)
            self.stop.wait(PAUSE)
        log = self.dealer.line.ask("GET", f"{self.dealer.address.replace('/t/', '/api/tables/')}/log")
        self.whole = [line["entry"] for line in json.loads(log.body)["entries"]] == [opening, *entered]

    def open_pages(self) -> None:
        line = OverHttp(self.port, DEADLINE)
        for below in cycle(PAGES):
            if self.stop.is_set():
                return
            ask = lambda below=below: line.ask("GET", f"{self.dealer.address}{below}", headers=self.dealer.right)  # noqa: E731
            self.pages.until_answered(below or "board", ask)
            self.stop.wait(PAUSE)


class Siege:
    """One server, and one attack after the other."""

    def __init__(self, server: Server, attackers: ProcessPoolExecutor) -> None:
        assert server.process
        self.port, self.process, self.attackers = server.port, server.process.pid, attackers
        self.tables: dict[str, Importer] = {}

    def table(self, made: Callable[[], str]) -> Importer:
        """A new table for every siege, so that nothing is cached; only the one with many rows is reused."""
        if made is many_rows and made.__name__ in self.tables:
            return self.tables[made.__name__]
        table = self.tables[made.__name__] = Importer(OverHttp(self.port, DEADLINE), made())
        if made is many_rows:
            for entry in list(evening("game pairs", ENTRIES, EIGHT))[1:]:
                table.tap(entry)
        return table

    def lay(self, requests: list[DearRequest]) -> tuple[SiegePhones, list[tuple[str, float]], float]:
        """Run one attack; return the phones, the answers to the attackers, and the server's CPU seconds."""
        phones, spent = SiegePhones(self.port), cpu(self.process)
        with ThreadPoolExecutor(2) as pool:
            running: list[Future[None]] = [pool.submit(phones.tap), pool.submit(phones.open_pages)]
            try:
                ends = time.monotonic() + AT_LEAST
                answers = self.attackers.submit(attack, self.port, requests).result() if requests else []
                time.sleep(max(0.0, ends - time.monotonic()))
            finally:
                phones.stop.set()
            for one in running:
                one.result()
        return phones, answers, cpu(self.process) - spent

    def wait_until_calm(self) -> None:
        """Wait until the work of the last attack is over, so that it does not count for the next."""
        ends = time.monotonic() + CALM_WITHIN
        while time.monotonic() < ends:
            before = cpu(self.process)
            time.sleep(0.5)
            if cpu(self.process) - before < 0.5 * CALM:
                return


def sieges(words: list[str]) -> Iterator[tuple[str, int]]:
    yield "nothing", 0
    for kind in KINDS:
        if not words or any(word in kind for word in words):
            for count in AT_ONCE:
                yield kind, count


def main(words: list[str]) -> int:
    failed = False
    print(f"{'besieged with':22}{'':>4}{'answers':>36}{'longest':>9}{'CPU':>8}{'longest tap':>17}{'longest page':>28}")
    with (
        tempfile.TemporaryDirectory(prefix="fifty-five-") as folder,
        Server(Path(folder)) as server,
        ProcessPoolExecutor(1, get_context("spawn")) as attackers,
    ):
        siege = Siege(server, attackers)
        for kind, count in sieges(words):
            requests = []
            if count:
                made, request = KINDS[kind]
                table = siege.table(made)
                requests = [request(table, number) for number in range(count)]
            siege.wait_until_calm()
            phones, answers, spent = siege.lay(requests)
            statuses = Counter(status for status, _took in answers)
            taps, pages = phones.taps, phones.pages
            print(
                f"{kind:22}{count:>4}{', '.join(f'{many} x {status}' for status, many in sorted(statuses.items())):>36}"
                f"{max((took for _status, took in answers), default=0.0):8.2f}s{spent:7.2f}s"
                f"{f'{taps.longest:.2f}s of {taps.answers}':>17}{f'{pages.longest:.2f}s of {pages.answers}, {pages.slowest}':>28}"
                f"{f'  asked to try again: {taps.again} taps, {pages.again} pages' if taps.again or pages.again else ''}"
                f"{'' if phones.whole else '  A TAP WAS LOST OR DOUBLED'}",
                flush=True,
            )
            failed = failed or not phones.whole or str(BROKEN) in statuses
        if "Traceback" in server.said():
            print(server.said()[-3_000:], file=sys.stderr)
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
