"""Slow, silent and broken connections: they keep nobody from being answered, and half a request is never carried out."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from http.client import HTTPResponse
from random import Random
from threading import Event
from types import SimpleNamespace
from typing import Any, TypeVar
from urllib.parse import urlencode

import pytest
from companion.web.framework import LARGEST_BODY

from companion.server import whole_requests
from companion.server.whole_requests import WholeRequests, environ_of
from companion.store.memory import MemoryStore
from companion.web import coaching, create_app, tables
from tests.process import HOST, Server

from . import FORM, NAMES, PATIENCE, Answer, Deal, Dealer

MANY = 100
T = TypeVar("T")
BESIEGED = 1.0  # seconds during which others are served
DRIP = 0.1  # seconds between two letters


def alone(work: Coroutine[Any, Any, T]) -> T:
    """In a thread of its own: where a browser was tried before, this one has a loop already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("slow")) as running:
        yield running


@pytest.fixture
def dealer(server: Server) -> Iterator[Dealer]:
    """Everything he asks must be answered within the patience of a phone."""
    phone = Dealer(server.port, "Ana", Random(55))
    yield phone
    phone.close()


def connect(server: Server) -> socket.socket:
    return socket.create_connection((HOST, server.port), PATIENCE)


def answer_of(connection: socket.socket) -> Answer:
    found = HTTPResponse(connection)
    try:
        found.begin()
        return Answer(found.status, {name.lower(): value for name, value in found.headers.items()}, found.read())
    finally:
        found.close()


# -- a siege

Siege = Callable[[socket.socket, str], bytes]  # what a besieger sends at once, and what it lets drip


def dripping_body(connection: socket.socket, _long: str) -> bytes:
    connection.sendall(b"POST /api/tables HTTP/1.1\r\nHost: pub\r\nContent-Length: 500\r\n\r\n")
    return b" " * 499


def dripping_head(connection: socket.socket, _long: str) -> bytes:
    return b"GET /healthz HTTP/1.1\r\nHost: pub\r\nX-Slow: " + b"x" * 400


def silent(connection: socket.socket, _long: str) -> bytes:
    return b""


def slow_reader(connection: socket.socket, long: str) -> bytes:
    """Asks for more than fits on the way, and never reads it."""
    connection.sendall(f"GET {long} HTTP/1.1\r\nHost: pub\r\n\r\n".encode())
    return b""


@pytest.fixture(scope="module")
def long_page(server: Server) -> str:
    """An address whose answer is long."""
    dealer = Dealer(server.port, "long", Random(1))
    record = "fifty-five 1\nseats Ana Ben\ngame rocket decks=8\n" + "shuffle\n" * 3_000
    made = dealer.phone.ask("POST", "/api/tables/import", json.dumps({"record": record}).encode())
    address = f"/api/tables/{made.json()['table']}/log"
    assert len(dealer.phone.ask("GET", address).body) > 200_000
    dealer.close()
    return address


@pytest.mark.parametrize("siege", [dripping_body, dripping_head, silent, slow_reader])
def test_others_are_answered_during(server: Server, dealer: Dealer, long_page: str, siege: Siege) -> None:
    deal = dealer.open("pairs")
    with ExitStack() as stack:
        besiegers = []
        for _ in range(MANY):
            one = stack.enter_context(socket.socket())
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)  # little room for an answer nobody reads
            one.settimeout(PATIENCE)
            one.connect((HOST, server.port))
            besiegers.append((one, iter(siege(one, long_page))))
        ends = time.monotonic() + BESIEGED
        rounds = 0
        while rounds < 3 or time.monotonic() < ends:
            for one, letters in besiegers:
                letter = next(letters, None)
                if letter is not None:
                    one.sendall(bytes([letter]))
            dealer.tap(deal)  # a phone that was there before
            newcomer = Dealer(server.port, "Ben", Random(1))
            try:
                newcomer.tap(newcomer.open("continuous"))
            finally:
                newcomer.close()
            rounds += 1
            time.sleep(DRIP)
        for one, _letters in besiegers:  # they are all still there: the siege was one
            one.setblocking(False)
            with suppress(BlockingIOError):
                assert one.recv(1) != b""
    assert dealer.log(deal)[1:] == deal.entries


# -- half a request


def form_of(deal: Deal, entry: str) -> tuple[bytes, bytes]:
    """A tap as a page sends it: the entry is the last thing in the body."""
    body = urlencode({"version": deal.version, "entry": entry}).encode()
    (name, right), *_rest = deal.right.items()
    head = f"POST /t/{deal.table}/enter HTTP/1.1\r\nHost: pub\r\n{name}: {right}\r\nContent-Type: {FORM}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode(), body


def test_a_10_that_lost_its_last_letter_is_no_1(server: Server, dealer: Dealer) -> None:
    deal = dealer.open("pairs", by_form=True)
    head, body = form_of(deal, "10")
    for missing in range(1, len(body) + 1):
        with connect(server) as connection:
            connection.sendall(head + body[:-missing])
            connection.shutdown(socket.SHUT_WR)  # it can still be told
            refused = answer_of(connection)
        assert refused.status == 400
        assert b"The request could not be read." in refused.body
    assert dealer.look(deal)["version"] == 1
    with connect(server) as connection:
        connection.sendall(head + body)
        assert answer_of(connection).status == 303
    assert dealer.log(deal)[1:] == ["10"]


def test_a_phone_that_goes_away_in_the_middle_enters_nothing(server: Server, dealer: Dealer) -> None:
    deal = dealer.open("pairs", by_form=True)
    head, body = form_of(deal, "10")
    for missing in range(1, 20):
        with connect(server) as connection:
            connection.sendall(head + body[:-missing])
    ends = time.monotonic() + 0.5  # nobody tells us when the last of them was noticed
    while time.monotonic() < ends:
        assert dealer.look(deal)["version"] == 1
        time.sleep(0.05)


def test_an_endless_body_in_pieces_is_refused_with_a_sentence(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(b"POST /api/tables HTTP/1.1\r\nHost: pub\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{ \n\r\n")
        refused = answer_of(connection)
        assert refused.status == 411
        assert refused.json() == {"error": "invalid", "message": "The request could not be read."}
        assert refused.headers["connection"] == "close"
        with pytest.raises((ConnectionResetError, BrokenPipeError)):  # nobody listens to the rest
            pour(connection)


def pour(connection: socket.socket) -> None:
    for _ in range(10_000):
        connection.sendall(b"1000\r\n" + b" " * 4_096 + b"\r\n")


def test_a_body_that_is_too_long_is_refused_before_it_is_sent(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(
            f"POST /api/tables HTTP/1.1\r\nHost: pub\r\nContent-Length: {LARGEST_BODY + 1}\r\n\r\n".encode()
        )
        refused = answer_of(connection)
    assert refused.status == 413
    assert refused.json() == {"error": "large", "message": "What was sent is too large."}
    assert refused.headers["connection"] == "close"


def test_a_body_of_the_largest_length_is_read(server: Server, dealer: Dealer) -> None:
    table = json.dumps({"seats": NAMES, "game": "pairs"}).encode()
    assert dealer.phone.ask("POST", "/api/tables", table.ljust(LARGEST_BODY)).status == 201


def test_a_cookie_may_come_in_two_headers(server: Server, dealer: Dealer) -> None:
    deal = dealer.open("pairs", by_form=True)
    head, body = form_of(deal, "7")
    with connect(server) as connection:
        connection.sendall(head.replace(b"Cookie:", b"Cookie: other=1\r\nCookie:") + body)
        assert answer_of(connection).status == 303
    assert dealer.log(deal)[1:] == ["7"]


# -- the wrapper by itself: with clocks and addresses a test cannot wait for or come from


class Headers:
    """As granian gives them: names in small letters, in the order they came, some of them twice."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self.pairs = pairs

    def get(self, name: str) -> str | None:
        return next((value for known, value in self.pairs if known == name), None)

    def items(self) -> list[tuple[str, str]]:
        return list(self.pairs)


def scope_of(*headers: tuple[str, str], **more: Any) -> Any:
    usual = {
        "method": "POST",
        "path": "/api/tables",
        "query_string": "",
        "http_version": "1.1",
        "scheme": "http",
        "server": "127.0.0.1:8000",
        "client": "192.0.2.7:50000",
        "authority": None,
    }
    return SimpleNamespace(headers=Headers(("host", "pub:8000"), *headers), **{**usual, **more})


@dataclass
class Protocol:
    """Hands out the pieces of a body, each after a while, and notes the answer."""

    pieces: list[bytes] = field(default_factory=list)
    every: float = 0.0
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            await asyncio.sleep(self.every)
            yield piece

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.answers.append((status, {name.lower(): value for name, value in headers}, body))


@pytest.fixture
def wrapper() -> Iterator[WholeRequests]:
    made = WholeRequests(create_app(MemoryStore(), {"SECRET_KEY": "key"}))
    yield made
    made.threads.shutdown()
    made.threads_for_taps.shutdown()


def through(wrapper: WholeRequests, scope: Any, protocol: Protocol) -> tuple[int, dict[str, str], bytes]:
    alone(wrapper.__rsgi__(scope, protocol))
    (answer,) = protocol.answers
    return answer


TABLE = json.dumps({"seats": ["Ana", "Ben"], "game": "pairs"}).encode()


def test_a_body_in_pieces_is_put_together(wrapper: WholeRequests) -> None:
    protocol = Protocol([TABLE[:7], TABLE[7:8], TABLE[8:]])
    status, headers, body = through(wrapper, scope_of(("content-length", str(len(TABLE)))), protocol)
    assert status == 201
    assert json.loads(body)["state"]["game"] == "pairs"
    assert "connection" not in headers


def test_over_https_a_phone_is_told_to_stay_there(wrapper: WholeRequests) -> None:
    asked = {"method": "GET", "path": "/rules"}
    _status, headers, _body = through(wrapper, scope_of(scheme="https", **asked), Protocol())
    assert headers["strict-transport-security"].startswith("max-age=")
    forwarded = ("x-forwarded-proto", "https")  # what anybody may say over plain http
    _status, headers, _body = through(wrapper, scope_of(forwarded, **asked), Protocol())
    assert "strict-transport-security" not in headers


@pytest.mark.parametrize(
    ("headers", "pieces", "status", "code"),
    [
        ([("content-length", str(len(TABLE)))], [TABLE[:-1]], 400, "invalid"),
        ([("content-length", str(len(TABLE)))], [TABLE, b" "], 400, "invalid"),
        ([("content-length", str(len(TABLE)))], [], 400, "invalid"),
        ([("transfer-encoding", "chunked")], [TABLE], 411, "invalid"),
        ([("content-length", str(LARGEST_BODY + 1))], [TABLE], 413, "large"),
    ],
)
def test_what_did_not_come_whole_is_refused(
    wrapper: WholeRequests, headers: list[tuple[str, str]], pieces: list[bytes], status: int, code: str
) -> None:
    refused, told, body = through(wrapper, scope_of(*headers), Protocol(pieces))
    assert refused == status
    assert json.loads(body)["error"] == code
    assert json.loads(body)["message"]
    assert told["connection"] == "close"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The request took too long to arrive: send it again."),
        ("fr", "La requête a mis trop de temps à arriver"),
    ],
)
def test_a_body_that_drips_is_answered_in_the_end(
    wrapper: WholeRequests, monkeypatch: pytest.MonkeyPatch, language: str, sentence: str
) -> None:
    """Every letter comes in good time; all of them together do not."""
    monkeypatch.setattr(whole_requests, "BODY_SECONDS", 0.2)
    dripping = Protocol([bytes([letter]) for letter in TABLE], every=0.05)
    scope = scope_of(("content-length", str(len(TABLE))), ("accept-language", language))
    status, headers, body = through(wrapper, scope, dripping)
    assert status == 408
    assert json.loads(body)["error"] == "slow"
    assert json.loads(body)["message"].startswith(sentence)
    assert headers["connection"] == "close"


def test_taps_go_through_whatever_the_others_ask_for() -> None:
    """All other threads are at work, and more requests wait for one; a tap on any table is answered meanwhile."""
    go_on = Event()

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"] not in taps:
            assert go_on.wait(PATIENCE)
        start_response("200 OK", [])
        return [b"done"]

    others = ("/t/a/history", "/api/tables/import", "/t/a/fork", "/api/tables/a/entries/3", "/api/tables/a/rows")
    taps = ("/t/a/enter", "/t/a/undo", "/t/a/score", "/api/tables/a/entries", "/api/tables/a/undo")
    wrapper = WholeRequests(app)

    async def all_of_them() -> None:
        asked = [Protocol() for _ in range(3 * whole_requests.THREADS)]
        paths = itertools.cycle(others)
        waiting = [asyncio.ensure_future(wrapper.__rsgi__(scope_of(path=next(paths)), one)) for one in asked]
        large = bytes(whole_requests.LARGEST_TAP + 1)  # no tap, wherever it is sent to
        head = scope_of(("content-length", str(len(large))), path=taps[0])
        waiting.append(asyncio.ensure_future(wrapper.__rsgi__(head, Protocol([large]))))
        try:
            for path in taps:
                tapped = Protocol()
                await asyncio.wait_for(wrapper.__rsgi__(scope_of(path=path), tapped), PATIENCE)
                assert [answer[2] for answer in tapped.answers] == [b"done"]
            assert not any(one.answers for one in asked)
            assert not waiting[-1].done()
        finally:
            go_on.set()
            await asyncio.gather(*waiting)

    alone(all_of_them())
    wrapper.threads.shutdown()
    wrapper.threads_for_taps.shutdown()


def test_long_work_leaves_threads_for_others() -> None:
    opening_a_long_table = 1
    at_most = (coaching.MOST_ASKING, coaching.MOST_JUDGING, tables.MOST_PLAYING, opening_a_long_table)
    assert sum(at_most) < whole_requests.THREADS


def test_a_slow_body_holds_no_thread(wrapper: WholeRequests, monkeypatch: pytest.MonkeyPatch) -> None:
    """More of them than there are threads; somebody else is answered before the first of them."""
    monkeypatch.setattr(whole_requests, "BODY_SECONDS", 2.0)
    order: list[str] = []

    async def one(name: str, scope: Any, protocol: Protocol) -> int:
        await wrapper.__rsgi__(scope, protocol)
        order.append(name)
        return protocol.answers[0][0]

    async def all_of_them() -> list[int]:
        slow = [
            one("slow", scope_of(("content-length", str(len(TABLE)))), Protocol([TABLE], every=0.5))
            for _ in range(3 * whole_requests.THREADS)
        ]
        return await asyncio.gather(*slow, one("quick", scope_of(method="GET", path="/healthz"), Protocol()))

    assert alone(all_of_them()) == [201] * 3 * whole_requests.THREADS + [200]
    assert order[0] == "quick"


# -- what the application is told of a request


def test_a_header_that_came_twice_is_one_list() -> None:
    environ = environ_of(
        scope_of(("accept", "text/html"), ("accept", "text/plain"), ("cookie", "a=1"), ("cookie", "b=2")), b""
    )
    assert environ["HTTP_ACCEPT"] == "text/html,text/plain"
    assert environ["HTTP_COOKIE"] == "a=1; b=2"


def test_a_header_with_an_underscore_is_dropped() -> None:
    """`X_Forwarded_For` would be taken for the proxy's own `X-Forwarded-For`, whichever comes first."""
    for pairs in (
        [("x-forwarded-for", "a"), ("x_forwarded_for", "b")],
        [("x_forwarded_for", "b"), ("x-forwarded-for", "a")],
    ):
        assert environ_of(scope_of(*pairs), b"")["HTTP_X_FORWARDED_FOR"] == "a"
    assert "HTTP_X_FORWARDED_FOR" not in environ_of(scope_of(("x_forwarded_for", "b")), b"")


@pytest.mark.parametrize(
    ("client", "address"),
    [
        ("192.0.2.7:50000", "192.0.2.7"),
        ("[2001:db8::7]:50000", "2001:db8::7"),
        ("[::1]:50000", "::1"),
        ("[::ffff:192.0.2.7]:50000", "::ffff:192.0.2.7"),
    ],
)
def test_the_address_of_a_visitor(client: str, address: str) -> None:
    assert environ_of(scope_of(client=client), b"")["REMOTE_ADDR"] == address


def test_length_and_type_are_told_once_and_as_they_are() -> None:
    headers = (("content-length", "99"), ("content-type", "text/plain"), ("transfer-encoding", "gzip"))
    environ = environ_of(scope_of(*headers), b"abc")
    assert environ["CONTENT_LENGTH"] == "3"
    assert environ["CONTENT_TYPE"] == "text/plain"
    assert not {"HTTP_CONTENT_LENGTH", "HTTP_CONTENT_TYPE", "HTTP_TRANSFER_ENCODING"} & set(environ)
    assert environ["wsgi.input"].read() == b"abc"


def test_paths_questions_and_hosts_arrive_as_wsgi_wants_them() -> None:
    environ = environ_of(scope_of(path="/t/Zoë", query_string="a=%20b&c", server="[::]:8000"), b"")
    assert environ["PATH_INFO"].encode("latin-1").decode("utf-8") == "/t/Zoë"
    assert environ["QUERY_STRING"] == "a=%20b&c"
    assert environ["SERVER_PORT"] == "8000"
    assert environ["HTTP_HOST"] == "pub:8000"
    assert environ_of(scope_of(authority="other:1"), b"")["HTTP_HOST"] == "other:1"


def test_a_head_request_is_answered_without_a_body(server: Server, dealer: Dealer) -> None:
    asked = dealer.phone.ask("HEAD", "/api/lookup/limit?players=4")
    assert (asked.status, asked.body) == (200, b"")
    assert int(asked.headers["content-length"]) > 0
    assert dealer.phone.ask("GET", "/api/lookup/limit?players=4").json() == {"limit": 16}, "the connection goes on"
