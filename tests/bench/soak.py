"""An evening of a hundred tables: `make soak`, or `python -m tests.bench.soak [--postgres]`.

Eight dealers enter ten thousand changes on the real server, in all games, with undo, redo and repairs among them. The
exit code is 1 if an answer is not the expected one, if the server's memory grows by more than the log it keeps, or if a table
is not in the state that its own record leads to.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import quantiles
from threading import Lock
from typing import Any

from companion.games import GAMES
from companion.table.table import Table
from tests.faults import OPENINGS, Dealer, DealtTable, Tap, seen
from tests.postgres import Postgres, find_programs
from tests.process import Server

from .processes import cpu, memory, open_files

CHANGES = int(os.environ.get("FIFTY_FIVE_SOAK") or 10_000)
TABLES = 100
DEALERS = 8
WEIGHED = (0.1, 0.25, 0.5, 0.75, 1.0)
# Only the log may grow: an open table keeps it in memory with the states that a repair starts from, some 1.3 KB a change.
# The caches are full by the middle of the run. The slack is for the memory of single requests.
KILOBYTES_PER_CHANGE = 1.5
SLACK = 3.0  # megabytes
FILES = 16  # open files more than at the first weighing: connections come and go
CARDS = tuple(map(str, range(1, 11)))


class Soak:
    """Counts changes and weighs the server while the dealers deal."""

    def __init__(self, server: Server) -> None:
        assert server.process
        self.process = server.process.pid
        self.lock = Lock()
        self.made = 0
        self.kinds: Counter[str] = Counter()
        self.waits: list[float] = []
        self.weights: list[tuple[int, float, int]] = []  # changes, megabytes, open files
        self.dealers = [Dealer(server.port, f"dealer {number}", Random(number)) for number in range(DEALERS)]
        for number in range(TABLES):
            self.dealers[number % DEALERS].open(OPENINGS[number % len(OPENINGS)], by_form=number % 3 == 0)

    def deal(self, dealer: Dealer) -> None:
        try:
            while self.made < CHANGES:
                self.change(dealer, dealer.random.choice(dealer.deals))
        finally:
            dealer.close()

    def change(self, dealer: Dealer, deal: DealtTable) -> None:
        tap = choose(dealer, deal)
        began = time.monotonic()
        answer = dealer.send(deal, tap)
        took = time.monotonic() - began
        what = tap.kind.split()[0]
        if answer.status == 422 and " " in tap.kind:  # a repair that does not fit is refused and changes nothing
            assert answer.json()["error"] in ("illegal", "invalid"), answer.body
            what += " refused"
        else:
            assert answer.status == 200, (tap, answer.status, answer.body[:300])
            deal.version += 1
            deal.state = None if tap.by_form else answer.json()
            assert deal.state is None or deal.state["version"] == deal.version, tap
        with self.lock:
            self.kinds[what] += 1
            self.waits.append(took)
            if "refused" not in what:
                self.made += 1
                if self.made in [round(CHANGES * part) for part in WEIGHED]:
                    self.weigh()

    def weigh(self) -> None:
        self.weights.append((self.made, memory(self.process), open_files(self.process)))

    # -- demands

    def growth(self) -> tuple[float, float]:
        """Megabytes of growth in the second half, and the limit."""
        weight = {changes: megabytes for changes, megabytes, _files in self.weights}
        half, whole = (round(CHANGES * part) for part in (0.5, 1.0))
        return weight[whole] - weight[half], (whole - half) * KILOBYTES_PER_CHANGE / 1_000 + SLACK

    def different(self) -> Iterator[str]:
        """Yield the tables that are not in the state their record leads to."""
        for dealer in self.dealers:
            for deal in dealer.deals:
                state = dealer.look(deal)
                record = dealer.phone.ask("GET", f"/t/{deal.table}/record").body.decode()
                replayed: Any = json.loads(json.dumps(Table.from_record(GAMES, record).report()))
                if state["version"] != deal.version or seen(replayed) != seen(state):
                    yield deal.table
            dealer.close()


def choose(dealer: Dealer, deal: DealtTable) -> Tap:
    """A legal entry mostly; now and then a redo, or a repair of one of the last entries."""
    if deal.state is None:
        deal.state = dealer.look(deal)
    tap = dealer.choose(deal)
    wheel = dealer.random.random()
    if deal.state["redo"] is not None and wheel < 0.5:
        return Tap("redo", None, tap.version, tap.client)
    if wheel < 0.9 or deal.version < 10:
        return tap
    log = dealer.log(deal)
    number = dealer.random.randrange(max(1, len(log) - 20), len(log)) if len(log) > 1 else 0
    how = dealer.random.choice(("PUT", "POST", "DELETE"))
    entry = None if how == "DELETE" else dealer.random.choice((*CARDS, "lost", "fold"))
    return Tap(f"{how} {number}", entry, tap.version, tap.client)


@contextmanager
def started(on_postgres: bool) -> Iterator[Server]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fifty-five-soak-")))
        address = None
        if on_postgres:
            programs = find_programs()
            if programs is None:
                raise SystemExit("No PostgreSQL was found.")
            postgres = Postgres(programs)
            stack.callback(postgres.remove)
            address = postgres.address()
        yield stack.enter_context(Server(folder, address))


def spread(waits: list[float]) -> str:
    cuts = quantiles(waits, n=100)
    named = {"median": cuts[49], "90 %": cuts[89], "99 %": cuts[98], "longest": max(waits)}
    return ", ".join(f"{name} {seconds * 1_000:.1f} ms" for name, seconds in named.items())


def main(arguments: list[str]) -> int:
    on_postgres = "--postgres" in arguments
    with started(on_postgres) as server:
        soak = Soak(server)
        began, spent = time.monotonic(), cpu(soak.process)
        with ThreadPoolExecutor(DEALERS) as pool:
            for one in [pool.submit(soak.deal, dealer) for dealer in soak.dealers]:
                one.result()
        took, spent = time.monotonic() - began, cpu(soak.process) - spent
        print(
            f"{soak.made} changes on {TABLES} tables by {DEALERS} dealers, {'PostgreSQL' if on_postgres else 'SQLite'}:"
        )
        print(f"  speed      {soak.made / took:.0f} a second ({took:.1f} s), {spent / took:.0%} of a core")
        print("  kinds      " + ", ".join(f"{kind}: {count}" for kind, count in soak.kinds.most_common()))
        print(f"  an answer  {spread(soak.waits)}")
        for changes, megabytes, files in soak.weights:
            print(f"  memory     {megabytes:.1f} MB and {files} open files after {changes} changes")
        grown, allowed = soak.growth()
        print(f"  growth     {grown:.1f} MB in the second half, {allowed:.1f} MB allowed")
        different = list(soak.different())
        checked = server.companion("check")
        print(f"  check      {(checked.stdout or checked.stderr).strip()}")
        demands = {
            "The memory grew.": grown <= allowed,
            "Files were left open.": soak.weights[-1][2] <= soak.weights[0][2] + FILES,
            f"Not in the state of their record: {different}": not different,
            "The tables do not replay.": checked.returncode == 0,
            f"There is an error in the server's log:\n{server.said()[-2_000:]}": "Traceback" not in server.said(),
        }
    failed = [demand for demand, met in demands.items() if not met]
    print("\n".join(failed) or "All demands are met.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
