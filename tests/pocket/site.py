"""The static site, built once for all tests, and a host for it that can be stopped."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from companion.pocket.build.runtime import CannotBuild, find_node
from companion.pocket.build.site import build_site

WORK = Path(__file__).parents[2] / "build" / "pocket"


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Keep two test processes from building the same thing at once."""
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def built_site() -> Path:
    """The folder of the site. The first process of a test run builds it, and reuses what is already compiled."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    built_by = WORK / "built-by.txt"
    try:
        find_node()
        with alone("build"):
            if not run or not built_by.is_file() or built_by.read_text("utf-8") != run:
                build_site(WORK / "tried", WORK)
                built_by.write_text(run, "utf-8")
    except CannotBuild as error:
        pytest.skip(f"NO POCKET EDITION: it was neither built nor tried. {error}")
    return WORK / "tried"


class Handler(SimpleHTTPRequestHandler):
    """Serve files under a path, as a static host does."""

    prefix = "/somebody/pairs"

    def translate_path(self, path: str) -> str:
        inside = path.removeprefix(self.prefix)
        return super().translate_path(inside if inside != path else "/nothing/there")

    def send_error(self, code: int, *_more: Any, **_named: Any) -> None:
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: Any) -> None:
        """Log nothing."""


class Host:
    """A static host on this machine, in a thread."""

    def __init__(self, site: Path) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(site)))
        self.address = f"http://127.0.0.1:{self._server.server_port}{Handler.prefix}/"
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self._there = True

    def leave(self) -> None:
        """Stop the host."""
        if self._there:
            self._there = False
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
