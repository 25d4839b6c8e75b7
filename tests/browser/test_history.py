"""The history on a phone: the panel opens below the tapped line, and a missed card is inserted with a key."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .conftest import NewPhone
from .table import log, new_table, open_record, play, points

LONGEST = "Maximilian-Konstantin B."
CROWD = ", ".join(f"{letter}{LONGEST[1:]}" for letter in "ABCDEFGH")


def panel_is_below(phone: Page, number: int) -> None:
    """Assert that the panel follows its line directly, and that both are in sight."""
    line, panel = phone.locator(f"#e{number}"), phone.locator("#repair")
    expect(panel).to_be_visible()
    expect(phone.locator(f"#e{number} + #repair")).to_have_count(1)
    expect(line).to_be_in_viewport(ratio=1)
    expect(panel).to_be_in_viewport(ratio=1)


def test_a_missed_card_is_inserted_in_four_taps(phone: Page) -> None:
    """A has a 9 and B a 5, and B draws the 7. A's 10 was missed, so it was B who folded and took the 5."""
    new_table(phone, 2)
    play(phone, "9,5,7,fold,8,6,10,fold")
    assert points(phone) == {"A": 11, "B": 0}
    phone.locator("#board .head").tap()  # 1
    phone.locator("#e4 a").tap()  # 2
    panel_is_below(phone, 4)
    phone.locator("#repair .insert button[value='10']").tap()  # 3
    expect(phone.locator(".preview")).to_contain_text("Round 1 would end like this: B, fold (5) → B +5")
    phone.locator("#repair button.main").tap()  # 4
    expect(phone.locator("#board")).to_be_attached()
    assert log(phone)[1:6] == ["9", "5", "7", "10", "fold"]
    assert points(phone) == {"A": 6, "B": 5}


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "without a script"])
def test_the_panel_moves_to_the_tapped_line(new_phone: NewPhone, script: bool) -> None:
    phone = new_phone(java_script_enabled=script)
    address = open_record(phone, "Ana,Ben,Cleo", "game pairs,4,8,9,7,5,6,10,1,2,fold,4,8,9,7,5,6,10")
    phone.goto(f"{address}/history")
    for number in (17, 3, 12):
        phone.locator(f"#e{number} a").tap()
        panel_is_below(phone, number)
    phone.locator("#repair .amend button[value='3']").tap()
    expect(phone.locator("#repair .preview")).to_be_visible()
    panel_is_below(phone, 12)
    phone.get_by_role("link", name="Back", exact=True).tap()
    phone.get_by_role("link", name="Remove").tap()
    expect(phone.locator("#repair .preview")).to_be_visible()


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_long_entries_stay_within_the_screen(new_phone: NewPhone, locale: str) -> None:
    phone = new_phone(locale=locale)
    names = [name.strip() for name in CROWD.split(",")]
    order = "order " + " ".join(f'"{name}"' for name in reversed(names))
    address = open_record(phone, CROWD, f"game continuous,{order},9,8,7,6,5,4,3,2,10")
    for number in (1, 9, 10):
        phone.goto(f"{address}/history?n={number}")
        expect(phone.locator("#repair")).to_be_visible()
        wide = "() => [...document.querySelectorAll('#history *')].filter(e => e.getBoundingClientRect().right > innerWidth)"
        assert phone.evaluate(f"({wide})().map(e => e.outerHTML.slice(0, 80))") == []
        cut = "() => [...document.querySelectorAll('#repair .btn, .line > .c')].filter(e => e.scrollWidth > e.clientWidth).length"
        assert phone.evaluate(cut) == 0
