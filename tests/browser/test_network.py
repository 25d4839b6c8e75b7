"""On a bad line a tap is shown at once as not yet entered, and is never lost or doubled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import NewPhone, Server
from .network import Line
from .table import log, new_table, tap

SLOW = 1.8  # seconds, as in the cellar of a pub
SAME_KEY = 350  # ms after which the same key counts as another tap


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    with Line(server.port) as between:
        yield between


@pytest.fixture
def phone(new_phone: NewPhone, line: Line) -> Page:
    return new_phone(base_url=line.address)


def key(page: Page, value: int) -> Locator:
    return page.locator(f"#board button[data-card='{value}']")


def ghost(page: Page) -> Locator:
    """The waiting tap, in the seat that gets the next card."""
    return page.locator("#board .stack[data-lands] .ghost")


def link(page: Page) -> Locator:
    return page.locator("#link")


def test_a_slow_tap_is_a_ghost_at_once_and_named_in_the_bar_after_a_second(phone: Page, line: Line) -> None:
    new_table(phone, 3)
    line.delay = SLOW
    key(phone, 8).tap()
    assert ghost(phone).inner_text() == "8", "at once"
    assert link(phone).inner_text() == "live"
    key(phone, 9).tap()
    assert ghost(phone).inner_text().split() == ["8", "+1"]
    expect(link(phone)).to_have_text("sending 2…")
    # Once the 8 is entered, the ghost is the 9 at the next seat.
    expect(phone.locator(".seat").nth(0).locator(".card")).to_have_text(["8"])
    assert phone.locator(".seat").nth(1).locator(".ghost").inner_text() == "9"
    line.delay = 0
    expect(phone.locator("#board")).to_have_attribute("data-version", "3")
    expect(phone.locator(".ghost")).to_have_count(0)
    expect(link(phone)).to_have_text("live")
    assert log(phone) == ["game pairs", "8", "9"]


def test_a_waiting_fold_is_shown_in_the_place_of_the_last_entry(phone: Page, line: Line) -> None:
    new_table(phone, 2)
    for value in ("7", "3", "9"):
        tap(phone, value)
    line.hold()
    phone.locator("#board button[value=fold]").tap()
    assert phone.locator(".did .ghost").inner_text() == "Fold"
    line.let_go()
    expect(phone.locator("#board")).to_have_attribute("data-version", "5")
    expect(phone.locator(".did .ghost")).to_have_count(0)


@pytest.mark.parametrize(("answer", "entered"), [("No", ["8"]), ("Yes", ["8", "8"])])
def test_tapping_a_waiting_key_again_asks_for_confirmation(
    phone: Page, line: Line, answer: str, entered: list[str]
) -> None:
    new_table(phone, 3)
    line.hold()
    key(phone, 8).tap()
    phone.wait_for_timeout(SAME_KEY)
    key(phone, 8).tap()
    expect(phone.get_by_role("dialog")).to_contain_text("Another 8?")
    phone.get_by_role("button", name=answer, exact=True).tap()
    expect(phone.get_by_role("dialog")).to_have_count(0)
    line.let_go()
    expect(phone.locator("#board")).to_have_attribute("data-version", str(1 + len(entered)))
    expect(ghost(phone)).to_have_count(0)
    assert log(phone)[1:] == entered


def test_a_tap_without_an_answer_times_out_and_is_sent_again(phone: Page, line: Line) -> None:
    new_table(phone, 3)
    play = phone.locator("#play")
    expect(play).to_have_attribute("hx-request", '"timeout":8000')
    play.evaluate("(form) => form.setAttribute('hx-request', '\"timeout\":400')")  # shorter for the test
    line.hold()
    key(phone, 8).tap()
    expect(link(phone)).to_contain_text("no answer")
    line.let_go()
    expect(phone.locator("#board")).to_have_attribute("data-version", "2")
    expect(link(phone)).to_have_text("live")
    assert log(phone) == ["game pairs", "8"]


def test_waiting_taps_survive_another_page_and_a_reload(phone: Page, line: Line, server: Server) -> None:
    address = new_table(phone, 3)
    line.loses_answers = True  # the 8 is entered, but its answer is lost
    key(phone, 8).tap()
    key(phone, 9).tap()
    expect(link(phone)).to_contain_text("no answer")
    line.loses_answers = False
    line.hold()
    phone.goto(f"{server.address}/rules")
    line.cut()
    line.mend()
    line.let_go()
    phone.goto(address)
    expect(phone.locator("#board")).to_have_attribute("data-version", "3")
    phone.reload()
    assert log(phone) == ["game pairs", "8", "9"]


def test_a_waiting_tap_that_no_longer_fits_is_named_and_not_entered(phone: Page, line: Line, server: Server) -> None:
    address = new_table(phone, 3)
    line.loses_answers = True  # the 8 is entered, but its answer is lost; the 9 waits
    key(phone, 8).tap()
    key(phone, 9).tap()
    expect(link(phone)).to_contain_text("no answer")
    line.hold()
    line.loses_answers = False
    other = phone.context.new_page()  # another tab of the same phone, on a better line
    other.goto(address.replace(line.address, server.address))
    tap(other, "5")
    line.let_go()
    # The 9 was meant to follow the 8, but now a 5 does.
    expect(phone.get_by_role("alert")).to_contain_text("Not entered: 9.")
    expect(ghost(phone)).to_have_count(0)
    assert log(other) == ["game pairs", "8", "5"]


def test_without_an_answer_the_keys_look_disabled(phone: Page, line: Line) -> None:
    new_table(phone, 3)
    expect(key(phone, 9)).to_have_css("border-style", "solid")
    line.cut()
    key(phone, 8).tap()
    expect(link(phone)).to_have_text("no answer, trying again (1)")
    expect(key(phone, 9)).to_have_css("border-style", "dashed")
    key(phone, 9).tap()  # this tap is kept and counted
    expect(link(phone)).to_have_text("no answer, trying again (2)")
    line.mend()
    expect(phone.locator("#board")).to_have_attribute("data-version", "3", timeout=20_000)
    expect(key(phone, 9)).to_have_css("border-style", "solid")
    assert log(phone) == ["game pairs", "8", "9"]
