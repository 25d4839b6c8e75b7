"""The server is told to stop, or loses one of its processes: what is under way is finished, and nothing stays behind."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPResponse, IncompleteRead
from pathlib import Path
from random import Random
from threading import Event

import pytest

from companion.store.opening import DATABASE
from tests.process import HOST, START_UP, Server, wait_until_gone

from . import LOST, OPENINGS, PATIENCE, Deal, Dealer, Phone, Tap

IDLE = 20
# A shell or a supervisor tells the main process; Ctrl-C in a terminal and systemd tell all processes at once.
WAYS = {"kill": (signal.SIGTERM, False), "systemd": (signal.SIGTERM, True), "Ctrl-C": (signal.SIGINT, True)}


@pytest.fixture(scope="module")
def again_and_again(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("stop"), start=False) as server:
        yield server


@pytest.fixture
def server(again_and_again: Server) -> Server:
    """A server that runs, with an empty log. Most tests leave one: a start costs more than the rest of a test."""
    if not again_and_again.running():
        again_and_again.start()
    os.truncate(again_and_again.log, 0)
    return again_and_again


@contextmanager
def pages_open(server: Server) -> Iterator[list[socket.socket]]:
    """Phones that lie in a pocket with the page open."""
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
    """Those, and connections that broke off in the middle of a question: half a head, half a body."""
    halves = (b"GET /healthz HTTP/1.1\r\nHo", b"POST /api/tables HTTP/1.1\r\nHost: pub\r\nContent-Length: 500\r\n\r\n{")
    with ExitStack() as stack:
        broken = [stack.enter_context(socket.create_connection((HOST, server.port), PATIENCE)) for _ in halves]
        for connection, half in zip(broken, halves, strict=True):
            connection.sendall(half)
        yield [*pockets, *broken]


def post(path: str, content: object) -> tuple[bytes, bytes]:
    """A request as it goes over the wire: head and body."""
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
    phone = Phone(server.port)
    try:
        return phone.ask("GET", f"/api/tables/{table}").status == 200
    finally:
        phone.close()


def wait_until_said(server: Server, words: str) -> None:
    ends = time.monotonic() + START_UP
    while words not in server.said():
        assert time.monotonic() < ends, server.said()
        time.sleep(0.005)


def port_is_free(port: int) -> bool:
    """As the next `companion run` sees it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


# -- told to stop


@pytest.mark.parametrize(("way", "company"), [("kill", "hangers_on"), ("systemd", "pockets"), ("Ctrl-C", "pockets")])
def test_what_is_under_way_is_answered_in_full(
    server: Server, way: str, company: str, request: pytest.FixtureRequest
) -> None:
    """A table is being opened: it waits for somebody else, who writes to the database."""
    request.getfixturevalue(company)
    with (
        ThreadPoolExecutor(1) as pool,
        socket.create_connection((HOST, server.port), PATIENCE) as connection,
        closing(sqlite3.connect(server.data / DATABASE, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        connection.sendall(b"".join(post("/api/tables", {"seats": ["Ana", "Ben"], "game": "pairs"})))
        assert is_there(server, "nowhere") is False  # it has begun: another question was answered since
        stopping = pool.submit(server.stop, *WAYS[way])
        wait_until_said(server, "Shutting down")
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


def test_a_body_that_is_on_its_way_may_still_arrive(server: Server) -> None:
    head, body = post("/api/tables", {"seats": ["Ana", "Ben"], "game": "pairs"})
    with ThreadPoolExecutor(1) as pool, socket.create_connection((HOST, server.port), 20) as connection:
        connection.sendall(head + body[:10])
        assert is_there(server, "nowhere") is False  # the head has been read: another question was answered since
        stopping = pool.submit(server.stop)
        wait_until_said(server, "Shutting down")
        connection.sendall(body[10:])
        status, answer = whole_answer(connection)
        code = stopping.result()
    assert (status, code) == (201, 0), server.said()
    server.start()
    assert is_there(server, json.loads(answer)["table"])


def test_pages_that_lie_open_do_not_keep_it_from_stopping(server: Server) -> None:
    """A page whose answer leaves in the very moment of the signal is waited for, though: not in each of three tries."""
    waited = 0
    for way in WAYS.values():
        if not server.running():
            server.start()
        told = len(server.said())
        with pages_open(server):
            code = server.stop(*way)
        assert code == 0, server.said()
        waited += "Killing" in server.said()[told:]
        assert port_is_free(server.port)
    assert waited < len(WAYS), "nothing was under way"


@pytest.mark.parametrize("way", WAYS)
def test_taps_that_were_answered_while_it_stopped_are_there(server: Server, way: str) -> None:
    """A dealer taps until nobody answers any more. The last tap, which was not answered, is there or is not."""
    stopped = Event()
    dealers = [Dealer(server.port, str(number), Random(number)) for number in range(4)]
    for dealer, game in zip(dealers, OPENINGS, strict=False):
        dealer.open(game)

    def deal_on(dealer: Dealer) -> tuple[Deal, Tap]:
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
        while not all(deal.version > 3 for dealer in dealers for deal in dealer.deals):  # it is played
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
def test_it_can_be_stopped_while_its_worker_starts(tmp_path: Path, way: str, delay: float) -> None:
    with Server(tmp_path, start=False) as server:
        server.start(wait=False)
        wait_until_said(server, "Spawning worker")
        time.sleep(delay)
        code = server.stop(*WAYS[way])
        assert code == 0, server.said()
        assert "Traceback" not in server.said()
        assert port_is_free(server.port)


# A signal at every line of the wait, one after the other; a handler that waits for a lock ends nothing.
AT_EVERY_LINE = """
import signal, sys, time
from companion.server.serve import WakeUp
for moment in range(1, 5):
    wake_up, lines = WakeUp(), 0
    signal.signal(signal.SIGINT, lambda *_: wake_up.set())
    def trace(frame, event, _argument):
        global lines
        if "wait" in frame.f_code.co_name:
            lines += event == "line"
            if lines == moment and event == "line":
                signal.raise_signal(signal.SIGINT)
        return trace
    sys.settrace(trace)
    wake_up.wait()
    sys.settrace(None)
print("woken")
"""


def test_a_signal_is_heard_whenever_it_comes() -> None:
    done = subprocess.run([sys.executable, "-c", AT_EVERY_LINE], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "woken\n"


# -- one of its processes is gone


def test_without_the_main_process_the_worker_goes_too(server: Server, hangers_on: list[socket.socket]) -> None:
    worker = server.worker()
    server.kill_main()
    try:
        wait_until_gone([worker], patience=8)
    finally:
        if not port_is_free(server.port):
            os.kill(worker, signal.SIGKILL)  # ours, and left behind: the next test shall not find it
    assert port_is_free(server.port)
    server.start()


def test_without_its_worker_the_server_finds_another_one(server: Server) -> None:
    dealer = Dealer(server.port, "Ana", Random(1))
    deal = dealer.open("pairs")
    for _ in range(5):
        dealer.tap(deal)
    for _ in range(3):  # soon one after the other
        worker = server.worker()
        os.kill(worker, signal.SIGKILL)
        wait_until_gone([worker])
        server.wait_until_ready()
        assert server.worker() != worker
    dealer.phone.close()
    assert dealer.log(deal)[1:] == deal.entries
    dealer.tap(deal)
    assert dealer.log(deal)[1:] == deal.entries
    dealer.close()
    assert server.stop() == 0, server.said()


def test_processes_that_start_at_once_on_an_empty_folder_all_serve(tmp_path: Path) -> None:
    with ExitStack() as running:
        servers = [running.enter_context(Server(tmp_path, start=False)) for _ in range(4)]
        for server in servers:
            server.start(wait=False)
        for server in servers:
            server.wait_until_ready()


def test_when_the_terminal_is_closed_it_stops_and_frees_the_port(server: Server) -> None:
    code = server.stop(signal.SIGHUP, whole=True)
    assert code == 0, server.said()
    assert port_is_free(server.port)


def test_started_with_nohup_it_outlives_its_terminal(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # what nohup does; a child inherits it
    try:
        running = Server(tmp_path)
    finally:
        signal.signal(signal.SIGHUP, before)
    with running as server:
        worker = server.worker()
        assert server.process is not None
        os.killpg(server.process.pid, signal.SIGHUP)
        time.sleep(0.5)
        server.wait_until_ready()
        assert server.worker() == worker, "it was not started anew"
