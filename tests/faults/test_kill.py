"""The server is killed again and again during many taps: every answered tap is there once, in order."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Condition, Event

import pytest

from companion.games import GAMES
from companion.table.table import Table
from tests.process import Server

from . import AWAY, LOST, OPENINGS, TRIES, Dealer, DealtTable, HttpAnswer, Tap, seen

KILLS = int(os.environ.get("FIFTY_FIVE_KILLS") or 5)
SEED = int(os.environ.get("FIFTY_FIVE_SEED") or secrets.randbelow(1_000_000))
DEALERS = 4
LONGEST_LIFE = 0.3  # seconds between the first answer and the next kill
KILLED_WHILE_STARTING = 0.1  # the share of restarts that are killed too
START_UP = 0.6  # seconds a start usually takes


class KilledEvening:
    """A server and its dealers. A dealer who gets no answer waits for the next start of the server and sends again."""

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.name = name
        self.random = Random(f"{SEED} {name}")
        self.life = 0
        self.struck: dict[int, float] = {}  # when each life ended
        self.again = Condition()
        self.over = Event()
        self.cut: Counter[int] = Counter()  # taps under way when a life ended
        self.found: Counter[str] = Counter()  # whether they had been written
        self.dealers = [
            Dealer(server.port, f"{name} {number}", Random(f"{SEED} {name} {number}")) for number in range(DEALERS)
        ]
        for number, dealer in enumerate(self.dealers):
            for game in OPENINGS[number::DEALERS]:
                dealer.open(game, by_form=number % 2 == 1)

    def kill_often(self) -> None:
        try:
            for _ in range(KILLS):
                time.sleep(self.random.uniform(0, LONGEST_LIFE))
                if self.over.is_set():
                    return
                self.struck[self.life] = time.monotonic()
                self.server.kill()
                if self.random.random() < KILLED_WHILE_STARTING:
                    self.server.start(wait=False)
                    time.sleep(self.random.uniform(0, START_UP))
                    self.server.kill()
                self.server.start()
                with self.again:
                    self.life += 1
                    self.again.notify_all()
        finally:
            self.over.set()
            with self.again:
                self.again.notify_all()

    def deal(self, dealer: Dealer) -> None:
        try:
            while not self.over.is_set():
                deal = dealer.random.choice(dealer.deals)
                if deal.state is None and not self.looked(dealer, deal):
                    continue
                tap = dealer.choose(deal)
                answer = self.persist(dealer, deal, tap)
                if answer is None:
                    return
                dealer.note(deal, tap, answer)
        finally:
            self.over.set()
            dealer.close()

    def looked(self, dealer: Dealer, deal: DealtTable) -> bool:
        life = self.life
        try:
            deal.state = dealer.look(deal)
        except LOST:
            self.wait(life)
            return False
        return True

    def persist(self, dealer: Dealer, deal: DealtTable, tap: Tap) -> HttpAnswer | None:
        """Send the tap until it is answered; None if the server is not started again."""
        away = 0
        while True:
            life = self.life
            try:
                answer = dealer.send(deal, tap)
                if answer.status != AWAY or away == TRIES:
                    return answer
                away += 1
                continue
            except LOST:
                sent = dealer.phone.sent
            if not self.wait(life):
                return None
            if sent is not None and sent < self.struck[life]:
                self.cut[life] += 1
                self.look_what_became(dealer, deal, tap)

    def look_what_became(self, dealer: Dealer, deal: DealtTable, tap: Tap) -> None:
        """In half of the cases, look at the table first: a tap sent again must work whether or not it is in the cache."""
        if dealer.random.random() < 0.5:
            life = self.life
            try:
                written = dealer.look(deal)["version"] - tap.version
            except LOST:
                self.wait(life)
                return
            assert written in (0, 1), (tap, written)
            self.found["written" if written else "not written"] += 1

    def wait(self, life: int) -> bool:
        """Wait until the server runs again. Fail if an answer was lost without a kill."""
        assert life in self.struck, f"an answer was lost though nobody was killed: {self.server.said()[-2000:]}"
        with self.again:
            self.again.wait_for(lambda: self.life > life or self.over.is_set(), timeout=60)
        return self.life > life

    # -- afterwards

    def finish(self) -> None:
        """Verify all tables, and that `companion check` finds no error."""
        for dealer in self.dealers:
            for deal in dealer.deals:
                self.verify(dealer, deal)
            dealer.close()
        checked = self.server.companion("check")
        assert checked.returncode == 0, checked.stderr
        assert "All replay correctly." in checked.stdout

    def verify(self, dealer: Dealer, deal: DealtTable) -> None:
        assert dealer.log(deal)[1:] == deal.entries
        state = dealer.look(deal)
        assert state["version"] == deal.version == deal.taps + 1
        record = dealer.phone.ask("GET", f"/t/{deal.table}/record").body.decode()
        assert seen(json.loads(json.dumps(Table.from_record(GAMES, record).report()))) == seen(state)


@pytest.fixture
def servers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Server]]:
    """A server with each database. They run in parallel, since starting takes most of the time."""
    with ExitStack() as stack:
        made = {}
        for name in ("sqlite", "postgres"):
            (tmp_path / name).mkdir()
            try:
                address = request.getfixturevalue("new_postgres")() if name == "postgres" else None
            except pytest.skip.Exception:
                continue  # the other one is tested, and the test reports the skip at its end
            made[name] = stack.enter_context(Server(tmp_path / name, address))
        yield made


def test_answered_taps_survive_every_kill_and_none_is_entered_twice(servers: dict[str, Server]) -> None:
    print(f"FIFTY_FIVE_SEED={SEED}")
    evenings = [KilledEvening(server, name) for name, server in servers.items()]
    with ThreadPoolExecutor(len(evenings) * (DEALERS + 1)) as pool:
        under_way = [pool.submit(evening.kill_often) for evening in evenings]
        under_way += [pool.submit(evening.deal, dealer) for evening in evenings for dealer in evening.dealers]
        for one in under_way:
            one.result()
    for evening in evenings:
        taps = sum(deal.version - 1 for dealer in evening.dealers for deal in dealer.deals)
        print(
            f"{evening.name}: {taps} taps, {len(evening.struck)} kills, {len(evening.cut)} of them hit one on its way,"
        )
        print(f"  {evening.cut.total()} taps were hit; of those that were looked at {dict(evening.found)}")
        assert len(evening.struck) == KILLS
        assert taps > KILLS, "there must be taps to be lost"
        assert len(evening.cut) > KILLS / 2, "the kills must hit taps"
        evening.finish()
    if "postgres" not in servers:
        pytest.skip("NO POSTGRESQL FOUND: only the database in the folder was tried. Install postgresql.")
