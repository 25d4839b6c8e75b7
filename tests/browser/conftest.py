"""A real browser against the real server, wherever a browser is found."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.process import Server

from .engines import ENGINES, Engine

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Tests tap faster than any hand: for most of them what is new on the screen takes a touch at once. See test_bounce.py.
UNGUARDED = """
  Element.prototype.animate = () => {};
  const off = new CSSStyleSheet();
  off.replaceSync("* { animation: none !important }");
  document.adoptedStyleSheets = [off];
"""
PHONE = {"width": 360, "height": 640}


def find_browser() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return os.environ.get("FIFTY_FIVE_BROWSER") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


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
    """The other engines, one after the other; what one test leaves in it the next one finds."""
    kind = ENGINES[request.param]
    missing = kind.missing()
    if missing:
        pytest.skip(f"NO {kind.__name__.upper()} FOUND: nothing was tried in it. Install {' and '.join(missing)}.")
    with kind(tmp_path_factory.mktemp(request.param)) as running:
        yield running


NewPhone = Callable[..., Page]


@pytest.fixture
def new_phone(browser: Browser, server: Server) -> Iterator[NewPhone]:
    """Phones with nothing on them; an error on the console of any of them fails the test."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def open_phone(guarded: bool = False, **options: Any) -> Page:
        settings = {"viewport": PHONE, "has_touch": True, "color_scheme": "dark", "base_url": server.address, **options}
        context = browser.new_context(**settings)
        contexts.append(context)
        if not guarded:
            context.add_init_script(UNGUARDED)
        page = context.new_page()
        page.set_default_timeout(8_000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        return page

    yield open_phone
    for context in contexts:
        context.close()
    # A refused entry answers 4xx and a store that is away 503, which the browser notes as a failed resource: that is meant.
    # Of a request without an answer the browser says ERR_, and htmx the names of its events.
    meant = re.compile(r"status of (4\d\d|503)|ERR_|^htmx:(afterRequest|sendError|timeout), ")
    assert [text for text in problems if not meant.search(text)] == []


@pytest.fixture
def phone(new_phone: NewPhone) -> Page:
    return new_phone()
