"""A connection to PostgreSQL that does not wait for ever.

The server ends a statement that takes too long; a server that stands still ends nothing, and its machine goes on
keeping the connection alive. So the waiting itself has an end, here.
"""

from __future__ import annotations

from collections.abc import Generator
from time import monotonic
from typing import Any

import psycopg

LONGEST_WAIT = 6.0  # seconds: a little more than the server itself allows


class ConnectionWithDeadline(psycopg.Connection[Any]):
    def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
        return super().wait(self._until(gen, monotonic() + LONGEST_WAIT), *args, **kwargs)

    def _until(self, gen: Any, end: float) -> Generator[Any, Any, Any]:
        """The same conversation with the server, unless it falls silent for too long."""
        try:
            said = next(gen)
            while True:
                heard = yield said
                if not heard and monotonic() > end:
                    self.pgconn.finish()
                    raise psycopg.OperationalError("the server does not answer")
                said = gen.send(heard)
        except StopIteration as over:
            return over.value
