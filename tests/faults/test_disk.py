"""A full disk, a read-only folder or a missing database gives a clear message, and no change is half written."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.store.opening import DATABASE
from tests.process import Server

from . import Dealer, DealtTable, HttpAnswer, Tap

FULL = "The server’s disk is full. Everything entered so far is safe."
PLEIN = "Le disque du serveur est plein"
FRAME = 4_096 + 24  # a page in SQLite's write-ahead log
ENDS = 60.0  # seconds for a start that fails


@pytest.fixture(scope="module")
def unharmed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server shared by the tests that do not harm it."""
    with Server(tmp_path_factory.mktemp("unharmed")) as running:
        yield running


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The shared server, or a new one for a test marked with `own_server`."""
    if request.node.get_closest_marker("own_server") is None:
        yield request.getfixturevalue("unharmed")
        return
    with Server(request.getfixturevalue("tmp_path")) as running:
        yield running


def begun(dealer: Dealer, game: str = "pairs") -> DealtTable:
    deal = dealer.open(game)
    for _ in range(10):
        dealer.tap(deal)
    return deal


# A tap writes several pages: the disk may become full before the first of them, within one, or between two.
@pytest.mark.parametrize("room", [0, 100, FRAME + 10, 2 * FRAME])
def test_a_full_disk_is_reported_and_a_tap_sent_again_is_entered_once(
    server: Server, dealer: Dealer, room: int
) -> None:
    deal = begun(dealer)
    server.fill_the_disk(room)
    tap = dealer.choose(deal)
    for _ in range(3):
        refused = dealer.send(deal, tap)
        assert refused.status == 503, refused.body
        assert refused.json() == {"error": "away", "message": FULL}
        assert dealer.log(deal)[1:] == deal.entries, "who reads is answered, and sees nothing of it"
        assert dealer.look(deal)["version"] == deal.version
    server.make_room()
    dealer.note(deal, tap, dealer.send(deal, tap))
    again = dealer.send(deal, tap)
    assert (again.status, again.json()["version"]) == (200, deal.version)
    for _ in range(5):
        dealer.tap(deal)
    assert dealer.log(deal)[1:] == deal.entries
    checked = server.companion("check")
    assert checked.returncode == 0, checked.stderr


def test_a_full_disk_is_reported_in_the_language_of_the_page(server: Server, dealer: Dealer) -> None:
    deal = dealer.open("pairs", by_form=True)
    server.fill_the_disk()
    deal.right["Accept-Language"] = "fr"
    refused = dealer.send(deal, Tap("entries", "7", 1, "tap", by_form=True))
    assert refused.status == 503
    assert refused.headers["retry-after"]
    assert refused.body.decode().startswith(PLEIN)
    form = {"Content_Type": "application/x-www-form-urlencoded"}
    opened = dealer.phone.ask("POST", "/tables", b"game=pairs&seats=2&name-0=Ana&name-1=Ben", **form)
    assert opened.status == 503, "no table is opened either"
    server.make_room()
    assert dealer.log(deal) == [dealer.look(deal)["last"]]


@pytest.mark.own_server
def test_a_server_killed_on_a_full_disk_keeps_all_answered_taps(server: Server, dealer: Dealer) -> None:
    """Half a page at the end of SQLite's log does not harm the next start."""
    deal = begun(dealer)
    server.fill_the_disk(FRAME + 10)
    assert dealer.send(deal, dealer.choose(deal)).status == 503
    dealer.close()
    server.kill()
    server.start()
    assert dealer.log(deal)[1:] == deal.entries
    deal.state = None
    dealer.tap(deal)
    assert dealer.log(deal)[1:] == deal.entries
    assert server.companion("check").returncode == 0


# -- at the start


def refused_start(server: Server, language: str) -> tuple[int | None, str]:
    """The exit code and the output of a start that must fail; the code is None if the server kept running."""
    server.environment["LANG"] = language
    server.log.unlink(missing_ok=True)
    server.start(wait=False)
    assert server.process is not None
    ends = time.monotonic() + ENDS
    while server.running() and time.monotonic() < ends:
        time.sleep(0.02)
    code = server.process.poll()
    server.kill()
    return code, server.said()


LANGUAGES = {"C": "cannot be written to", "fr_FR.UTF-8": "n’est pas accessible en écriture"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", ["a file", "no place to write"])
def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path, place: str, language: str) -> None:
    with Server(tmp_path, start=False) as server:
        if place == "a file":
            server.data.write_text("not a folder", "utf-8")
        else:
            server.data = Path("/proc/fifty-five")  # not even root can create a folder there
        code, said = refused_start(server, language)
        assert code == 2
        assert str(server.data) in said
        assert LANGUAGES[language] in said
        assert "Traceback" not in said
        assert len(said.strip().splitlines()) == 1


@pytest.mark.parametrize("damage", ["garbage from the first byte", "garbage after the first page"])
def test_a_damaged_database_is_reported_at_the_start(tmp_path: Path, damage: str) -> None:
    with Server(tmp_path) as server:
        assert server.stop() == 0
        database = server.data / DATABASE
        whole = database.read_bytes()
        kept = 4_096 if "first page" in damage else 0
        database.write_bytes(whole[:kept] + Random(55).randbytes(len(whole) - kept))
        damaged = database.read_bytes()
        code, said = refused_start(server, "C")
        assert code == 2, said
        assert "Traceback" not in said
        assert "The database file is damaged" in said
        assert database.read_bytes() == damaged, "it is left as it is: somebody may still save something from it"


# -- the data is moved away while the server runs


def first_refusal(dealer: Dealer) -> HttpAnswer:
    """The first error of /healthz, asked until the server notices."""
    ends = time.monotonic() + ENDS
    while time.monotonic() < ends:
        answer = dealer.phone.ask("GET", "/healthz")
        if answer.status != 200:
            return answer
        time.sleep(0.05)
    raise AssertionError("nothing was noticed")


@pytest.mark.own_server
@pytest.mark.parametrize("what", ["folder renamed", "folder removed", "file replaced", "file emptied", "log removed"])
def test_data_that_was_moved_away_is_noticed(server: Server, dealer: Dealer, what: str) -> None:
    deal = begun(dealer)
    away = server.data.with_name("away")
    if what == "folder renamed":
        server.data.rename(away)
    elif what == "folder removed":
        shutil.rmtree(server.data)
    elif what == "file emptied":
        os.truncate(server.data / DATABASE, 0)
    elif what == "log removed":  # it has the newest changes
        (server.data / f"{DATABASE}-wal").unlink()
    else:
        (server.data / DATABASE).rename(server.data / "old")
        shutil.copy(server.data / "old", server.data / DATABASE)
    refused = first_refusal(dealer)
    assert refused.status == 503
    assert "not where it was" in refused.body.decode()
    if what == "folder renamed":
        away.rename(server.data)
        assert dealer.phone.ask("GET", f"/api/tables/{deal.table}").status == 200, "it was put back"
    else:
        assert dealer.phone.ask("GET", f"/api/tables/{deal.table}").status == 503
