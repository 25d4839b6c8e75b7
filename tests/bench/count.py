"""Counts the program, so that two states of it can be compared: `python -m tests.bench.count`.

Lines and files by folder; modules and Python calls of a tap and a poll; memory of an idle server; dependencies at run time;
tests; bytes of the first load. It counts the checkout it is started in, also an older one: copy `tests/bench` under another
name into a folder on PYTHONPATH, and start `python -m <name>.count` in that checkout.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path, PurePosixPath
from statistics import mean
from types import FrameType
from typing import Any

from tests.process import Server

from .evenings import openings, taps
from .phones import BenchDealer, InProcess, OverHttp, Watcher
from .processes import family, memory
from .web import create_ours, first_load

HERE = Path.cwd()
TAPS, POLLS, WARM_UP = 800, 100, 200
SOURCES = {"companion": (".py",), "templates": (".html", ".svg", ".txt"), "static": (".css", ".js"), "tests": (".py",)}
LONG = 120  # letters in a line


def print_lines() -> None:
    """Print lines and files by folder, for files that git tracks or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *SOURCES],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=True,
    )
    lines: dict[str, int] = defaultdict(int)
    files: dict[str, int] = defaultdict(int)
    long = 0
    for name in map(PurePosixPath, sorted(set(listed.stdout.splitlines()))):
        top = name.parts[0]
        if name.suffix not in SOURCES[top] or not (HERE / name).is_file():
            continue
        text = (HERE / name).read_text("utf-8").splitlines()
        long += sum(len(line) > LONG for line in text) if top == "templates" else 0
        rooms = {f"{top}, all"}
        if top in ("companion", "tests"):
            rooms.add("/".join(name.parts[:2]) if len(name.parts) > 2 else f"{top}/*.py")
        for room in rooms:
            lines[room] += len(text)
            files[room] += 1
    print(f"{'':28}{'lines':>8}{'files':>8}")
    for room in sorted(lines):
        print(f"{room:28}{lines[room]:8,}{files[room]:8,}")
    print(f"template lines over {LONG} letters {long:5,}\n")


class Watched(InProcess):
    """Counts the Python functions that each answer calls. Resuming a generator counts as a call."""

    def __init__(self, app: Any) -> None:
        super().__init__(app)
        self.calls: list[int] = []  # for each answer
        self.own_calls: list[int] = []  # calls in companion
        self.modules: list[set[str]] = []  # modules of companion

    def run(self, environ: dict[str, Any], start_response: Any) -> bytes:
        called: dict[str, int] = defaultdict(int)

        def note(frame: FrameType, event: str, _value: object) -> None:
            if event == "call":
                called[frame.f_globals.get("__name__", "")] += 1

        sys.setprofile(note)
        try:
            return super().run(environ, start_response)
        finally:
            sys.setprofile(None)
            own = {module: count for module, count in called.items() if module.partition(".")[0] == "companion"}
            self.calls.append(sum(called.values()))
            self.own_calls.append(sum(own.values()))
            self.modules.append(set(own))

    def print(self, what: str) -> None:
        each, all_of_them = mean(map(len, self.modules)), len(set().union(*self.modules))
        print(
            f"{what:8}{mean(self.calls):8,.0f} calls, {mean(self.own_calls):6,.0f} of them in companion; "
            f"{each:5.1f} modules of companion, {all_of_them} in all {len(self.modules):,}"
        )
        self.calls, self.own_calls, self.modules = [], [], []


def print_calls(folder: Path) -> None:
    line = Watched(create_ours(folder))
    dealers = [BenchDealer(line, opening) for opening in openings()]
    for number, (table, entry) in enumerate(taps(WARM_UP + TAPS)):
        if number == WARM_UP:
            line.calls, line.own_calls, line.modules = [], [], []
        dealers[table].tap(entry)
    line.print("a tap")
    watchers = [Watcher(line, dealer.address) for dealer in dealers]
    for watcher in watchers:
        watcher.poll()
    line.calls, line.own_calls, line.modules = [], [], []
    for number in range(POLLS):
        watchers[number % len(watchers)].poll()
    line.print("a poll")


def print_first_load(folder: Path) -> None:
    line = InProcess(create_ours(folder))
    found = first_load(line, BenchDealer(line, "game pairs"))
    print(f"\nfirst load of a board {sum(found.values()):,} bytes, compressed:")
    for name, size in found.items():
        print(f"  {size:8,} {name.partition('?')[0]}")


def print_memory(folder: Path) -> None:
    with Server(folder) as server:
        OverHttp(server.port).ask("GET", "/")
        time.sleep(2)
        assert server.process
        main = server.process.pid
        count, resident, shared = len(family(main)), memory(main), memory(main, "Pss")
    print(f"\nidle server {resident:.0f} MB in {count} processes ({shared:.0f} MB if shared pages count once)")


def print_dependencies() -> None:
    names = re.findall(r"^([A-Za-z0-9_.-]+)==", (HERE / "requirements.lock").read_text("utf-8"), re.MULTILINE)
    print(f"run-time dependencies {len(names)}: {', '.join(names)}")


def print_tests() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"(\d+) tests? collected", ran.stdout)
    print(f"tests {int(found[1]):,}" if found else f"tests: not collected\n{ran.stdout[-500:]}{ran.stderr[-500:]}")


def main() -> None:
    print_lines()
    for part in (print_calls, print_first_load, print_memory):
        with tempfile.TemporaryDirectory(prefix="fifty-five-") as folder:
            part(Path(folder))
    print_dependencies()
    print_tests()


if __name__ == "__main__":
    main()
