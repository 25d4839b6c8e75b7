"""While PostgreSQL hangs, neither answering nor refusing, pages that need no database are still answered."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from companion.server.serve import THREADS
from companion.store.opening import POSTGRESQL_OPTIONS
from tests.postgres import Postgres
from tests.process import Server

from . import Dealer, HttpPhone

DEALERS = 300 if os.environ.get("FIFTY_FIVE_SIEGES") else 12
T = TypeVar("T")
WITHOUT_DATABASE = ("/offline", "/rules/pairs", "/lookup", "/api/lookup/limit?players=4", "/new", "/static/app.css")


@pytest.fixture
def server(tmp_path: Path, postgres_server: Postgres, new_postgres: Callable[[], str]) -> Iterator[Server]:
    with Server(tmp_path, new_postgres()) as running:
        yield running


def timed(work: Callable[..., T], *arguments: Any) -> tuple[T, float]:
    began = time.monotonic()
    return work(*arguments), time.monotonic() - began


def ask(server: Server, path: str) -> int:
    phone = HttpPhone(server.port)
    try:
        return phone.ask("GET", path).status
    finally:
        phone.close()


def test_pages_that_need_no_database_do_not_wait_for_it(server: Server, postgres_server: Postgres) -> None:
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
                pool.submit(timed, dealer.send, deal, tap)
                for dealer, deal, tap in zip(dealers, deals, taps, strict=True)
            ]
            # The first taps are refused soon; by then the program knows that the database hangs.
            wait(waiting, return_when=FIRST_COMPLETED)
            pages = [timed(ask, server, path) for path in WITHOUT_DATABASE]
            assert ask(server, "/healthz") == 503, "a monitor is told at once, too"
            assert not all(tap.done() for tap in waiting), "the pages had to wait for the database"
            answers = [one.result() for one in waiting]
        finally:
            postgres_server.resume()
    assert {status for status, _seconds in pages} <= {200, 308}
    assert {answer.status for answer, _seconds in answers} == {503}
    slowest = [max(seconds for _found, seconds in found) for found in (pages, answers)]
    print(f"{DEALERS} taps on a hung database: the longest page {slowest[0]:.2f} s, tap {slowest[1]:.2f} s")
    for dealer, deal, tap in zip(dealers, deals, taps, strict=True):
        dealer.note(deal, tap, dealer.send(deal, tap))
        assert dealer.log(deal)[1:] == deal.entries
        dealer.close()
