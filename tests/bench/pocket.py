"""The cost of the phone edition in Node, compared with the same program on CPython: `python -m tests.bench.pocket`.

It measures the start, the rehearsal of every kind of request, and a tap. Times are reported and have no limit.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.pocket import both
from tests.pocket.both import on_both, run_json, unpack
from tests.pocket.conftest import versions
from tests.pocket.site import built_site

from . import pocket_taps
from .evenings import openings, taps

FEW, MANY = 400, 2_400  # the difference of two runs is the cost of the taps, without the start
ON_CPYTHON = both.ON_CPYTHON.replace("companion.pocket.build.rehearsal", "rehearsal")


def taps_on_both(bundle: Path, folder: Path, count: int) -> tuple[float, float]:
    """CPU seconds of `count` taps, on CPython and in Node."""
    script = folder / "rehearsal.py"
    text = Path(pocket_taps.__file__).read_text("utf-8")
    text = text.replace("OPENINGS: list[str] = []", f"OPENINGS = {openings()}")
    text = text.replace("TAPS: list[tuple[int, str]] = []", f"TAPS = {[tuple(tap) for tap in taps(count)]}")
    script.write_text(text, "utf-8")
    on_cpython = f"import sys; sys.path.append({str(folder)!r})\n{ON_CPYTHON}"
    ran: list[dict[str, Any]] = [
        run_json(sys.executable, "-c", on_cpython, json.dumps(versions())),
        run_json(both.find_node(), Path(both.__file__).with_name("golden.mjs"), bundle, script),
    ]
    assert all(one["answers"] == count for one in ran)
    return ran[0]["played"], ran[1]["played"]


def main() -> None:
    with TemporaryDirectory() as folder:
        bundle = unpack(built_site(), Path(folder))
        here, there = on_both(bundle)
        few, many = (taps_on_both(bundle, Path(folder), count) for count in (FEW, MANY))
    print(f"CPU of the phone edition:{'CPython':>17}{'node':>12}{'ratio':>8}")
    for part in ("boot", "played"):
        print(f"{part:28}{here[part]:12.2f} s{there[part]:10.2f} s{there[part] / here[part]:8.1f}")
    cpython, node = ((more - less) / (MANY - FEW) * 1e6 for more, less in zip(many, few, strict=True))
    print(f"{'a tap':28}{cpython:11.0f} µs{node:9.0f} µs{node / cpython:8.1f}")


if __name__ == "__main__":
    main()
