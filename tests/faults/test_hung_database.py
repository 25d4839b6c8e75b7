"""PostgreSQL hangs: it neither answers nor refuses. What needs no database is answered meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from random import Random

import pytest

from companion.server.serve import THREADS
from companion.store.opening import POSTGRESQL_OPTIONS
from tests.postgres import Postgres
from tests.process import Server

from . import Dealer, Phone

DEALERS = 12
WITHOUT_DATABASE = ("/offline", "/rules/pairs", "/lookup", "/api/lookup/limit?players=4", "/new", "/static/app.css")


@pytest.fixture
def server(tmp_path: Path, postgres_server: Postgres, new_postgres: Callable[[], str]) -> Iterator[Server]:
    with Server(tmp_path, new_postgres()) as running:
        yield running


def ask(server: Server, path: str) -> int:
    phone = Phone(server.port)
    try:
        return phone.ask("GET", path).status
    finally:
        phone.close()


def test_what_needs_no_database_does_not_wait_for_it(server: Server, postgres_server: Postgres) -> None:
    assert POSTGRESQL_OPTIONS["pool_size"] < THREADS, "some are left for what needs no database"
    dealers = [Dealer(server.port, str(number), Random(number)) for number in range(DEALERS)]
    deals = [dealer.open("pairs") for dealer in dealers]
    for dealer, deal in zip(dealers, deals, strict=True):
        dealer.tap(deal)
    taps = [dealer.choose(deal) for dealer, deal in zip(dealers, deals, strict=True)]
    with ThreadPoolExecutor(DEALERS) as pool:
        postgres_server.pause()
        try:
            waiting = [
                pool.submit(dealer.send, deal, tap) for dealer, deal, tap in zip(dealers, deals, taps, strict=True)
            ]
            # Some of them are told at once; by then the database is known to hang.
            wait(waiting, return_when=FIRST_COMPLETED)
            for path in WITHOUT_DATABASE:
                assert ask(server, path) in (200, 308), path
            assert ask(server, "/healthz") == 503, "whoever watches over it is told at once, too"
            assert not all(tap.done() for tap in waiting), "the pages had to wait for the database"
            answers = [one.result() for one in waiting]
        finally:
            postgres_server.resume()
    assert {answer.status for answer in answers} == {503}
    for dealer, deal, tap in zip(dealers, deals, taps, strict=True):
        dealer.note(deal, tap, dealer.send(deal, tap))
        assert dealer.log(deal)[1:] == deal.entries
        dealer.close()
