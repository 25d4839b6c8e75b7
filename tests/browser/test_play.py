"""A dealer enters whole games on a phone, with as few taps as possible."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .conftest import NewPhone, Server
from .table import chips, log, new_table, open_record, play, points, state, tap, version


def test_first_visit_to_first_card_is_three_taps(phone: Page) -> None:
    phone.goto("/")
    phone.get_by_role("link", name="New table").tap()
    phone.get_by_role("button", name="4", exact=True).tap()
    tap(phone, "7")
    assert log(phone) == ["game pairs", "7"]


def test_a_new_evening_with_the_same_game_is_two_taps(phone: Page) -> None:
    new_table(phone, 3, "pairs", stakes="tacoma", sum="4")
    phone.goto("/")
    phone.get_by_role("button", name="New table, same people").tap()
    phone.wait_for_url("**/t/*")
    tap(phone, "7")
    assert log(phone) == ["game pairs stakes=tacoma sum=4", "7"]


def test_resume_is_one_tap(phone: Page) -> None:
    address = new_table(phone, 3)
    tap(phone, "7")
    phone.goto("/")
    phone.get_by_role("link", name="Resume").tap()
    phone.wait_for_url(address)
    assert log(phone) == ["game pairs", "7"]


def test_a_game_of_pairs_takes_one_tap_for_each_card_and_fold(phone: Page) -> None:
    """The game has a tie, a replaced pair, a shuffle in the middle of a round (entered by the app) and stakes."""
    new_table(phone, 4, "pairs", stakes="tacoma", limit="9", burn="40")
    # A 3, B 9, C 3, D 8 is a tie at 3. A gets a 3, which pairs and is replaced by a 5; C gets a 7. A starts.
    taps = play(phone, "3,9,3,8")
    expect(phone.locator(".do")).to_contain_text("tie at 3, A and C")
    taps += play(phone, "3,5,7")
    assert state(phone)["turn"] == "A"
    # A 6, B 10, C 10, D 4, A 1, B 2, C 8: of fifteen cards one is left, and D draws it.
    taps += play(phone, "6,10,10,4,1,2,8")
    assert state(phone)["deck"]["left"] == 1
    taps += play(phone, "5")
    assert state(phone)["shuffle"] == "needed"
    expect(phone.locator(".who")).to_have_text("shuffle", ignore_case=True)
    expect(phone.locator(".do")).to_have_text("burn 40 · then a card for A")
    # The next key confirms the shuffle. A draws the 9, and B folds and takes the 1.
    taps += play(phone, "9")
    assert log(phone)[-2:] == ["shuffle", "9"]
    taps += play(phone, "fold")
    assert points(phone) == {"A": 0, "B": 1, "C": 0, "D": 0}
    # In round 2 D starts with a 2, draws an 8 and pairs it: 8 points. In round 3 D folds and takes the 2: 10 of 9.
    taps += play(phone, "10,7,9,2,8,6,5,10,8")
    assert points(phone)["D"] == 8
    taps += play(phone, "10,9,7,2,fold")
    final = state(phone)
    assert final["phase"] == "game over"
    assert final["outcome"]["loser"] == "D"
    # A and C have 0 points and share Tacoma's 6 chips.
    assert chips(phone) == {"A": 3, "B": 0, "C": 3, "D": -6}
    assert version(phone) == taps + 1, "one change for every tap, besides the opening"
    expect(phone.locator(".who")).to_have_text("D loses")
    phone.get_by_role("button", name="Play again").tap()
    expect(phone.locator("h1")).to_have_text("Pairs · round 1")


def test_continuous_folds_in_two_taps(phone: Page) -> None:
    new_table(phone, 3, "continuous")
    play(phone, "2,7,9,10")
    phone.locator("#board a.btn.main").tap()
    expect(phone.locator(".chips")).to_be_visible()
    tap(phone, "fold 7 B")
    assert points(phone) == {"A": 0, "B": 7, "C": 0}
    assert state(phone)["turn"] == "C"


def test_port_locks_in_one_tap(phone: Page) -> None:
    new_table(phone, 3, "port")
    # A 4, B 9, C 8: A starts and draws a 7, B locks at 9, C pairs an 8 and is out, A locks at 11. A gets 3 points, B 2.
    play(phone, "4,9,8,7,lock,8,lock")
    assert points(phone) == {"A": 3, "B": 2, "C": 0}


def test_starboard_draws_and_locks_in_one_tap(phone: Page) -> None:
    new_table(phone, 3, "starboard")
    # The common hand is 4 9. A draws an 8, B locks, C pairs a 9 and is out, A draws a 7 and locks. A and B share.
    play(phone, "4,9,8,lock,9,7,lock")
    # Antes and cards make a pot of 6: 3 for each.
    assert chips(phone) == {"A": 0, "B": 2, "C": -2}
    expect(phone.locator(".do")).to_contain_text("share")


def test_rocket_pays_with_bets_unchanged(phone: Page) -> None:
    new_table(phone, 3, "rocket", bet="20")
    # A deals B 8, C 5, A 6. B draws a 4. C folds: the lower of 5 and 6 is 5, so it costs 10. A draws a 3, and B gets 6.
    play(phone, "8,5,6,4,fold")
    expect(phone.locator("#board button[value='3'] .p")).to_contain_text("death")
    tap(phone, "3")
    assert chips(phone) == {"A": 4, "B": 6, "C": -10}


def test_blackstone_takes_with_one_tap_plus_one_per_stone_and_passes_with_one(phone: Page) -> None:
    new_table(phone, 3, "blackstone")
    # A 4, B 10, C 7: A starts, with two white stones in the middle. A takes 2 with two taps for white, B with "all white".
    play(phone, "4,10,7,take 2,white,white,take 2,whites")
    assert state(phone)["white"] == 6
    # C passes for 5 plus half of 6. A takes a first black stone and a white one. B takes a second black stone.
    play(phone, "pass,take 2,10,white,take 2,10")
    # B pays 5 + 7, and the pot of 8 + 12 goes to A.
    assert chips(phone) == {"A": 20, "B": -12, "C": -8}


def test_hawthorn_plays_from_deck_and_hand_in_one_tap(phone: Page) -> None:
    new_table(phone, 3, "hawthorn")
    play(phone, "play 4,play 9,play 8")
    # In lap 1, from the deck, A draws a 7, B pairs a 9 and pays 9, C draws a 2. In lap 2, from the hand, A folds for 2.
    play(phone, "7,9,2")
    expect(phone.locator(".bar p")).to_contain_text("from the hand")
    play(phone, "fold")
    assert chips(phone) == {"A": -3, "B": -10, "C": 13}


def test_zombie_life_places_takes_and_passes(phone: Page) -> None:
    new_table(phone, 3, "zombie")
    # A 3, B 5, C 7: A draws a 9 for the Horde (two taps), B takes it (one), C draws a 7, which must go to the Horde (one).
    play(phone, "3,5,7,9,horde,grab 9,7")
    assert state(phone)["horde"] == [7]
    # A passes with 1 card and 2 others in: 0 points. B passes with 2 cards and 1 other in, then C with 1: 1 point each.
    play(phone, "pass,pass,pass")
    assert points(phone) == {"A": 0, "B": 1, "C": 1}


def test_lucky_day_banks_with_two_taps_and_draws_with_one(phone: Page) -> None:
    new_table(phone, 3, "lucky", goal="12")
    # A 4, B 7, C 9: A draws an 8. B banks the 8 of A: the 7 goes. C draws a 9, a pair: 9 points. A draws a 3.
    play(phone, "4,7,9,8")
    phone.get_by_role("link", name="Bank").tap()
    tap(phone, "bank 8 A")
    assert state(phone)["turn"] == "C"
    play(phone, "9,3")
    assert points(phone) == {"A": 0, "B": 8, "C": 9}
    # B draws a 6. For C, the 3 of A makes 12.
    play(phone, "6")
    expect(phone.locator(".seat .card.low")).to_have_text("3")
    phone.get_by_role("link", name="Bank and win").tap()
    tap(phone, "bank 3 A")
    assert state(phone)["outcome"]["winners"] == ["C"]
    expect(phone.locator(".who")).to_have_text("C wins")


def test_pirates_inn_asks_against_whom_and_then_what(phone: Page) -> None:
    new_table(phone, 3, "inn")
    # A shows a 6, B a 4, C a 9: B starts, and attacks A with a 5.
    play(phone, "play 6,play 4,play 9")
    others = phone.locator("#board .others a")
    expect(others).to_have_count(2)
    others.first.tap()
    expect(phone.locator("#board button[value='attack 6 A']")).to_have_count(0)  # A has one
    tap(phone, "attack 5 A")
    # A challenges C. A 9 would pair: 8 of 51 unseen cards. It is turned up, and A is out.
    expect(others.nth(1)).to_contain_text("16% if challenged")
    others.nth(1).tap()
    tap(phone, "challenge C")
    expect(phone.locator("#board button[value='9'] .p")).to_contain_text("out")
    tap(phone, "9")
    assert [seat["state"] for seat in state(phone)["seats"]] == ["out", "in", "in"]
    # C draws with one tap. With one other player there is nobody to choose: B accuses C wrongly.
    tap(phone, "draw")
    expect(phone.locator("#board button[value='draw']")).to_be_visible()
    tap(phone, "accuse C no")
    assert points(phone) == {"A": 0, "B": 0, "C": 1}
    expect(phone.locator(".who")).to_have_text("C +1")


def test_score_only_table_is_two_taps(phone: Page) -> None:
    """The line of the player, then the points: there is no second row of names, and no sheet opens."""
    new_table(phone, 3, "pairs", cards="no", limit="10")
    expect(phone.get_by_text("B", exact=True)).to_have_count(2)  # the mark and the name
    phone.locator(".seat").nth(1).tap()
    expect(phone.get_by_label("B", exact=True)).to_be_checked()
    phone.locator("#board button[name=points][value='8']").tap()
    expect(phone.locator("#board")).to_have_attribute("data-version", "2")
    assert points(phone) == {"A": 0, "B": 8, "C": 0}
    expect(phone.locator("#sheet")).to_be_hidden()


@pytest.mark.parametrize("names", ["Ana,Ben,Cleo", "Alexandra,Benjamin,Charlotte,Dominique,Eve,Finn,Gus,Hana"])
def test_chips_without_cards_are_three_taps(phone: Page, names: str) -> None:
    """Who pays is a line, who gets it the end of another: every name is whole, and stands there once."""
    open_record(phone, names, "game blackstone cards=no")
    first, second, third = names.split(",")[:3]
    for name in (first, second, third):
        expect(phone.get_by_text(name, exact=True)).to_have_count(1)
    cut = "all => all.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"
    assert phone.locator(".seat bdi").evaluate_all(cut) == []
    phone.locator(".seat", has_text=third).tap(position={"x": 40, "y": 12})
    phone.locator(".seat", has_text=first).get_by_text("gets").tap()
    phone.locator("#board button[name=amount][value='20']").tap()
    expect(phone.locator("#board")).to_have_attribute("data-version", "2")
    assert chips(phone) | {first: 20, third: -20} == chips(phone)


def test_undo_is_one_tap_and_redo_is_in_the_menu(phone: Page) -> None:
    address = new_table(phone, 3)
    play(phone, "7,3")
    phone.locator("#board button[name=undo]").tap()
    expect(phone.locator("#board")).to_have_attribute("data-version", "4")
    assert log(phone) == ["game pairs", "7"]
    phone.goto(f"{address}/menu")
    phone.get_by_role("button", name="Redo").tap()
    phone.wait_for_url(address)
    assert log(phone) == ["game pairs", "7", "3"]


def test_two_hundred_fast_taps_are_two_hundred_entries(new_phone: NewPhone) -> None:
    """Half of them are as fast as possible, half as fast as a hurried dealer."""
    phone = new_phone(guarded=True)
    new_table(phone, 2, "rocket", decks="8")
    keys = [phone.locator(f"#board button[value='{value}']").bounding_box() for value in (7, 8, 9, 10)]
    expect(phone.locator("body")).to_have_css("pointer-events", "auto")
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in keys if box]
    wanted = []
    for number in range(200):
        # The order 7 8 9 10 10 9 8 7 uses neighbouring keys, and no value runs out.
        turn = number % 8
        index = turn if turn < 4 else 7 - turn
        if wanted and wanted[-1] == (7, 8, 9, 10)[index]:
            index = (index + 1) % 4
        wanted.append((7, 8, 9, 10)[index])
        phone.touchscreen.tap(*middles[index])
        if number >= 100:
            phone.wait_for_timeout(60)
    expect(phone.locator("#board")).to_have_attribute("data-version", "201", timeout=60_000)
    assert log(phone)[1:] == [str(value) for value in wanted]


def test_no_key_moves_when_a_ghost_appears(phone: Page) -> None:
    new_table(phone, 2, "rocket")
    phone.route("**/enter", lambda route: None)  # no answer
    key = phone.locator("#board button[value='9']")
    before = key.bounding_box()
    for value in (7, 8, 10):
        phone.locator(f"#board button[value='{value}']").tap()
    expect(phone.locator("#board .ghost")).to_be_visible()
    assert key.bounding_box() == before


THREE_TOUCHES = """([clientX, clientY]) => {
  for (const kind of ["pointerdown", "pointerup", "pointerdown", "pointerup", "pointerdown", "pointerup"]) {
    const touch = new PointerEvent(kind, { bubbles: true, cancelable: true, isPrimary: true, clientX, clientY });
    document.elementFromPoint(clientX, clientY).dispatchEvent(touch);
  }
}"""


def test_double_tap_is_one_entry(phone: Page) -> None:
    new_table(phone, 3)
    key = phone.locator("#board button[value='9']").bounding_box()
    assert key
    phone.evaluate(THREE_TOUCHES, [key["x"] + 20, key["y"] + 20])  # at once, however busy the machine is
    expect(phone.locator("#board")).to_have_attribute("data-version", "2")
    phone.wait_for_timeout(600)  # time for another entry, if there were one
    assert log(phone) == ["game pairs", "9"]
    tap(phone, "9")
    assert log(phone) == ["game pairs", "9", "9"]


def test_sliding_off_a_key_cancels(phone: Page) -> None:
    new_table(phone, 3)
    first = phone.locator("#board button[value='4']").bounding_box()
    assert first
    phone.mouse.move(first["x"] + 30, first["y"] + 30)
    phone.mouse.down()
    phone.mouse.move(first["x"] + 150, first["y"] + 30)
    phone.mouse.up()
    phone.wait_for_timeout(300)
    assert log(phone) == ["game pairs"]


def test_a_tap_whose_answer_is_lost_is_sent_again_and_entered_once(phone: Page) -> None:
    new_table(phone, 3)
    lost: list[str] = []

    def lose_the_first(route: object) -> None:
        if not lost:
            lost.append("answer")
            route.fetch()  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    phone.route("**/enter", lose_the_first)
    tap(phone, "9")
    assert lost
    assert log(phone) == ["game pairs", "9"]


def test_the_slower_of_two_tabs_gets_the_current_board_and_a_message(phone: Page) -> None:
    address = new_table(phone, 3)
    slow = phone.context.new_page()
    slow.goto(address)
    tap(phone, "9")
    slow.locator("#board button[value='4']").tap()
    expect(slow.get_by_role("alert")).to_contain_text("moved on")
    assert version(slow) == 2
    assert log(phone) == ["game pairs", "9"]
    slow.wait_for_timeout(320)
    tap(slow, "4")
    assert log(phone) == ["game pairs", "9", "4"]


def test_a_refusal_empties_the_queue_and_says_what_was_not_entered(phone: Page) -> None:
    new_table(phone, 3)
    tap(phone, "1")
    phone.wait_for_timeout(320)
    phone.evaluate(
        "() => { for (const v of ['1', '5', '6']) document.querySelector(`#board button[name=entry][value='${v}']`)"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, detail: 0})); }"
    )
    expect(phone.get_by_role("alert")).to_contain_text("Not entered: 5, 6")
    assert log(phone) == ["game pairs", "1"]


def test_the_key_with_no_copy_left_explains_and_offers_the_repair(phone: Page) -> None:
    new_table(phone, 4)
    play(phone, "1,9,8")
    phone.locator("#board button[name=entry][value='1']").tap()
    alert = phone.get_by_role("alert")
    expect(alert).to_contain_text("The only 1 is out")
    alert.get_by_role("link").tap()
    expect(phone.locator("li:has(+ #repair)")).to_contain_text("this one?")
    expect(phone.locator("#repair")).to_contain_text("A: 1")


def test_an_old_card_is_repaired_in_four_taps_after_a_preview(phone: Page) -> None:
    """Two rounds ago A's 9 was really a 3, so A had the lowest card."""
    new_table(phone, 2)
    # A 9, B 5: B draws a 7, and A folds for 5. Then two more rounds.
    play(phone, "9,5,7,fold,8,6,10,fold,9,10")
    # In round 2, with A 8 and B 6, B draws a 10 and A folds for 6.
    assert points(phone) == {"A": 11, "B": 0}
    phone.locator("#board .head").tap()  # 1: the round's title opens the history
    phone.locator("a.line[href$='?n=1#repair']").tap()  # 2
    phone.locator("#repair .amend button[value='3']").tap()  # 3
    # With the lowest card A draws the 7, and B folds for 3; the next rounds stay as they were.
    expect(phone.locator(".preview")).to_contain_text("Round 1 would end like this: B, fold (3) → B +3")
    phone.locator("#repair button.main").tap()  # 4
    phone.wait_for_url("**/t/*")
    assert points(phone) == {"A": 6, "B": 3}


def test_a_repair_that_no_longer_fits_changes_nothing_and_names_the_entry(phone: Page) -> None:
    address = new_table(phone, 2)
    play(phone, "9,5,7,fold,8,6,10,1")
    before = log(phone)
    phone.goto(f"{address}/history?n=1&entry=1#repair")
    expect(phone.locator(".preview")).to_contain_text("Entry 8")
    expect(phone.locator("#repair button.main")).to_have_count(0)
    assert log(phone) == before


def test_nothing_is_lost_by_reload_back_or_closing(new_phone: NewPhone) -> None:
    phone = new_phone()
    address = new_table(phone, 3)
    tap(phone, "7")
    phone.reload()
    tap(phone, "3")
    phone.get_by_role("link", name="Menu").tap()
    expect(phone.get_by_role("heading", name="Menu")).to_be_visible()
    phone.go_back()
    expect(phone.get_by_role("heading", name="Menu")).to_be_hidden()
    expect(phone.locator("#board")).to_have_attribute("data-version", "3")
    tap(phone, "9")
    again = phone.context.new_page()
    phone.close()
    again.goto(address)
    assert log(again) == ["game pairs", "7", "3", "9"]


def test_no_tap_is_lost_while_the_server_is_stopped(phone: Page, server: Server) -> None:
    new_table(phone, 3)
    tap(phone, "7")
    server.stop()
    phone.locator("#board button[value='9']").tap()
    expect(phone.locator("#link")).to_contain_class("off")
    server.start()
    expect(phone.locator("#board")).to_have_attribute("data-version", "3", timeout=20_000)
    assert log(phone) == ["game pairs", "7", "9"]


def test_a_full_disk_is_reported_and_the_tap_is_entered_when_there_is_room(phone: Page, server: Server) -> None:
    new_table(phone, 3)
    tap(phone, "7")
    server.fill_the_disk()
    try:
        phone.locator("#board button[value='9']").tap()
        expect(phone.get_by_role("alert")).to_contain_text("The server’s disk is full")
        phone.locator("#board button[value='3']").tap()  # it waits behind the 9
        assert log(phone) == ["game pairs", "7"]
    finally:
        server.make_room()
    expect(phone.locator("#board")).to_have_attribute("data-version", "4", timeout=20_000)
    expect(phone.get_by_role("alert")).to_have_count(0)
    assert log(phone) == ["game pairs", "7", "9", "3"]


def test_without_javascript_the_whole_game_can_be_played(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    phone.goto("/")
    phone.get_by_role("link", name="New table").tap()
    phone.locator("button[name=seats][value='2']").tap()
    play(phone, "4,9,1,fold")
    assert points(phone) == {"A": 0, "B": 1}
    phone.locator("#board button[name=undo]").tap()
    expect(phone.locator("#board")).to_have_attribute("data-version", "6")
    assert points(phone) == {"A": 0, "B": 0}
    # A key with no copy left answers with a whole page and a link to the repair.
    phone.locator("#board button[name=entry][value='1']").tap()
    expect(phone.get_by_role("alert")).to_contain_text("The only 1 is out")
    phone.get_by_role("alert").get_by_role("link").tap()
    phone.locator("#repair .amend button[value='2']").tap()
    phone.locator("#repair button.main").tap()
    expect(phone.locator("#board")).to_be_attached()
    assert log(phone)[1:] == ["4", "9", "2"]


def test_a_friend_who_scans_the_code_can_read_but_not_write(new_phone: NewPhone) -> None:
    dealer, friend = new_phone(), new_phone()
    address = new_table(dealer, 3)
    tap(dealer, "7")
    dealer.get_by_role("link", name="Show the table code").tap()
    shown = dealer.locator("a.text").inner_text()
    friend.goto(shown)
    assert friend.url == address
    expect(friend.locator(".keys")).to_have_count(0)
    expect(friend.locator(".foot")).to_contain_text("watching")
    table = address.rsplit("/", 1)[1]
    for path in ("enter", "undo", "redo", "score", "seats", "game", "repair", "handover"):
        answer = friend.request.post(
            f"/t/{table}/{path}", form={"version": "2", "entry": "9", "n": "1", "game": "pairs"}
        )
        assert answer.status in (401, 403, 422), path
    assert log(dealer) == ["game pairs", "7"]


def test_names_are_shown_as_text_never_as_markup(phone: Page) -> None:
    names = ["<b>Ana</b>", "<script>alert(1)</script>"]
    open_record(phone, ",".join(name[:24] for name in names), "game pairs,4,9,7")
    expect(phone.locator(".who")).to_have_text("<script>alert(1)</script"[:24])
    for page in ("", "/menu", "/history", "/history?n=1", "/seats", "/chips", "/evening", "/deck"):
        phone.goto(phone.url.split("/t/")[0] + "/t/" + phone.url.split("/t/")[1].split("/")[0] + page)
        assert phone.locator("bdi b, main script:not([src])").count() == 0
