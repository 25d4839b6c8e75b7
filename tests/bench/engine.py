"""The CPU cost of an entry, as a multiple of building a bare frozen dataclass in the same run."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time

from companion.games import GAMES
from companion.table.table import Table

from .evenings import evening
from .phones import NAMES

SIZES = (100, 1_000, 4_000)
REPEATS = 5


@dataclass(frozen=True)
class Bare:
    """The floor that everything is measured against, with as many fields as an entry has facts."""

    verb: str
    value: int
    seat: str
    round: int


def build_bare(count: int) -> None:
    for number in range(count):
        Bare("card", number, "Ana", 1)


def cost(work: Callable[[], object], floor: Callable[[], object]) -> float:
    """The median ratio of CPU times, over runs in pairs."""
    ratios = []
    for _ in range(REPEATS):
        gc.collect()
        start = process_time()
        floor()
        middle = process_time()
        work()
        ratios.append((process_time() - middle) / (middle - start))
    return median(ratios)


def main() -> None:
    log = list(evening("game continuous", SIZES[-1] + 1))
    print("Opening a table with a log, against building as many bare frozen dataclasses:")
    for size in SIZES:
        # Parsed entries, as a table keeps them.
        entries = [step.entry for step in Table.open(GAMES, NAMES, log[:size]).steps()]
        ratio = cost(lambda entries=entries: Table.open(GAMES, NAMES, entries), lambda size=size: build_bare(size))
        print(f"  {size:>6} entries: {ratio:7.1f} x")
    print("One more entry on a table, against one bare dataclass (1,000 times each):")
    for size in SIZES:
        table = Table.open(GAMES, NAMES, log[:size])
        entry = table.enter([log[size]]).head.entry

        def thousand(table: Table = table, entry: object = entry) -> None:
            for _ in range(1_000):
                table.enter([entry])

        print(f"  after {size:>6} entries: {cost(thousand, lambda: build_bare(1_000)):7.1f} x")


if __name__ == "__main__":
    main()
