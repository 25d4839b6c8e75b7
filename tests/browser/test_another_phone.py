"""Two phones of one owner, and a table that is deleted for good, by taps."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .conftest import NewPhone
from .table import log, new_table, tap


def shown_code(phone: Page) -> str:
    """Tap from the home page to the code for another phone; the letters below it."""
    phone.goto("/")
    phone.locator(".settings summary").tap()
    phone.get_by_role("link", name="Storage and backup").tap()
    phone.get_by_role("link", name="My tables on another phone").tap()
    phone.get_by_role("button", name="Show the code").tap()
    expect(phone.get_by_role("img", name="QR code for the other phone")).to_be_visible()
    return phone.locator("b.code").inner_text()


def get_tables(phone: Page, code: str) -> None:
    phone.goto("/phone/another")
    phone.get_by_label("Scan its code").fill(code)
    phone.get_by_role("button", name="Go on").tap()
    phone.get_by_role("button", name="Get the tables").tap()


def test_a_code_brings_the_tables_and_the_deal_to_another_phone(new_phone: NewPhone) -> None:
    one, other, third = new_phone(), new_phone(), new_phone()
    new_table(one, 3)
    tap(one, "7")
    code = shown_code(one)
    get_tables(other, code)
    other.locator("a.tile").filter(has_text="Pairs").tap()
    tap(other, "3")
    assert log(other) == ["game pairs", "7", "3"]
    get_tables(third, code)
    expect(third.get_by_role("alert")).to_contain_text("This code is not valid")
    # The other phone is lost: this one keeps the tables.
    one.goto("/phone/another")
    one.get_by_role("link", name="Take the tables off other phones").tap()
    one.get_by_role("button", name="Take the tables off the others").tap()
    one.locator("a.tile").filter(has_text="Pairs").tap()
    tap(one, "9")
    other.locator("#board button[name=entry][value='10']").tap()
    expect(other.get_by_role("alert")).to_contain_text("Another phone deals here now.")
    assert log(one) == ["game pairs", "7", "3", "9"]


def test_the_dealer_deletes_a_table_and_is_asked_twice(new_phone: NewPhone) -> None:
    phone = new_phone()
    address = new_table(phone, 3)
    phone.goto(f"{address}/evening")
    phone.get_by_role("link", name="Delete this table…").tap()
    phone.get_by_role("button", name="Delete for good…").tap()
    phone.get_by_role("link", name="Keep it").tap()
    expect(phone.get_by_role("link", name="Delete this table…")).to_be_visible()
    phone.get_by_role("link", name="Delete this table…").tap()
    phone.get_by_role("button", name="Delete for good…").tap()
    phone.get_by_role("button", name="Yes, delete it for everybody").tap()
    expect(phone.get_by_text("No table yet.")).to_be_visible()
    answer = phone.goto(address)
    assert answer is not None
    assert answer.status == 404
