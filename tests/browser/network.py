"""A bad line between a phone and the server: it delays or holds requests, loses answers, or is cut."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from typing import Self

from tests.process import HOST

CHUNK = 65_536


class Line:
    """A proxy that passes on requests and answers. The phone uses its address instead of the server's."""

    def __init__(self, server: int) -> None:
        self.server = server
        self.delay = 0.0  # seconds by which a request is delayed
        self.loses_answers = False
        self._open = threading.Event()  # set while requests are passed on
        self._open.set()
        self._ends: list[socket.socket] = []
        self.port = 0
        self.mend()
        self.port = self._listener.getsockname()[1]
        self.address = f"http://{HOST}:{self.port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.cut()
        self._open.set()

    def hold(self) -> None:
        """Hold requests back without an error."""
        self._open.clear()

    def let_go(self) -> None:
        self._open.set()

    def cut(self) -> None:
        """Close all connections and refuse new ones."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # this ends a waiting `accept`
        self._listener.close()
        self._accepting.join()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        self._listener = socket.create_server((HOST, self.port))
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                phone, _address = self._listener.accept()
                try:
                    server = socket.create_connection((HOST, self.server))
                except OSError:
                    phone.close()  # the server does not answer
                    continue
                self._ends += [phone, server]
                threading.Thread(target=self._requests, args=(phone, server), daemon=True).start()
                threading.Thread(target=self._answers, args=(server, phone), daemon=True).start()

    def _requests(self, phone: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while asked := phone.recv(CHUNK):
                time.sleep(self.delay)
                self._open.wait()
                server.sendall(asked)
            server.shutdown(socket.SHUT_WR)

    def _answers(self, server: socket.socket, phone: socket.socket) -> None:
        with suppress(OSError):
            while answer := server.recv(CHUNK):
                if self.loses_answers:
                    phone.shutdown(socket.SHUT_RDWR)
                    return
                phone.sendall(answer)
            phone.shutdown(socket.SHUT_WR)
