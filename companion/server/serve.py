"""`companion run`: a production server for the pub's own network."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import shlex
import signal
import socket
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import segno
from waitress import create_server  # type: ignore[import-untyped]
from werkzeug.exceptions import NotFound
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from companion.bundle import PACKAGE, find_bundle
from companion.engine.sentence import Sentence, say
from companion.i18n import of_environment, translate
from companion.store import StoreAway, Unusable
from companion.web import create_app

from .settings import checked_prefix, settings

THREADS = 16  # more than the connections to a database server, so that some are left for pages without a database
CONNECTIONS = 4_096
SPARE_FILES = 200  # open files besides the connections: the database, the program itself
SILENCE = 10  # seconds until a silent connection is closed
SILENCE_OF_PROXIES = 180  # longer than Caddy (120) and nginx (60) keep their own connections
UNREAD = 10  # seconds an answer waits for a client that does not read it
LARGEST_HEAD = 65_536
LARGEST_BODY = 2_000_000  # Flask refuses more than 1,000,000 with a sentence; waitress has none, and refuses the rest
IN_MEMORY = 65_536  # bytes of a body before it goes to a temporary file
# A recv of 512 bytes holds a dozen requests at most, and their answers fit into this: a client that asks on and on and
# never reads does not hold a thread.
AT_ONCE = 512
UNSENT = 32_000_000
MAKEFILE = PACKAGE.parent / "Makefile"


def serve(options: Namespace) -> int:
    """Serve until a signal says stop. The exit code is 0, or 2 if the program could not start."""
    folder = Path(options.data).absolute()
    try:
        app = ready_app(folder, options)
        listening = listening_socket(options.host, options.port)
    except (Unusable, StoreAway) as failure:
        print(translated(failure.sentence), file=sys.stderr)
        return 2
    server = new_server(app, listening, bool(options.proxies))
    stop_on_signals(listening)
    print(greeting(options, folder), flush=True)
    server.run()
    return 0


def ready_app(folder: Path, options: Namespace) -> Callable[..., Any]:
    """The WSGI application over its opened database; `Unusable` or `StoreAway` says why there is none."""
    prefix = checked_prefix(options.prefix)
    config = settings() | {"DATA": str(folder), "PROXIES": options.proxies, "LOG": options.log}
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
        app = create_app(config=config)
    except OSError as error:
        why = say("The data folder {folder} cannot be written to: {why}.", folder=folder, why=error.strerror)
        raise Unusable(why) from error
    return DispatcherMiddleware(NotFound(), {prefix: app}) if prefix else app


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens. On Linux its connections end when an answer is not read for `UNREAD` seconds."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD * 1_000)
    try:
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise Unusable(say("Port {port} is in use: choose another one with --port.", port=port)) from error
        why = say("Cannot listen on {host}, port {port}: {why}.", host=host, port=port, why=error.strerror)
        raise Unusable(why) from error
    return listening


def new_server(app: Callable[..., Any], listening: socket.socket, proxied: bool = False) -> Any:
    """waitress, with limits. Every wait has an end."""
    logging.getLogger("waitress").addFilter(names_nobody)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # else every request that waits writes a line
    return create_server(
        app,
        sockets=[listening],
        threads=THREADS,
        connection_limit=most_connections(),
        asyncore_use_poll=True,  # select() dies of the 1,024th file
        channel_timeout=SILENCE_OF_PROXIES if proxied else SILENCE,
        cleanup_interval=5,
        recv_bytes=AT_ONCE,
        outbuf_high_watermark=UNSENT,
        inbuf_overflow=IN_MEMORY,
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=LARGEST_BODY,
        clear_untrusted_proxy_headers=not proxied,  # else they are Flask's to read (ProxyFix)
        log_socket_errors=False,
        ident=None,
    )


def names_nobody(record: logging.LogRecord) -> bool:
    """Drop the errors of waitress from the log: they name the visitor's address and the table's link."""
    return record.levelno < logging.ERROR


def most_connections() -> int:
    """`CONNECTIONS`, or fewer where the system allows fewer open files: a large body needs one of its own."""
    try:
        import resource
    except ImportError:  # Windows
        return CONNECTIONS
    wanted = 2 * CONNECTIONS + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= soft < wanted:  # a limit below 0 is none
        with contextlib.suppress(OSError, ValueError):  # macOS allows fewer than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard) if hard >= 0 else wanted, hard))
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return CONNECTIONS if soft < 0 else max(1, min(CONNECTIONS, (soft - SPARE_FILES) // 2))


def stop_on_signals(listening: socket.socket) -> None:
    """On Ctrl-C, `kill` or a closed terminal, refuse new connections and leave waitress, which first ends the requests
    under way (five seconds at most). A signal that is ignored stays so: that is what nohup does."""

    def stop(*_signal: object) -> None:
        listening.close()
        raise SystemExit

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        which = getattr(signal, name, None)  # Windows has no SIGHUP
        if which is not None and signal.getsignal(which) is not signal.SIG_IGN:
            signal.signal(which, stop)


# -- what the terminal shows


def translated(sentence: Sentence) -> str:
    """In the language of the terminal."""
    return translate(sentence, of_environment(dict(os.environ)))


def addresses() -> list[str]:
    """The addresses of this machine that other phones may reach."""
    found: list[str] = []
    # Without a network there are no other phones either.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent, only the route is looked up
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


def greeting(options: Namespace, folder: Path) -> str:
    """Addresses, a code to scan, the data folder, and what plain http lacks."""
    everywhere = options.host in ("0.0.0.0", "::")
    here, *others = (
        f"http://{name}:{options.port}{options.prefix}"
        for name in ("localhost" if everywhere else options.host, *(addresses() if everywhere else ()))
    )
    lines = ["Fifty-Five", "", translated(say("  On this machine   {address}", address=here))]
    lines += [translated(say("  On other phones   {address}", address=address)) for address in others]
    data = say("  Data              {folder} (to save it: {command})", folder=folder, command=backup_command(folder))
    lines += [translated(data), ""]
    if others:
        lines += [qr_text(others[0]), ""]
    if not options.proxies:
        lines += [
            translated(say("  Over plain http a phone cannot install the app or work without a signal.")),
            translated(say("  Everything else works. For https see docs/HOSTING.md.")),
            "",
        ]
    if can_build_bundle():
        lines += [translated(say("  To let phones go on without a signal: make site, once, then start again.")), ""]
    return "\n".join(lines)


def backup_command(folder: Path) -> str:
    """What to type in another terminal, with a name for the new folder."""
    program = sys.argv[0] if Path(sys.argv[0]).name == "companion" else "python -m companion"
    data = "" if folder == Path("instance").absolute() else f" --data {shlex.quote(str(folder))}"
    return f"{program} backup{data} " + translated(say("FOLDER"))


def can_build_bundle() -> bool:
    """In a checkout that has no program for phones, or one of another state."""
    return MAKEFILE.is_file() and not os.environ.get("FIFTY_FIVE_BUNDLE") and find_bundle() is None


def qr_text(address: str) -> str:
    """A QR code in half blocks, dark on light, for any terminal."""
    matrix = [list(row) for row in segno.make(address, error="l", micro=False).matrix]
    width = len(matrix[0]) + 4
    border = [0] * width
    rows = [border, border, *([0, 0, *row, 0, 0] for row in matrix), border, border]
    if len(rows) % 2:
        rows.append(border)
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("  " + "".join(blocks[upper, lower] for upper, lower in zip(*two, strict=True)) for two in pairs)
