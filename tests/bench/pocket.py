"""What the program costs on the phone itself, beside the same program on CPython. Fails beyond its limits.

python -m tests.bench.pocket
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ..pocket.both import on_both, unpack
from ..pocket.site import built_site

# As often as CPython's own time in the same run: WebAssembly is an interpreter of an interpreter.
LIMITS = {"boot": 12, "played": 12}


def main() -> None:
    with TemporaryDirectory() as folder:
        here, there = on_both(unpack(built_site(), Path(folder)))
    print("CPU seconds of the program on the phone, in node, and as a multiple of CPython's:")
    ratios = {part: there[part] / here[part] for part in LIMITS}
    for part, ratio in ratios.items():
        print(f"  {part:8}{there[part]:6.1f} s {ratio:6.1f}  (at most {LIMITS[part]})")
    sys.exit(any(ratio > LIMITS[part] for part, ratio in ratios.items()))


if __name__ == "__main__":
    main()
