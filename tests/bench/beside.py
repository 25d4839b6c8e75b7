"""Serve the floor or the ordinary way with waitress: `python -m tests.bench.beside ordinary <port> <folder>`."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.process import START_UP, held_port

from .floor import create_floor
from .ordinary import create_ordinary
from .phones import HOST, OverHttp

WAYS = {"floor": create_floor, "ordinary": create_ordinary}


class Beside:
    """One of the two ways as a process with its own port."""

    def __init__(self, way: str, folder: Path) -> None:
        self._held = held_port()
        self.port: int = self._held.getsockname()[1]
        self.process = subprocess.Popen([sys.executable, "-m", __name__, way, str(self.port), str(folder)])

    def __enter__(self) -> Self:
        ends = time.monotonic() + START_UP
        while time.monotonic() < ends and self.process.poll() is None:
            with suppress(OSError):
                OverHttp(self.port).ask("GET", "/")
                return self
            time.sleep(0.05)
        self.__exit__()
        raise TimeoutError("it did not start")

    def __exit__(self, *_error: object) -> None:
        self.process.terminate()
        self.process.wait(START_UP)
        self._held.close()


def main() -> None:
    from waitress import serve  # here, as nothing else in the benches needs it

    way, port, folder = sys.argv[1:]
    serve(WAYS[way](Path(folder)), host=HOST, port=int(port), threads=8)


if __name__ == "__main__":
    main()
