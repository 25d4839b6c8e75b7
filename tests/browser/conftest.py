"""A real browser against the real server, wherever a browser is found."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {"width": 360, "height": 640}


def find_browser() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return os.environ.get("FIFTY_FIVE_BROWSER") or next(filter(None, map(shutil.which, names)), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """`companion run` as its own process."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "companion.cli", "run", "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--data", str(self.data)], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
        )
        for _ in range(200):
            try:
                urllib.request.urlopen(self.address, timeout=2).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        pytest.skip("NO BROWSER FOUND: the pages were not tried in one. Install chromium.")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield running
        running.close()


NewPhone = Callable[..., Page]


@pytest.fixture
def new_phone(browser: Browser, server: Server) -> Iterator[NewPhone]:
    """Phones with nothing on them; an error on the console of any of them fails the test."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def open_phone(**options: Any) -> Page:
        settings = {"viewport": PHONE, "has_touch": True, "color_scheme": "dark", "base_url": server.address, **options}
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8_000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        return page

    yield open_phone
    for context in contexts:
        context.close()
    # A refused entry answers 4xx, which the browser notes as a failed resource: that is meant.
    assert [text for text in problems if "status of 4" not in text and "ERR_" not in text] == []


@pytest.fixture
def phone(new_phone: NewPhone) -> Page:
    return new_phone()
