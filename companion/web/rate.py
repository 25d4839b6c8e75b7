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
    """Counts in this process's memory, by the hour of the clock. This machine itself is not counted."""

    def __init__(self, most: int, clock: Callable[[], float] = time) -> None:
        self.most = most
        self._clock = clock
        self._hour = 0
        self._counts: Counter[str] = Counter()

    def demand(self, address: str | None, tables: int = 1) -> None:
        """Whether an address may open so many tables more; a refusal if not."""
        hour = int(self._clock() // HOUR)
        if hour != self._hour:
            self._hour, self._counts = hour, Counter()
        source = source_of(address)
        if source is not None and self._counts[source] + tables > self.most:
            raise TooManyTables

    def count(self, address: str | None) -> None:
        """One more table from an address, or a refusal."""
        self.demand(address)
        source = source_of(address)
        if source is not None:
            self._counts[source] += 1


def source_of(address: str | None) -> str | None:
    """Whom an address belongs to: with IPv6 a whole network of them is one household's."""
    if not address:
        return None  # a socket without addresses
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]  # as some proxies write it; better counted oddly than not at all
    mapped = getattr(found, "ipv4_mapped", None)
    found = mapped or found
    if found.is_loopback:
        return None
    return str(found) if found.version == 4 else str(ip_network(f"{found}/64", strict=False))
