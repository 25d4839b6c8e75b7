"""The odds, the look-up and the menu open as sheets over the board, which stays as it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import NewPhone, Server
from .table import log, open_record, play, tap, version

NAMES = "Ana,Ben,Cleo"
ROUND = "game pairs,7,5,9,8"


def sheet(page: Page) -> Locator:
    return page.locator("dialog#sheet")


def open_odds(page: Page) -> None:
    page.locator("a.deck").tap()
    expect(sheet(page).get_by_role("heading", name="The deck")).to_be_visible()


def swipe_down(page: Page, far: int = 200) -> None:
    """Move one finger from the top of the sheet downwards."""
    box = sheet(page).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 30
    client = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x, "y": y + far / 2}]),
        ("touchMove", [{"x": x, "y": y + far}]),
        ("touchEnd", []),
    ):
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def tap_beside(page: Page) -> None:
    page.touchscreen.tap(180, 10)


CLOSE = {
    "back": lambda page: page.go_back(),
    "escape": lambda page: page.keyboard.press("Escape"),
    "beside": tap_beside,
    "swipe": swipe_down,
    "button": lambda page: sheet(page).get_by_role("link", name="Back to the table").tap(),
}


@pytest.mark.parametrize("how", CLOSE)
def test_a_sheet_closes_and_the_board_can_be_used(phone: Page, how: str) -> None:
    address = open_record(phone, NAMES, ROUND)
    phone.evaluate("window.same = document.getElementById('board')")
    open_odds(phone)
    CLOSE[how](phone)
    expect(sheet(phone)).to_be_hidden()
    assert phone.evaluate("window.same === document.getElementById('board')"), "the board was not drawn again"
    assert phone.url == address
    assert phone.evaluate("document.activeElement.className") == "deck", "the focus is where it was"
    tap(phone, "4")
    assert log(phone)[-1] == "4"
    # A second sheet opens and closes as well.
    open_odds(phone)
    phone.go_back()
    expect(sheet(phone)).to_be_hidden()
    assert version(phone) == 2


def test_the_look_up_opens_over_the_board_with_its_numbers(phone: Page) -> None:
    address = open_record(phone, NAMES, "game rocket bet=30,bet Ben 50,8,5,6")
    phone.locator("a.risk").tap()
    expect(sheet(phone).locator("output")).to_have_text("50")
    sheet(phone).get_by_label("Bet: more").tap()
    expect(sheet(phone).locator("output")).to_have_text("60")
    sheet(phone).get_by_role("link", name="Pairs", exact=True).tap()
    expect(sheet(phone)).to_contain_text("You lose when you reach")
    assert phone.url == address
    phone.go_back()
    expect(sheet(phone)).to_be_hidden()
    expect(phone.locator("#board .main .fig")).to_have_text("−30")


def test_the_menu_opens_other_sheets_and_enters(phone: Page) -> None:
    address = open_record(phone, NAMES, ROUND)
    phone.get_by_role("link", name="Menu").tap()
    sheet(phone).get_by_text("More", exact=True).tap()
    sheet(phone).get_by_role("link", name="The deck").tap()
    expect(sheet(phone).get_by_role("heading", name="The deck")).to_be_visible()
    phone.go_back()
    expect(sheet(phone)).to_be_hidden()
    phone.get_by_role("link", name="Menu").tap()
    sheet(phone).get_by_text("More", exact=True).tap()
    sheet(phone).get_by_role("button", name="Misdeal").tap()
    expect(sheet(phone)).to_be_hidden()
    expect(phone.locator("#board")).to_have_attribute("data-version", "2")
    assert log(phone)[-1] == "misdeal"
    # A full page replaces the sheet, and one step back is the board.
    phone.get_by_role("link", name="Menu").tap()
    sheet(phone).get_by_role("link", name="History").tap()
    phone.wait_for_url("**/history")
    phone.go_back()
    phone.wait_for_url(address)
    expect(phone.locator("#board")).to_be_visible()


def test_the_menu_shows_six_choices_and_keeps_the_rest_behind_more(phone: Page) -> None:
    open_record(phone, NAMES, ROUND)
    phone.get_by_role("link", name="Menu").tap()
    tiles = sheet(phone).locator(".tile b")
    expect(sheet(phone).get_by_role("heading", name="Menu")).to_be_visible()
    in_sight = [tile.inner_text() for tile in tiles.all() if tile.is_visible()]
    assert in_sight == ["History", "Seats", "The evening", "Next game", "Quick reference", "Other phones"]
    sheet(phone).get_by_text("More", exact=True).tap()
    expect(sheet(phone).get_by_role("button", name="Nobody saw which")).to_be_visible()
    sheet(phone).get_by_role("button", name="7", exact=True).tap()
    expect(sheet(phone)).to_be_hidden()
    assert log(phone)[-1] == "lost 7"


def test_other_phones_is_one_place_with_three_choices(phone: Page) -> None:
    open_record(phone, NAMES, ROUND)
    phone.get_by_role("link", name="Menu").tap()
    sheet(phone).get_by_role("link", name="Other phones").tap()
    expect(sheet(phone).locator(".tile b")).to_have_text(
        ["Follow on another phone", "Another phone deals", "Copy the table"]
    )
    # One more tap offers the deal: another phone that follows takes it with one tap.
    sheet(phone).get_by_role("button", name="Another phone deals").tap()
    expect(phone.get_by_text("The deal is on offer")).to_be_visible()


def test_a_watchers_board_is_updated_under_a_sheet(new_phone: NewPhone) -> None:
    dealer, watcher = new_phone(), new_phone()
    watcher.goto(open_record(dealer, NAMES, ROUND))
    open_odds(watcher)
    tap(dealer, "4")
    expect(watcher.locator("#board")).to_have_attribute("data-version", "2", timeout=6_000)
    expect(sheet(watcher)).to_be_visible()
    watcher.go_back()
    expect(sheet(watcher)).to_be_hidden()


def test_without_javascript_sheets_are_pages(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    open_record(phone, NAMES, ROUND)
    for link, title in (("a.deck", "The deck"), ("a[href$='/menu']", "Menu"), ("a.risk", "Quick reference: Pairs")):
        phone.locator(link).tap()
        expect(phone.locator("main.page h1")).to_have_text(title)
        phone.get_by_role("link", name="Back to the table").tap()
        expect(phone.locator("#board")).to_be_visible()


def test_a_sheet_without_an_answer_is_loaded_as_a_page(phone: Page, server: Server) -> None:
    open_record(phone, NAMES, ROUND)
    phone.route(
        "**/deck", lambda route: route.abort() if route.request.headers.get("hx-request") else route.continue_()
    )
    phone.locator("a.deck").tap()
    phone.wait_for_url("**/deck")
    expect(phone.locator("main.page h1")).to_have_text("The deck")


@pytest.mark.parametrize("height", [553, 640, 844])
def test_a_sheet_fits_and_leaves_the_board_in_sight(new_phone: NewPhone, height: int) -> None:
    phone = new_phone(viewport={"width": 360 if height < 800 else 390, "height": height})
    open_record(phone, NAMES, ROUND)
    before = phone.locator("#board").bounding_box()
    open_odds(phone)
    box = sheet(phone).bounding_box()
    assert box
    assert box["y"] >= height * 0.05, "the board is seen above it"
    assert box["y"] + box["height"] == pytest.approx(height, abs=1)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert sheet(phone).evaluate("e => e.scrollWidth <= e.clientWidth")
    phone.go_back()
    assert phone.locator("#board").bounding_box() == before, "the style of the pages does not touch the board"
    play(phone, "4")
