"""Phones that deal and watch as a browser does, through WSGI in this process or over HTTP.

They use only public addresses, so the same phones drive our program, the ordinary way and the floor.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterable, Mapping
from html import unescape
from http.client import HTTPConnection
from time import process_time
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode, urlsplit

from flask import Flask

HOST = "127.0.0.1"
NAMES = ("Ana", "Ben", "Cleo", "Dan")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}
# The headers of a phone's browser, without Accept-Encoding: the ordinary way does not compress its answers.
BROWSER = {
    "User-Agent": "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile",
    "Accept": "*/*",
    "Accept-Language": "en-GB,en;q=0.9,fr;q=0.8",
    "Sec-Fetch-Site": "same-origin",
    "Sec-Fetch-Mode": "cors",
    "Sec-Fetch-Dest": "empty",
}
FRAGMENT = {"HX-Request": "true", "HX-Target": "board"}
# The address that a watching board polls every two seconds.
POLLED = re.compile(r'hx-get="([^"]*[?&;]seen=[^"]*)"')


class Answer(NamedTuple):
    """A whole answer; the names of the headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


class Transport(Protocol):
    """A way to send requests to an application."""

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer: ...


class InProcess:
    """Calls a WSGI application directly, without the cost of a client or a server."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.cpu = 0.0  # CPU seconds of the last answer

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        environ = environ_of(method, path, body, {**BROWSER, **(headers or {})})
        head: list[tuple[str, Iterable[tuple[str, str]]]] = []
        content = self.run(environ, lambda status, fields, _error=None: head.append((status, fields)))
        status, fields = head[0]
        return Answer(int(status[:3]), {name.lower(): value for name, value in fields}, content)

    def run(self, environ: dict[str, Any], start_response: Any) -> bytes:
        """The body of the answer. `count.py` overrides this method to watch the calls."""
        began = process_time()
        answer = self.app.wsgi_app(environ, start_response)
        content = b"".join(answer)
        if hasattr(answer, "close"):
            answer.close()
        self.cpu = process_time() - began
        return content


def environ_of(method: str, path: str, body: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
    address, _, query = path.partition("?")
    named = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": address,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost:8000",
        "REMOTE_ADDR": HOST,
        "CONTENT_TYPE": named.pop("HTTP_CONTENT_TYPE", ""),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **named,
    }


class OverHttp:
    """One connection to a server, kept open. It is opened again after a failure."""

    def __init__(self, port: int, timeout: float = 60) -> None:
        self.connection = HTTPConnection(HOST, port, timeout=timeout)

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        try:
            self.connection.request(method, path, body or None, {**BROWSER, **(headers or {})})
            found = self.connection.getresponse()
            return Answer(found.status, {name.lower(): value for name, value in found.headers.items()}, found.read())
        except BaseException:
            self.connection.close()
            raise

    def close(self) -> None:
        self.connection.close()


class BenchDealer:
    """A phone that opens a table with the set-up form and then deals there. Its right to write is the cookie."""

    def __init__(self, line: Transport, opening: str) -> None:
        self.line = line
        names = {f"name-{number}": name for number, name in enumerate(NAMES)}
        form = {"game": opening.removeprefix("game "), "seats": len(NAMES), **names}
        made = line.ask("POST", "/tables", urlencode(form).encode(), FORM)
        assert made.status == 303, made.body
        self.address = urlsplit(made.headers["location"]).path
        self.right = {"Cookie": cookie_of(made)}
        self.version = 1

    def tap(self, entry: str, headers: Mapping[str, str] | None = None) -> bytes:
        """Enter a card or a choice; return the board after it."""
        answer = self.send(entry, headers)
        assert answer.status == 200, answer.body
        self.version += 1
        return answer.body

    def send(self, entry: str, headers: Mapping[str, str] | None = None) -> Answer:
        form = urlencode({"entry": entry, "version": self.version, "id": f"tap {self.version}"}).encode()
        return self.line.ask(
            "POST", f"{self.address}/enter", form, {**FORM, **FRAGMENT, **self.right, **(headers or {})}
        )

    def page(self, below: str = "", headers: Mapping[str, str] | None = None) -> Answer:
        return self.line.ask("GET", f"{self.address}{below}", headers={**self.right, **(headers or {})})


class Importer(BenchDealer):
    """A phone that deals at a table imported from its record, with the secret from the API."""

    def __init__(self, line: Transport, record: str) -> None:
        self.line = line
        made = line.ask("POST", "/api/tables/import", json.dumps({"record": record}).encode(), JSON)
        assert made.status == 201, made.body
        found = json.loads(made.body)
        self.table: str = found["table"]
        self.address = f"/t/{self.table}"
        self.right = {"Authorization": f"Bearer {found['dealer']}"}
        self.version: int = found["state"]["version"]


class Watcher:
    """A phone that shows a table's page and polls the address that the board names."""

    def __init__(self, line: Transport, address: str) -> None:
        self.line = line
        opened = line.ask("GET", address)
        assert opened.status == 200, opened.body
        self.headers = {**FRAGMENT, "Cookie": cookie_of(opened)}
        found = POLLED.search(opened.body.decode())
        assert found, "the board of a watcher names no address with seen="
        self.polled = unescape(found[1])

    def poll(self) -> bytes:
        """Poll once; assert that nothing is new."""
        answer = self.line.ask("GET", self.polled, headers=self.headers)
        assert answer.status == 204, (answer.status, answer.body[:300])
        return answer.body


def cookie_of(answer: Answer) -> str:
    return answer.headers.get("set-cookie", "").partition(";")[0]


def record_of(entries: Iterable[str], names: Iterable[str] = NAMES) -> str:
    """A table file that can be imported."""
    return "\n".join(("fifty-five 1", f"seats {' '.join(names)}", *entries, ""))
