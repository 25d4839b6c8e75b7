"""`companion run`: a production server for the pub's own network."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import sys
import threading
import time
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import segno
from flask import Flask
from granian import Granian
from granian.constants import HTTPModes, Interfaces, SSLProtocols
from granian.http import HTTP1Settings

from companion.engine.sentence import Sentence, say
from companion.i18n import of_environment, translate
from companion.store import StoreAway, Unusable
from companion.store.opening import open_store

from .settings import settings
from .whole_requests import WholeRequests

SILENCE = 10  # seconds a connection may say nothing
STOPPING = 3  # seconds for what is under way when the program is told to stop
CONNECTIONS = 4_096
LARGEST_HEAD = 65_536


def told(sentence: Sentence) -> str:
    """In the language of the terminal."""
    return translate(sentence, of_environment(dict(os.environ)))


def serve(options: Namespace) -> int:
    """Start one process with threads, and say where it can be reached."""
    folder = Path(options.data).absolute()
    # The worker reads them.
    os.environ["FIFTY_FIVE_DATA"] = str(folder)
    os.environ["FIFTY_FIVE_PROXIES"] = str(options.proxies)
    os.environ["FIFTY_FIVE_PREFIX"] = options.prefix
    os.environ["FIFTY_FIVE_LOG"] = "1" if options.log else ""
    try:
        make_ready(folder)
    except OSError as error:
        return refuse(say("The data folder {folder} cannot be written to: {why}.", folder=folder, why=error.strerror))
    except (Unusable, StoreAway) as trouble:
        return refuse(trouble.sentence)
    for file in filter(None, (options.tls_cert, options.tls_key)):
        if not os.access(file, os.R_OK):
            return refuse(say("{file} cannot be read.", file=file))
    reason = why_not(options.host, options.port)
    if reason is not None:
        return refuse(reason)
    print(greeting(options.host, options.port, options.prefix, folder, secure=bool(options.tls_cert)), flush=True)
    server = Granian(
        "companion.wsgi:app",
        address=options.host,
        port=options.port,
        interface=Interfaces.RSGI,
        workers=1,
        # Every wait has an end: a silent connection is closed, a stuck one does not keep us from stopping.
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
    if hasattr(signal, "SIGHUP"):  # the terminal was closed: granian would start anew, and stay behind with the port
        asked_to_stay = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN  # by nohup
        hang_up = signal.SIG_IGN if asked_to_stay else server.signal_handler_interrupt
        server.on_startup(lambda: signal.signal(signal.SIGHUP, hang_up))
    try:
        server.serve(target_loader=load)
    except SystemExit:
        if not server.interrupt_signal:  # a worker that ends because it was told to is no failure
            raise
    return 0


def load(target: str) -> Any:
    """The application, in the worker process."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # until granian sets its own: nothing is under way yet
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches us too, but it is the main process that tells us
    threading.Thread(target=follow, args=(os.getppid(),), daemon=True).start()
    from companion.wsgi import app

    return WholeRequests(app, app.config["PREFIX"])


def follow(parent: int) -> None:
    """A worker whose main process was killed gives the port back."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOPPING)
    os._exit(1)


def make_ready(folder: Path) -> None:
    """What would stop the worker is found here, where it can be told."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryFile(dir=folder):
        pass  # it can be written to
    settings()
    app = Flask("companion")
    app.config["DATA"] = str(folder)
    open_store(app).close()


def refuse(sentence: Sentence) -> int:
    print(told(sentence), file=sys.stderr)
    return 2


def why_not(host: str, port: int) -> Sentence | None:
    """Why one cannot listen there, if one cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return say("Port {port} is in use: choose another one with --port.", port=port)
            return say("Nobody can listen at {host}, port {port}: {why}.", host=host, port=port, why=error.strerror)
    return None


def addresses() -> list[str]:
    """The addresses of this machine that other phones may reach."""
    found: list[str] = []
    # Without a network there are no other phones either.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # documentation's address: nothing is sent, the route is looked up
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


def greeting(host: str, port: int, prefix: str, folder: Path, secure: bool) -> str:
    """What the terminal shows: addresses, a code to scan, where the data lies, what plain http lacks."""
    everywhere = host in ("0.0.0.0", "::")
    here, *others = (
        f"{'https' if secure else 'http'}://{name}:{port}{prefix}"
        for name in ("localhost" if everywhere else host, *(addresses() if everywhere else ()))
    )
    lines = ["Fifty-Five", "", told(say("  On this machine   {address}", address=here))]
    lines += [told(say("  On other phones   {address}", address=address)) for address in others]
    lines += [told(say("  Data              {folder}", folder=folder)), ""]
    if others:
        lines += [qr_text(others[0]), ""]
    if not secure:
        lines += [
            told(say("  Over plain http a phone cannot install the app, stay awake by itself or work without signal;")),
            told(say("  everything else works. With a certificate: companion run --tls-cert FILE --tls-key FILE")),
            "",
        ]
    return "\n".join(lines)


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
