"""The connections of the server's process: each of them moves on, and no address has too many.

The server program closes a connection that is silent, and counts all of them together. It does not notice a client that
asks and never reads, and it does not look at who has opened what. So a thread looks at the sockets of the process.
"""

from __future__ import annotations

import os
import socket
import stat
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from companion.web.rate import source_of

UNREAD = 10  # seconds an answer may wait for somebody who does not read it
FROM_ONE_ADDRESS = 2_048  # half of all: a pub may be behind one router, with several connections a phone
LOOK_EVERY = 0.5  # seconds
OPEN_FILES = "/dev/fd"

Peer = tuple[str, int]  # address and port


class Connections:
    """Those that reach the port this process listens at. No limit of `most` if it is 0."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._ports: set[int] = set()
        self._since: dict[Peer, float] = {}

    def watch(self) -> None:
        """For ever; in a thread of its own."""
        while not self._set_deadlines():
            time.sleep(0.02)  # the server does not listen yet
        time.sleep(LOOK_EVERY)
        self._set_deadlines()  # for who was there sooner than the first look
        while self._most:
            time.sleep(LOOK_EVERY)
            if len(os.listdir(OPEN_FILES)) > self._most:  # else nobody can have so many
                self.close_what_is_too_many()

    def _set_deadlines(self) -> bool:
        """The system ends a connection whose answer is not read. A connection inherits this from the listening one."""
        for _number, found in our_sockets():
            if found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                self._ports.add(found.getsockname()[1])
        for _number, found in our_sockets():
            with suppress(OSError):  # closed since
                if found.getsockname()[1] in self._ports and hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux
                    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD * 1_000)
        return bool(self._ports)

    def close_what_is_too_many(self) -> None:
        """Of an address that has too many, the newest."""
        now = time.monotonic()
        open_now = {peer: number for number, peer in self._peers()}
        self._since = {peer: self._since.get(peer, now) for peer in open_now}
        by_source: defaultdict[str, list[Peer]] = defaultdict(list)
        # A lower number was usually given earlier.
        for peer in sorted(open_now, key=lambda peer: (self._since[peer], open_now[peer])):
            by_source[source_of(peer[0]) or peer[0]].append(peer)
        for peers in by_source.values():
            for peer in peers[self._most :]:
                self._shut(open_now[peer], peer)

    def _peers(self) -> Iterator[tuple[int, Peer]]:
        for number, found in our_sockets():
            with suppress(OSError):  # not connected
                if found.getsockname()[1] in self._ports:
                    yield number, found.getpeername()[:2]

    def _shut(self, number: int, peer: Peer) -> None:
        """The server notices, and closes it."""
        with suppress(OSError), borrowed(number) as found:
            if found.getpeername()[:2] == peer:  # the number may be another connection's by now
                found.shutdown(socket.SHUT_RDWR)


def our_sockets() -> Iterator[tuple[int, socket.socket]]:
    """The internet sockets of this process, and their numbers."""
    for name in os.listdir(OPEN_FILES):
        with suppress(OSError):  # closed since, or no socket any more
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                with borrowed(int(name)) as found:
                    if found.family in (socket.AF_INET, socket.AF_INET6):
                        yield int(name), found


@contextmanager
def borrowed(number: int) -> Iterator[socket.socket]:
    """A socket that is somebody else's. It is never closed here, nor a copy of it: a number may be the database's file
    a moment later, and SQLite loses its locks when any copy of that file is closed."""
    found = socket.socket(fileno=number)
    try:
        yield found
    finally:
        found.detach()


def watch(most: int) -> None:
    threading.Thread(target=Connections(most).watch, name="connections", daemon=True).start()
