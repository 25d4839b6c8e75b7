"""The dealer's phone is its own referee while a server is there, and goes on when it is not: nothing lost, nothing twice."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from companion.store.opening import DATABASE
from tests.pocket.site import built_site
from tests.process import Server

from .network import Line
from .pocket import PATIENT, PhoneInHand, show
from .table import new_table


@pytest.fixture(scope="module")
def bundle() -> str:
    return str(built_site() / "py")


@pytest.fixture
def own_server(tmp_path: Path, bundle: str) -> Iterator[Server]:
    with Server(tmp_path, FIFTY_FIVE_BUNDLE=bundle) as running:
        yield running


@pytest.fixture
def line(own_server: Server) -> Iterator[Line]:
    with Line(own_server.port) as between:
        yield between


class Dealer:
    """The dealer's phone, which keeps things, and what its hands do."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.chance, self.last = random.Random(55), ""

    def screen(self) -> Page | Frame:
        """Where the application is: the page, or the frame of the page that stays."""
        return self.page.frames[1] if len(self.page.frames) > 1 else self.page

    def open(self, game: str = "continuous", seats: int = 4) -> None:
        """A table with its first cards; then Python is awake on this phone, with a copy that is complete."""
        self.board = new_table(self.page, seats, game)
        self.table = self.board.rpartition("/")[2]
        self.tap(2)
        self.wait_awake()

    def wait_awake(self) -> None:
        self.page.wait_for_function("() => document.documentElement.dataset.referee === 'awake'")

    def version(self) -> int:
        self.screen().wait_for_selector("#board")
        return int(self.screen().get_attribute("#board", "data-version") or 0)

    def tap(self, times: int = 1) -> None:
        """So many keys that can be seen; never the same twice, which would be one tap."""
        for _ in range(times):
            screen, before = self.screen(), self.version()
            keys: list[str] = screen.eval_on_selector_all(
                "#board button[name=entry]:enabled:not(.none)",
                "(keys) => keys.filter((key) => key.offsetParent).map((key) => key.value)",
            )
            self.last = self.chance.choice([key for key in keys if key != self.last])
            screen.locator(f"#board button[name=entry][value='{self.last}']").first.tap()
            screen.wait_for_selector(f"#board:not([data-version='{before}'])", state="attached")

    def bar(self, words: str) -> None:
        """Until the bar says so."""
        expect(self.screen().locator("#link")).to_contain_text(words, timeout=PATIENT)

    def goto(self, path: str = "") -> None:
        """A page of the table: by its address, and from there on as by a link."""
        if len(self.page.frames) > 1:
            show(self.page, self.board + path)
        else:
            self.page.goto(self.board + path)
            self.wait_for_frame()

    def reload(self) -> None:
        self.page.reload()
        self.wait_for_frame()

    def wait_for_frame(self) -> None:
        """A page of a table that is on this phone is shown by the page that stays."""
        self.page.frame_locator("iframe").locator("main").wait_for()

    def rows(self) -> list[dict[str, Any]]:
        """What is on this phone's disk of the table."""
        found: list[dict[str, Any]] = self.page.evaluate(
            """(table) => new Promise((go, stop) => {
                const asked = indexedDB.open("fifty-five");
                asked.onerror = stop;
                asked.onsuccess = () => {
                    const rows = asked.result.transaction("rows").objectStore("rows").getAll();
                    rows.onsuccess = () => { asked.result.close(); go(rows.result.filter((row) => row.table === table)); };
                };
            })""",
            self.table,
        )
        return found


def told(server: Server, page: Page, table: str) -> dict[str, Any]:
    """The rows of a table as the server has them."""
    found: dict[str, Any] = page.request.get(f"{server.address}/api/tables/{table}/rows").json()
    return found


def assert_same(server: Server, dealer: Dealer) -> None:
    """Every row of the phone is on the server, once, in order, and nothing else."""
    # The bar says nothing of a row that is sent at once, so it cannot be waited for there.
    end = time.monotonic() + PATIENT / 1000
    while not all(row["sent"] for row in dealer.rows()) and time.monotonic() < end:
        dealer.page.wait_for_timeout(100)
    here, there = dealer.rows(), told(server, dealer.page, dealer.table)
    facts = ("number", "kind", "entries", "entry")
    assert [[row[fact] for fact in facts] for row in here] == [[row[fact] for fact in facts] for row in there["rows"]]
    assert there["version"] == len(here) == dealer.version()
    assert all(row["sent"] for row in here)


@pytest.fixture
def dealer(browser: Browser, line: Line, tmp_path: Path) -> Iterator[Dealer]:
    phone = PhoneInHand(browser, tmp_path / "phone", windows=True, base_url=line.address)
    page = phone.context.new_page()
    page.on("pageerror", lambda error: phone.problems.append(str(error)))
    yield Dealer(page)
    phone.context.close()
    assert phone.problems == []


def stop_service_workers(page: Page) -> None:
    """As a phone does when it is short of memory."""
    protocol = page.context.new_cdp_session(page)
    protocol.send("ServiceWorker.enable")
    protocol.send("ServiceWorker.stopAllWorkers")
    protocol.detach()


def test_the_server_is_killed_in_a_round_and_gets_every_entry_once(dealer: Dealer, own_server: Server) -> None:
    dealer.open()
    expect(dealer.page.get_by_role("status").filter(has_text="go on without signal")).to_be_attached()
    dealer.tap()
    own_server.kill()
    dealer.tap(20)
    dealer.bar("to send")
    stop_service_workers(dealer.page)
    dealer.tap(5)

    # The menu as a sheet, the history, a repair, a reload: all without a server.
    dealer.screen().get_by_role("link", name="Menu").tap()
    expect(dealer.screen().locator("#sheet #menu")).to_be_visible(timeout=PATIENT)
    dealer.goto("/history")
    newest = (dealer.screen().locator(".log li").first.get_attribute("id") or "").removeprefix("e")
    dealer.goto(f"/history?n={newest}&kind=remove")
    before = len(dealer.rows())
    dealer.screen().locator("form[action$='/repair'] button").first.tap()
    dealer.screen().wait_for_selector("#board")
    assert len(dealer.rows()) == before + 1
    dealer.goto("/code")
    expect(dealer.screen().locator("main")).to_contain_text("needs a connection")
    dealer.goto()
    dealer.reload()
    dealer.tap(25)

    own_server.start()
    dealer.bar("live")
    assert_same(own_server, dealer)
    dealer.tap()
    dealer.bar("live")
    assert_same(own_server, dealer)


def test_no_line_is_bad_enough_to_be_felt_or_to_double_an_entry(dealer: Dealer, line: Line, own_server: Server) -> None:
    dealer.open()
    line.hold()  # nothing that is sent arrives, and nobody is told
    dealer.tap(5)
    line.let_go()
    line.delay = 6.0
    dealer.tap(3)
    dealer.bar("sending")
    line.delay = 0.0
    dealer.bar("live")
    line.loses_answers = True
    dealer.tap(5)
    dealer.bar("to send")
    line.loses_answers = False
    dealer.bar("live")
    line.cut()
    dealer.tap(3)
    line.mend()
    dealer.bar("live")
    assert_same(own_server, dealer)


def let_a_minute_pass(server: Server, table: str) -> None:
    """For the server: the last that it heard of a table is so long ago."""
    before = (datetime.now(UTC) - timedelta(minutes=1)).isoformat(timespec="seconds")
    with closing(sqlite3.connect(server.data / DATABASE)) as data, data:
        assert data.execute("UPDATE changes SET taken = ? WHERE table_id = ?", (before, table)).rowcount


def test_the_deal_is_taken_by_the_recovery_code_and_mine_becomes_a_table_of_its_own(
    dealer: Dealer, line: Line, own_server: Server, browser: Browser
) -> None:
    dealer.open()
    dealer.bar("live")
    page = dealer.page
    code = page.request.get(f"{dealer.board}/handover").text().split('class="huge recovery">')[1][:7]
    line.cut()
    dealer.tap(3)
    mine = [row["entries"] for row in dealer.rows()]
    # Meanwhile a friend takes the silent phone's deal, and enters a card.
    let_a_minute_pass(own_server, dealer.table)
    with browser.new_context(base_url=own_server.address, has_touch=True) as context:
        friend = context.new_page()
        friend.goto(f"/t/{dealer.table}/take")
        friend.get_by_label("Recovery code").fill(code)
        friend.get_by_role("button", name="Take the deal").tap()
        key = friend.locator("#board button[name=entry]:enabled:not(.none)").filter(visible=True).first
        card = key.get_attribute("value")
        before = friend.get_attribute("#board", "data-version")
        key.tap()
        friend.wait_for_selector(f"#board:not([data-version='{before}'])")

    line.mend()
    dealer.bar("not taken by the server")
    sheet = dealer.screen().locator("#sheet")
    expect(sheet.get_by_role("alert")).to_contain_text("Another phone deals here now", timeout=PATIENT)
    expect(sheet.get_by_role("alert").locator("xpath=..").get_by_role("button")).to_have_count(1)
    assert [row["entries"] for row in dealer.rows()] == mine, "nothing is dropped"
    old = dealer.table
    sheet.get_by_role("button", name="Keep mine as a new table").tap()
    dealer.page.wait_for_url(lambda address: old not in address)
    dealer.wait_for_frame()
    dealer.table = dealer.page.url.rpartition("/")[2]
    dealer.bar("live")
    dealer.tap()
    dealer.bar("live")
    assert_same(own_server, dealer)
    entries = [entry for row in dealer.rows() for entry in row["entries"]]
    assert entries[:-1] == [entry for entries in mine for entry in entries]
    assert told(own_server, page, old)["rows"][-1]["entries"] == [card], "nothing is merged"


def test_a_form_of_a_page_without_python_is_kept_and_a_table_opened_there_keeps_its_id(
    dealer: Dealer, own_server: Server
) -> None:
    dealer.board = new_table(dealer.page, 3, "continuous")
    dealer.table = dealer.board.rpartition("/")[2]
    page = dealer.page
    page.wait_for_function("() => navigator.serviceWorker.controller")
    # This page takes no Python along, however fast the machine is.
    page.evaluate("() => Object.defineProperty(navigator.connection, 'saveData', { get: () => true })")
    dealer.tap(2)
    newest = (page.request.get(f"{dealer.board}/history").text().split('<li id="e')[1]).split('"')[0]
    page.goto(f"{dealer.board}/history?n={newest}&kind=remove")
    # The copy comes while this page is open, so that it has no Python.
    page.evaluate(
        """(table) => new Promise((go) => {
            navigator.serviceWorker.addEventListener("message", ({ data }) => { if (data.taken) go(); });
            navigator.serviceWorker.startMessages();
            navigator.serviceWorker.controller.postMessage({ take: table });
        })""",
        dealer.table,
    )
    assert len(page.frames) == 1
    before = len(dealer.rows())
    own_server.kill()
    page.locator("form[action$='/repair'] button").first.tap()
    dealer.wait_for_frame()
    assert len(dealer.rows()) == before + 1
    assert dealer.rows()[-1]["kind"] == "remove"

    # Another table, opened without a server: from the home page, as always.
    show(page, dealer.board.partition("t/")[0])
    first, frame = dealer.table, page.frame_locator("iframe")
    frame.get_by_role("link", name="New table").tap()
    frame.locator("button[name=seats][value='3']").tap()
    frame.locator("#board").wait_for()
    dealer.table = page.url.rpartition("/")[2]
    dealer.tap(2)
    own_server.start()
    dealer.bar("live")
    assert_same(own_server, dealer)
    assert told(own_server, page, dealer.table)["dealer"], "this phone deals at it, on the server too"
    assert told(own_server, page, first)["rows"][-1]["kind"] == "remove"
