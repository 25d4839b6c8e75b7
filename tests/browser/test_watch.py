"""The friends round the table see the score on their own phones."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from playwright.sync_api import Page, expect

from .conftest import NewPhone, Server
from .table import new_table, open_record, play, tap

WATCHERS = 5  # a thousand in make watchers


def follows(watchers: list[Page], version: int) -> None:
    for watcher in watchers:
        expect(watcher.locator("#board")).to_have_attribute("data-version", str(version))


def test_every_entry_undo_and_repair_reaches_all_watchers(new_phone: NewPhone) -> None:
    """The watchers are tabs of one phone, which ask as many phones would."""
    dealer, first = new_phone(), new_phone()
    address = new_table(dealer, 3)
    watchers = [first, *(first.context.new_page() for _ in range(WATCHERS - 1))]
    for watcher in watchers:
        watcher.goto(address)
    tap(dealer, "7")
    follows(watchers, 2)
    play(dealer, "3,9,5")
    follows(watchers, 5)
    dealer.locator("#board button[name=undo]").tap()
    follows(watchers, 6)
    dealer.goto(f"{address}/history?n=1&entry=8")
    dealer.locator("#repair button.main").tap()
    follows(watchers, 7)
    for watcher in watchers:
        expect(watcher.locator(".seat .card").first).to_have_text("8")
        expect(watcher.locator("button[name=entry]")).to_have_count(0)


def dealer_and_watcher(new_phone: NewPhone) -> tuple[Page, Page, str]:
    """Two phones at a new table and its address; the watcher goes by a clock that the test moves."""
    dealer, watcher = new_phone(), new_phone()
    address = new_table(dealer, 3)
    watcher.clock.install()
    watcher.goto(address)
    expect(watcher.locator("#age")).to_contain_text("up to date")
    return dealer, watcher, address


def hide(page: Page, hidden: bool) -> None:
    page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def test_a_watcher_asks_only_while_visible_and_is_right_at_once_on_return(new_phone: NewPhone) -> None:
    dealer, watcher, address = dealer_and_watcher(new_phone)
    watcher.clock.pause_at(datetime.now() + timedelta(minutes=1))
    hide(watcher, True)
    asked: list[str] = []
    watcher.on("request", lambda request: asked.append(request.url) if request.url.startswith(address) else None)
    tap(dealer, "7")
    watcher.clock.run_for(10_000)
    assert asked == []
    hide(watcher, False)  # at once: by this page's clock no time passes
    expect(watcher.locator("#board")).to_have_attribute("data-version", "2")


def test_a_page_that_was_hidden_has_lost_no_connection_when_it_is_looked_at_again(new_phone: NewPhone) -> None:
    """Its age is told at once; that nobody answers only after it has asked for as long as ever."""
    _dealer, watcher, address = dealer_and_watcher(new_phone)
    watcher.clock.pause_at(datetime.now() + timedelta(minutes=1))
    hide(watcher, True)
    watcher.clock.run_for(600_000)
    watcher.route(f"{address}?*", lambda route: None)  # the answer takes its time
    hide(watcher, False)
    expect(watcher.locator("#age.old")).to_have_text(re.compile("updated 1[01] min ago"))
    expect(watcher.locator("#link")).to_have_text("watching")
    watcher.clock.run_for(12_000)
    expect(watcher.locator("#link.off")).to_have_text("no connection")


def test_nothing_new_is_answered_with_204(new_phone: NewPhone) -> None:
    dealer, watcher = new_phone(), new_phone()
    address = new_table(dealer, 3)
    watcher.goto(address)
    statuses: list[int] = []
    watcher.on(
        "response", lambda answer: statuses.append(answer.status) if answer.url.startswith(f"{address}?") else None
    )
    for _ in range(2):
        with watcher.expect_response(lambda answer: answer.url.startswith(f"{address}?") and answer.status == 204):
            pass
    assert statuses.count(200) <= 1


def test_watchers_recover_by_themselves_when_the_server_was_away(new_phone: NewPhone, server: Server) -> None:
    dealer, watcher, _address = dealer_and_watcher(new_phone)
    server.stop()
    # The age is told, and turns amber after ten seconds.
    watcher.clock.run_for(8_000)
    expect(watcher.locator("#age.old")).to_have_count(0)
    watcher.clock.run_for(4_000)
    expect(watcher.locator("#age.old")).to_be_visible()
    expect(watcher.locator("#link")).to_have_text("no connection")
    server.start()
    dealer.reload()
    tap(dealer, "7")
    watcher.clock.run_for(30_000)  # the longest pause between two questions
    expect(watcher.locator("#board")).to_have_attribute("data-version", "2")
    expect(watcher.locator("#age.old")).to_have_count(0)
    expect(watcher.locator("#link")).to_have_text("watching")


def test_a_watcher_is_told_that_nothing_new_comes(new_phone: NewPhone) -> None:
    """The server answers, the dealer does not tap: that is no alarm."""
    dealer, watcher, _address = dealer_and_watcher(new_phone)
    link = watcher.locator("#link")
    watcher.clock.pause_at(datetime.now() + timedelta(seconds=10))
    expect(link).to_have_text("watching")
    watcher.clock.run_for(25_000)
    expect(link).to_have_text(re.compile("nothing new for [345]0 s"))
    expect(watcher.locator("#link.off, #age.old")).to_have_count(0)
    watcher.clock.run_for(80_000)
    expect(link).to_have_text("nothing new for 2 min")
    tap(dealer, "7")
    watcher.clock.run_for(2_000)
    expect(link).to_have_text("watching")


def test_a_board_that_has_just_come_is_up_to_date(new_phone: NewPhone) -> None:
    dealer, watcher, _address = dealer_and_watcher(new_phone)
    watcher.clock.pause_at(datetime.now() + timedelta(minutes=1))
    tap(dealer, "7")
    expect(dealer.locator("#board")).to_have_attribute("data-version", "2")
    watcher.evaluate("() => htmx.trigger('#board', 'look')")
    expect(watcher.locator("#board")).to_have_attribute("data-version", "2")
    expect(watcher.locator("#age")).to_contain_text("up to date")


def test_i_am_ben_is_remembered_and_in_large_type(new_phone: NewPhone) -> None:
    dealer, watcher = new_phone(), new_phone()
    address = open_record(dealer, "Ana,Ben,Cleo", "game pairs,7,5,9,8")
    watcher.goto(address)
    watcher.get_by_role("button", name="Ben").tap()
    mine = watcher.locator(".mine")
    expect(mine.locator(".who")).to_have_text("Ben")
    expect(mine.locator(".card").first).to_contain_text("5")
    # Ana has 7, Ben 5 8, Cleo 9: folding costs 5; four 5s and seven 8s of 51 pair Ben.
    expect(mine).to_contain_text("Folding costs")
    expect(mine.locator(".huge").first).to_have_text("5")
    expect(mine.locator(".huge").nth(1)).to_have_text("22%")
    tap(dealer, "4")
    expect(mine.locator(".huge").first).to_have_text("4")
    watcher.reload()
    expect(mine.locator(".who")).to_have_text("Ben")
    watcher.get_by_role("button", name="Not me").tap()
    expect(watcher.get_by_role("button", name="Cleo")).to_be_visible()


BUZZES = "window.buzzes = 0; navigator.vibrate = () => { window.buzzes += 1; return true; };"


def dealer_and_ben(new_phone: NewPhone, names: str, entries: str) -> tuple[Page, Page]:
    """The dealer's phone, and one that said "I am Ben" and counts how often it buzzed."""
    dealer, watcher = new_phone(), new_phone()
    watcher.add_init_script(BUZZES)
    watcher.goto(open_record(dealer, names, entries))
    watcher.get_by_role("button", name="Ben").tap()
    return dealer, watcher


def test_i_am_ben_puts_his_figures_first_and_buzzes_once_a_turn(new_phone: NewPhone) -> None:
    dealer, watcher = dealer_and_ben(new_phone, "Ana,Ben,Cleo", "game pairs,7,5,9")  # Ben has the lowest card
    line = watcher.locator(".turn.yours")
    expect(line).to_contain_text("Your turn")
    assert float(line.locator(".who").evaluate("who => parseFloat(getComputedStyle(who).fontSize)")) >= 36
    mine, seats = watcher.locator(".mine").bounding_box(), watcher.locator(".seats").bounding_box()
    assert mine
    assert seats
    assert mine["y"] + mine["height"] <= seats["y"] + 1
    assert watcher.evaluate("buzzes") == 1
    play(dealer, "8,3")
    follows([watcher], 3)
    expect(line).to_have_count(0)
    tap(dealer, "6")
    follows([watcher], 4)
    expect(line).to_be_visible()
    assert watcher.evaluate("buzzes") == 2
    with watcher.expect_response(lambda answer: answer.status == 204):
        pass  # nothing new on the table
    assert watcher.evaluate("buzzes") == 2
    watcher.reload()
    play(dealer, "10,4,1")
    follows([watcher], 7)
    expect(line).to_be_visible()
    assert watcher.evaluate("buzzes") == 0  # nobody has touched this page


def test_a_turn_of_several_entries_buzzes_once(new_phone: NewPhone) -> None:
    dealer, watcher = dealer_and_ben(new_phone, "Ana,Ben", "game blackstone,6,4")  # Ben has the lowest card
    expect(watcher.locator(".turn.yours")).to_be_visible()
    play(dealer, "take 3,white")
    follows([watcher], 3)
    expect(watcher.locator(".turn.yours")).to_be_visible()
    assert watcher.evaluate("buzzes") == 1


def test_on_a_wide_screen_the_table_lies_beside_what_happens_now(new_phone: NewPhone) -> None:
    dealer = new_phone()
    address = open_record(dealer, "Ana,Ben,Cleo", "game pairs,7,5,9,8")
    wide = new_phone(viewport={"width": 1280, "height": 720})
    wide.goto(address)
    expect(wide.locator("#age")).to_contain_text("up to date")
    turn, seats = wide.locator(".turn").bounding_box(), wide.locator(".seats").bounding_box()
    assert turn
    assert seats
    assert turn["x"] + turn["width"] <= seats["x"] + 1
    assert seats["width"] > 600
    # Ana has 7, Ben 5 8, Cleo 9: Cleo folds for 5, or draws and pairs with eight 9s of 51.
    expect(wide.locator(".costs")).to_contain_text("+5")
    expect(wide.locator(".costs")).to_contain_text("16%")
    expect(wide.locator(".costs")).to_be_in_viewport(ratio=1)
    expect(wide.locator("button[name=entry]")).to_have_count(0)
