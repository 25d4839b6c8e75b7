"""A phone that is turned on its side, and a tablet."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .conftest import NewPhone
from .table import open_record, play

LYING = {"width": 640, "height": 360}


def all_keys_in_sight(page: Page) -> None:
    expect(page.locator(".key.v10")).to_be_in_viewport(ratio=1)
    expect(page.locator(".key").first).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight") == LYING["height"]


def test_a_turned_phone_has_all_keys_in_sight(new_phone: NewPhone) -> None:
    phone = new_phone()
    open_record(phone, "Ana,Ben,Cleo,Dan,Eve", "game pairs,7,5,9,8,10")
    phone.set_viewport_size({"width": 640, "height": 360})
    expect(phone.locator(".key.v10")).to_be_in_viewport(ratio=1)
    all_keys_in_sight(phone)
    play(phone, "6")
    all_keys_in_sight(phone)
    phone.set_viewport_size({"width": 360, "height": 640})
    expect(phone.locator(".key.v10")).to_be_in_viewport(ratio=1)


def test_without_javascript_a_turned_phone_has_all_keys_in_sight_too(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False, viewport=LYING)
    open_record(phone, "Ana,Ben", "game pairs,7,5")
    expect(phone.locator(".key.v10")).to_be_in_viewport(ratio=1)


def test_an_upright_tablet_has_the_choices_between_seats_and_keys(new_phone: NewPhone) -> None:
    tablet = new_phone(viewport={"width": 768, "height": 1024})
    open_record(tablet, "Ana,Ben,Cleo", "game pairs,7,5,9,8")
    seats, act, keys = (tablet.locator(part).bounding_box() for part in (".seats", ".act", ".keys"))
    assert seats
    assert act
    assert keys
    assert seats["y"] + seats["height"] <= act["y"] + 1
    assert act["y"] + act["height"] <= keys["y"]
    assert keys["y"] - act["y"] - act["height"] < 30
