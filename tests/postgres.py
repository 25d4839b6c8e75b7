"""A temporary PostgreSQL server with its own user and folder, wherever PostgreSQL is installed.

It listens only on a socket in its folder, so that no other process can take its port while it restarts.
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

NOT_AS_ROOT = "postgres"  # the user that Debian's package creates; PostgreSQL refuses to run as root


def find_programs() -> Path | None:
    """The folder with `initdb` and `postgres`, which is seldom on the path."""
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
        # No data here has to survive a crash of the machine, so do not wait for the disk.
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off"
        self._run("pg_ctl", "start", "--wait", "--silent", f"--log={self.folder / 'log'}", f"--options={options}")

    def stop(self) -> None:
        """Stop at once, as if the machine were gone."""
        self._run("pg_ctl", "stop", "--wait", "--silent", "--mode=immediate")

    def pause(self) -> None:
        """Suspend all its processes, so that it neither answers nor refuses."""
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
            stdout=subprocess.DEVNULL,  # not a pipe: the server would keep it open
            stderr=subprocess.DEVNULL,
        )
        if done.returncode:
            log = self.folder / "log"
            raise RuntimeError(f"{program} failed: {log.read_text() if log.exists() else ''}")
