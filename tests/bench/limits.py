"""The cost of every page of a table at its limit: `python -m tests.bench.limits`.

It imports five tables of 4,000 entries, requests every page twice as their dealer, and prints CPU time and bytes. Arrows
mark the pages that take more than 50 ms both times or have more than 200 KB. Nothing is asserted.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .evenings import evening
from .phones import Importer, InProcess, record_of
from .web import create_ours

ENTRIES = 4_000  # the most a table may have; the tables have one less, so that a repair may add one
LONG, LARGE = 0.05, 200_000  # seconds, bytes
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
PAGES = (
    "",
    "/menu",
    "/deck",
    "/seats",
    "/chips",
    "/game",
    "/history",
    "/history?n=1&kind=remove",
    "/history?n=1&kind=insert&entry=buy+Ana+5",
    f"/history?n={ENTRIES // 2}&entry=5",
    "/history?before=100",
    "/history?card=1",
    "/evening",
    "/evening?by=game",
    "/evening?before=9",
    "/evening.txt",
    "/payments",
    "/payments?who=Ana&before=90",
    "/payments?who=Hana",
    "/evening.csv",
    "/record",
    "/share",
    "/share.svg",
    "/pass-on",
    "/coach/why",
    "/luck",
)
API = ("", "/coach", "/luck", "/log", "/rows")


def many_games() -> Iterator[str]:
    for number in range(ENTRIES // 2 - 1):
        yield "game blackstone"
        yield f"pay {NAMES[number % 8]} {NAMES[(number + 3) % 8]} {number % 9 + 1}"


def many_payments() -> Iterator[str]:
    """Eight antes are paid with every card and returned with every misdeal."""
    yield "game blackstone"
    for _ in range(ENTRIES // 2 - 1):
        yield "3"
        yield "misdeal"


def forty_people() -> Iterator[str]:
    opening = "game pairs cards=no stakes=tacoma limit=50"
    yield opening
    for number in range(32):
        yield f"leave {NAMES[number] if number < 8 else f'P{number - 8}'}"
        yield f"sit P{number}"
        yield f"score P{number} 3"
    for number in range(1, ENTRIES - 100):
        yield f"score P{number % 8 + 24} 1" if number % 20 else opening


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "as many games as possible": many_games,
    "pairs, 8 seats": lambda: evening("game pairs stakes=tacoma", ENTRIES - 1, NAMES),
    "one game of rocket": lambda: evening("game rocket", ENTRIES - 1, NAMES[:7]),
    "40 people": forty_people,
    "as many payments as possible": many_payments,
}


def print_costs(line: InProcess, dealer: Importer) -> None:
    table = dealer.table
    addresses = [*(f"/t/{table}{page}" for page in PAGES), *(f"/api/tables/{table}{page}" for page in API)]
    for address in addresses:
        first, first_time = line.ask("GET", address, headers=dealer.right), line.cpu
        second, second_time = line.ask("GET", address, headers=dealer.right), line.cpu
        size = len(second.body)
        mark = "  <--" if min(first_time, second_time) > LONG or size > LARGE else ""
        print(
            f"{address.replace(table, 'x'):40} {first.status} {first_time * 1e3:8.1f} ms"
            f" {second.status} {second_time * 1e3:8.1f} ms {size / 1e3:8.1f} KB{mark}"
        )


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="fifty-five-") as folder:
        line = InProcess(create_ours(Path(folder)))
        for title, made in TABLES.items():
            entries = list(made())
            dealer = Importer(line, record_of(entries, NAMES[: 7 if "rocket" in title else 8]))
            print(f"\n{title}: {len(entries):,} entries, imported in {line.cpu * 1e3:.0f} ms of CPU")
            print_costs(line, dealer)


if __name__ == "__main__":
    main()
