"""The dealer's phone is its own referee, with or without its server: no entry is lost or doubled."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from companion.store.opening import DATABASE
from tests.pocket.site import built_site
from tests.process import Server

from .network import Line
from .pocket import KEPT, NOTE_BOARDS, PATIENT, PhoneInHand, show
from .table import new_table


@pytest.fixture(scope="module")
def bundle() -> str:
    return str(built_site() / "py")


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory, bundle: str) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("served"), FIFTY_FIVE_BUNDLE=bundle) as running:
        yield running


@pytest.fixture(scope="module")
def line(own_server: Server) -> Iterator[Line]:
    with Line(own_server.port) as between:
        yield between


class PocketDealer:
    """The dealer's phone, with persistent storage, and the dealer's actions."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.chance, self.last = random.Random(55), ""

    def screen(self) -> Page | Frame:
        """The page, or the frame in the outer page, that shows the application."""
        return self.page.frames[1] if len(self.page.frames) > 1 else self.page

    def open(self, game: str = "continuous", seats: int = 4) -> None:
        """Open a table and enter two cards; then wait until Python runs on this phone with a complete copy."""
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
        """Tap this many visible keys, never the same twice in a row, which would count as one tap."""
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
        """Wait until the bar has these words."""
        expect(self.screen().locator("#link")).to_contain_text(words, timeout=PATIENT)

    def goto(self, path: str = "") -> None:
        """Open a page of the table: the first by its address, later ones as by a link."""
        if len(self.page.frames) > 1:
            show(self.page, self.board + path)
        else:
            self.page.goto(self.board + path)
            self.wait_for_frame()

    def reload(self) -> None:
        self.page.reload()
        self.wait_for_frame()

    def wait_for_frame(self) -> None:
        """Wait for the frame in which the outer page shows a table on this phone."""
        self.page.frame_locator("iframe").locator("main").wait_for()

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table on this phone's disk."""
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


def rows_on_server(server: Server, page: Page, table: str) -> dict[str, Any]:
    """The server's rows of a table."""
    found: dict[str, Any] = page.request.get(f"{server.address}/api/tables/{table}/rows").json()
    return found


def assert_same(server: Server, dealer: PocketDealer) -> None:
    """Assert that the server has exactly the rows of the phone, in order."""
    # The bar does not mention a row that is sent at once, so waiting for the bar is not enough.
    end = time.monotonic() + PATIENT / 1000
    while not all(row["sent"] for row in dealer.rows()) and time.monotonic() < end:
        dealer.page.wait_for_timeout(100)
    here, there = dealer.rows(), rows_on_server(server, dealer.page, dealer.table)
    facts = ("number", "kind", "entries", "entry")
    assert [[row[fact] for fact in facts] for row in here] == [[row[fact] for fact in facts] for row in there["rows"]]
    assert there["version"] == len(here) == dealer.version()
    assert all(row["sent"] for row in here)


@pytest.fixture(scope="module")
def phone(browser: Browser, line: Line, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneInHand]:
    folder = tmp_path_factory.mktemp("dealer") / "phone"
    made = PhoneInHand(browser, folder, windows=True, base_url=line.address)
    yield made
    made.context.close()


@pytest.fixture
def dealer(phone: PhoneInHand) -> Iterator[PocketDealer]:
    """The same phone and server for all tests: it fetches the program once."""
    page = phone.context.new_page()
    page.on("pageerror", lambda error: phone.problems.append(str(error)))
    yield PocketDealer(page)
    phone.put_down()


def stop_service_workers(page: Page) -> None:
    """Stop all service workers, as a phone does when it is short of memory."""
    protocol = page.context.new_cdp_session(page)
    protocol.send("ServiceWorker.enable")
    protocol.send("ServiceWorker.stopAllWorkers")
    protocol.detach()


def test_a_table_deleted_for_good_is_gone_from_the_phone_too(dealer: PocketDealer, own_server: Server) -> None:
    dealer.open()
    expect(dealer.page.get_by_role("status").filter(has_text="go on without signal")).to_be_attached()
    dealer.goto("/delete")
    dealer.screen().get_by_role("button", name="Delete for good…").tap()
    dealer.screen().get_by_role("button", name="Yes, delete it for everybody").tap()
    expect(dealer.screen().get_by_text("No table yet.")).to_be_visible(timeout=PATIENT)
    assert dealer.rows() == []
    assert dealer.page.request.get(f"{own_server.address}/api/tables/{dealer.table}").status == 404


def test_a_server_killed_during_a_round_gets_every_entry_once(dealer: PocketDealer, own_server: Server) -> None:
    dealer.open()
    dealer.tap()
    own_server.kill()
    dealer.tap(20)
    dealer.bar("to send")
    stop_service_workers(dealer.page)
    dealer.tap(5)

    # The menu as a sheet, the history, a repair and a reload all work without a server.
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
    dealer.page.evaluate(KEPT, [dealer.board, dealer.version()])
    dealer.page.context.add_init_script(NOTE_BOARDS)
    version = str(dealer.version())
    dealer.reload()
    dealer.screen().wait_for_selector("#board")
    assert dealer.page.evaluate("() => top.boards[0]") == [version, "waking"], "the last board is there before Python"
    dealer.tap(25)

    own_server.start()
    dealer.bar("live")
    assert_same(own_server, dealer)
    dealer.tap()
    dealer.bar("live")
    assert_same(own_server, dealer)


def test_a_bad_line_neither_delays_a_tap_nor_doubles_an_entry(
    dealer: PocketDealer, line: Line, own_server: Server
) -> None:
    dealer.open()
    line.hold()  # requests do not arrive, without any error
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
    """Date all changes of a table on the server back by a minute."""
    before = (datetime.now(UTC) - timedelta(minutes=1)).isoformat(timespec="seconds")
    with closing(sqlite3.connect(server.data / DATABASE)) as data, data:
        assert data.execute("UPDATE changes SET taken = ? WHERE table_id = ?", (before, table)).rowcount


def test_after_a_takeover_the_old_dealers_entries_become_a_new_table(
    dealer: PocketDealer, line: Line, own_server: Server, browser: Browser
) -> None:
    dealer.open()
    dealer.bar("live")
    page = dealer.page
    code = page.request.get(f"{dealer.board}/handover").text().split('class="huge recovery">')[1][:7]
    line.cut()
    dealer.tap(3)
    mine = [row["entries"] for row in dealer.rows()]
    # Meanwhile a friend takes the deal of the silent phone and enters a card.
    let_a_minute_pass(own_server, dealer.table)
    with browser.new_context(base_url=own_server.address, has_touch=True) as context:
        friend = context.new_page()
        friend.goto(f"/t/{dealer.table}/take")
        friend.get_by_label("Takeover code").fill(code)
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
    assert rows_on_server(own_server, page, old)["rows"][-1]["entries"] == [card], "nothing is merged"


def test_a_form_sent_from_a_page_without_python_is_kept(dealer: PocketDealer, own_server: Server) -> None:
    dealer.board = new_table(dealer.page, 3, "continuous")
    dealer.table = dealer.board.rpartition("/")[2]
    page = dealer.page
    page.wait_for_function("() => navigator.serviceWorker.controller")
    # This page does not load Python, however fast the machine is.
    page.evaluate("() => Object.defineProperty(navigator.connection, 'saveData', { get: () => true })")
    dealer.tap(2)
    newest = (page.request.get(f"{dealer.board}/history").text().split('<li id="e')[1]).split('"')[0]
    page.goto(f"{dealer.board}/history?n={newest}&kind=remove")
    # The copy of the table arrives while this page is open, so the page has no Python.
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

    # Open another table without a server, from the home page as usual.
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
    assert rows_on_server(own_server, page, dealer.table)["dealer"], "this phone deals at it, on the server too"
    assert rows_on_server(own_server, page, first)["rows"][-1]["kind"] == "remove"
