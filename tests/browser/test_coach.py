"""The coach in a browser: its line loads after the board and moves nothing; the sheet and the report open."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.coach.walks import evening
from tests.known import EIGHT, PAIRS_8

from .conftest import NewPhone
from .table import open_record, tap
from .test_looks import FULL_BOARDS, boxes

BOARDS = {
    "pairs": FULL_BOARDS["pairs"],
    "pairs-long-names": FULL_BOARDS["pairs-long-names"],
    "continuous": FULL_BOARDS["continuous-long-names"],
    "port": FULL_BOARDS["port"],
    "rocket": FULL_BOARDS["rocket"],
    "blackstone": FULL_BOARDS["blackstone"],
    "hawthorn": ("Ana,Ben,Cleo,Dan,Eve,Finn", "game hawthorn,play 4,play 9,play 7,play 6,play 8,play 10,8"),
    "starboard": ("Ana,Ben", "game starboard,4,10"),
    "zombie": ("Ana,Ben", "game zombie,4,9,10,refuge,pass"),
}
KEYS = "#board .act > *, #board .key, #board .chip, #board .seat"


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_the_line_moves_no_key_and_fits_its_place(new_phone: NewPhone, locale: str) -> None:
    phone = new_phone(locale=locale)
    for names, entries in BOARDS.values():
        open_record(phone, names, entries)
        before = boxes(phone, KEYS)
        phone.locator("#board .ask").tap()
        link = phone.locator("#board .advice a")
        expect(link).to_be_visible()
        assert boxes(phone, KEYS) == before, entries
        assert phone.evaluate("document.documentElement.scrollHeight") == 640
        assert link.evaluate("e => e.scrollHeight <= e.clientHeight"), link.inner_text()
        for target in boxes(phone, "#board a"):
            assert target["height"] >= 48
            assert target["width"] >= 48


def test_the_line_loads_after_each_tap_if_it_is_shown_to_all(phone: Page) -> None:
    open_record(phone, "Ana,Ben,Cleo", "game pairs coach=all,5,8,9")
    line = phone.locator("#board .advice")
    expect(line).to_contain_text("Fold: 47%")
    tap(phone, "7")
    expect(line).to_contain_text("Ben")
    expect(line).to_have_attribute("data-version", phone.get_attribute("#board", "data-version") or "")


def test_a_late_answer_is_not_shown(phone: Page) -> None:
    """The answer for one board is held back until the next board is there."""
    open_record(phone, "Ana,Ben,Cleo", "game pairs,5,8,9")
    held: list[Route] = []
    phone.route("**/coach?*", lambda route: held.append(route))
    phone.locator("#board .ask").tap()
    expect(phone.locator("#board .ask")).to_have_class("btn bare ask htmx-request")
    dots = "getComputedStyle(document.querySelector('.ask'), '::after').content"
    phone.wait_for_function(f"() => {dots}.includes('…')")
    tap(phone, "7")
    held[0].continue_()
    phone.wait_for_load_state("networkidle")
    expect(phone.locator("#board .who")).to_have_text("Ben")
    expect(phone.locator("#board .advice")).to_have_count(0)


def test_the_explanation_opens_as_a_sheet_over_the_board(phone: Page) -> None:
    open_record(phone, EIGHT, PAIRS_8)
    phone.locator("#board .ask").tap()
    phone.locator("#board .advice a").tap()
    sheet = phone.locator("#sheet")
    expect(sheet).to_have_attribute("open", "")
    expect(sheet).to_contain_text("Where they come from")
    phone.go_back()
    expect(sheet).not_to_have_attribute("open", "")
    expect(phone.locator("#board .advice")).to_be_visible()


def test_the_report_continues_by_itself_until_it_is_finished(phone: Page) -> None:
    names = "Ana,Ben,Cleo"
    entries = [str(step.entry) for step in evening("pairs", 3, 150, seed=3).steps()]
    address = open_record(phone, names, ",".join(entries))
    phone.goto(f"{address}/luck")
    expect(phone.locator("#luck progress")).to_have_count(0, timeout=30_000)
    expect(phone.locator("#luck details")).to_have_count(2)
    phone.get_by_role("link", name="Costliest decision").tap()
    expect(phone.locator(".log .shown")).to_be_in_viewport()


def test_the_best_play_of_rocket_is_shown_when_opened(phone: Page) -> None:
    phone.goto("/lookup/rocket")
    phone.get_by_text("Best play").tap()
    expect(phone.locator(".best")).to_contain_text("7, 8, 9 and 10")
    expect(phone.locator(".best")).to_contain_text("3.38%", timeout=30_000)
