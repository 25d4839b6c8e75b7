"""Hidden cards on a player's own phone: they change the odds, and are never sent."""

from __future__ import annotations

from playwright.sync_api import Request, expect

from .conftest import NewPhone
from .table import open_record

RECORD = "fifty-five 1\nseats Ana Ben Cleo\ngame hawthorn\nplay 4\nplay 7\nplay 9\n"


def test_a_players_own_cards_count_and_never_leave_the_phone(new_phone: NewPhone) -> None:
    dealer, ben = new_phone(), new_phone()
    dealer.goto("/import")
    dealer.fill("textarea", RECORD)
    dealer.get_by_role("button", name="Open the table").click()
    dealer.locator("#board").wait_for()
    ben.goto(dealer.url)
    ben.get_by_role("button", name="Ben").click()
    ben.get_by_role("link", name="My hand").click()
    # Without the hand, 52 cards are unseen, six of them 7s.
    expect(ben.locator(".counted")).to_have_text("6 of 52 cards you have not seen")
    expect(ben.locator(".risk")).to_have_text("12%")
    asked: list[Request] = []
    ben.on("request", lambda request: asked.append(request))
    for card in ("7", "10", "10", "2"):
        ben.get_by_role("button", name=card, exact=True).click()
    # Ben's own 7 and three other cards are not in the deck: five of 48.
    expect(ben.locator(".counted")).to_have_text("5 of 48 cards you have not seen")
    expect(ben.locator(".risk")).to_have_text("10%")
    with ben.expect_response(lambda answer: answer.url.endswith("/hand")):
        pass  # the next poll keeps the entered cards
    expect(ben.locator("#mine li")).to_have_count(4)
    ben.reload()
    expect(ben.locator(".counted")).to_have_text("5 of 48 cards you have not seen")
    ben.get_by_role("button", name="Remove the 7").click()
    expect(ben.locator(".counted")).to_have_text("6 of 49 cards you have not seen")
    requests = [
        (request.method, request.url.partition("/t/")[2].partition("/")[2], request.post_data) for request in asked
    ]
    assert {(method, page, body) for method, page, body in requests if page} == {("GET", "hand", None)}


def test_in_pirates_inn_a_players_own_cards_change_what_a_challenge_risks(new_phone: NewPhone) -> None:
    ben = new_phone()
    open_record(ben, "Ana, Ben, Cleo", "game inn, play 4, play 7, play 9, attack 10 Cleo")
    watching = new_phone()
    watching.goto(ben.url)
    watching.get_by_role("button", name="Ben").click()
    watching.get_by_role("link", name="My hand").click()
    # 51 cards are unseen: eight 9s and nine 10s would pair Cleo's row, three 4s Ana's.
    expect(watching.locator("tr", has_text="Ana").locator(".risk")).to_have_text("6%")
    expect(watching.locator("tr", has_text="Cleo").locator(".risk")).to_have_text("33%")
    for card in ("10", "9"):
        watching.get_by_role("button", name=card, exact=True).click()
    # Fifteen and three of 49.
    expect(watching.locator("tr", has_text="Cleo").locator(".risk")).to_have_text("31%")
    expect(watching.locator("tr", has_text="Ana").locator(".risk")).to_have_text("6%")
