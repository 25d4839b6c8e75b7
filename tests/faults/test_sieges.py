"""Crowds of bad clients that are slow, silent, cut off or never read. Others are still served, and nothing is lost.

Each siege prints the longest tap and the longest page at another table. `make faults` sends large crowds
(`FIFTY_FIVE_SIEGES`), `make test` small ones.
"""

from __future__ import annotations

import json
import os
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from companion.server.serve import UNREAD
from tests.process import HOST, Server

from . import PATIENCE, Dealer, DealtTable

WHOLE = bool(os.environ.get("FIFTY_FIVE_SIEGES"))
LASTS = 20.0 if WHOLE else 1.0  # seconds; a client that never reads is dropped after ten
DRIP = 1.0 if WHOLE else 0.1  # seconds between two bytes
MORE_THAN_SELECT = 1_100
LONG = 3_000  # entries of the long table
PIPELINED = 1_000  # requests, whose answers fill every buffer on the way


@pytest.fixture(scope="module", autouse=True)
def _many_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("siege")) as running:
        yield running


@pytest.fixture(scope="module")
def long_page(server: Server) -> str:
    """An address with a long answer."""
    dealer = Dealer(server.port, "long", Random(1))
    record = "fifty-five 1\nseats Ana Ben\ngame rocket decks=8\n" + "shuffle\n" * LONG
    made = dealer.phone.ask("POST", "/api/tables/import", json.dumps({"record": record}).encode())
    address = f"/api/tables/{made.json()['table']}/log"
    assert len(dealer.phone.ask("GET", address).body) > 200_000
    dealer.close()
    return address


def connect(server: Server) -> socket.socket:
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)  # little room for unread answers
    one.settimeout(PATIENCE)
    one.connect((HOST, server.port))
    return one


# -- for each siege: the bytes a client sends at first, and those it sends slowly afterwards


def slow_head(_long: str) -> tuple[bytes, bytes]:
    return b"GET /healthz HTTP/1.1\r\nHost: pub\r\nX-Slow: ", b"x"


def slow_body(_long: str) -> tuple[bytes, bytes]:
    return b"POST /api/tables HTTP/1.1\r\nHost: pub\r\nContent-Length: 500\r\n\r\n", b" "


def silent(_long: str) -> tuple[bytes, bytes]:
    return b"", b""


def never_reads(long: str) -> tuple[bytes, bytes]:
    return f"GET {long} HTTP/1.1\r\nHost: pub\r\n\r\n".encode() * 30, b""


def asks_on_and_on(_long: str) -> tuple[bytes, bytes]:
    return b"GET /rules/pairs HTTP/1.1\r\nHost: pub\r\n\r\n" * 30, b""


SIEGES: dict[str, tuple[Callable[[str], tuple[bytes, bytes]], int]] = {
    "slow heads": (slow_head, 1_800),
    "slow bodies": (slow_body, 500),
    "silent": (silent, 1_800),
    "long answers that nobody reads": (never_reads, 100),
    "many answers that nobody reads": (asks_on_and_on, 100),
}


class Others:
    """A dealer at another table, a reader of its page and a newcomer, with the longest wait of each."""

    def __init__(self, server: Server, dealer: Dealer) -> None:
        self.server = server
        self.dealer = dealer
        self.deal: DealtTable = dealer.open("pairs")
        self.longest = {"tap": 0.0, "page": 0.0, "newcomer": 0.0}

    def go_on(self, seconds: float) -> None:
        ends, rounds = time.monotonic() + seconds, 0
        while rounds < 3 or time.monotonic() < ends:
            with self.timed("tap"):
                self.dealer.tap(self.deal)
            with self.timed("page"):
                assert self.dealer.phone.ask("GET", f"/t/{self.deal.table}").status == 200
            with self.timed("newcomer"):
                newcomer = Dealer(self.server.port, "Ben", Random(1))
                newcomer.tap(newcomer.open("continuous"))
                newcomer.close()
            rounds += 1
            time.sleep(0.05)
        assert self.dealer.log(self.deal)[1:] == self.deal.entries

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.longest[what] = max(self.longest[what], time.monotonic() - began)

    def report(self, siege: str, crowd: int) -> None:
        figures = ", ".join(f"{what} {seconds:.2f} s" for what, seconds in self.longest.items())
        print(f"{crowd} x {siege}: the longest {figures}; server {self.server.memory() / 1e6:.0f} MB")


@pytest.mark.parametrize("siege", SIEGES)
def test_others_are_served_during_a_siege(server: Server, dealer: Dealer, long_page: str, siege: str) -> None:
    sends, crowd = SIEGES[siege]
    crowd = crowd if WHOLE else 100
    first, drop = sends(long_page)
    over = Event()
    others = Others(server, dealer)
    with ExitStack() as stack:
        besiegers = [stack.enter_context(connect(server)) for _ in range(crowd)]

        def drip() -> None:
            while not over.wait(DRIP):
                for one in besiegers:
                    with suppress(OSError):  # the server has closed it
                        one.sendall(drop)

        for one in besiegers:
            with suppress(TimeoutError):
                one.sendall(first)
        dripping = Thread(target=drip)
        dripping.start()
        try:
            others.go_on(LASTS)
        finally:
            over.set()
            dripping.join()
        if not WHOLE:  # all clients must still be connected, or it was not a siege
            for one in besiegers:
                one.setblocking(False)
                with suppress(BlockingIOError):
                    assert one.recv(1) != b""
    others.report(siege, crowd)


def test_truncated_bodies_enter_nothing(server: Server, dealer: Dealer) -> None:
    crowd = 600 if WHOLE else 60
    deal = dealer.open("pairs")
    body = json.dumps({"version": 1, "entries": ["10"]}).encode()
    (name, right), *_rest = deal.right.items()
    head = f"POST {deal.path}/entries HTTP/1.1\r\nHost: pub\r\n{name}: {right}\r\nContent-Length: {len(body)}\r\n\r\n"
    others = Others(server, dealer)
    for number in range(crowd):
        with connect(server) as one:
            one.sendall(head.encode() + body[: number % len(body)])
        if number % 20 == 0:
            others.go_on(0)
    others.go_on(LASTS)
    assert dealer.look(deal)["version"] == 1
    others.report("cut-off bodies", crowd)


def test_others_are_served_with_more_connections_than_select_can_watch(server: Server, dealer: Dealer) -> None:
    others = Others(server, dealer)
    with ExitStack() as stack:
        for _ in range(MORE_THAN_SELECT):
            stack.enter_context(connect(server))
        others.go_on(LASTS)
    others.report("idle connections", MORE_THAN_SELECT)


# -- a client that never reads


def wait_until(true: Callable[[], bool], seconds: float) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.05)


def is_held(server: Server, connection: socket.socket) -> bool:
    """True if the server still has its end of the connection open, according to Linux."""
    ends = [f":{port:04X}" for port in (server.port, connection.getsockname()[1])]
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        facts = line.split()
        if facts[1].endswith(ends[0]) and facts[2].endswith(ends[1]):
            return facts[9] != "0"  # the inode of the open socket
    return False


def test_a_client_that_never_reads_is_dropped(server: Server) -> None:
    with connect(server) as connection:
        connection.settimeout(1)
        with suppress(TimeoutError):
            connection.sendall(b"GET /rules/pairs HTTP/1.1\r\nHost: pub\r\n\r\n" * PIPELINED)
        wait_until(lambda: is_held(server, connection), PATIENCE)
        wait_until(lambda: not is_held(server, connection), 4 * UNREAD)
