"""Clients that hold connections: one that never reads the answers, and one that opens too many."""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from companion.server.connections import UNREAD, our_sockets
from tests.process import HOST, Server

from . import PATIENCE, Dealer

MOST = 20  # connections from one address
PIPELINED = 1_000  # questions: their answers fill every buffer on the way


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("connections"), FIFTY_FIVE_CONNECTIONS=str(MOST)) as running:
        yield running


def wait_until(true: Callable[[], bool], seconds: float) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.05)


def is_held(server: Server, connection: socket.socket) -> bool:
    """Whether the server still has its end of a connection, as Linux tells it."""
    ends = [f":{port:04X}" for port in (server.port, connection.getsockname()[1])]
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        facts = line.split()
        if facts[1].endswith(ends[0]) and facts[2].endswith(ends[1]):
            return facts[9] != "0"  # the number of its open file
    return False


def test_who_never_reads_is_dropped(server: Server) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        connection.settimeout(PATIENCE)
        connection.connect((HOST, server.port))
        connection.sendall(b"GET /rules/pairs HTTP/1.1\r\nHost: pub\r\n\r\n" * PIPELINED)
        wait_until(lambda: is_held(server, connection), PATIENCE)
        wait_until(lambda: not is_held(server, connection), 4 * UNREAD)


def open_still(connections: list[socket.socket]) -> int:
    """How many were not closed by the other side."""
    poll = select.poll()
    for one in connections:
        poll.register(one, select.POLLIN)
    return len(connections) - len(poll.poll(0))


def test_of_too_many_connections_the_newest_are_closed(server: Server) -> None:
    dealer = Dealer(server.port, "Ana", Random(55))
    deal = dealer.open("pairs")
    dealer.tap(deal)
    with ExitStack() as stack:
        opened = [stack.enter_context(socket.create_connection((HOST, server.port), PATIENCE)) for _ in range(4 * MOST)]
        wait_until(lambda: open_still(opened) < MOST, PATIENCE)
        assert open_still(opened) == MOST - 1
        kept = dealer.phone.connection.sock
        dealer.tap(deal)
        assert dealer.phone.connection.sock is kept, "who was there first stays connected"
    assert dealer.log(deal)[1:] == deal.entries
    dealer.close()


def test_looking_at_the_sockets_closes_nothing(tmp_path: Path) -> None:
    """Neither a socket nor, above all, a file."""
    with (tmp_path / "file").open("w") as file, socket.create_server((HOST, 0)) as listening:
        found = {number for number, _socket in our_sockets()}
        assert listening.fileno() in found
        assert file.fileno() not in found
        os.fstat(file.fileno())
        listening.getsockname()
