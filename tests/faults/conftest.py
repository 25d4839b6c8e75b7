"""Fixtures of tests/web, for the faults that need no separate server."""

from tests.web.conftest import anybody, app, app_in_memory, client, deal, dealt, two_apps
from tests.web.operation.conftest import _own_log, app_on_disk, phone, shaky

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
