"""Who may wait for a database server. What needs no database must not wait behind those who do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Semaphore
from time import monotonic

from . import StoreAway
from .failures import AWAY, ConnectionLost

MOST_WAITING = 3  # one less than the threads that answer taps, and fewer than those for all else
SLOW = 0.25  # seconds after which nobody else begins to wait
TOO_LATE = 2.0  # seconds after which a lost connection is not replaced: the dealer has waited long enough


class Turns:
    """Some statements may be under way. Once one of them is slow, everybody else is told at once that the store is
    away. After it has failed, one at a time tries whether the store is back."""

    def __init__(self) -> None:
        self._free = Semaphore(MOST_WAITING)
        self._begun: list[float] = []  # when each of those that are under way began, the oldest first
        self._doubtful = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One statement, or one transaction."""
        began = monotonic()
        oldest = next(iter(self._begun), began)
        if (self._doubtful and self._begun) or began - oldest > SLOW or not self._free.acquire(timeout=SLOW):
            raise StoreAway(AWAY)
        self._begun.append(began)
        try:
            yield
            self._doubtful = False
        except Exception as error:
            self._doubtful = monotonic() - began > TOO_LATE
            if self._doubtful and isinstance(error, ConnectionLost):
                raise StoreAway(AWAY) from error.__cause__
            raise
        finally:
            self._begun.remove(began)
            self._free.release()
