"""The look-up pages during a round, in both languages; and the settings of the home page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion.web.games import lookups

from .conftest import NewPhone, Server
from .table import new_table, open_record, play, tap

BLACKSTONE = "game blackstone,6,10,4,10,take 2,whites,take 2,whites,take 3,white,10,white,take 3,whites,take 3,white,white,10,pass"
NAMES = "Ana,Ben,Cleo,Dan"


def test_blackstones_fines_are_on_the_board_and_the_full_table_is_one_tap_away(phone: Page) -> None:
    phone.set_viewport_size({"width": 390, "height": 844})  # with less room only the buttons show the fines
    address = open_record(phone, NAMES, BLACKSTONE)
    # With 13 white stones the fines are 5 + 7 and 5 + 13, shown without a tap.
    expect(phone.locator(".fines")).to_contain_text("12")
    expect(phone.locator(".fines")).to_contain_text("18")
    phone.locator("a.fines").tap()
    expect(phone.locator("#sheet")).to_be_visible()
    expect(phone.locator("[data-out='fines:1']")).to_have_text("12")
    expect(phone.locator("output").first).to_have_text("13")
    phone.go_back()
    phone.wait_for_url(address)
    tap(phone, "take 3")


def test_rockets_cost_of_folding_is_on_the_board_and_payouts_are_one_tap_away(phone: Page) -> None:
    address = open_record(phone, "Ana,Ben,Cleo", "game rocket bet=30,bet Ben 50,8,5,6")
    # Ben bets 50 and has an 8 against the dealer's 6: folding costs 5 x 6.
    expect(phone.locator("#board .main .fig")).to_have_text("−30")
    phone.locator("a.risk").tap()
    expect(phone.locator("#sheet")).to_be_visible()
    expect(phone.locator("output")).to_have_text("50")
    expect(phone.locator("[data-out='bets:6']")).to_have_text("30")
    phone.go_back()
    phone.wait_for_url(address)


def test_open_look_up_pages_still_work_when_the_server_has_stopped(phone: Page, server: Server) -> None:
    phone.goto("/lookup/blackstone?white=15&held=1&black=6")
    other = phone.context.new_page()
    other.goto("/lookup/rocket?bet=20")
    third = phone.context.new_page()
    third.goto("/lookup/odds?ask=1&s7=1")
    third.wait_for_function("() => document.forms[0]['htmx-internal-data']")  # htmx loads a moment after the page
    server.stop()
    try:
        phone.get_by_label("White stones: more").tap()
        expect(phone.locator("[data-out='fines:1']")).to_have_text("13")  # 16 stones: 5 + 8
        expect(phone.locator("[data-out='fines:2']")).to_have_text("21")
        phone.get_by_label("Black unseen: less").tap()
        # 29 white and 5 black stones are unseen, and one is held: the first is black in 5 of 34 cases.
        expect(phone.locator("[data-second] tbody tr").first).to_contain_text("15%")
        other.get_by_label("Bet: more").tap()
        expect(other.locator("[data-out='bets:10']")).to_have_text("30")
        expect(other.locator("[data-out='bets:3']").first).to_have_text("9")
        third.locator("label", has=third.locator("input[name=s5]")).tap()
        expect(third.locator("#answer")).to_contain_text("needs the server")
    finally:
        server.start()


def test_steppers_work_without_javascript(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    phone.goto("/lookup/blackstone?white=15")
    phone.get_by_label("White stones: more").tap()
    expect(phone.locator("[data-out='fines:2']")).to_have_text("21")


def test_the_browser_chooses_the_language_and_the_reader_may_change_it(new_phone: NewPhone) -> None:
    phone = new_phone(locale="fr-FR")
    phone.goto("/")
    expect(phone.locator("html")).to_have_attribute("lang", "fr")
    expect(phone.get_by_role("link", name="Nouvelle table")).to_be_visible()
    new_table(phone, 4)
    play(phone, "7,3,9,5")
    expect(phone.locator("#board .main small")).to_have_text("Se coucher")
    expect(phone.locator("#board .key .p").nth(9)).to_have_text("20\u202f%")
    phone.goto("/")
    phone.locator(".settings summary").tap()
    phone.get_by_role("button", name="English").tap()
    expect(phone.get_by_role("link", name="New table")).to_be_visible()
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("lang", "en")


def test_names_used_before_are_offered(phone: Page) -> None:
    phone.goto("/new")
    phone.fill("input[name=name-0]", "Ana")
    phone.fill("input[name=name-1]", "Benoît")
    phone.click("button[name=seats][value='2']")
    phone.wait_for_url("**/t/*")
    phone.goto("/new")
    expect(phone.locator("input[name=name-1]")).to_have_value("Benoît")
    phone.fill("input[name=name-0]", "Zoë")
    phone.fill("input[name=name-1]", "Yann")
    phone.click("button[name=seats][value='2']")
    phone.wait_for_url("**/t/*")
    phone.goto("/new")
    phone.get_by_role("button", name="Benoît").tap()
    expect(phone.locator("input[name=name-2]")).to_have_value("Benoît")


def test_theme_and_hand_are_remembered(phone: Page) -> None:
    phone.goto("/")
    phone.locator(".settings summary").tap()
    for name in ("light", "left"):
        phone.get_by_role("button", name=name).tap()
        expect(phone.locator(".settings summary")).to_contain_text(name)
    new_table(phone, 3)
    play(phone, "7,3,9")
    assert phone.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    fold = phone.locator("#board .act .main").bounding_box()
    undo = phone.locator("#board button[name=undo]").bounding_box()
    assert fold
    assert undo
    assert undo["x"] < fold["x"], "the action row is mirrored"


def test_tabs_keep_their_order_and_the_open_one_is_in_sight(phone: Page) -> None:
    """The last tab is beyond the edge until it is opened. This holds on a page and over a board."""
    orders = set()
    for tab in ("pairs", "blackstone", "odds"):
        phone.goto(f"/lookup/{tab}")
        tabs = phone.locator(".tabs .btn")
        orders.add(tuple(tabs.all_inner_texts()))
        expect(phone.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)
    assert len(orders) == 1
    open_record(phone, "Ana, Ben", "game blackstone, 4, 6")
    phone.goto(f"{phone.url}/menu")
    phone.get_by_role("link", name="Quick reference").tap()
    expect(phone.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)


def test_every_page_has_a_link_back_to_the_table(phone: Page) -> None:
    address = open_record(phone, "Ana, Ben, Cleo", "game pairs, 7, 9, 3")
    phone.goto(f"{address}/menu")
    pages = phone.locator("#menu a.tile").evaluate_all("links => links.map((link) => link.href)")
    phone.goto(f"{address}/others")
    pages += phone.locator("#others a.tile").evaluate_all("links => links.map((link) => link.href)")
    assert len(pages) >= 10
    for page in (*pages, f"/rules?table={address.split('/t/')[1]}"):
        phone.goto(page)
        backs = phone.locator("header.bar a").evaluate_all("links => links.map((link) => link.href)")
        assert address in backs, page
    phone.locator("a.game", has_text="Rocket").tap()
    phone.get_by_role("link", name="Back to the table").tap()
    phone.wait_for_url(address)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_an_answer_is_in_sight_without_scrolling(new_phone: NewPhone, language: str) -> None:
    phone = new_phone(locale=language, viewport={"width": 360, "height": 553})
    for tab in lookups():
        phone.goto(f"/lookup/{tab}")
        for answer in phone.locator(".huge, #answer").all():
            expect(answer).to_be_in_viewport(ratio=1)
        beyond = "(tables) => tables.filter((table) => table.offsetWidth > table.parentElement.clientWidth).length"
        assert phone.locator("section.panel > table").evaluate_all(beyond) == 0, f"{tab}: wider than its panel"
    phone.goto("/lookup/odds")
    phone.wait_for_function("() => document.forms[0]['htmx-internal-data']")
    phone.locator("label", has=phone.locator("input[name=s10]")).tap()
    # The deck of 55 has ten 10s, and one of them is in the stack: 9 of 54 pair.
    expect(phone.locator("#answer .huge")).to_have_text(re.compile(r"^17\s?%$"))
    expect(phone.locator("#answer")).to_be_in_viewport(ratio=1)
    expect(phone.locator("label", has=phone.locator("input[name=s10]"))).to_be_in_viewport()


def test_how_likely_is_a_nine_and_how_likely_is_a_pair(phone: Page) -> None:
    """Of 55 cards nine are 9s. With a 7 in the stack, and three 10s seen elsewhere, 51 are unseen: six 7s, seven 10s."""
    phone.goto("/lookup/odds")
    phone.wait_for_function("() => document.forms[0]['htmx-internal-data']")
    expect(phone.locator("#next-9")).to_have_text(re.compile(r"^16\s?%$"))
    expect(phone.locator("#answer .huge")).to_have_text("–")
    mine = phone.locator("label", has=phone.locator("input[name=s7]"))
    mine.tap()
    expect(phone.locator("#answer .huge")).to_have_text(re.compile(r"^11\s?%$"))
    more = phone.get_by_role("button", name="10s seen elsewhere: more")
    for _ in range(3):  # every tap counts, however fast
        more.tap()
    expect(phone.locator("#next-10")).to_have_text(re.compile(r"^14\s?%$"))
    expect(phone.locator("#answer .huge")).to_have_text(re.compile(r"^12\s?%$"))
    expect(phone.get_by_text("on average +0.8")).to_be_visible()  # 7 points in 6 of 51 cases
    mine.tap()
    expect(phone.locator("#answer .huge")).to_have_text("–")
    expect(phone.locator("#next-7")).to_have_text(re.compile(r"^13\s?%$"))  # seven of 52
    phone.get_by_role("button", name="10s seen elsewhere: less").tap()
    expect(phone.locator("#next-10")).to_have_text(re.compile(r"^15\s?%$"))  # eight of 53


def test_without_javascript_the_card_keys_are_a_form(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    phone.goto("/lookup/odds")
    phone.locator("label", has=phone.locator("input[name=s7]")).tap()
    phone.get_by_role("button", name="10s seen elsewhere: more").tap()
    expect(phone.locator("#answer .huge")).to_have_text(re.compile(r"^11\s?%$"))  # six of 53
    expect(phone.locator("#next-10")).to_have_text(re.compile(r"^17\s?%$"))  # nine of 53
