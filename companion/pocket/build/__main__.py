"""`python -m companion.pocket.build <folder>`: builds the static site."""

from __future__ import annotations

import sys
from pathlib import Path

from .runtime import CannotBuild
from .site import build_site

WORK = Path("build/pocket")


def main() -> None:
    site = Path(sys.argv[1])
    WORK.mkdir(parents=True, exist_ok=True)
    try:
        build_site(site, WORK)
    except CannotBuild as error:
        sys.exit(str(error))
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    print(f"{site}: {size / 1e6:.1f} MB. Try it: python3 -m http.server --directory {site}")


main()
