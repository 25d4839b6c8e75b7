"""The benches are run by hand, some of them rarely: everything they import must still exist."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.parametrize("bench", sorted(path.stem for path in (Path(__file__).parent / "bench").glob("[!_]*.py")))
def test_a_bench_finds_what_it_needs(bench: str) -> None:
    assert import_module(f"tests.bench.{bench}").__doc__
