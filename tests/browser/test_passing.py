"""A table goes to another phone in a link: the page reads the part after the #, shows the table, and a tap opens it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.test_passing import packed

from .conftest import NewPhone
from .table import tap

RECORD = "fifty-five 1\nseats Ana Ben Cleo\ngame pairs\n7\n10\n3\n"


def test_another_phone_follows_the_link_and_continues_the_game(new_phone: NewPhone) -> None:
    dealer = new_phone()
    dealer.goto("/import")
    dealer.fill("textarea", RECORD)
    dealer.get_by_role("button", name="Open the table").click()
    dealer.locator("#board").wait_for()
    dealer.goto(f"{dealer.url}/pass-on")
    link = dealer.get_by_label("The link to copy").input_value()

    friend = new_phone()
    asked: list[str] = []
    friend.on("request", lambda request: asked.append(request.url))
    friend.goto(link)
    expect(friend.get_by_role("heading", name="A table you received")).to_be_visible()
    expect(friend.get_by_text("Cleo")).to_be_visible()
    assert not [address for address in asked if "/t/" in address], "nothing is opened before the tap"
    friend.get_by_role("button", name="Open it here and deal").click()
    friend.locator("#board").wait_for()
    tap(friend, "9")
    expect(friend.locator("#board[data-version='2']")).to_be_visible()


def test_a_link_pasted_into_the_address_bar_is_opened_once(phone: Page) -> None:
    phone.goto("/import")
    phone.evaluate("link => { location.hash = link }", packed(RECORD.encode()).partition("#")[2])
    expect(phone.get_by_role("heading", name="A table you received")).to_be_visible()
    phone.go_back()
    phone.get_by_role("button", name="Preview").click()  # Back goes to the form and stays there
    expect(phone.get_by_role("heading", name="A table you received")).to_be_visible()


def test_without_javascript_the_page_says_what_to_do(new_phone: NewPhone) -> None:
    page = new_phone(java_script_enabled=False)
    page.goto("/import#r=AAAA")
    expect(page.get_by_text("copy the whole link into the field")).to_be_visible()
