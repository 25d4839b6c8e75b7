"""A phone-sized browser with the static site, whose storage survives a restart."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, FrameLocator, Locator, Page, expect

from .conftest import FLAGS, find_browser
from .phones import PHONE, UNGUARDED

PATIENT = 120_000  # ms; Python starts in about a second on an idle machine, and much later on a busy one

# Wait until the page is kept that shows this version of the table.
KEPT = """async ([table, version]) => {
    for (;;) {
        const page = await (await caches.open("pages")).match(table);
        if (page && (await page.text()).includes(`data-version="${version}"`)) return;
        await new Promise((go) => setTimeout(go, 50));
    }
}"""
# The versions of the boards that this tab showed since it was loaded, and whether Python was awake.
NOTE_BOARDS = """addEventListener("DOMContentLoaded", () => {
    const board = document.getElementById("board");
    if (board) (top.boards ||= []).push([board.dataset.version, top.document.documentElement.dataset.referee]);
});"""


def show(page: Page, address: str) -> None:
    """Go to another page of the application as by a link: Python keeps running, while loading a page restarts it."""
    frame = page.frame_locator("iframe")
    frame.locator("body").evaluate("(_, address) => { setTimeout(() => { location.href = address; }); }", address)
    page.wait_for_url(address)
    frame.locator("main").wait_for()


class PhoneInHand:
    """A phone-sized browser with persistent storage and the site."""

    def __init__(self, browser: Browser, folder: Path, windows: bool = False, **options: Any) -> None:
        self.context: BrowserContext = browser.browser_type.launch_persistent_context(
            folder,
            executable_path=find_browser(windows),
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

    def put_down(self) -> None:
        """Close all pages; the browser and what it keeps stay for the next test."""
        self.context.new_page()  # a browser without a page would end
        for page in self.context.pages[:-1]:
            page.close()
        assert self.problems == []


class Tab:
    """The host page, and the application in its frame."""

    def __init__(self, page: Page, address: str, problems: list[str]) -> None:
        self.page = page
        self.last = ""
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address)
        self.frame: FrameLocator = page.frame_locator("iframe")
        expect(self.frame.locator("main")).to_be_visible(timeout=PATIENT)

    def show(self, address: str) -> None:
        show(self.page, address)

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
        """Tap any visible key except the last one: the same key twice in a moment counts as one tap."""
        offered: list[str] = self.frame.locator("#board button[name=entry]:enabled:not(.none)").evaluate_all(
            "(keys) => keys.filter((key) => key.offsetParent).map((key) => key.value)"
        )
        self.tap(chance.choice([entry for entry in offered if entry != self.last]))

    def table(self) -> str:
        return self.page.url.split("/t/")[1].split("/")[0].split("?")[0]

    def log(self) -> list[str]:
        """The entries of this table, from Python on this phone."""
        lines: list[str] = self.page.evaluate(
            "(table) => fetch(`api/tables/${table}/log`, { signal: AbortSignal.timeout(120000) }).then((answer) => answer.json())"
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
