"""The static site in a browser: everything runs on the phone, and the host may go away."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, FrameLocator, Locator, Page, expect

from tests.pocket.site import Host, built_site

from .conftest import FLAGS, PHONE, UNGUARDED, find_browser

PATIENT = 30_000  # ms; Python wakes in about a second on an idle machine


@pytest.fixture(scope="module")
def site() -> Path:
    return built_site()


@pytest.fixture
def host(site: Path) -> Iterator[Host]:
    running = Host(site)
    yield running
    running.leave()


class PhoneInHand:
    """A phone-sized browser that keeps things, with the site in it."""

    def __init__(self, browser: Browser, folder: Path, **options: Any) -> None:
        self.context: BrowserContext = browser.browser_type.launch_persistent_context(
            folder,
            executable_path=find_browser(),
            args=list(FLAGS),
            viewport=PHONE,  # type: ignore[arg-type]
            has_touch=True,
            **options,
        )
        self.context.add_init_script(UNGUARDED)
        self.context.set_default_timeout(PATIENT)
        self.problems: list[str] = []

    def open(self, address: str) -> Tab:
        return Tab(self.context.new_page(), address, self.problems)


class Tab:
    """One page that stays, and the application in its frame."""

    def __init__(self, page: Page, address: str, problems: list[str]) -> None:
        self.page = page
        self.last = ""
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address)
        self.frame: FrameLocator = page.frame_locator("iframe")
        expect(self.frame.locator("main")).to_be_visible(timeout=PATIENT)

    def board(self) -> Locator:
        return self.frame.locator("#board")

    def version(self) -> int:
        return int(self.board().get_attribute("data-version") or 0)

    def new_table(self, seats: int, game: str = "pairs") -> None:
        self.frame.get_by_role("link", name="New table").tap()
        self.frame.locator(f"input[name=game][value={game}]").check(force=True)
        self.frame.locator(f"button[name=seats][value='{seats}']").tap()
        expect(self.board()).to_be_attached(timeout=PATIENT)

    def tap(self, entry: str) -> None:
        before, self.last = self.version(), entry
        self.frame.locator(f"#board button[name=entry][value='{entry}']").first.tap()
        expect(self.frame.locator(f"#board:not([data-version='{before}'])")).to_be_attached(timeout=PATIENT)

    def tap_any(self, chance: random.Random) -> None:
        """Something that can be seen now; another key than before, because the same one twice in a moment is one tap."""
        offered: list[str] = self.frame.locator("#board button[name=entry]:enabled:not(.none)").evaluate_all(
            "(keys) => keys.filter((key) => key.offsetParent).map((key) => key.value)"
        )
        self.tap(chance.choice([entry for entry in offered if entry != self.last]))

    def table(self) -> str:
        return self.page.url.split("/t/")[1].split("/")[0].split("?")[0]

    def log(self) -> list[str]:
        """What Python on this phone has on record."""
        lines: list[str] = self.page.evaluate(
            "(table) => fetch(`api/tables/${table}/log`).then((answer) => answer.json())"
            ".then(({ entries }) => entries.map(({ entry }) => entry))",
            self.table(),
        )
        return lines


def journal_rows(page: Page) -> list[list[Any]]:
    """Table, number and entries of every row on this phone's disk."""
    found: list[list[Any]] = page.evaluate(
        """() => new Promise((go, stop) => {
            const asked = indexedDB.open("fifty-five");
            asked.onerror = stop;
            asked.onsuccess = () => {
                const rows = asked.result.transaction("rows").objectStore("rows").getAll();
                rows.onsuccess = () => { asked.result.close(); go(rows.result.map((row) => [row.table, row.number, row.entries])); };
            };
        })"""
    )
    return found


@pytest.fixture
def phone(browser: Browser, tmp_path: Path) -> Iterator[PhoneInHand]:
    made = PhoneInHand(browser, tmp_path / "phone")
    yield made
    made.context.close()
    assert made.problems == []


def test_an_evening_of_three_games_with_the_host_gone(phone: PhoneInHand, host: Host) -> None:
    tab = phone.open(host.address)
    host.leave()
    chance = random.Random(55)

    # Pairs, with a wrong card that is repaired.
    tab.new_table(3)
    for card in ("7", "3", "9", "4"):
        tab.tap(card)
    table = tab.table()
    assert tab.page.url == f"{host.address}t/{table}", "the page that stays wears the address of the page it shows"
    tab.frame.get_by_role("link", name="Menu").tap()
    tab.frame.get_by_role("link", name="History").tap()
    tab.page.wait_for_url("**/history")
    before = tab.log()
    tab.frame.locator("main").wait_for()
    tab.page.goto(f"{host.address}t/{table}/history?n={len(before) - 1}&kind=amend&entry=6")
    tab.frame.locator("form[action$='/repair'] button").tap()
    expect(tab.board()).to_be_attached(timeout=PATIENT)
    assert tab.log() == [*before[:-1], "6"]

    # In French, which stays.
    tab.page.goto(host.address)
    tab.frame.locator("details.settings summary").tap()
    tab.frame.get_by_role("button", name="Français").tap()
    expect(tab.frame.locator("html[lang=fr]")).to_be_attached(timeout=PATIENT)
    tab.page.reload()
    expect(tab.frame.locator("html[lang=fr]")).to_be_attached(timeout=PATIENT)
    tab.frame.locator("a.tile.lead").first.tap()
    expect(tab.board()).to_be_attached(timeout=PATIENT)

    # Two more games at the same table, a look at the odds, and the settlement.
    for game in ("rocket", "blackstone"):
        tab.page.goto(f"{host.address}t/{table}/game?game={game}")
        tab.frame.locator("main form button.main, main form button.wide").last.tap()
        expect(tab.board()).to_be_attached(timeout=PATIENT)
        for _ in range(4):
            tab.tap_any(chance)
        assert any(entry.startswith(f"game {game}") for entry in tab.log())
    tab.page.goto(f"{host.address}lookup/odds?table={table}")
    expect(tab.frame.locator("main h1")).to_be_visible()
    tab.page.goto(f"{host.address}t/{table}/evening")
    expect(tab.frame.locator("main")).to_contain_text("A")
    with tab.page.expect_download() as saved:
        tab.frame.locator("a[href$='/record']").first.tap()
    assert "game blackstone" in Path(saved.value.path()).read_text("utf-8")


def test_a_second_tab_uses_the_first_ones_python_and_takes_over(phone: PhoneInHand, host: Host) -> None:
    first = phone.open(host.address)
    first.new_table(2)
    first.tap("7")
    second = phone.open(first.page.url)
    second.tap("3")
    # The first tab's board is old now: nothing is entered, and it shows the fresh one.
    first.page.bring_to_front()
    first.frame.locator("#board button[name=entry][value='9']").tap()
    expect(first.frame.get_by_role("alert")).to_contain_text("moved on")
    first.page.close()
    second.page.bring_to_front()
    second.tap("9")
    assert second.log()[-3:] == ["7", "3", "9"]
    assert [number for _table, number, _entries in journal_rows(second.page)] == [1, 2, 3, 4]


def test_a_deep_link_finds_the_site_before_it_was_ever_opened(phone: PhoneInHand, host: Host) -> None:
    tab = phone.open(f"{host.address}rules/rocket")
    expect(tab.frame.get_by_role("heading", name="Rocket").first).to_be_visible()
    assert tab.page.url == f"{host.address}rules/rocket"
    icon = tab.page.evaluate(
        f"fetch('{host.address}static/icons/icon-192.png').then((answer) => answer.headers.get('Content-Type'))"
    )
    assert icon == "image/png", "what is not taken along is the host's business, not Python's"


KILLS = int(os.environ.get("FIFTY_FIVE_POCKET_KILLS", "4"))


def processes_of(folder: Path) -> list[int]:
    """The browser on this folder, with all that it started."""
    found = subprocess.run(["pgrep", "-f", f"user-data-dir={folder}"], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def test_a_browser_that_is_killed_loses_nothing_that_was_shown(browser: Browser, host: Host, tmp_path: Path) -> None:
    """Killed in the middle of taps, again and again: every entry that was on the screen is on the disk, once."""
    folder = tmp_path / "killed phone"
    chance = random.Random(55)
    shown: list[str] = []
    address = host.address
    for kill in range(KILLS + 1):
        for left in folder.glob("Singleton*"):
            left.unlink()
        phone = PhoneInHand(browser, folder)
        tab = phone.open(address)
        if not kill:
            tab.new_table(4, "continuous")
            address = tab.page.url
        log = tab.log()[1:]
        # The last tap may have been kept and not shown; nothing that was shown may be missing.
        assert log[: len(shown)] == shown
        assert len(log) <= len(shown) + 1
        rows = journal_rows(tab.page)
        assert [number for _table, number, _entries in rows] == list(range(1, len(rows) + 1))
        if kill == KILLS:
            phone.context.close()
            break
        shown = log
        for _ in range(chance.randrange(3, 9)):
            tab.tap_any(chance)
            shown = tab.log()[1:]
        # One more is on its way when the power goes.
        tab.frame.locator("#board button[name=entry]:enabled").first.evaluate("(key) => key.click()")
        for process in processes_of(folder):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        with suppress(Error):  # it is dead, which was the point
            phone.context.close()
