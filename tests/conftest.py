"""Hooks and fixtures for all tests. On the build server a skipped test counts as a failure."""

from __future__ import annotations

import os
import secrets
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from hypothesis import settings

from companion.store.sql import SqlStore

from .postgres import Postgres, find_programs

# Machines differ too much in speed for hypothesis to set a deadline for one example.
settings.register_profile("fifty-five", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("fifty-five")


# Under nohup, or in the background, this process ignores these signals, and every server it starts would inherit that.
# A handler of our own ignores them too, but is not inherited.
for which in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(which) is signal.SIG_IGN:
        signal.signal(which, lambda *_: None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line for each reason to skip tests, such as a missing browser."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        reasons[str(report.longrepr[-1]).removeprefix("Skipped: ")] += 1
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"LEFT OUT ({count}): {reason}", yellow=True)


# One process runs a whole file: the longest files come first, so that none of them is still running when all else is done.
# Only one of the first files needs the static site: others that need it would wait while it is built.
LONGEST = (
    "browser/test_pocket_site.py",
    "browser/test_fit.py",
    "browser/test_looks.py",
    "browser/test_play.py",
    "browser/test_pocket_engines.py",
    "browser/test_pocket_again.py",
    "faults/test_stop.py",
    "web/test_evening_truth.py",
    "browser/test_bounce.py",
    "browser/test_pocket_served.py",
    "browser/test_watch.py",
    "faults/test_kill.py",
    "pocket/test_bundle.py",
    "browser/test_installed.py",
    "web/test_fuzz.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def turn(item: pytest.Item) -> int:
        name = item.nodeid.partition("::")[0].removeprefix("tests/")
        return LONGEST.index(name) if name in LONGEST else len(LONGEST)

    items.sort(key=turn)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get("FIFTY_FIVE_SKIP_NOTHING"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and nothing may be skipped here: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A PostgreSQL server of our own, which tests may stop and start."""
    programs = find_programs()
    if programs is None:
        pytest.skip("NO POSTGRESQL FOUND: the program was not tried on one. Install postgresql.")
    server = Postgres(programs)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def new_postgres(request: pytest.FixtureRequest) -> Callable[[], str]:
    """A function that creates an empty database and returns its address.

    The database is on the server that FIFTY_FIVE_TEST_DATABASE_URL names, otherwise on our own.
    """
    given = os.environ.get("FIFTY_FIVE_TEST_DATABASE_URL")
    address = given or request.getfixturevalue("postgres_server").address()

    def create() -> str:
        name = f"fifty_five_{secrets.token_hex(6)}"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return urlsplit(address)._replace(path=f"/{name}").geturl()

    return create


@pytest.fixture(autouse=True)
def _stores_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close every store that a test leaves open, as the end of a process would."""
    made: list[SqlStore] = []
    make = SqlStore.__init__

    def note(self: SqlStore, *arguments: Any) -> None:
        make(self, *arguments)
        made.append(self)

    monkeypatch.setattr(SqlStore, "__init__", note)
    yield
    for store in made:
        store.close()
