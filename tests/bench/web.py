"""The cost of a tap and of a poll, compared with the floor and with the ordinary way in the same run: `make bench`.

Whole games of all kinds are played with random legal entries over many tables. The three take turns, tap by tap, so that a
busy machine slows all of them. Times are reported; only bytes and statements have limits, and the exit code is 1 beyond one
of them. `served.py` measures the same with a server around each.
"""

from __future__ import annotations

import gzip
import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from typing import Any

from flask import Flask

from companion.games import GAMES
from companion.web import create_app

from .evenings import BenchTap, openings, taps
from .floor import create_floor
from .ordinary import create_ordinary
from .page import Shape
from .phones import Answer, BenchDealer, Importer, InProcess, Transport, Watcher, record_of

TAPS, POLLS, WARM_UP = 2_000, 1_000, 200
TRACED = 300  # taps whose statements are counted
FEW, MANY, REPEATED = 12, 3_600, 300  # entries of a short and of a long table; taps on each
ROUND = ("game pairs", "7", "3", "9", "10", "fold")  # the evening of these two tables, over and over
AIM = 0.85  # a tap's share of the ordinary way; reported, not demanded
WAYS = ("floor", "ordinary", "ours")

# The limits.
FIRST_LOAD, TAP_BYTES, LARGEST_TAP, POLL_BYTES = 45_000, 3_000, 5_000, 0
STATEMENTS = 1


def create_ours(folder: Path) -> Flask:
    return create_app(config={"DATA": str(folder), "SQLALCHEMY_DATABASE_URI": f"sqlite:///{folder / 'bench.sqlite3'}"})


class Ways:
    """The floor, the ordinary way and ours, in turns."""

    def __init__(self, folder: Path) -> None:
        makers: dict[str, Callable[[Path], Flask]] = {
            "floor": create_floor,
            "ordinary": create_ordinary,
            "ours": create_ours,
        }
        self.lines = {way: InProcess(makers[way](folder)) for way in WAYS}
        self.dealers = {way: [BenchDealer(line, opening) for opening in openings()] for way, line in self.lines.items()}
        self.taps: dict[str, list[float]] = {way: [] for way in WAYS}
        self.polls: dict[str, list[float]] = {way: [] for way in WAYS}
        self.answers: list[bytes] = []
        self.sizes_beside: list[int] = []

    def tap(self, stream: Iterable[BenchTap]) -> None:
        for table, entry in stream:
            drawn = self.dealers["ours"][table].tap(entry)
            shape = Shape.of(drawn).headers
            beside = self.dealers["ordinary"][table].tap(entry, shape)
            self.dealers["floor"][table].tap(entry, shape)
            for way, line in self.lines.items():
                self.taps[way].append(line.cpu)
            self.answers.append(drawn)  # compressed later, or the next tap of ours would find a cold cache
            self.sizes_beside.append(len(beside))

    def poll(self, count: int) -> None:
        watchers = {
            way: [Watcher(line, dealer.address) for dealer in self.dealers[way]] for way, line in self.lines.items()
        }
        for number in range(count):
            for way, line in self.lines.items():
                watchers[way][number % len(watchers[way])].poll()
                self.polls[way].append(line.cpu)

    def print(self) -> None:
        elements = mean(Shape.of(answer).elements for answer in self.answers)
        print(f"{TAPS:,} taps of {len(GAMES)} games at {len(openings())} tables, CPU without a server.")
        print(
            f"A board has {elements:.0f} elements and {mean(map(len, self.answers)):,.0f} bytes; "
            f"the ordinary way draws {mean(self.sizes_beside):,.0f}.\n"
        )
        print_ways(costs(self.taps), costs(self.polls))


def costs(spent: dict[str, list[float]]) -> dict[str, float]:
    """Mean seconds of each way, without the slowest tenth of the turns, in which another program was busy."""
    turns = sorted(list(zip(*spent.values(), strict=True))[WARM_UP:], key=sum)
    kept = turns[: len(turns) * 9 // 10]
    return {way: mean(turn[place] for turn in kept) for place, way in enumerate(spent)}


def print_ways(tap: dict[str, float], poll: dict[str, float]) -> None:
    print(f"{'':28}{'a tap':>12}{'a poll':>12}")
    for way in WAYS:
        print(f"{way:28}{tap[way] * 1e6:9.0f} µs{poll[way] * 1e6:9.0f} µs")
    for way in ("floor", "ordinary"):
        aim = f"   (aim for a tap: {AIM})" if way == "ordinary" else ""
        print(f"{f'ours / {way}':28}{tap['ours'] / tap[way]:12.2f}{poll['ours'] / poll[way]:12.2f}{aim}")


def growth(line: InProcess) -> float:
    """The cost of a tap on a long table as a multiple of that on a short one, with the same board."""
    short, long = (Importer(line, record_of((ROUND * (length // len(ROUND)))[:length])) for length in (FEW, MANY))
    ratios = []
    for number in range(REPEATED):
        spent = []
        for dealer in (short, long):
            dealer.tap(ROUND[number % len(ROUND)])
            spent.append(line.cpu)
        ratios.append(spent[1] / spent[0])
    return median(ratios[REPEATED // 10 :])


# -- counts, which have limits


@contextmanager
def traced_statements() -> Iterator[list[str]]:
    """A list that collects the statements sent to SQLite on connections opened inside, except BEGIN, COMMIT and PRAGMA."""
    sent: list[str] = []
    connect = sqlite3.dbapi2.connect

    def note(statement: str) -> None:
        if not statement.lstrip().upper().startswith(("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "--")):
            sent.append(statement)

    def connect_traced(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **named)
        connection.set_trace_callback(note)
        return connection

    sqlite3.dbapi2.connect = connect_traced
    try:
        yield sent
    finally:
        sqlite3.dbapi2.connect = connect


def most_statements(folder: Path, count: int = TRACED) -> int:
    """The most statements that one of `count` taps took."""
    with traced_statements() as sent:
        line = InProcess(create_ours(folder))
        dealers = [BenchDealer(line, opening) for opening in openings()]
        most = 0
        for table, entry in taps(count):
            sent.clear()
            dealers[table].tap(entry)
            most = max(most, len(sent))
    assert most, "no statement was seen: SQLite is opened in another way now"
    return most


def packed(content: bytes) -> int:
    return len(gzip.compress(content, 6, mtime=0))


def first_load(line: Transport, dealer: BenchDealer) -> dict[str, int]:
    """Compressed bytes of the dealer's board page and of each style and script that it names in src or href."""
    ask = {"Accept-Encoding": "gzip"}
    page = dealer.page(headers=ask)
    html = gzip.decompress(page.body) if "content-encoding" in page.headers else page.body
    names = re.findall(r'<(?:link|script)\b[^>]*?(?:src|href)="([^"]+\.(?:css|js)[^"]*)"', html.decode())
    files = {name: sent(line.ask("GET", name, headers=ask)) for name in dict.fromkeys(names)}
    return {"page": sent(page), **files}


def sent(answer: Answer) -> int:
    """The bytes of an answer, compressed by us or as a proxy would."""
    assert answer.status == 200
    return len(answer.body) if "content-encoding" in answer.headers else packed(answer.body)


def measure(folder: Path) -> list[tuple[str, int, int, str]]:
    """Print the times; return name, figure, limit and unit of each count."""
    traced = folder / "traced"
    traced.mkdir()
    statements = most_statements(traced)
    ways = Ways(folder)
    ways.tap(taps(WARM_UP + TAPS))
    ways.poll(WARM_UP + POLLS)
    ways.print()
    line, dealers = ways.lines["ours"], ways.dealers["ours"]
    print(f"\na tap at {MANY:,} entries / at {FEW} entries {growth(line):17.2f}\n")
    watcher = Watcher(line, dealers[0].address)
    sizes = [packed(answer) for answer in ways.answers]
    return [
        ("first load of the board", sum(first_load(line, dealers[0]).values()), FIRST_LOAD, "bytes"),
        ("answer to a tap, the median", int(median(sizes)), TAP_BYTES, "bytes"),
        ("answer to a tap, the largest", max(sizes), LARGEST_TAP, "bytes"),
        ("answer to a poll with nothing new", len(watcher.poll()), POLL_BYTES, "bytes"),
        ("statements of a tap, the most", statements, STATEMENTS, ""),
    ]


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="fifty-five-") as folder:
        found = measure(Path(folder))
    for name, figure, limit, unit in found:
        print(f"{name:36}{figure:8,} {unit:5}  at most {limit:,}{'' if figure <= limit else '  BEYOND ITS LIMIT'}")
    return int(any(figure > limit for _name, figure, limit, _unit in found))


if __name__ == "__main__":
    sys.exit(main())
