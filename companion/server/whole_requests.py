"""Between the server and the application: whole requests only.

A body is collected on the server's event loop, with a limit and a deadline, before a thread takes the request up. So a
slow phone holds no thread. And a body that was cut off on the way is never taken for a whole one: "entry=10" without
its last letter is another card.

Taps have threads of their own: whatever all the others ask for, and however long that takes, nobody waits with a card
in his hand.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from companion.web.framework import LARGEST_BODY
from companion.web.security import REFUSED

BODY_SECONDS = 10.0  # seconds for a whole body
THREADS = 8  # more than may work for long, or wait for such work, at the same time
THREADS_FOR_TAPS = 4  # one more than may wait for a database
TAPS = ("/enter", "/entries", "/undo", "/redo", "/score")  # how the addresses end that a tap is sent to
LARGEST_TAP = 2_000  # bytes
# For 30 days a phone asks for this name over https only. Behind a proxy it is the proxy that says so.
HTTPS_ONLY = "max-age=2592000"

Environ = dict[str, Any]
Answer = tuple[int, list[tuple[str, str]], bytes]


class CutOff(Exception):
    """The body did not come as it must; the status says why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class WholeRequests:
    """An RSGI application around a WSGI one, which is served under a prefix if there is one."""

    def __init__(self, app: Callable[..., Any], prefix: str = "") -> None:
        self.app = app
        self.prefix = prefix
        self.threads = ThreadPoolExecutor(THREADS, "request")
        self.threads_for_taps = ThreadPoolExecutor(THREADS_FOR_TAPS, "tap")

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        refused = {}
        try:
            body = await whole_body(scope, protocol)
        except CutOff as cut:
            body, refused = b"", {REFUSED: cut.status}
        environ = environ_of(scope, body, self.prefix) | refused
        threads = self.threads_for_taps if is_tap(scope, body) else self.threads
        status, headers, answer = await asyncio.get_running_loop().run_in_executor(threads, self.answer, environ)
        if refused:
            headers = [*headers, ("connection", "close")]
        if scope.scheme == "https":
            headers = [*headers, ("strict-transport-security", HTTPS_ONLY)]
        protocol.response_bytes(status, headers, answer)

    def answer(self, environ: Environ) -> Answer:
        """The application's answer, in one piece."""
        started: list[tuple[int, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            started[:] = [(int(status[:3]), headers)]

        pieces = self.app(environ, start_response)
        try:
            body = b"".join(pieces)
        finally:
            if hasattr(pieces, "close"):
                pieces.close()
        return *started[0], body


def is_tap(scope: Any, body: bytes) -> bool:
    """Whether it is short, and sent to where a card is entered."""
    return scope.method == "POST" and len(body) <= LARGEST_TAP and scope.path.endswith(TAPS)


async def whole_body(scope: Any, protocol: Any) -> bytes:
    """The body as long as it was announced, or `CutOff`."""
    announced = scope.headers.get("content-length")
    if announced is None:
        if scope.headers.get("transfer-encoding") is not None:
            raise CutOff(411)  # sent in chunks: nobody could tell whether the last one has arrived
        return b""
    length = int(announced)
    if length > LARGEST_BODY:
        raise CutOff(413)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in protocol:
                body += piece
    except TimeoutError:
        raise CutOff(408) from None
    if len(body) != length:
        raise CutOff(400)
    return bytes(body)


def environ_of(scope: Any, body: bytes, prefix: str = "") -> Environ:
    """What WSGI calls a request. Under a prefix, any other path is refused with 404."""
    path, outside = path_under(prefix, scope.path.encode("utf-8", "surrogateescape").decode("latin-1"))
    server, _, port = scope.server.rpartition(":")
    environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": prefix,
        "PATH_INFO": path,
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": server,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        if "_" in name or name in ("content-length", "transfer-encoding"):
            continue
        key = "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"
        if key in environ:  # a header that came twice is one list
            value = f"{environ[key]}{'; ' if name == 'cookie' else ','}{value}"
        environ[key] = value
    if scope.authority:
        environ["HTTP_HOST"] = scope.authority
    return environ | outside


def path_under(prefix: str, path: str) -> tuple[str, Environ]:
    """The path without the prefix; and the refusal, if it does not begin with the prefix."""
    if not prefix:
        return path, {}
    rest = path.removeprefix(prefix)
    if rest == path or (not rest.startswith("/") and rest):
        return path, {REFUSED: 404}
    return rest, {}
