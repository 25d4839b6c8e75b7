"""`companion run`: a production server for the pub's own network."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import signal
import socket
import sys
import threading
import time
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, cast

import segno
from flask import Flask
from granian import Granian
from granian.constants import HTTPModes, Interfaces, SSLProtocols
from granian.http import HTTP1Settings
from granian.server.common import AbstractServer

from companion.bundle import PACKAGE, find_bundle
from companion.engine.sentence import Sentence, say
from companion.i18n import of_environment, translate
from companion.store import StoreAway, Unusable
from companion.store.opening import open_store

from .settings import settings

SILENCE = 10  # seconds a connection may stay silent
STOPPING = 3  # seconds for what is under way when the program is told to stop
STARTS = 5  # in a row without success, before we give up
SETTLED = 60  # seconds after which a start was a success
LOOK_EVERY = 0.1  # seconds between two looks whether the program was told to stop
CONNECTIONS = 4_096
LARGEST_HEAD = 65_536
A_TURN = 0.001  # seconds after which a thread with much to do lets a tap go on; Python's own are five times as long
MAKEFILE = PACKAGE.parent / "Makefile"


def serve(options: Namespace) -> int:
    """Start one process with threads, and print where it can be reached."""
    folder = Path(options.data).absolute()
    # The worker reads them.
    os.environ["FIFTY_FIVE_DATA"] = str(folder)
    os.environ["FIFTY_FIVE_PROXIES"] = str(options.proxies)
    os.environ["FIFTY_FIVE_PREFIX"] = options.prefix
    os.environ["FIFTY_FIVE_LOG"] = "1" if options.log else ""
    reason = why_not_ready(folder, options)
    if reason is not None:
        print(translated(reason), file=sys.stderr)
        return 2
    print(greeting(options.host, options.port, options.prefix, folder, secure=bool(options.tls_cert)), flush=True)
    return keep_serving(options)


def keep_serving(options: Namespace) -> int:
    """The server starts another worker for one that died, but gives up when two die at short intervals. We do not: the
    phones of the pub ask again."""
    failed = 0
    while True:
        began = time.monotonic()
        server = new_server(options)
        cast(Any, server).main_loop_interrupt = WakeUp()
        if hasattr(signal, "SIGHUP"):
            stop_with_the_terminal(server)
        try:
            server.serve(target_loader=load)
        except SystemExit:
            failed = failed + 1 if time.monotonic() - began < SETTLED else 1
            if failed == STARTS and not server.interrupt_signal:
                raise
            time.sleep(0 if server.interrupt_signal else failed)
        if server.interrupt_signal:  # a worker that ends because it was told to is no failure
            return 0


class WakeUp:
    """What the server's main loop waits for, in place of a `threading.Event`. A signal may come while the loop has the
    lock of an Event, and then the signal's handler, which runs in between, would wait for that lock for ever."""

    def __init__(self) -> None:
        self._called = False

    def set(self) -> None:
        self._called = True

    def clear(self) -> None:
        self._called = False

    def wait(self) -> None:
        while not self._called:
            time.sleep(LOOK_EVERY)


def stop_with_the_terminal(server: AbstractServer[Any]) -> None:
    """When the terminal is closed, granian would start anew and stay behind with the port."""
    asked_to_stay = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN  # by nohup
    hang_up = signal.SIG_IGN if asked_to_stay else server.signal_handler_interrupt
    server.on_startup(lambda: signal.signal(signal.SIGHUP, hang_up))


def new_server(options: Namespace) -> AbstractServer[Any]:
    """Every wait has an end: a silent connection is closed, and a stuck one does not keep us from stopping."""
    return Granian(
        "companion.wsgi:app",
        address=options.host,
        port=options.port,
        interface=Interfaces.RSGI,
        workers=1,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=SILENCE * 1_000, max_buffer_size=LARGEST_HEAD),
        backpressure=CONNECTIONS,
        workers_kill_timeout=STOPPING,
        respawn_failed_workers=True,
        log_enabled=True,
        log_access=False,
        websockets=False,
        ssl_cert=Path(options.tls_cert) if options.tls_cert else None,
        ssl_key=Path(options.tls_key) if options.tls_key else None,
        ssl_protocol_min=SSLProtocols.tls12,  # phones of ten years ago know no newer one
    )


def load(target: str) -> Any:
    """The application, in the worker process."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # until granian sets its own: nothing is under way yet
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches us too, but it is the main process that tells us
    threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()
    # Only here: the main process has no use for the application, and starts sooner without it.
    from companion.wsgi import app

    from . import connections
    from .whole_requests import WholeRequests

    gc.freeze()  # what the program is made of is no garbage: it is not looked through again and again
    sys.setswitchinterval(A_TURN)
    # Behind a proxy all connections come from it.
    connections.watch(0 if app.config["PROXIES"] else app.config.get("CONNECTIONS", connections.FROM_ONE_ADDRESS))
    return WholeRequests(app, app.config["PREFIX"])


def end_with_parent(parent: int) -> None:
    """A worker whose main process was killed gives the port back."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOPPING)
    os._exit(1)


# -- before the start: what would stop the worker is found here, where it can be said in a sentence


def why_not_ready(folder: Path, options: Namespace) -> Sentence | None:
    """Why the program cannot start; None if it can."""
    try:
        make_ready(folder)
    except OSError as error:
        return say("The data folder {folder} cannot be written to: {why}.", folder=folder, why=error.strerror)
    except (Unusable, StoreAway) as failure:
        return failure.sentence
    for file in filter(None, (options.tls_cert, options.tls_key)):
        if not os.access(file, os.R_OK):
            return say("{file} cannot be read.", file=file)
    return why_not_listen(options.host, options.port)


def make_ready(folder: Path) -> None:
    """The folder can be written to, the settings can be read, the database can be opened."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryFile(dir=folder):
        pass
    settings()
    app = Flask("companion")
    app.config["DATA"] = str(folder)
    open_store(app).close()


def why_not_listen(host: str, port: int) -> Sentence | None:
    """Why this address cannot be listened at; None if it can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return say("Port {port} is in use: choose another one with --port.", port=port)
            return say("Cannot listen on {host}, port {port}: {why}.", host=host, port=port, why=error.strerror)
    return None


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


def greeting(host: str, port: int, prefix: str, folder: Path, secure: bool) -> str:
    """Addresses, a code to scan, where the data lies, what plain http lacks."""
    everywhere = host in ("0.0.0.0", "::")
    here, *others = (
        f"{'https' if secure else 'http'}://{name}:{port}{prefix}"
        for name in ("localhost" if everywhere else host, *(addresses() if everywhere else ()))
    )
    lines = ["Fifty-Five", "", translated(say("  On this machine   {address}", address=here))]
    lines += [translated(say("  On other phones   {address}", address=address)) for address in others]
    lines += [translated(say("  Data              {folder}", folder=folder)), ""]
    if others:
        lines += [qr_text(others[0]), ""]
    if not secure:
        lines += [
            translated(
                say("  Over plain http a phone cannot install the app, keep its screen awake or work without a signal;")
            ),
            translated(
                say("  everything else works. With a certificate: companion run --tls-cert FILE --tls-key FILE")
            ),
            "",
        ]
    if can_build_bundle():
        lines += [translated(say("  To let phones go on without a signal: make site, once, then start again.")), ""]
    return "\n".join(lines)


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
