"""A connection to PostgreSQL that does not wait for ever.

The server itself ends a statement that takes too long. A server that hangs ends nothing, while its machine keeps the
connection alive, and nothing in psycopg ends that wait.
"""

from __future__ import annotations

from collections.abc import Generator
from time import monotonic
from typing import Any

import psycopg

LONGEST_WAIT = 4.5  # seconds: a little more than the server itself allows


class ConnectionWithDeadline(psycopg.Connection[Any]):
    def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
        return super().wait(self._until(gen, monotonic() + LONGEST_WAIT), *args, **kwargs)

    def _until(self, gen: Any, end: float) -> Generator[Any, Any, Any]:
        """Pass everything between psycopg's generator and its caller, until the deadline."""
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and monotonic() > end:
                    self.pgconn.finish()
                    raise psycopg.OperationalError("the server does not answer")
                wanted = gen.send(ready)
        except StopIteration as over:
            return over.value
