"""The set-up page: each game shows its own options."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .conftest import NewPhone
from .table import log, open_record, state


def test_a_chosen_game_shows_its_own_options(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto("/new")
    phone.locator("label", has_text="Rocket").tap()
    phone.locator("summary.opts").tap()
    expect(phone.get_by_label("First bet")).to_be_visible()
    expect(phone.get_by_label("Limit")).to_have_count(0)
    phone.locator("label", has_text="Port").tap()
    expect(phone.get_by_label("Goal")).to_be_visible()
    expect(phone.get_by_label("First bet")).to_have_count(0)


def test_without_javascript_a_button_shows_the_options(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    phone.goto("/new")
    phone.locator("label", has_text="Rocket").tap()
    phone.locator("summary.opts").tap()
    phone.get_by_role("button", name="Options for the chosen game").tap()
    phone.locator("summary.opts").tap()
    expect(phone.get_by_label("First bet")).to_be_visible()
    phone.get_by_label("First bet").fill("50")
    phone.get_by_role("button", name="3", exact=True).tap()
    expect(phone.locator("#board")).to_contain_text("bet 50")


def test_options_are_summed_up_in_a_line_that_opens(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto("/new")
    line = phone.locator("summary.opts")
    expect(line).to_contain_text("Forfeit · 5 burned · odds on")
    line.tap()
    phone.get_by_label("Limit").fill("16")
    expect(phone.get_by_label("Tacoma amount")).to_have_count(0)  # it does not count yet
    phone.get_by_label("Stakes").select_option("tacoma")
    expect(phone.get_by_label("Tacoma amount")).to_be_visible()
    expect(phone.get_by_label("The forfeit")).to_have_count(0)
    phone.get_by_text("More options").tap()
    phone.get_by_label("Cards burned").fill("3")
    phone.get_by_label("Show the odds").select_option("off")
    expect(line).to_contain_text("limit 16")
    expect(line).to_contain_text("Tacoma · amount 6")
    expect(line).to_contain_text("3 burned")
    expect(line).to_contain_text("no odds")
    phone.locator("label", has_text="Rocket").tap()
    expect(line).to_contain_text("1 deck")
    expect(line).not_to_contain_text("limit")
    expect(line).to_contain_text("odds on")
    phone.get_by_label("First bet").fill("20")
    phone.get_by_role("button", name="3", exact=True).tap()
    phone.wait_for_url("**/t/*")
    assert log(phone) == ["game rocket bet=20"]  # what was set for Pairs holds for no other game


def test_the_next_game_begins_with_the_options_of_this_one(phone: Page) -> None:
    address = open_record(phone, "Ana, Ben", "game pairs stakes=seattle limit=11 burn=2, 7, 3")
    phone.goto(f"{address}/game")
    expect(phone.locator("summary.opts")).to_contain_text("limit 11 · Seattle · 2 burned")
    phone.locator("summary.opts").tap()
    # Two names of one thing are offered once.
    expect(phone.get_by_label("Stakes").locator("option:checked")).to_have_text(
        "the loser pays 1 to each · Downspear, Seattle"
    )
    phone.get_by_label("Stakes").select_option("tacoma")
    phone.get_by_role("button", name="Start this game").tap()
    phone.wait_for_url("**/t/*")
    assert log(phone)[-1] == "game pairs limit=11 stakes=tacoma burn=2"


def test_hawthorn_for_seven_takes_two_decks_by_itself(phone: Page) -> None:
    phone.goto("/new")
    phone.locator("label", has_text="Hawthorn").tap()
    phone.locator("summary.opts").tap()
    expect(phone.get_by_label("Decks, two for 7 or 8 players")).to_be_visible()
    phone.get_by_role("button", name="7", exact=True).tap()
    phone.wait_for_url("**/t/*")
    assert log(phone) == ["game hawthorn decks=2"]


def test_with_more_names_than_seats_the_page_asks_who_plays(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto("/new")
    for place, name in enumerate(("Ana", "Ben", "Cleo", "Dan", "Eve")):
        phone.locator(f"input[name=name-{place}]").fill(name)
    phone.get_by_role("button", name="4", exact=True).tap()
    expect(phone.get_by_role("alert")).to_contain_text("You typed 5 names and tapped 4: who is playing?")
    phone.get_by_role("button", name="Ana, Ben, Cleo, Dan, Eve", exact=True).tap()
    phone.wait_for_url("**/t/*")
    assert len(state(phone)["seats"]) == 5
    phone.goto("/new")  # the names are still there; type one more
    phone.locator("input[name=name-5]").fill("Flo")
    phone.get_by_role("button", name="4", exact=True).tap()
    phone.get_by_role("button", name="only Ana, Ben, Cleo, Dan").tap()
    phone.wait_for_url("**/t/*")
    assert [seat["name"] for seat in state(phone)["seats"]] == ["Ana", "Ben", "Cleo", "Dan"]
    phone.goto("/new")  # six names from last time, but none typed, so the page does not ask
    phone.get_by_role("button", name="3", exact=True).tap()
    phone.wait_for_url("**/t/*")
    assert [seat["name"] for seat in state(phone)["seats"]] == ["Ana", "Ben", "Cleo"]
    phone.goto("/new")
    expect(phone.locator("input[name=name-5]")).to_have_value("Flo")


def test_only_player_counts_that_the_game_allows_can_be_tapped(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto("/new")
    eight = phone.get_by_role("button", name="8", exact=True)
    expect(eight).to_be_in_viewport(ratio=1)
    expect(phone.locator(".pick [aria-current]")).to_have_count(0)  # nothing is chosen yet
    phone.locator("label", has_text="Rocket").tap()
    expect(eight).to_be_disabled()
    phone.locator("label", has_text="Blackstone").tap()
    expect(eight).to_be_enabled()


def test_the_options_show_their_defaults(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto("/new")
    phone.locator("summary.opts").tap()
    expect(phone.get_by_label("Limit")).to_have_attribute("placeholder", "by number of players")
    expect(phone.get_by_label("Stakes").locator("option:checked")).to_have_text("the loser owes a forfeit")
    expect(phone.get_by_label("Cards burned")).to_be_hidden()
    phone.get_by_text("More options").tap()
    expect(phone.get_by_label("Cards burned")).to_have_attribute("placeholder", "5 (default)")


def test_score_only_has_its_own_tile(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto("/new")
    phone.locator("label", has_text="Points only").tap()
    phone.get_by_role("button", name="3", exact=True).tap()
    expect(phone.locator("#board .keys")).to_have_count(0)
    phone.locator(".seat").nth(1).tap()
    phone.get_by_role("button", name="8", exact=True).tap()
    expect(phone.locator("#board")).to_have_attribute("data-version", "2")
    assert log(phone) == ["game pairs cards=no", "score B 8"]


def test_the_tiles_stay_in_place_when_another_game_is_chosen(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto("/new")
    heights = "() => [...document.querySelectorAll('.tile.game')].map((tile) => tile.offsetHeight)"
    before = phone.evaluate(heights)
    phone.locator(".tile.game").nth(3).tap()
    expect(phone.locator(".tile.game").nth(3).locator("input")).to_be_checked()
    assert phone.evaluate(heights) == before
