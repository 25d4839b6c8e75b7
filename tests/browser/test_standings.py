"""Evenings, standings and people on a small phone: 8 people, 60 evenings."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import cycle
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import NewPhone
from .phones import BrowserPhones

PEOPLE = ("Ana", "Benoît", "Ben", "Cléo", "Maximilian-Alexander", "Wilhelmina", "Gus", "Hannah")
EVENINGS = 60
# Links and buttons that are smaller than a finger.
SMALL = """() => [...document.querySelectorAll("main :is(a, button, select, summary, input:not([type=hidden]))")]
  .filter((one) => one.getClientRects().length)
  .filter((one) => one.getBoundingClientRect().height < 44 || one.getBoundingClientRect().width < 44)
  .map((one) => one.textContent.trim())"""
# What is cut off, or sticks out of its panel.
CUT = """() => [...document.querySelectorAll("main :is(td, th)")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.trim())"""
OUT = """() => [...document.querySelectorAll(".panel *")].filter((one) =>
  one.getBoundingClientRect().right > one.closest(".panel").getBoundingClientRect().right).map((one) => one.outerHTML)"""


def season() -> str:
    """A file of 60 evenings of score-only games, a week apart."""
    losers, winners = cycle(PEOPLE), cycle(PEOPLE[3:])
    evenings = []
    for number in range(EVENINGS):
        day = date(2026, 11, 12) - timedelta(weeks=EVENINGS - number)
        lost, won = next(losers), next(winners)
        evenings.append(
            f"fifty-five 1\n# played {day}T21:00:00+00:00\nseats {' '.join(PEOPLE)}\n"
            f"game pairs cards=no limit=5 stakes=norland\nscore {lost} 5\n"
            f"game zombie cards=no goal=5\nscore {won} 5\n" + (f'title "The Anchor {number}"\n' if number % 3 else "")
        )
    return "\n".join(evenings)


@pytest.fixture(scope="module")
def cookies(phones: BrowserPhones) -> list[Any]:
    """The cookie of a phone with the season."""
    phone = phones.take(False, {})
    answer = phone.request.post("/import", form={"record": season(), "id": f"form-{token_hex(10)}"})
    assert answer.ok, answer.text()
    return list(phone.context.cookies())


@pytest.fixture
def regulars(new_phone: NewPhone, cookies: list[Any]) -> Page:
    phone = new_phone(viewport={"width": 360, "height": 640})
    phone.context.add_cookies(cookies)
    return phone


def fits(phone: Page) -> None:
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    assert phone.evaluate(SMALL) == []
    assert phone.evaluate(CUT) == []
    assert phone.evaluate(OUT) == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_fits_a_small_phone(regulars: Page, language: str) -> None:
    regulars.request.post("/settings", form={"language": language})
    regulars.goto("/evenings")
    expect(regulars.locator(".nights li")).to_have_count(8)
    fits(regulars)
    regulars.locator("a.tile.lead").tap()
    expect(regulars.locator(".standings tbody tr")).to_have_count(len(PEOPLE))
    fits(regulars)
    regulars.get_by_role("link", name="Maximilian-Alexander").tap()
    expect(regulars.locator("svg.chart")).to_be_visible()
    regulars.locator("details > summary").last.tap()
    fits(regulars)
    regulars.goto("/evenings?hidden=")
    fits(regulars)
    regulars.goto("/standings/share")
    fits(regulars)


def test_another_game_and_another_time_by_a_tap(regulars: Page) -> None:
    regulars.goto("/standings")
    expect(regulars.get_by_role("columnheader", name="won")).to_be_visible()
    regulars.get_by_label("Which game").select_option("pairs")
    expect(regulars.get_by_role("columnheader", name="won")).to_have_count(0)
    assert regulars.url.endswith("?game=pairs")
    expect(regulars.locator(".bar p")).to_have_text("Pairs, all evenings")
    regulars.get_by_role("link", name="This month").tap()
    expect(regulars.locator(".bar p")).to_contain_text("Pairs, since 1 ")


def test_ben_is_benoit_in_one_tap_and_no_longer_in_another(regulars: Page) -> None:
    regulars.goto("/standings/person?name=Ben")
    regulars.get_by_role("button", name="Ben is Benoît").tap()
    expect(regulars.locator(".bar h1")).to_have_text("Benoît")
    regulars.goto("/standings")
    expect(regulars.locator(".standings tbody tr")).to_have_count(len(PEOPLE) - 1)
    regulars.get_by_role("link", name="Benoît").tap()
    regulars.get_by_role("button", name="No longer").tap()
    expect(regulars.get_by_role("button", name="Benoît is Ben")).to_be_visible()
    regulars.goto("/standings")
    expect(regulars.locator(".standings tbody tr")).to_have_count(len(PEOPLE))


def test_out_of_sight_and_back_by_taps(regulars: Page) -> None:
    regulars.goto("/evenings")
    first = regulars.locator(".nights b").first.inner_text()
    assert first == "The Anchor 59"
    regulars.get_by_role("button", name="Take it out of sight").first.tap()
    expect(regulars.get_by_role("status")).to_contain_text("Out of sight: The Anchor 59")
    expect(regulars.locator(".nights b").first).to_have_text("The Anchor 58")
    regulars.get_by_role("link", name="Out of sight (1)").tap()
    regulars.get_by_role("button", name="Bring it back").tap()
    expect(regulars.locator(".nights b").first).to_have_text("The Anchor 59")


def test_an_evening_is_found_by_its_place(regulars: Page) -> None:
    regulars.goto("/evenings")
    regulars.get_by_role("searchbox").fill("anchor 13")
    regulars.get_by_role("button", name="Search").tap()
    expect(regulars.locator(".nights li")).to_have_count(1)
    regulars.locator(".nights a").last.tap()
    expect(regulars.locator("#board")).to_be_visible()
