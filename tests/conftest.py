"""What all tests share. In the build server's run nothing may be skipped: there a skip is a failure."""

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

# The machines differ too much for hypothesis to judge the time of an example.
settings.register_profile("fifty-five", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("fifty-five")


# Started with nohup, or in the background, we ignore these signals, and so would every server we start. A handler of our
# own is not inherited, and ignores them as well.
for which in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(which) is signal.SIG_IGN:
        signal.signal(which, lambda *_: None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was left out, a line each: where there is no browser, say."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        reasons[str(report.longrepr[-1]).removeprefix("Skipped: ")] += 1
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"LEFT OUT ({count}): {reason}", yellow=True)


# A file is run by one process: the longest come first, so that no process is left alone with one of them at the end. Only
# one of the first needs the static site: the others would wait while it is built.
LONGEST = (
    "browser/test_pocket_site.py",
    "browser/test_fit.py",
    "browser/test_looks.py",
    "browser/test_play.py",
    "browser/test_pocket_engines.py",
    "faults/test_stop.py",
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
    """A server of our own, which tests may stop and start."""
    programs = find_programs()
    if programs is None:
        pytest.skip("NO POSTGRESQL FOUND: the program was not tried on one. Install postgresql.")
    server = Postgres(programs)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def new_postgres(request: pytest.FixtureRequest) -> Callable[[], str]:
    """The addresses of as many empty databases as are asked for: on the server that is given, else on our own."""
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
    """What a program or a command leaves open is closed after the test, as by the end of its process."""
    made: list[SqlStore] = []
    make = SqlStore.__init__

    def note(self: SqlStore, *arguments: Any) -> None:
        make(self, *arguments)
        made.append(self)

    monkeypatch.setattr(SqlStore, "__init__", note)
    yield
    for store in made:
        store.close()
