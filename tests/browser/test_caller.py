"""The caller: the phone's own voice says each entry."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import NewPhone
from .table import open_record, tap

# A voice that writes down what it says.
VOICE = """
  window.said = [];
  speechSynthesis.speak = ({ lang, text }) => { if (text) window.said.push([lang, text]); };
"""


def with_voice(new_phone: NewPhone, **options: Any) -> Page:
    phone = new_phone(**options)
    phone.add_init_script(VOICE)
    return phone


def switch(phone: Page, more: str = "More") -> None:
    """Tap the switch in the menu, and close the menu."""
    phone.locator("#board .bar a").first.tap()
    phone.locator("#sheet summary", has_text=more).tap()
    phone.locator("#sheet").get_by_role("switch").tap()
    phone.go_back()
    expect(phone.locator("#sheet")).to_be_hidden()


def test_the_caller_is_off_until_it_is_switched_on_and_says_every_entry_once(new_phone: NewPhone) -> None:
    phone = with_voice(new_phone)
    open_record(phone, "Ana,Ben,Cleo", "game pairs,7,3,9")
    tap(phone, "8")
    assert phone.evaluate("said") == []
    switch(phone)
    assert phone.evaluate("said") == [["en", "Ben 8, no pair. Cleo: draw or fold."]]
    tap(phone, "9")
    assert phone.evaluate("said.slice(1)") == [["en", "Cleo 9. Cleo +9: pair of 9s, now 9 of 21."]]
    phone.locator("#board button[name=undo]").tap()
    phone.wait_for_function("() => said.length === 3")
    assert phone.evaluate("said[2][1]") == "Undone. Cleo: draw or fold."
    phone.reload()  # it stays on
    tap(phone, "10")
    assert phone.evaluate("said") == [["en", "Cleo 10, no pair. Ana: draw or fold."]]
    switch(phone)
    tap(phone, "2")
    assert phone.evaluate("said.length") == 1


def test_a_refusal_is_said_too(new_phone: NewPhone) -> None:
    phone = with_voice(new_phone)
    open_record(phone, "Ana,Ben", "game pairs,1,9,2")
    switch(phone)
    phone.locator("#board button[value='1']").tap()
    expect(phone.get_by_role("alert")).to_be_visible()
    [_lang, refusal] = phone.evaluate("said.at(-1)")
    assert refusal
    assert phone.get_by_role("alert").inner_text().startswith(refusal)


@pytest.mark.parametrize("size", [(360, 640), (1280, 720)], ids=["phone", "television"])
def test_watching_phones_and_televisions_say_it_in_their_own_language(
    new_phone: NewPhone, size: tuple[int, int]
) -> None:
    dealer = new_phone()
    address = open_record(dealer, "Ana,Ben,Cleo", "game pairs,7,3,9")
    watcher = with_voice(new_phone, locale="fr-FR", viewport={"width": size[0], "height": size[1]})
    watcher.goto(address)
    switch(watcher, "Plus")
    tap(dealer, "8")
    expect(watcher.locator("#board")).to_have_attribute("data-version", "2")
    told = watcher.get_attribute("#board", "data-announcement")
    assert told is not None
    assert "Ben 8" in told
    assert watcher.evaluate("said.slice(1)") == [["fr", told]]
