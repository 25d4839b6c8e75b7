"""A real browser and the real server, wherever a browser is installed."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.process import Server

from .engines import ENGINES, Engine
from .phones import PATIENCE, BrowserPhones

# Features that Chromium is started without. The list replaces Playwright's, whose names come first. The last ones are
# pages behind the address bar, two in every window, which cost as much as the page that a test opens.
FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES)}",
)
expect.set_options(timeout=PATIENCE)


# The same engine without a window is cheaper, but test_pocket_served.py hung in it.
WITHOUT_WINDOWS = "chromium-headless-shell"
WITH_WINDOWS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_browser(windows: bool = False) -> str | None:
    """The path of the cheapest browser installed, or of one with `windows`."""
    names = WITH_WINDOWS if windows else (WITHOUT_WINDOWS, *WITH_WINDOWS)
    return os.environ.get("FIFTY_FIVE_BROWSER") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def server(shared_server: Server) -> Server:
    """The server of all tests, started again if a test that failed has left it stopped."""
    if not shared_server.running():
        shared_server.start()
    return shared_server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        pytest.skip("NO BROWSER FOUND: the pages were not tried in one. Install chromium.")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield running
        running.close()


@pytest.fixture(scope="session", params=list(ENGINES))
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Each of the other engines. Tests share its window and its storage."""
    kind = ENGINES[request.param]
    missing = kind.missing()
    if missing:
        pytest.skip(f"NO {kind.__name__.upper()} FOUND: nothing was tried in it. Install {' and '.join(missing)}.")
    with kind(tmp_path_factory.mktemp(request.param)) as running:
        yield running


NewPhone = Callable[..., Page]


@pytest.fixture(scope="session")
def phones(browser: Browser, shared_server: Server) -> BrowserPhones:
    return BrowserPhones(browser, shared_server.address)


@pytest.fixture
def new_phone(phones: BrowserPhones, server: Server) -> Iterator[NewPhone]:
    """A function that returns an empty phone. An error on the console of any phone fails the test."""

    def take(guarded: bool = False, **options: Any) -> Page:
        return phones.take(guarded, options)

    yield take
    # These errors are expected: a refused entry answers 4xx and a store that is away 503, which the browser logs as a
    # failed resource. For a request without an answer the browser logs ERR_, and htmx the names of its events.
    meant = re.compile(r"status of (4\d\d|503)|ERR_|^htmx:(afterRequest|sendError|timeout), ")
    assert [text for text in phones.give_back() if not meant.search(text)] == []


@pytest.fixture
def phone(new_phone: NewPhone) -> Page:
    return new_phone()
