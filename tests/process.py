"""Run `companion run` as a separate process, which a test can stop, kill and start again."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Self

from companion.store.opening import DATABASE

HOST = "127.0.0.1"
START_UP = 60.0  # seconds; it takes less than one on an idle machine
STOPPED = 60.0  # seconds; running requests get five, the rest allows for a busy machine
GONE = 30.0  # seconds for a killed process to disappear
# Variables that the developer's shell may have set, and that must not reach a server under test.
OURS = ("DATABASE_URL", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES")


def held_port() -> socket.socket:
    """A socket that reserves a port while it is open. It does not listen, so our server can listen on the same port."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind((HOST, 0))
    return held


class NotStarted(Exception):
    """The server ended or did not answer; the message is its log."""


class Server:
    """A server with its own data folder and port, which stay the same when it is started again.

    `database` is the address of a PostgreSQL database, which is migrated first; without it the tables are in the folder.
    `options` are those of `companion run`; `settings` are environment variables.
    The server does not use a bundle built by `make site`, unless a test names one.
    """

    def __init__(
        self,
        folder: Path,
        database: str | None = None,
        start: bool = True,
        options: tuple[str, ...] = (),
        **settings: str,
    ) -> None:
        self.data = folder / "data"
        self.log = folder / "log.txt"
        self._held = held_port()
        self.port: int = self._held.getsockname()[1]
        self.address = f"http://{HOST}:{self.port}"
        kept = {key: value for key, value in os.environ.items() if key not in OURS and not key.startswith("FIFTY_FIVE")}
        self.environment = {
            **kept,
            "LANG": "C",
            "FIFTY_FIVE_BUNDLE": "none",
            **({"DATABASE_URL": database} if database else {}),
            **settings,
        }
        self.options = options
        self.process: subprocess.Popen[bytes] | None = None
        self.group: int | None = None
        if database:
            done = self.companion("migrate")
            if done.returncode:
                raise NotStarted(done.stderr)
        if start:
            self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()
        self._held.close()

    # -- starting and stopping

    def start(self, wait: bool = True) -> None:
        """Start the server, or start it again; it appends to its log."""
        command = [sys.executable, "-m", "companion.cli", "run", "--host", HOST, "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--data", str(self.data), *self.options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self.environment,
                start_new_session=True,  # its own process group, so that `kill` ends all of it and nothing else
            )
        self.group = self.process.pid
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self, patience: float = START_UP) -> None:
        """Wait until the server answers, whatever the status."""
        ends = time.monotonic() + patience
        while time.monotonic() < ends and self.running():
            with suppress(OSError, HTTPException), closing(HTTPConnection(HOST, self.port, timeout=5)) as connection:
                connection.request("GET", "/healthz")
                connection.getresponse().read()
                return
            time.sleep(0.02)
        raise NotStarted(self.said())

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self, how: signal.Signals = signal.SIGTERM, whole: bool = False) -> int:
        """Signal the process, or the `whole` group as a terminal does, and return its exit code."""
        assert self.process is not None
        if whole:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        try:
            return self.process.wait(STOPPED)
        finally:
            self.kill()

    def kill(self) -> None:
        """End the server at once, as a power cut would; harmless if it is not running."""
        if self.process is None or self.group is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.group, signal.SIGKILL)
        self.group = None  # the system may give its number to another process
        self.process.wait(GONE)

    # -- measuring and disturbing

    def worker(self) -> int:
        """The id of the process that answers; there is only one."""
        assert self.process is not None
        return self.process.pid

    def workers(self) -> list[int]:
        return [self.worker()] if self.running() else []

    def memory(self) -> int:
        """Bytes of memory the server uses."""
        pages = int(Path(f"/proc/{self.worker()}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def cpu(self) -> float:
        """Seconds of CPU used so far."""
        return cpu_of(self.worker())

    def said(self) -> str:
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""

    def fill_the_disk(self, room: int = 0) -> None:
        """Let SQLite's log, the one file that keeps growing, grow by no more than `room` bytes."""
        log = self.data / f"{DATABASE}-wal"
        resource.prlimit(self.worker(), resource.RLIMIT_FSIZE, (log.stat().st_size + room, resource.RLIM_INFINITY))

    def make_room(self) -> None:
        resource.prlimit(self.worker(), resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def companion(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a `companion` command on the same data."""
        data = () if words[0] == "replay" else ("--data", self.data)
        command = [sys.executable, "-m", "companion.cli", *words, *data]
        return subprocess.run(command, env=self.environment, capture_output=True, encoding="utf-8", check=False)


def facts_of(process: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on; an empty list if the process is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return []


def cpu_of(process: int) -> float:
    facts = facts_of(process)
    return (int(facts[11]) + int(facts[12])) / os.sysconf("SC_CLK_TCK") if facts else 0.0
