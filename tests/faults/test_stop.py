"""When the server is stopped, requests under way are answered, and the port is freed."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPResponse, IncompleteRead
from pathlib import Path
from random import Random
from threading import Event

import pytest

from companion.store.opening import DATABASE
from tests.process import HOST, START_UP, Server

from . import LOST, OPENINGS, PATIENCE, Dealer, DealtTable, HttpPhone, Tap

IDLE = 20
# A supervisor signals one process; Ctrl-C in a terminal and systemd signal the whole group.
WAYS = {"kill": (signal.SIGTERM, False), "systemd": (signal.SIGTERM, True), "Ctrl-C": (signal.SIGINT, True)}


@pytest.fixture(scope="module")
def again_and_again(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("stop"), start=False) as server:
        yield server


@pytest.fixture
def server(again_and_again: Server) -> Server:
    """A running server with an empty log. Most tests leave it running, since a start takes longer than the test."""
    if not again_and_again.running():
        again_and_again.start()
    os.truncate(again_and_again.log, 0)
    return again_and_again


@contextmanager
def pages_open(server: Server) -> Iterator[list[socket.socket]]:
    """Idle connections, as of phones in a pocket with the page open."""
    with ExitStack() as stack:
        phones = [stack.enter_context(socket.create_connection((HOST, server.port), PATIENCE)) for _ in range(IDLE)]
        for phone in phones:
            phone.sendall(b"GET /healthz HTTP/1.1\r\nHost: pub\r\n\r\n")
            assert phone.recv(10_000).startswith(b"HTTP/1.1 200")
        yield phones


@pytest.fixture
def pockets(server: Server) -> Iterator[list[socket.socket]]:
    with pages_open(server) as phones:
        yield phones


@pytest.fixture
def hangers_on(server: Server, pockets: list[socket.socket]) -> Iterator[list[socket.socket]]:
    """Idle connections, and two that stopped halfway, in the head and in the body of a request."""
    halves = (b"GET /healthz HTTP/1.1\r\nHo", b"POST /api/tables HTTP/1.1\r\nHost: pub\r\nContent-Length: 500\r\n\r\n{")
    with ExitStack() as stack:
        broken = [stack.enter_context(socket.create_connection((HOST, server.port), PATIENCE)) for _ in halves]
        for connection, half in zip(broken, halves, strict=True):
            connection.sendall(half)
        yield [*pockets, *broken]


def post(path: str, content: object) -> tuple[bytes, bytes]:
    """The head and the body of a request, as bytes."""
    body = json.dumps(content).encode()
    return f"POST {path} HTTP/1.1\r\nHost: pub\r\nContent-Length: {len(body)}\r\n\r\n".encode(), body


def whole_answer(connection: socket.socket) -> tuple[int, bytes]:
    answer = HTTPResponse(connection, method="POST")
    answer.begin()
    try:
        return answer.status, answer.read()
    finally:
        answer.close()


def is_there(server: Server, table: str) -> bool:
    phone = HttpPhone(server.port)
    try:
        return phone.ask("GET", f"/api/tables/{table}").status == 200
    finally:
        phone.close()


def wait_until_said(server: Server, words: str) -> None:
    ends = time.monotonic() + START_UP
    while words not in server.said():
        assert time.monotonic() < ends, server.said()
        time.sleep(0.005)


def wait_until_refused(server: Server) -> None:
    """Wait until the server accepts no more connections: then it has received the signal."""
    ends = time.monotonic() + PATIENCE
    while True:
        assert time.monotonic() < ends, "it goes on listening"
        try:
            socket.create_connection((HOST, server.port), PATIENCE).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.005)


def port_is_free(port: int) -> bool:
    """True if the next `companion run` could use the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


# -- stopping


@pytest.mark.parametrize(("way", "company"), [("kill", "hangers_on"), ("systemd", "pockets"), ("Ctrl-C", "pockets")])
def test_a_request_under_way_is_answered_in_full(
    server: Server, way: str, company: str, request: pytest.FixtureRequest
) -> None:
    """The request opens a table, and waits for another program that writes to the database."""
    request.getfixturevalue(company)
    with (
        ThreadPoolExecutor(1) as pool,
        socket.create_connection((HOST, server.port), PATIENCE) as connection,
        closing(sqlite3.connect(server.data / DATABASE, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        connection.sendall(b"".join(post("/api/tables", {"seats": ["Ana", "Ben"], "game": "pairs"})))
        assert is_there(server, "nowhere") is False  # a later request was answered, so this one has begun
        stopping = pool.submit(server.stop, *WAYS[way])
        wait_until_refused(server)
        assert select.select([connection], [], [], 0)[0] == [], "it was answered before the signal"
        other.execute("ROLLBACK")
        status, body = whole_answer(connection)
        code = stopping.result()
    assert status == 201
    assert code == 0, server.said()
    assert "Traceback" not in server.said()
    assert port_is_free(server.port)
    server.start()
    assert is_there(server, json.loads(body)["table"])


def test_a_request_that_has_not_arrived_completely_is_not_carried_out(server: Server) -> None:
    """The phone gets no answer, and sends it again to the next server."""
    head, body = post("/api/tables", {"seats": ["Ana", "Ben"], "game": "pairs"})
    with ThreadPoolExecutor(1) as pool, socket.create_connection((HOST, server.port), 20) as connection:
        connection.sendall(head + body[:10])
        assert is_there(server, "nowhere") is False  # a later request was answered, so the head has been read
        stopping = pool.submit(server.stop)
        wait_until_refused(server)
        with suppress(OSError):
            connection.sendall(body[10:])
        with suppress(ConnectionResetError):
            assert connection.recv(1) == b""
        assert stopping.result() == 0, server.said()
    server.start()
    with closing(sqlite3.connect(server.data / DATABASE)) as database:
        before = database.execute("SELECT count(*) FROM tables").fetchone()
        with socket.create_connection((HOST, server.port), PATIENCE) as connection:
            connection.sendall(head + body)
            status, answer = whole_answer(connection)
        assert status == 201
        assert is_there(server, json.loads(answer)["table"])
        assert database.execute("SELECT count(*) FROM tables").fetchone() == (before[0] + 1,)


@pytest.mark.parametrize("way", WAYS)
def test_open_pages_do_not_keep_the_server_from_stopping(server: Server, way: str) -> None:
    with pages_open(server):
        code = server.stop(*WAYS[way])
    assert code == 0, server.said()
    assert "still running" not in server.said(), "no thread was busy"
    assert port_is_free(server.port)


@pytest.mark.parametrize("way", WAYS)
def test_taps_answered_while_the_server_stops_are_kept(server: Server, way: str) -> None:
    """Dealers tap until the server no longer answers. The last tap of each, without an answer, may be kept or not."""
    stopped = Event()
    dealers = [Dealer(server.port, str(number), Random(number)) for number in range(4)]
    for dealer, game in zip(dealers, OPENINGS, strict=False):
        dealer.open(game)

    def deal_on(dealer: Dealer) -> tuple[DealtTable, Tap]:
        (deal,) = dealer.deals
        while True:
            tap = dealer.choose(deal)
            try:
                dealer.note(deal, tap, dealer.send(deal, tap))
            except LOST as error:
                assert stopped.is_set(), "an answer was lost though nobody was told to stop"
                assert not isinstance(error, IncompleteRead), "half an answer"
                dealer.close()
                return deal, tap

    with ThreadPoolExecutor(len(dealers)) as pool:
        under_way = [pool.submit(deal_on, dealer) for dealer in dealers]
        ends = time.monotonic() + PATIENCE
        while not all(deal.version > 3 for dealer in dealers for deal in dealer.deals):  # until all are playing
            assert time.monotonic() < ends, "they do not play"
            time.sleep(0.01)
        stopped.set()
        code = server.stop(*WAYS[way])
        ended = [one.result() for one in under_way]
    assert code == 0, server.said()
    server.start()
    for dealer, (deal, tap) in zip(dealers, ended, strict=True):
        answered = list(deal.entries)
        maybe = answered[:-1] if tap.kind == "undo" else [*answered, tap.entry]
        assert dealer.log(deal)[1:] in (answered, maybe)
        dealer.note(deal, tap, dealer.send(deal, tap))
        assert dealer.log(deal)[1:] == deal.entries == maybe
        dealer.close()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("delay", [0.0, 0.1])
def test_the_server_can_be_stopped_as_soon_as_it_greets(tmp_path: Path, way: str, delay: float) -> None:
    with Server(tmp_path, start=False) as server:
        server.start(wait=False)
        wait_until_said(server, "On this machine")
        time.sleep(delay)
        code = server.stop(*WAYS[way])
        assert code == 0, server.said()
        assert "Traceback" not in server.said()
        assert port_is_free(server.port)


def test_processes_that_start_at_once_on_an_empty_folder_all_serve(tmp_path: Path) -> None:
    with ExitStack() as running:
        servers = [running.enter_context(Server(tmp_path, start=False)) for _ in range(4)]
        for server in servers:
            server.start(wait=False)
        for server in servers:
            server.wait_until_ready()


def test_closing_the_terminal_stops_the_server_and_frees_the_port(server: Server) -> None:
    code = server.stop(signal.SIGHUP, whole=True)
    assert code == 0, server.said()
    assert port_is_free(server.port)


def test_a_server_started_with_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does; a child inherits it
    try:
        running = Server(tmp_path)
    finally:
        signal.signal(signal.SIGHUP, before)
    with running as server:
        assert server.process is not None
        os.killpg(server.process.pid, signal.SIGHUP)
        time.sleep(0.5)
        server.wait_until_ready()
