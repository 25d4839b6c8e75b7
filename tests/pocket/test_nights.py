"""Nights with a bad line: no entry is lost or doubled, and phone and server end with the same tables.

`make nights` runs a hundred of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from companion.pocket.phone import Phone
from tests.web.conftest import close

from .conftest import ORIGIN, versions
from .nights import BadNight, KilledServer

NIGHTS = int(os.environ.get("FIFTY_FIVE_NIGHTS", "8"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KilledServer]:
    made = KilledServer(tmp_path_factory.mktemp("nights"))
    yield made
    close(made.app)


@pytest.fixture(scope="module")
def python() -> Phone:
    """The program in the phone's browser; every night begins with an empty journal."""
    return Phone("", ORIGIN, versions())


@pytest.mark.parametrize("seed", range(NIGHTS))
def test_no_entry_is_lost_or_doubled_in_a_night(seed: int, server: KilledServer, python: Phone) -> None:
    night = BadNight(seed, server, python)
    night.live()
    night.check()
