"""A PostgreSQL server of our own, wherever PostgreSQL is installed: its own user and folder, gone afterwards.

It listens at a socket in its folder only: nobody can take a port from it while it restarts.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

NOT_AS_ROOT = "postgres"  # the user Debian's package makes; PostgreSQL refuses to run as root


def find_programs() -> Path | None:
    """The folder of `initdb` and `postgres`, which are seldom on the path."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).parent
    places = (*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr/local").glob("pgsql*/bin"))
    found = sorted((place for place in places if (place / "initdb").exists()), key=lambda place: place.parent.name)
    return found[-1] if found else None


class Postgres:
    """A server that can be stopped and started again."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="fifty-five-postgres-"))
        self.user = NOT_AS_ROOT if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.user)
        self._run("initdb", "--username=fifty", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
        self.start()

    def address(self, database: str = "postgres") -> str:
        return f"postgresql://fifty@/{database}?host={self.folder}"

    def start(self) -> None:
        # Nothing here outlives the machine: no wait for its disk.
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off"
        self._run("pg_ctl", "start", "--wait", "--silent", f"--log={self.folder / 'log'}", f"--options={options}")

    def stop(self) -> None:
        """At once, as if the machine were gone."""
        self._run("pg_ctl", "stop", "--wait", "--silent", "--mode=immediate")

    def pause(self) -> None:
        """It neither answers nor refuses: every one of its processes stands still."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def _signal(self, which: signal.Signals) -> None:
        first = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            with suppress(ProcessLookupError):  # it ended by itself
                os.kill(process, which)

    def _run(self, program: str, *arguments: str) -> None:
        root = os.geteuid() == 0
        done = subprocess.run(
            [self.programs / program, f"--pgdata={self.folder / 'data'}", *arguments],
            cwd=self.folder,
            user=self.user if root else None,
            group=self.user if root else None,
            extra_groups=() if root else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # not a pipe: the server keeps it open
            stderr=subprocess.DEVNULL,
        )
        if done.returncode:
            log = self.folder / "log"
            raise RuntimeError(f"{program} failed: {log.read_text() if log.exists() else ''}")
