"""Slow and broken connections: an incomplete request is never carried out."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPResponse
from urllib.parse import urlencode

import pytest

from companion.server.serve import LARGEST_HEAD
from companion.web import LARGEST_BODY
from tests.process import HOST, Server

from . import FORM, NAMES, PATIENCE, Dealer, DealtTable, HttpAnswer

TABLE = json.dumps({"seats": NAMES, "game": "pairs"}).encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("slow")) as running:
        yield running


def connect(server: Server) -> socket.socket:
    return socket.create_connection((HOST, server.port), PATIENCE)


def answer_of(connection: socket.socket) -> HttpAnswer:
    found = HTTPResponse(connection)
    try:
        found.begin()
        return HttpAnswer(found.status, {name.lower(): value for name, value in found.headers.items()}, found.read())
    finally:
        found.close()


# -- incomplete requests


def form_of(deal: DealtTable, entry: str) -> tuple[bytes, bytes]:
    """Head and body of a tap as a page sends it, with the entry at the end of the body."""
    body = urlencode({"version": deal.version, "entry": entry}).encode()
    (name, right), *_rest = deal.right.items()
    head = f"POST /t/{deal.table}/enter HTTP/1.1\r\nHost: pub\r\n{name}: {right}\r\nContent-Type: {FORM}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode(), body


def read_to_the_end(connection: socket.socket) -> bytes:
    found = b""
    while some := connection.recv(10_000):
        found += some
    return found


def test_a_10_that_lost_its_last_digit_is_not_entered_as_a_1(server: Server, dealer: Dealer) -> None:
    deal = dealer.open("pairs", by_form=True)
    head, body = form_of(deal, "10")
    for missing in range(1, len(body) + 1):
        with connect(server) as connection:
            connection.sendall(head + body[:-missing])
            connection.shutdown(socket.SHUT_WR)
            assert read_to_the_end(connection) == b"", "only a whole request is answered"
    assert dealer.look(deal)["version"] == 1
    with connect(server) as connection:
        connection.sendall(head + body)
        assert answer_of(connection).status == 303
    assert dealer.log(deal)[1:] == ["10"]


def test_a_phone_that_disconnects_in_the_middle_enters_nothing(server: Server, dealer: Dealer) -> None:
    deal = dealer.open("pairs", by_form=True)
    head, body = form_of(deal, "10")
    for missing in range(1, 20):
        with connect(server) as connection:
            connection.sendall(head + body[:-missing])
    ends = time.monotonic() + 0.5  # the test cannot see when the server notices the last of them
    while time.monotonic() < ends:
        assert dealer.look(deal)["version"] == 1
        time.sleep(0.05)


CHUNKED = b"POST /api/tables HTTP/1.1\r\nHost: pub\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)


def test_a_body_in_chunks_is_read_when_the_last_chunk_has_arrived(server: Server) -> None:
    chunks = CHUNKED + chunk(TABLE[:7]) + chunk(TABLE[7:])
    with connect(server) as connection:
        connection.sendall(chunks)
        connection.shutdown(socket.SHUT_WR)
        assert read_to_the_end(connection) == b"", "there might be more to come"
    with connect(server) as connection:
        connection.sendall(chunks + chunk(b""))
        assert answer_of(connection).status == 201


def test_endless_chunks_are_refused(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(CHUNKED)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):  # the server does not read the rest
            pour(connection)


def pour(connection: socket.socket) -> None:
    for _ in range(10_000):
        connection.sendall(chunk(b" " * 4_096))


def test_a_body_that_is_too_long_is_refused_with_a_message(server: Server, dealer: Dealer) -> None:
    refused = dealer.phone.ask("POST", "/api/tables", TABLE.ljust(LARGEST_BODY + 1))
    assert refused.status == 413
    assert refused.json() == {"error": "large", "message": "What was sent is too large."}


def test_a_body_that_is_far_too_long_is_refused_before_it_is_sent(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(b"POST /api/tables HTTP/1.1\r\nHost: pub\r\nContent-Length: 1000000000\r\n\r\n")
        refused = answer_of(connection)
    assert refused.status == 413
    assert refused.headers["connection"] == "close"


def test_a_body_of_the_largest_length_is_read(server: Server, dealer: Dealer) -> None:
    assert dealer.phone.ask("POST", "/api/tables", TABLE.ljust(LARGEST_BODY)).status == 201


def test_a_head_that_is_too_long_is_refused(server: Server) -> None:
    with connect(server) as connection:
        with suppress(ConnectionResetError, BrokenPipeError):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: pub\r\nX-Long: " + b"x" * 2 * LARGEST_HEAD)
        with suppress(ConnectionResetError):
            assert answer_of(connection).status == 431


# -- the Host header


@pytest.mark.parametrize("host", [b"Host:\r\n", b"Host: \r\n", b"", b"Host: " + b"a" * 300 + b"\r\n"])
@pytest.mark.parametrize("path", [b"/rules/", b"/t/some-table/enter"])
def test_a_request_without_a_usable_host_is_refused_not_redirected(server: Server, host: bytes, path: bytes) -> None:
    with connect(server) as connection:
        connection.sendall(b"GET " + path + b" HTTP/1.1\r\n" + host + b"\r\n")
        refused = answer_of(connection)
    assert refused.status == 400
    assert b"The request could not be read." in refused.body
    assert "location" not in refused.headers


def test_a_head_request_is_answered_without_a_body(server: Server, dealer: Dealer) -> None:
    asked = dealer.phone.ask("HEAD", "/api/lookup/limit?players=4")
    assert (asked.status, asked.body) == (200, b"")
    assert int(asked.headers["content-length"]) > 0
    assert dealer.phone.ask("GET", "/api/lookup/limit?players=4").json() == {"limit": 16}, "the connection goes on"
