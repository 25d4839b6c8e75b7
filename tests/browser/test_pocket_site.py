"""The static site in a browser: everything runs on the phone, even if the host is gone."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.pocket.site import Host, built_site

from .pocket import PATIENT, PhoneInHand, journal_rows


@pytest.fixture(scope="module")
def site() -> Path:
    return built_site()


@pytest.fixture
def host(site: Path) -> Iterator[Host]:
    running = Host(site)
    yield running
    running.leave()


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
    assert tab.page.url == f"{host.address}t/{table}", "the host page wears the address of the page it shows"
    tab.frame.get_by_role("link", name="Menu").tap()
    tab.frame.get_by_role("link", name="History").tap()
    tab.page.wait_for_url("**/history")
    before = tab.log()
    tab.frame.locator("main").wait_for()
    tab.page.goto(f"{host.address}t/{table}/history?n={len(before) - 1}&kind=amend&entry=6")
    tab.frame.locator("form[action$='/repair'] button").tap()
    expect(tab.board()).to_be_attached(timeout=PATIENT)
    assert tab.log() == [*before[:-1], "6"]

    # Choose French, which survives a reload.
    tab.show(host.address)
    tab.frame.locator("details.settings summary").tap()
    tab.frame.get_by_role("button", name="Français").tap()
    expect(tab.frame.locator("html[lang=fr]")).to_be_attached(timeout=PATIENT)
    tab.page.reload()
    expect(tab.frame.locator("html[lang=fr]")).to_be_attached(timeout=PATIENT)
    tab.frame.locator("a.tile.lead").first.tap()
    expect(tab.board()).to_be_attached(timeout=PATIENT)

    # Two more games at the same table, a look at the odds, and the settlement.
    for game in ("rocket", "blackstone"):
        tab.show(f"{host.address}t/{table}/game?game={game}")
        tab.frame.locator("main form button.main, main form button.wide").last.tap()
        expect(tab.board()).to_be_attached(timeout=PATIENT)
        for _ in range(4):
            tab.tap_any(chance)
        assert any(entry.startswith(f"game {game}") for entry in tab.log())
    tab.show(f"{host.address}lookup/odds?table={table}")
    expect(tab.frame.locator("main h1")).to_be_visible()
    tab.show(f"{host.address}t/{table}/evening")
    expect(tab.frame.locator("main")).to_contain_text("A")
    with tab.page.expect_download() as saved:
        tab.frame.locator("a[href$='/record']").first.tap()
    assert "game blackstone" in Path(saved.value.path()).read_text("utf-8")
    tab.show(f"{host.address}phone")
    with tab.page.expect_download() as saved:
        tab.frame.locator("a[href$='/phone/tables.txt']").tap()
    assert "game blackstone" in Path(saved.value.path()).read_text("utf-8"), (
        "Python wrote it, not the host, who is gone"
    )


def test_a_second_tab_shares_the_python_of_the_first_and_takes_over(phone: PhoneInHand, host: Host) -> None:
    first = phone.open(host.address)
    first.new_table(2)
    first.tap("7")
    second = phone.open(first.page.url)
    second.tap("3")
    # The first tab's board is out of date: nothing is entered, and the current board is shown.
    first.page.bring_to_front()
    first.frame.locator("#board button[name=entry][value='9']").tap()
    expect(first.frame.get_by_role("alert")).to_contain_text("moved on")
    first.page.close()
    second.page.bring_to_front()
    second.tap("9")
    assert second.log()[-3:] == ["7", "3", "9"]
    assert [number for _table, number, _entries in journal_rows(second.page)] == [1, 2, 3, 4]


def test_a_deep_link_works_on_the_first_visit(phone: PhoneInHand, host: Host) -> None:
    tab = phone.open(f"{host.address}rules/rocket")
    expect(tab.frame.get_by_role("heading", name="Rocket").first).to_be_visible()
    assert tab.page.url == f"{host.address}rules/rocket"
    icon = tab.page.evaluate(
        f"fetch('{host.address}static/icons/icon-192.png').then((answer) => answer.headers.get('Content-Type'))"
    )
    assert icon == "image/png", "what is not taken along is the host's business, not Python's"


def renewed(site: Path, *more: tuple[str, str, str]) -> None:
    """Put a new version of the site into the same folder: the same program with other pages."""
    for name, old, new in (
        ("sw.js", '"version": "', '"version": "2'),
        ("index.html", "<html ", "<html data-edition=2 "),
        *more,
    ):
        text = (site / name).read_text("utf-8")
        assert old in text
        (site / name).unlink()  # a hard link to the file that other tests use
        (site / name).write_text(text.replace(old, new), "utf-8")


WAITS = "() => navigator.serviceWorker.getRegistration().then((found) => Boolean(found.waiting))"


def fetch_renewed(page: Page) -> None:
    page.evaluate(
        """async () => {
            const { installing: worker } = await (await navigator.serviceWorker.getRegistration()).update();
            while (worker?.state === "installing") await new Promise((go) => worker.addEventListener("statechange", go, { once: true }));
        }"""
    )
    assert page.evaluate(WAITS)


def put_away(page: Page) -> None:
    """Put the phone into a pocket and take it out again."""
    page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
            document.dispatchEvent(new Event("visibilitychange"));
            delete document.hidden;
        }"""
    )


def test_a_new_version_takes_over_between_rounds_and_old_rows_replay(
    phone: PhoneInHand, site: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "site"
    shutil.copytree(site, copy, copy_function=os.link)
    host = Host(copy)
    tab = phone.open(host.address)
    tab.new_table(2)
    tab.tap("7")
    tab.tap("3")
    renewed(copy)
    fetch_renewed(tab.page)
    # In the middle of a round the new version waits, and the old one continues.
    put_away(tab.page)
    tab.tap("9")
    assert tab.page.evaluate(WAITS)
    # A folds and takes the 3, which ends the round; then the phone is not touched.
    tab.tap("fold")
    log = tab.log()
    # The page sends requests at that very moment, which could make Chromium drop the new version.
    tab.frame.locator("main").evaluate(
        "() => { for (let n = 0; n < 40; n++) setTimeout(() => fetch(location.pathname), n * 50); }"
    )
    put_away(tab.page)
    expect(tab.page.locator("html[data-edition='2']")).to_be_attached(timeout=PATIENT)
    expect(tab.board()).to_be_attached(timeout=PATIENT)
    assert not tab.page.evaluate(WAITS)
    assert tab.log() == log
    tab.tap("5")
    assert [number for _table, number, _entries in journal_rows(tab.page)] == list(range(1, len(log) + 2))
    host.leave()


def test_taps_work_with_the_worker_stopped_and_the_line_cut(phone: PhoneInHand, host: Host) -> None:
    phone.context.add_init_script("navigator.storage.persist = async () => { top.asked = (top.asked || 0) + 1; };")
    tab = phone.open(host.address)
    workers = phone.context.new_cdp_session(tab.page)
    workers.send("ServiceWorker.enable")
    tab.frame.get_by_role("link", name="New table").wait_for()
    assert tab.page.evaluate("() => top.asked") is None, "nothing is kept here yet"
    tab.new_table(3)
    for card in ("7", "3", "9"):
        workers.send("ServiceWorker.stopAllWorkers")
        tab.tap(card)
    assert tab.page.evaluate("() => top.asked") == 1
    phone.context.set_offline(True)
    tab.tap("4")
    expect(tab.frame.locator("#link")).to_have_text("on this phone")
    assert "away" not in (tab.board().get_attribute("class") or "").split(), "without a line the keys are as they were"
    assert tab.log()[1:] == ["7", "3", "9", "4"]


PICTURE = """async () => {
    const cache = await caches.open("python");
    const place = (await cache.keys()).find(({ url }) => url.endsWith("/memory"));
    return place && new TextDecoder("latin1").decode(await (await cache.match(place)).arrayBuffer());
}"""
WHEN_TAKEN = """async () => {
    const cache = await caches.open("python");
    while (!(await cache.keys()).some(({ url }) => url.endsWith("/memory"))) await new Promise((go) => setTimeout(go, 100));
}"""
DAMAGE_IT = """async () => {
    const cache = await caches.open("python");
    const place = (await cache.keys()).find(({ url }) => url.endsWith("/memory"));
    await cache.put(place, new Response(new Uint8Array(4096)));
}"""


def test_a_picture_of_the_memory_is_taken_at_leisure_and_a_damaged_one_does_no_harm(
    phone: PhoneInHand, host: Host
) -> None:
    tab = phone.open(host.address)
    tab.show(f"{host.address}new")
    tab.frame.locator("input[name=name-0]").fill("Zaphodina")
    tab.frame.locator("button[name=seats][value='2']").tap()
    tab.tap("7")
    table = tab.table()
    tab.page.evaluate(WHEN_TAKEN)
    picture = tab.page.evaluate(PICTURE)
    assert len(picture) > 20_000_000
    assert "companion.pocket.phone" in picture
    assert "Zaphodina" not in picture
    assert table not in picture
    tab.show(f"{host.address}phone")
    size = f"{len(picture) / 1e6:.1f}".removesuffix(".0")
    expect(tab.frame.locator("#space")).to_contain_text(f"{size} MB of it make the start quicker")

    # From the picture, then from a damaged one: the table is there, and the damaged one is not tried again.
    tab.page.goto(f"{host.address}t/{table}")
    expect(tab.board()).to_contain_text("Zaphodina", timeout=PATIENT)
    tab.tap("3")
    assert len(tab.page.evaluate(PICTURE)) == len(picture)
    tab.page.evaluate(DAMAGE_IT)
    tab.page.reload()
    expect(tab.board()).to_contain_text("Zaphodina", timeout=PATIENT)
    tab.tap("9")
    assert tab.log()[1:] == ["7", "3", "9"]
    assert tab.page.evaluate(PICTURE) == ""


@pytest.mark.parametrize("deaf_to", ["may you take over?", "take over"])
def test_a_new_version_that_does_not_answer_does_not_block_the_old_one(
    phone: PhoneInHand, site: Path, tmp_path: Path, deaf_to: str
) -> None:
    """The page asks it, and asks once more after a reload; then the home page is shown and stays. (If the first question
    is not answered in time, the home page is shown before the second.)"""
    copy = tmp_path / "site"
    shutil.copytree(site, copy, copy_function=os.link)
    tab = phone.open(Host(copy).address)
    expect(tab.frame.locator("main")).to_be_visible(timeout=PATIENT)
    renewed(copy, ("sw.js", f'"{deaf_to}"', '"something else"'))
    fetch_renewed(tab.page)
    loads: list[Page] = []
    tab.page.on("load", lambda page: loads.append(page))
    tab.page.reload()
    expect(tab.frame.locator("main")).to_be_visible(timeout=PATIENT)
    with suppress(Error):  # the page may reload meanwhile
        tab.page.evaluate("() => new Promise((go) => setTimeout(go, 4000))")  # longer than the page waits for an answer
    expect(tab.frame.locator("main")).to_be_visible(timeout=PATIENT)
    assert len(loads) <= 2
    assert tab.page.evaluate(WAITS)
