"""Friends at the table watch the game on their own phones."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from playwright.sync_api import Page, expect

from .conftest import NewPhone, Server
from .table import new_table, open_record, play, tap

WATCHERS = 5  # `make watchers` has a thousand


def follows(watchers: list[Page], version: int) -> None:
    for watcher in watchers:
        expect(watcher.locator("#board")).to_have_attribute("data-version", str(version))


def test_every_entry_undo_and_repair_reaches_all_watchers(new_phone: NewPhone) -> None:
    """The watchers are tabs of one phone, which poll as separate phones would."""
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
    """Two phones at a new table, and its address. The test moves the watcher's clock."""
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


def test_a_watcher_polls_only_while_visible_and_is_current_at_once_on_return(new_phone: NewPhone) -> None:
    dealer, watcher, address = dealer_and_watcher(new_phone)
    watcher.clock.pause_at(datetime.now() + timedelta(minutes=1))
    hide(watcher, True)
    asked: list[str] = []
    watcher.on("request", lambda request: asked.append(request.url) if request.url.startswith(address) else None)
    tap(dealer, "7")
    watcher.clock.run_for(10_000)
    assert asked == []
    hide(watcher, False)  # at once, since no time passes by this page's clock
    expect(watcher.locator("#board")).to_have_attribute("data-version", "2")


def test_a_page_that_was_hidden_does_not_claim_a_lost_connection(new_phone: NewPhone) -> None:
    """Its age is shown at once, but a missing answer only after the usual time."""
    _dealer, watcher, address = dealer_and_watcher(new_phone)
    polls: set[str] = set()
    watcher.on("request", lambda request: polls.add(request.url) if "seen=" in request.url else None)
    watcher.on("requestfinished", lambda request: polls.discard(request.url))
    watcher.clock.pause_at(datetime.now() + timedelta(minutes=1))
    while polls:  # an answer that comes after ten minutes would be a newer picture
        watcher.wait_for_event("requestfinished")
    hide(watcher, True)
    watcher.clock.run_for(600_000)
    watcher.route(f"{address}?*", lambda route: None)  # no answer comes
    hide(watcher, False)
    expect(watcher.locator("#age.old")).to_have_text(re.compile("updated 1[01] min ago"))
    expect(watcher.locator("#link")).to_have_text("watching")
    watcher.clock.run_for(12_000)
    expect(watcher.locator("#link.off")).to_have_text("no connection")


def test_a_poll_without_news_is_answered_with_204(new_phone: NewPhone) -> None:
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


def test_watchers_recover_by_themselves_after_the_server_was_away(new_phone: NewPhone, server: Server) -> None:
    dealer, watcher, _address = dealer_and_watcher(new_phone)
    server.stop()
    # The age is shown, and turns amber after ten seconds.
    watcher.clock.run_for(8_000)
    expect(watcher.locator("#age.old")).to_have_count(0)
    watcher.clock.run_for(4_000)
    expect(watcher.locator("#age.old")).to_be_visible()
    expect(watcher.locator("#link")).to_have_text("no connection")
    server.start()
    dealer.reload()
    tap(dealer, "7")
    watcher.clock.run_for(30_000)  # the longest pause between two polls
    expect(watcher.locator("#board")).to_have_attribute("data-version", "2")
    expect(watcher.locator("#age.old")).to_have_count(0)
    expect(watcher.locator("#link")).to_have_text("watching")


def test_a_watcher_sees_how_long_there_was_nothing_new(new_phone: NewPhone) -> None:
    """The server answers, but the dealer does not tap: this is not an error."""
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


def test_a_board_that_has_just_arrived_is_up_to_date(new_phone: NewPhone) -> None:
    dealer, watcher, _address = dealer_and_watcher(new_phone)
    watcher.clock.pause_at(datetime.now() + timedelta(minutes=1))
    tap(dealer, "7")
    expect(dealer.locator("#board")).to_have_attribute("data-version", "2")
    watcher.evaluate("() => htmx.trigger('#board', 'refresh')")
    expect(watcher.locator("#board")).to_have_attribute("data-version", "2")
    expect(watcher.locator("#age")).to_contain_text("up to date")


def test_the_chosen_player_is_remembered_and_shown_in_large_type(new_phone: NewPhone) -> None:
    dealer, watcher = new_phone(), new_phone()
    address = open_record(dealer, "Ana,Ben,Cleo", "game pairs,7,5,9,8")
    watcher.goto(address)
    watcher.get_by_role("button", name="Ben").tap()
    mine = watcher.locator(".mine")
    expect(mine.locator(".who")).to_have_text("Ben")
    expect(mine.locator(".card").first).to_contain_text("5")
    # Ana has a 7, Ben 5 and 8, Cleo a 9. Folding costs 5; of 51 cards, four 5s and seven 8s pair Ben.
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
    """The dealer's phone, and one that has chosen "I am Ben" and counts how often it buzzes."""
    dealer, watcher = new_phone(), new_phone()
    watcher.add_init_script(BUZZES)
    watcher.goto(open_record(dealer, names, entries))
    watcher.get_by_role("button", name="Ben").tap()
    return dealer, watcher


def test_the_chosen_player_comes_first_and_the_phone_buzzes_once_a_turn(new_phone: NewPhone) -> None:
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
        pass  # a poll without news
    assert watcher.evaluate("buzzes") == 2
    watcher.reload()
    play(dealer, "10,4,1")
    follows([watcher], 7)
    expect(line).to_be_visible()
    assert watcher.evaluate("buzzes") == 0  # a browser does not vibrate before the page is touched


def test_a_turn_of_several_entries_buzzes_once(new_phone: NewPhone) -> None:
    dealer, watcher = dealer_and_ben(new_phone, "Ana,Ben", "game blackstone,6,4")  # Ben has the lowest card
    expect(watcher.locator(".turn.yours")).to_be_visible()
    play(dealer, "take 3,white")
    follows([watcher], 3)
    expect(watcher.locator(".turn.yours")).to_be_visible()
    assert watcher.evaluate("buzzes") == 1


def test_on_a_wide_screen_the_seats_are_beside_the_current_turn(new_phone: NewPhone) -> None:
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
    # Ana has a 7, Ben 5 and 8, Cleo a 9. Cleo can fold for 5, or draw: eight 9s of 51 cards pair.
    expect(wide.locator(".costs")).to_contain_text("+5")
    expect(wide.locator(".costs")).to_contain_text("16%")
    # Nobody holds a television: it shows a code to scan.
    code = wide.get_by_role("img", name="QR code of this table")
    expect(code).to_be_in_viewport(ratio=1)
    assert code.bounding_box()["width"] >= 200  # type: ignore[index]
    wide.wait_for_function("() => document.querySelector('.scan img').naturalWidth > 0")
    expect(wide.get_by_text("Who are you?")).to_be_hidden()
    expect(wide.locator(".costs")).to_be_in_viewport(ratio=1)
    expect(wide.locator("button[name=entry]")).to_have_count(0)
