"""What an entry costs, as a ratio to building a bare frozen dataclass in the same run."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from time import process_time

from companion.engine.notation import Entry, parse
from companion.engine.play import replay
from companion.games import GAMES
from companion.table.table import Table

NAMES = ("Ana", "Ben", "Cleo", "Dan")
SIZES = (100, 1_000, 10_000)
REPEATS = 5


@dataclass(frozen=True)
class Bare:
    """As many fields as an entry has facts: the floor everything is measured against."""

    verb: str
    value: int
    seat: str
    round: int


def build_bare(count: int) -> None:
    for number in range(count):
        Bare("card", number, "Ana", 1)


def long_log(count: int) -> list[Entry]:
    """An evening of Continuous Pairs, one game after another."""
    random = Random(55)
    table = Table.open(GAMES, NAMES, ["game continuous"])
    while table.head.number + 1 < count:
        game = GAMES[table.state.game]
        legal = game.legal(table.state) or (parse("game continuous"),)
        table = table.enter([random.choice(legal)])
    return [step.entry for step in table.steps()]


def cost(work: Callable[[], object], floor: Callable[[], object]) -> float:
    """Median ratio of paired runs, by CPU time."""
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
    log = long_log(SIZES[-1])
    print("Replaying a log, against building as many bare frozen dataclasses:")
    for size in SIZES:
        entries = log[:size]
        ratio = cost(lambda e=entries: replay(GAMES, NAMES, e), lambda n=size: build_bare(n))  # type: ignore[misc]
        print(f"  {size:>6} entries: {ratio:7.1f} x")
    print("One more entry on a table, against one bare dataclass (1,000 times each):")
    for size in SIZES:
        table = Table.open(GAMES, NAMES, log[:size])
        entry = GAMES[table.state.game].legal(table.state)[0]

        def thousand(table: Table = table, entry: Entry = entry) -> None:
            for _ in range(1_000):
                table.enter([entry])

        print(f"  after {size:>6} entries: {cost(thousand, lambda: build_bare(1_000)):7.1f} x")


if __name__ == "__main__":
    main()
