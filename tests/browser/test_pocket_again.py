"""The phone edition opened again: the board as it was last drawn is there before Python is, and taps on it are entered in order."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.pocket.site import Host, built_site

from .pocket import KEPT, NOTE_BOARDS, PATIENT, PhoneInHand, Tab, journal_rows

# In the tests' copy of the site Python does not wake while there is a cache of this name.
HOLD = "async function boot() {\n  while (await caches.has('asleep')) await new Promise((go) => setTimeout(go, 50));"
HOME_KEPT = """async (home) => {
    while (!(await (await caches.open("pages")).match(home))) await new Promise((go) => setTimeout(go, 50));
}"""
SAVE = """async (board) => (await caches.open("saved")).put(board, await (await caches.open("pages")).match(board))"""
PUT_BACK = (
    """async (board) => (await caches.open("pages")).put(board, await (await caches.open("saved")).match(board))"""
)
# Press any key that may be pressed, but for the last one: the same key twice in a moment counts as one tap.
PRESS = """(body, [number, last]) => {
    const keys = [...body.querySelectorAll("#board button[name=entry]:enabled:not(.none)")].filter((key) => key.offsetParent && key.value !== last);
    const key = keys[number % keys.length];
    key.click();
    return key.value;
}"""
FULL = "try {\n      if (await caches.has('full')) throw new DOMException('', 'QuotaExceededError');"


def change(site: Path, name: str, old: str, new: str) -> None:
    """Change a file of a copied site, not the one that other tests use."""
    text = (site / name).read_text("utf-8")
    assert old in text
    (site / name).unlink()
    (site / name).write_text(text.replace(old, new), "utf-8")


@pytest.fixture(scope="module")
def sleepy_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("sleepy") / "site"
    shutil.copytree(built_site(), copy, copy_function=os.link)
    change(copy, "static/pocket/python.js", "async function boot() {", HOLD)
    change(copy, "static/pocket/python.js", "const answer = ask();\n    try {", f"const answer = ask();\n    {FULL}")
    return copy


@pytest.fixture(scope="module")
def host(sleepy_site: Path) -> Iterator[Host]:
    running = Host(sleepy_site)
    yield running
    running.leave()


@pytest.fixture(scope="module")
def one_phone(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneInHand]:
    made = PhoneInHand(browser, tmp_path_factory.mktemp("again") / "phone")
    yield made
    made.context.close()


@pytest.fixture
def phone(one_phone: PhoneInHand, host: Host) -> Iterator[PhoneInHand]:
    """The same phone for all tests: it fetches the program once."""
    yield one_phone
    page = one_phone.context.pages[-1]
    page.evaluate("() => Promise.all(['asleep', 'full', 'saved'].map((name) => caches.delete(name)))")
    one_phone.put_down()


def fall_asleep(page: Page) -> None:
    page.evaluate("() => caches.open('asleep')")


def wake(page: Page) -> None:
    page.evaluate("() => caches.delete('asleep')")


def wait_until_kept(tab: Tab) -> None:
    tab.page.evaluate(KEPT, [tab.page.url, tab.version()])


def test_the_last_board_is_there_before_python_and_its_taps_are_entered_in_order(
    phone: PhoneInHand, host: Host
) -> None:
    tab = phone.open(host.address)
    tab.new_table(3)
    for card in ("7", "3", "9"):
        tab.tap(card)
    wait_until_kept(tab)
    fall_asleep(tab.page)
    tab.page.goto(tab.page.url)
    expect(tab.board()).to_have_attribute("data-version", "4", timeout=PATIENT)
    expect(tab.frame.locator("html[data-referee=waking]")).to_be_attached()
    menu = tab.frame.get_by_role("link", name="Menu")
    assert menu.evaluate("(link) => Number(getComputedStyle(link).opacity)") < 1, "what has to wait looks so"

    # Two taps wait, seen as ghosts; then they are entered, each once.
    for card in ("4", "6"):
        tab.frame.locator(f"#board button[name=entry][value='{card}']").first.tap()
    expect(tab.frame.locator("#board .ghost")).to_contain_text("4")
    expect(tab.frame.locator("#board .ghost")).to_contain_text("+1")
    assert [number for _table, number, _entries in journal_rows(tab.page)] == [1, 2, 3, 4]
    wake(tab.page)
    expect(tab.board()).to_have_attribute("data-version", "6", timeout=PATIENT)
    assert tab.log()[1:] == ["7", "3", "9", "4", "6"]
    assert menu.evaluate("(link) => getComputedStyle(link).opacity") == "1"


def test_the_home_page_is_kept_too_and_leads_to_the_kept_board(phone: PhoneInHand, host: Host) -> None:
    tab = phone.open(host.address)
    tab.new_table(2)
    tab.tap("7")
    board, version = tab.page.url, tab.version()
    tab.page.evaluate(KEPT, [board, version])
    tab.page.evaluate("(home) => caches.open('pages').then((pages) => pages.delete(home))", host.address)
    tab.tap("3")
    wait_until_kept(tab)
    tab.page.evaluate(HOME_KEPT, host.address)
    fall_asleep(tab.page)
    tab.page.goto(host.address)
    tab.frame.locator("a.lead").first.tap()
    expect(tab.board()).to_have_attribute("data-version", "3", timeout=PATIENT)
    expect(tab.frame.locator("html[data-referee=waking]")).to_be_attached()
    wake(tab.page)
    tab.tap("9")
    assert tab.log()[1:] == ["7", "3", "9"]


def test_an_old_board_never_passes_for_the_newest(phone: PhoneInHand, host: Host) -> None:
    """The table goes on in another tab, and an older copy of the board lies in the cache."""
    phone.context.add_init_script(NOTE_BOARDS)
    first = phone.open(host.address)
    first.new_table(2)
    first.tap("7")
    wait_until_kept(first)
    first.page.evaluate(SAVE, first.page.url)
    second = phone.open(first.page.url)
    second.tap("3")
    wait_until_kept(second)
    first.page.close()
    second.page.evaluate(PUT_BACK, second.page.url)
    second.page.goto(second.page.url)
    expect(second.board()).to_have_attribute("data-version", "3", timeout=PATIENT)
    second.tap("9")
    assert [version for version, _python in second.page.evaluate("() => top.boards")] == ["3"]
    assert second.log()[1:] == ["7", "3", "9"]


def test_a_full_disk_is_a_sentence_and_the_tap_is_entered_when_there_is_room(phone: PhoneInHand, host: Host) -> None:
    tab = phone.open(host.address)
    tab.new_table(2)
    tab.tap("7")
    tab.page.evaluate("() => caches.open('full')")
    tab.frame.locator("#board button[name=entry][value='3']").first.tap()
    expect(tab.frame.get_by_role("alert")).to_contain_text("no room left on this phone", timeout=PATIENT)
    assert tab.version() == 2
    tab.page.evaluate("() => caches.delete('full')")
    expect(tab.board()).to_have_attribute("data-version", "3", timeout=PATIENT)
    assert tab.log()[1:] == ["7", "3"]


def test_a_browser_that_keeps_nothing_is_told_so(one_phone: PhoneInHand, sleepy_site: Path, tmp_path: Path) -> None:
    copy = tmp_path / "site"
    shutil.copytree(sleepy_site, copy, copy_function=os.link)
    for name in ("static/pocket/journal.js", "sw.js"):
        change(copy, name, 'indexedDB.open("fifty-five", 1)', "undefined.open()")
    host = Host(copy)
    page = one_phone.context.new_page()
    page.goto(host.address)
    expect(page.get_by_role("status")).to_contain_text("needs https and a newer browser", timeout=PATIENT)
    one_phone.put_down()
    host.leave()


KILLS = int(os.environ.get("FIFTY_FIVE_POCKET_KILLS", "2"))


def kill(folder: Path) -> None:
    """Kill the browser with this profile."""
    found = subprocess.run(["pgrep", "-f", f"user-data-dir={folder}"], capture_output=True, text=True, check=False)
    for word in found.stdout.split():
        with suppress(ProcessLookupError):
            os.kill(int(word), signal.SIGKILL)
    for left in folder.glob("Singleton*"):
        left.unlink()


def test_a_browser_killed_under_taps_on_a_kept_board_loses_and_doubles_nothing(
    browser: Browser, host: Host, tmp_path: Path
) -> None:
    """In turns while Python sleeps and when it is awake. What was shown is on record, then perhaps what was tapped, in order."""
    folder, chance = tmp_path / "killed phone", random.Random(55)
    address, shown, tapped = host.address, list[str](), list[str]()
    for turn in range(KILLS + 1):
        phone = PhoneInHand(browser, folder)
        tab = phone.open(address)
        if not turn:
            tab.new_table(4, "continuous")
            address = tab.page.url
        wake(tab.page)
        log = tab.log()[1:]
        expect(tab.board()).to_have_attribute("data-version", str(len(log) + 1), timeout=PATIENT)
        log = tab.log()[1:]
        assert log[: len(shown)] == shown
        assert log[len(shown) :] == tapped[: len(log) - len(shown)]
        assert [number for _table, number, _entries in journal_rows(tab.page)] == list(range(1, len(log) + 2))
        shown, tapped = log, []
        if turn % 2 == 0:
            wait_until_kept(tab)
            fall_asleep(tab.page)
            tab.page.goto(address)
            expect(tab.board()).to_be_visible(timeout=PATIENT)
        for _ in range(chance.randrange(2, 5)):
            number = chance.randrange(100)
            tab.last = tab.frame.locator("body").evaluate(PRESS, [number, tab.last])
            tapped.append(tab.last)
        kill(folder)
        with suppress(Error):  # the browser is already dead
            phone.context.close()
