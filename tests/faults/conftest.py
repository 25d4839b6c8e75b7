"""Fixtures of tests/web, for the faults that need no separate server; and a dealer, for those that do."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from tests.process import Server
from tests.web.conftest import anybody, app, app_in_memory, client, deal, dealt, two_apps
from tests.web.operation.conftest import _own_log, app_on_disk, phone, shaky

from . import Dealer

__all__ = [
    "_own_log",
    "anybody",
    "app",
    "app_in_memory",
    "app_on_disk",
    "client",
    "deal",
    "dealt",
    "phone",
    "shaky",
    "two_apps",
]


@pytest.fixture
def dealer(server: Server) -> Iterator[Dealer]:
    """A dealer at the server of the module, who gets every answer within PATIENCE, or fails."""
    phone = Dealer(server.port, "Ana", Random(55))
    yield phone
    phone.close()
