"""CPU time and memory of a process and all its descendants, as Linux counts them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def family(process: int) -> list[int]:
    """The process and all its descendants."""
    found = [process]
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text().split():
                found += family(int(child))
    return found


def cpu(process: int) -> float:
    """User and system seconds so far."""
    spent = 0
    for member in family(process):
        fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
        spent += int(fields[11]) + int(fields[12])
    return spent / TICKS


def open_files(process: int) -> int:
    return sum(len(os.listdir(f"/proc/{member}/fd")) for member in family(process))


def memory(process: int, kind: str = "Rss") -> float:
    """Megabytes. `Rss` counts a page once for each process that shares it, `Pss` once in all."""
    total = 0
    for member in family(process):
        for line in Path(f"/proc/{member}/smaps_rollup").read_text().splitlines():
            if line.startswith(f"{kind}:"):
                total += int(line.split()[1])
    return total * 1_024 / 1e6
