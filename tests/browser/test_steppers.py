"""Steppers and tabs of the quick reference: as a page, and as a sheet over the board."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .conftest import NewPhone
from .table import open_record

BETWEEN_TAPS = 200  # ms: a thumb in a hurry
ROCKET = "game rocket bet=50, 8, 5, 10, 7"
STARBOARD = "game starboard, 4, 9, 8, 7"
BLACKSTONE = "game blackstone, 6, 10, 4, 8"


def open_over_the_board(phone: Page, entries: str, tab: str) -> None:
    """Open the quick reference from the menu, and choose a tab."""
    open_record(phone, "Ana, Ben, Cleo, Dan", entries)
    phone.get_by_role("link", name="Menu").tap()
    phone.locator("#sheet").get_by_role("link", name="Quick reference").tap()
    phone.locator("#sheet .tabs").get_by_role("link", name=tab, exact=True).tap()
    expect(phone.locator("#sheet .tabs [aria-current]")).to_have_text(tab)


def hurry(phone: Page, label: str, taps: int) -> None:
    """Tap one spot several times, without a look at the page in between."""
    phone.wait_for_timeout(500)  # a control that just appeared takes no touch
    box = phone.get_by_label(label).bounding_box()
    assert box
    for _ in range(taps):
        phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        phone.wait_for_timeout(BETWEEN_TAPS)


@pytest.mark.parametrize(
    ("entries", "tab", "label", "figure"),
    [
        # A bet of 50, three steps of 10 further: an 8 is worth 8 tenths of 80.
        (ROCKET, "Rocket", "Bet: more", ("80", "[data-out='bets:8']", "64")),
        # Four antes and two cards drawn; with three more chips three winners share 9.
        (STARBOARD, "Starboard", "Pot: more", ("9", "#figures tbody tr:nth-child(3) b", "3")),
        # Three of the four first cards are white; with six stones a pass costs 5 and 3.
        (BLACKSTONE, "Blackstone", "White stones: more", ("6", "[data-out='fines:1']", "8")),
    ],
)
def test_three_quick_taps_are_three_steps(
    new_phone: NewPhone, entries: str, tab: str, label: str, figure: tuple[str, str, str]
) -> None:
    stepped, where, shown = figure
    for over_the_board in (True, False):
        phone = new_phone(guarded=True)
        if over_the_board:
            open_over_the_board(phone, entries, tab)
        else:
            address = open_record(phone, "Ana, Ben, Cleo, Dan", entries)
            phone.goto(f"/lookup/{tab.lower()}?table={address.rpartition('/')[2]}")
        hurry(phone, label, 3)
        expect(phone.locator("output").first).to_have_text(stepped)
        expect(phone.locator(where).first).to_have_text(shown)


@pytest.mark.parametrize("tab", ["Rocket", "Zombie Life"])
def test_the_chosen_tab_is_in_sight_and_the_title_names_it(new_phone: NewPhone, tab: str) -> None:
    phone = new_phone()
    open_over_the_board(phone, ROCKET, tab)
    expect(phone.locator("#sheet h1")).to_contain_text(tab)
    expect(phone.locator("#sheet")).to_have_attribute("aria-label", f"Quick reference: {tab}")
    expect(phone.locator("#sheet .tabs [aria-current]")).to_be_in_viewport(ratio=1)


def test_the_tab_is_in_sight_when_the_board_opens_it(new_phone: NewPhone) -> None:
    phone = new_phone()
    open_record(phone, "Ana, Ben, Cleo, Dan", ROCKET)
    phone.locator("a.risk").tap()
    chosen = phone.locator("#sheet .tabs [aria-current]")
    expect(chosen).to_have_text("Rocket")
    expect(chosen).to_be_in_viewport(ratio=1)
    hurry(phone, "Bet: more", 3)
    expect(phone.locator("#sheet output")).to_have_text("80")
    expect(chosen).to_be_in_viewport(ratio=1)
