"""Work that takes long. It must not take all threads, nor stop the others when its leavings are looked through."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep

PATIENCE, LOOK_EVERY = 10.0, 0.02  # seconds for the work of others


class Busy(Exception):
    """Enough others have such work just now."""


class Lane:
    """One works at a time, others wait for their turn; so many are in it at most, and whoever comes then is told so."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.inside: list[object] = []  # who works, or waits
        self._at_work: dict[str, object] = {}

    @contextmanager
    def turn(self) -> Iterator[None]:
        me = object()
        self.inside.append(me)
        try:
            if len(self.inside) > self.most:
                raise Busy
            self._wait(me)
            try:
                yield
            finally:
                self._at_work.clear()
        finally:
            self.inside.remove(me)

    def _wait(self, me: object) -> None:
        for _ in range(int(PATIENCE / LOOK_EVERY)):
            if self._at_work.setdefault("now", me) is me:
                return
            sleep(LOOK_EVERY)
        raise Busy


@contextmanager
def kept_from_collection() -> Iterator[None]:
    """What is made meanwhile is many and stays: the collector of garbage looks through none of it, now or later. With a
    few full tables at hand it would stop every thread for a second. (They are let go of without it.)"""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
