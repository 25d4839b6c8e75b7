"""Who sits where: names, order, sitting out and coming back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .conftest import NewPhone
from .table import log, open_record, state, tap


def names(page: Page) -> list[str]:
    return [seat["name"] for seat in state(page)["seats"]]


def test_a_name_is_changed_in_a_round_by_tapping_the_seat(new_phone: NewPhone) -> None:
    phone = new_phone()
    open_record(phone, "Ana, Ben, Cleo", "game pairs, 7, 9, 8, fold, 10, 4, 8")
    phone.locator("#board .seat", has_text="Ben").tap()
    field = phone.get_by_label("New name for Ben")
    field.fill("Benoît")
    field.press("Enter")
    expect(phone.get_by_label("New name for Benoît")).to_be_visible()
    phone.get_by_role("link", name="Back to the table").tap()
    expect(phone.locator("#board .seats")).to_contain_text("Benoît")
    expect(phone.locator("#board .turn")).to_contain_text("Benoît")
    tap(phone, "5")  # the round goes on
    assert log(phone)[5:] == ["rename Ben Benoît", "10", "4", "8", "5"]
    assert state(phone)["seats"][1]["stack"] == [4, 5]


def test_who_sat_out_returns_by_a_tap_and_seats_move_both_ways(new_phone: NewPhone) -> None:
    phone = new_phone()
    address = open_record(phone, "Ana, Ben, Cleo", "game pairs")
    phone.goto(f"{address}/seats")
    phone.get_by_role("button", name="Ana one seat down").tap()
    expect(phone.locator(".people li").first).to_contain_text("OK")
    expect(phone.locator(".people input[name=new]").first).to_have_value("Ben")
    phone.get_by_role("button", name="Cleo one seat up").tap()
    expect(phone.locator(".people input[name=new]").nth(1)).to_have_value("Cleo")
    assert names(phone) == ["Ben", "Cleo", "Ana"]
    phone.locator(".people li").first.get_by_role("button", name="Sit out").tap()
    phone.get_by_role("button", name="Ben", exact=True).tap()
    expect(phone.locator(".people li")).to_have_count(3)
    assert names(phone) == ["Cleo", "Ana", "Ben"]


def test_without_javascript_the_forms_do_the_same(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    address = open_record(phone, "Ana, Ben", "game pairs, 7")
    phone.goto(f"{address}/seats")
    expect(phone.get_by_role("button", name="Sit out")).to_have_count(0)  # a round is under way
    phone.get_by_label("New name for Ana").fill("Anna")
    phone.get_by_label("New name for Ana").press("Enter")
    expect(phone.get_by_label("New name for Anna")).to_be_visible()
    assert names(phone) == ["Anna", "Ben"]
