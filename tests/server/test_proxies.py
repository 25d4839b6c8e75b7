"""Headers of a proxy about the visitor are used with `--proxies`, and only then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults import FORM, HttpAnswer, HttpPhone
from tests.process import Server

OPENING = b"seats=2&game=pairs"


@pytest.fixture(scope="module", params=[0, 1], ids=["without a proxy", "behind a proxy"])
def proxies(request: pytest.FixtureRequest) -> int:
    count: int = request.param
    return count


@pytest.fixture(scope="module")
def server(proxies: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("proxies")
    with Server(folder, options=("--proxies", str(proxies)), FIFTY_FIVE_TABLES_PER_HOUR="2") as started:
        yield started


def opened(server: Server, **headers: str) -> HttpAnswer:
    phone = HttpPhone(server.port)
    try:
        return phone.ask("POST", "/tables", OPENING, Content_Type=FORM, **headers)
    finally:
        phone.close()


def test_the_cookie_is_secure_if_the_visitor_uses_https(server: Server, proxies: int) -> None:
    cookie = opened(server, X_Forwarded_Proto="https").headers["set-cookie"]
    assert ("Secure" in cookie, cookie.startswith("__Host-")) == (bool(proxies),) * 2


def test_tables_are_counted_for_the_visitor_not_the_proxy(server: Server, proxies: int) -> None:
    answers = [opened(server, X_Forwarded_For="192.0.2.7").status for _ in range(3)]
    assert answers == [303, 303, 429 if proxies else 303]
    assert opened(server, X_Forwarded_For="192.0.2.8").status == 303


def test_a_header_with_an_underscore_is_ignored(server: Server) -> None:
    """`X_Forwarded_For` could be mistaken for the proxy's own `X-Forwarded-For`."""
    phone = HttpPhone(server.port)
    for _ in range(3):
        phone.connection.request("POST", "/tables", OPENING, {"Content-Type": FORM, "X_Forwarded_For": "192.0.2.9"})
        answer = phone.connection.getresponse()
        answer.read()
        assert answer.status == 303
    phone.close()
