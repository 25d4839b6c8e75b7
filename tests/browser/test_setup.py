"""The set-up page: each game shows its own options."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import NewPhone


def test_a_chosen_game_shows_its_own_options(new_phone: NewPhone) -> None:
    """At once, although htmx comes to this page a moment later."""
    phone = new_phone()
    phone.goto("/new")
    phone.locator("label", has_text="Rocket").tap()
    phone.get_by_text("Options", exact=True).tap()
    expect(phone.get_by_label("First bet")).to_be_visible()
    expect(phone.get_by_label("Limit")).to_have_count(0)
    phone.locator("label", has_text="Port").tap()
    expect(phone.get_by_label("Goal")).to_be_visible()
    expect(phone.get_by_label("First bet")).to_have_count(0)


def test_without_javascript_a_button_shows_them(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    phone.goto("/new")
    phone.locator("label", has_text="Rocket").tap()
    phone.get_by_text("Options", exact=True).tap()
    phone.get_by_role("button", name="Options for the chosen game").tap()
    phone.get_by_text("Options", exact=True).tap()
    expect(phone.get_by_label("First bet")).to_be_visible()
    phone.get_by_label("First bet").fill("50")
    phone.get_by_role("button", name="3", exact=True).tap()
    expect(phone.locator("#board")).to_contain_text("bet 50")
