"""A first game in a minute: three pictures, and a demonstration that the phone deals."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import expect

from companion.games import GAMES
from companion.table.table import Table
from companion.web.demo import next_card

from .conftest import NewPhone
from .table import log, state


def test_a_round_can_be_tried_without_a_deck(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto("/rules/pairs")
    expect(phone.locator(".strip li")).to_have_count(3)
    phone.get_by_role("button", name="Try it without a deck").tap()
    phone.wait_for_url("**/t/demo-*")
    expect(phone.locator(".bar")).to_contain_text("demonstration")
    expect(phone.locator(".keys")).to_have_count(0)
    expect(phone.locator(".again")).to_contain_text("Points are bad: whoever reaches 21 loses.")
    for version in range(1, 60):
        if state(phone)["phase"] == "play":
            break
        phone.get_by_role("button", name="Deal a card").tap()
        expect(phone.locator("#board")).not_to_have_attribute("data-version", str(version))
        phone.wait_for_timeout(420)  # a button that changed cannot be touched for a moment
    expect(phone.get_by_role("button", name="Draw a card")).to_be_visible()
    price = phone.locator("#board button[value=fold] .fig").inner_text()
    expect(phone.locator(".again")).to_contain_text(f"Fold: {price} for sure.")
    before = log(phone)
    assert len(before) >= 4  # the game, and a card for each of three players
    phone.locator("#board button[name=entry][value=fold]").tap()
    expect(phone.locator("#board")).to_contain_text("Deal a card")
    assert log(phone) == [*before, "fold"]
    # A demonstration is not listed among the tables of this phone.
    phone.goto("/")
    expect(phone.get_by_role("link", name="Resume")).to_have_count(0)
    expect(phone.get_by_role("button", name="Try it without a deck")).to_be_visible()
    phone.goto("/evenings")
    expect(phone.locator("main")).to_contain_text("No table yet")


def test_only_a_demonstration_deals_by_itself(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto("/")
    opened = phone.request.post("/tables", form={"game": "pairs", "seats": "3"})
    answer = phone.request.post(f"{opened.url}/turn-up", form={"version": "1"})
    assert answer.status == 404


def test_the_phone_deals_only_cards_that_are_left_and_shuffles_when_it_must() -> None:
    """In a whole game of drawing, no card comes more often than the deck has it, and no entry is refused."""
    table = Table.open(GAMES, ("You", "Ana", "Ben"), ["game pairs"])
    seen: Counter[str] = Counter()
    while table.state.phase != "game over":
        entries = next_card(table)
        seen.update(entries)
        table = table.enter(entries)
        assert sum(table.state.pile.unseen[value] for value in range(1, 11)) <= 55
    assert seen["10"] > seen["1"]
    # When the pile is empty, the shuffle comes first.
    cards = [value for value in range(1, 11) for _ in range(value)]
    empty = Table.open(GAMES, ("You", "Ana"), ["game pairs burn=54"])
    assert empty.state.pile.left == 1
    assert len(cards) == 55
    empty = empty.enter(next_card(empty))
    assert next_card(empty)[0] == "shuffle"
