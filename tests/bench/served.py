"""The cost of a tap and of a poll for a whole server, including its sockets: `python -m tests.bench.served [--alone]`.

`companion run`, the ordinary way and the floor each run as a server process on this machine, and answer the evenings of
`evenings.py` in turn, over connections that stay open. The figures are the user and system time of all processes of each
server. They are reported and have no limit. With --alone only our own server is measured.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.process import Server

from .beside import Beside
from .evenings import openings, taps
from .page import Shape
from .phones import BenchDealer, OverHttp, Watcher
from .processes import cpu
from .web import WAYS, print_ways

TAPS, POLLS, WARM_UP = 2_000, 2_000, 200


class Served:
    """A server with a dealer at each of its tables, and its CPU time."""

    def __init__(self, port: int, process: int) -> None:
        self.line, self.process = OverHttp(port), process
        self.dealers = [BenchDealer(self.line, opening) for opening in openings()]

    def watch(self) -> None:
        self.watchers = [Watcher(self.line, dealer.address) for dealer in self.dealers]


def measured(served: dict[str, Served], count: int, turn: Callable[[int], None]) -> dict[str, float]:
    """CPU seconds that each server spends on one turn."""
    for number in range(WARM_UP):
        turn(number)
    began = {way: cpu(server.process) for way, server in served.items()}
    for number in range(WARM_UP, WARM_UP + count):
        turn(number)
    return {way: (cpu(server.process) - began[way]) / count for way, server in served.items()}


def measure(served: dict[str, Served]) -> tuple[dict[str, float], dict[str, float]]:
    """CPU seconds of a tap and of a poll, for each way."""
    stream = taps(WARM_UP + TAPS)
    others = [server for way, server in served.items() if way != "ours"]

    def tap(_number: int) -> None:
        table, entry = next(stream)
        shape = Shape.of(served["ours"].dealers[table].tap(entry)).headers
        for server in others:
            server.dealers[table].tap(entry, shape)

    def poll(number: int) -> None:
        for server in served.values():
            server.watchers[number % len(server.watchers)].poll()

    tap_costs = measured(served, TAPS, tap)
    for server in served.values():
        server.watch()
    return tap_costs, measured(served, POLLS, poll)


def main(arguments: list[str]) -> None:
    alone = "--alone" in arguments
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fifty-five-")))
        served = {}
        for way in WAYS[:-1] if not alone else ():
            beside = stack.enter_context(Beside(way, folder))
            served[way] = Served(beside.port, beside.process.pid)
        server = stack.enter_context(Server(folder))
        assert server.process
        served["ours"] = Served(server.port, server.process.pid)
        tap, poll = measure(served)
    print(f"CPU of the whole server, {TAPS:,} taps and {POLLS:,} polls:\n")
    if alone:
        print(f"a tap {tap['ours'] * 1e6:.0f} µs, a poll {poll['ours'] * 1e6:.0f} µs")
    else:
        print_ways(tap, poll)


if __name__ == "__main__":
    main(sys.argv[1:])
