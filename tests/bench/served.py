"""What a tap and a poll cost the whole server process, sockets and all, with the same server program around the floor.

`python -m tests.bench.served`: the evenings of `evenings.py`, one tap to the program, one to the floor. What is compared
is the CPU time that the system counted for each worker. It ends with code 1 when a limit is passed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from tests.process import HOST, START_UP, Server, held_port

from .evenings import NAMES, openings, taps
from .floor import shape_of

TAPS, POLLS, WARM_UP = 2_000, 4_000, 200
TAP, POLL = 1.6, 1.8  # the limits
TICKS = os.sysconf("SC_CLK_TCK")
FORM = "application/x-www-form-urlencoded"


def spent(workers: list[int]) -> float:
    """CPU seconds of these processes so far."""
    fields = [Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split() for worker in workers]
    return sum(int(field[11]) + int(field[12]) for field in fields) / TICKS


def ask(line: HTTPConnection, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str | None, bytes]:
    line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = line.getresponse()
    return answer.status, answer.headers["ETag"], answer.read()


class Floor:
    """The floor behind the server program, as a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._held = held_port()
        self.port: int = self._held.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.floor", str(self.port)],
            env={**os.environ, "FLOOR_FOLDER": str(folder)},
            stdout=subprocess.DEVNULL,
        )
        ends = time.monotonic() + START_UP
        while time.monotonic() < ends:
            with suppress(OSError):
                ask(HTTPConnection(HOST, self.port, timeout=5), "GET", "/bare")
                return
            time.sleep(0.05)
        raise TimeoutError("the floor did not start")

    def workers(self) -> list[int]:
        return [self.process.pid]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(START_UP)
        self._held.close()


class Dealers:
    """Phones that deal at tables of the real server."""

    def __init__(self, line: HTTPConnection) -> None:
        self.line = line
        self.tables: list[tuple[str, str]] = []
        for opening in openings():
            body = json.dumps({"seats": NAMES, "game": opening.removeprefix("game ")})
            _status, _tag, answer = ask(line, "POST", "/api/tables", body, Content_Type="application/json")
            told = json.loads(answer)
            self.tables.append((told["table"], told["dealer"]))
        self.versions = [1] * len(self.tables)

    def tap(self, number: int, entry: str) -> bytes:
        table, secret = self.tables[number]
        form = urlencode({"entry": entry, "version": self.versions[number], "id": f"tap {self.versions[number]}"})
        head = {"Content_Type": FORM, "HX_Request": "true", "Authorization": f"Bearer {secret}"}
        status, _tag, answer = ask(self.line, "POST", f"/t/{table}/enter", form, **head)
        assert status == 200, answer
        self.versions[number] += 1
        return answer


def measure(folder: Path) -> list[tuple[str, float, float]]:
    floor = Floor(folder)
    try:
        with Server(folder) as server:
            line, bare = HTTPConnection(HOST, server.port), HTTPConnection(HOST, floor.port)
            dealers = Dealers(line)
            mine, least = 0.0, 0.0
            for count, (table, entry) in enumerate(taps(WARM_UP + TAPS)):
                if count == WARM_UP:
                    mine, least = spent(server.workers()), spent(floor.workers())
                elements, length = shape_of(dealers.tap(table, entry))
                form = urlencode({"entry": entry, "version": elements * 10_000 + length, "id": f"tap {count}"})
                ask(bare, "POST", "/t/some-table/enter", form, Content_Type=FORM)
            tap = (spent(server.workers()) - mine) / (spent(floor.workers()) - least)
            address = f"/t/{dealers.tables[0][0]}"
            _status, tag, _board = ask(line, "GET", address, HX_Request="true")
            assert tag
            mine, least = spent(server.workers()), spent(floor.workers())
            for _ in range(POLLS):
                status, _tag, _nothing = ask(line, "GET", address, HX_Request="true", If_None_Match=tag)
                assert status in (204, 304)
                ask(bare, "GET", "/bare")
            poll = (spent(server.workers()) - mine) / (spent(floor.workers()) - least)
    finally:
        floor.stop()
    return [("a tap with the server, against its floor", tap, TAP), ("a poll, against a bare route", poll, POLL)]


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="fifty-five-") as folder:
        found = measure(Path(folder))
    for name, figure, limit in found:
        print(f"{name:42} {figure:6.2f} x  at most {limit}{'' if figure <= limit else '  BEYOND ITS LIMIT'}")
    return 1 if any(figure > limit for _name, figure, limit in found) else 0


if __name__ == "__main__":
    sys.exit(main())
