"""How many tables an address may open in an hour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from time import time

HOUR = 3_600


class TooManyTables(Exception):
    """This address has opened enough tables for now."""


class OpeningRate:
    """Counts openings in this process, by address and by the hour of the clock. The machine itself is not counted."""

    def __init__(self, most: int, clock: Callable[[], float] = time) -> None:
        self.most = most
        self._clock = clock
        self._hour = 0
        self._counts: Counter[str] = Counter()

    def demand(self, address: str | None, tables: int = 1) -> None:
        """Raise `TooManyTables` if an address may not open so many more tables."""
        hour = int(self._clock() // HOUR)
        if hour != self._hour:
            self._hour, self._counts = hour, Counter()
        source = source_of(address)
        if source is not None and self._counts[source] + tables > self.most:
            raise TooManyTables

    def count(self, address: str | None) -> None:
        """Count one more table from an address, or raise `TooManyTables`."""
        self.demand(address)
        source = source_of(address)
        if source is not None:
            self._counts[source] += 1


def source_of(address: str | None) -> str | None:
    """The key an address is counted under: an IPv6 /64 counts as one. None: not counted."""
    if not address:
        return None  # a Unix socket
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]  # an odd notation of some proxy: count it as it is
    mapped = getattr(found, "ipv4_mapped", None)
    found = mapped or found
    if found.is_loopback:
        return None
    return str(found) if found.version == 4 else str(ip_network(f"{found}/64", strict=False))
