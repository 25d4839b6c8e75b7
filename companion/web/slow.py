"""Slow requests take turns, so that taps always find a free thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock, local

from flask import current_app

MANY = 500  # entries to replay or to draw: with fewer, the work is not noticed
PLACES = 4  # one request works, three wait; the server has many more threads


class Busy(Exception):
    """Enough slow requests are waiting already: try again in a moment."""


class SlowWork:
    """The one turn that all slow requests of this process share."""

    def __init__(self) -> None:
        self._places = BoundedSemaphore(PLACES)
        self._at_work = Lock()
        self._thread = local()  # `has_turn`: whether this thread has the turn already

    @contextmanager
    def turn(self, entries: int = MANY) -> Iterator[None]:
        """Wait for the turn if the work is about many entries; `Busy` if too many others wait.

        A turn inside a turn is part of it.
        """
        if entries < MANY or getattr(self._thread, "has_turn", False):
            yield
            return
        if not self._places.acquire(blocking=False):
            raise Busy
        try:
            with self._at_work:
                self._thread.has_turn = True
                yield
        finally:
            self._thread.has_turn = False
            self._places.release()


def slow() -> SlowWork:
    """The slow work of the running application."""
    found: SlowWork = current_app.extensions["slow work"]
    return found
