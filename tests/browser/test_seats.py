"""The seats: names, order, sitting out, coming back, and bets."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, Route, expect

from .conftest import NewPhone
from .table import log, new_table, open_record, play, state, tap, version


def names(page: Page) -> list[str]:
    return [seat["name"] for seat in state(page)["seats"]]


def field_of(page: Page, place: int) -> Locator:
    return page.locator(".called input").nth(place)


def test_tapping_a_seat_renames_the_player_during_a_round(new_phone: NewPhone) -> None:
    phone = new_phone()
    open_record(phone, "Ana, Ben, Cleo", "game pairs, 7, 9, 8, fold, 10, 4, 8")
    phone.locator("#board .seat", has_text="Ben").tap()
    field = phone.get_by_label("New name for Ben")
    field.fill("Benoît")
    field.press("Enter")
    phone.get_by_role("link", name="Back to the table").tap()
    expect(phone.locator("#board .seats")).to_contain_text("Benoît")
    expect(phone.locator("#board .turn")).to_contain_text("Benoît")
    tap(phone, "5")  # the round goes on
    assert log(phone)[5:] == ["rename Ben Benoît", "10", "4", "8", "5"]
    assert state(phone)["seats"][1]["stack"] == [4, 5]


def test_a_player_who_sat_out_returns_with_a_tap_and_seats_move_both_ways(new_phone: NewPhone) -> None:
    phone = new_phone()
    address = open_record(phone, "Ana, Ben, Cleo", "game pairs")
    phone.goto(f"{address}/seats")
    phone.get_by_role("button", name="Ana one seat down").tap()
    expect(field_of(phone, 0)).to_have_value("Ben")
    phone.get_by_role("button", name="Cleo one seat up").tap()
    expect(field_of(phone, 1)).to_have_value("Cleo")
    assert names(phone) == ["Ben", "Cleo", "Ana"]
    phone.locator(".people li").first.get_by_role("button", name="Sit out").tap()
    phone.get_by_role("button", name="Ben", exact=True).tap()
    expect(phone.locator(".people li")).to_have_count(3)
    assert names(phone) == ["Ben", "Cleo", "Ana"], "on his old chair"


def undo_twice(page: Page) -> None:
    before = version(page)
    page.locator("#board button[name=undo]").tap()
    expect(page.locator("#board")).to_have_attribute("data-version", str(before + 1))
    page.wait_for_timeout(320)  # the same button twice within 300 ms counts as one tap
    page.locator("#board button[name=undo]").tap()


def test_typed_names_are_all_entered_in_one_go_when_the_sheet_closes(new_phone: NewPhone) -> None:
    """The next field is tapped with the keyboard up: nothing is drawn again under the fingers, and nothing is lost."""
    phone = new_phone(guarded=True)
    new_table(phone, 4)
    phone.locator("#board .seat").nth(1).tap()
    expect(field_of(phone, 0)).to_be_visible()
    phone.evaluate("window.same = document.querySelector('.called input')")
    for place, name in enumerate(("Ana", "Ben", "Cleo")):
        field = field_of(phone, place)
        expect(field).to_have_value("")
        expect(field).to_have_attribute("placeholder", "ABC"[place])
        field.tap()
        expect(field).to_be_focused()
        phone.keyboard.type(name)
    expect(field_of(phone, 2)).to_be_focused()
    assert phone.evaluate("window.same.isConnected")
    assert log(phone) == ["game pairs"]
    phone.get_by_role("button", name="Done").tap()
    expect(phone.locator("#board .seats")).to_contain_text("Cleo")
    assert names(phone) == ["Ana", "Ben", "Cleo", "D"]
    tap(phone, "7")
    undo_twice(phone)
    expect(phone.locator("#board .name").first).to_have_text("A")
    assert names(phone) == ["A", "B", "C", "D"], "one change for all names"


def test_names_typed_in_a_round_are_one_change_too(new_phone: NewPhone) -> None:
    phone = new_phone()
    new_table(phone, 3)
    play(phone, "7, 3, 9, 8")
    phone.locator("#board .seat").first.tap()
    field_of(phone, 0).fill("Ana")
    field_of(phone, 0).press("Enter")
    expect(field_of(phone, 1)).to_be_focused()
    phone.keyboard.type("Ben")
    phone.go_back()
    expect(phone.locator("#board .seats")).to_contain_text("Ben")
    assert log(phone) == ["game pairs", "rename A Ana", "rename B Ben", "7", "3", "9", "8"]
    tap(phone, "5")  # the tap is right after the names
    undo_twice(phone)
    expect(phone.locator("#board .name").first).to_have_text("A")
    assert log(phone) == ["game pairs", "7", "3", "9", "8"]


def test_a_name_that_is_taken_is_refused_with_a_sentence(new_phone: NewPhone) -> None:
    phone = new_phone()
    open_record(phone, "Ana, Ben, C", "game pairs")
    phone.locator("#board .seat").first.tap()
    field_of(phone, 2).fill("Ben")
    phone.get_by_role("button", name="Done").tap()
    expect(phone.locator("#board [role=alert]")).to_contain_text("Ben")
    assert log(phone) == ["game pairs"]
    tap(phone, "7")


def test_names_used_before_are_chips_to_tap(new_phone: NewPhone) -> None:
    phone = new_phone()
    new_table(phone, 3)
    phone.locator("#board .seat").first.tap()
    expect(phone.locator(".known")).to_have_count(0)
    field_of(phone, 0).fill("Ana")
    field_of(phone, 2).fill("Cleo")
    phone.get_by_role("button", name="Done").tap()
    expect(phone.locator("#board .seats")).to_contain_text("Cleo")
    new_table(phone, 3)
    phone.locator("#board .seat").first.tap()
    phone.get_by_role("button", name="Cleo", exact=True).tap()
    phone.get_by_role("button", name="Ana", exact=True).tap()
    expect(field_of(phone, 0)).to_have_value("Cleo")
    expect(field_of(phone, 1)).to_have_value("Ana")
    expect(phone.locator(".known")).to_be_hidden()
    phone.get_by_role("button", name="Done").tap()
    expect(phone.locator("#board .seats")).to_contain_text("Ana")
    assert names(phone) == ["Cleo", "Ana", "C"]


def touch(page: Page, name: str, times: int) -> None:
    """Touch one spot several times, without a pause in which an answer could arrive."""
    box = page.get_by_role("button", name=name).bounding_box()
    assert box
    for _ in range(times):
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_all_fast_steps_count_and_a_bet_is_one_entry(new_phone: NewPhone) -> None:
    """Steps are 50 from 100 on, up to the maximum; the dealer has no bet. The next card is entered after the bets."""
    phone = new_phone(guarded=True)
    game = "game rocket max=200"
    open_record(phone, "Ana, Ben, Cleo", f"{game}, bet Cleo 90")
    phone.locator("#board .seat", has_text="Ben").tap()
    expect(phone.get_by_role("button", name="Ana bets more")).to_have_count(0)
    phone.wait_for_timeout(420)  # a sheet cannot be touched for a moment
    touch(phone, "Ben bets more", 4)
    touch(phone, "Cleo bets more", 3)  # 100, 150, 200
    touch(phone, "Ben bets less", 1)
    expect(phone.locator(".bet output")).to_have_text(["40", "200"])
    expect(phone.get_by_role("button", name="Cleo bets more")).to_be_disabled()
    phone.go_back()
    phone.locator("#board button[value='7']").tap()
    expect(phone.locator("#board .seats")).to_contain_text("bet 200")
    expect(phone.locator("#board .did")).to_contain_text("7")
    assert log(phone) == [game, "bet Cleo 90", "bet Ben 50", "bet Cleo 200", "bet Ben 40", "7"]
    phone.locator("#board .seat", has_text="Ben").tap()
    expect(phone.get_by_label("New name for Ben")).to_be_visible()
    expect(phone.get_by_role("button", name="Ben bets more")).to_have_count(0)


def test_a_bet_is_sent_by_itself_and_other_changes_follow_it(new_phone: NewPhone) -> None:
    """This works on the seats opened from the menu, too."""
    phone = new_phone()
    open_record(phone, "Ana, Ben, Cleo", "game rocket")
    phone.get_by_role("link", name="Menu").tap()
    phone.locator("#sheet").get_by_role("link", name="Seats").tap()
    expect(phone.get_by_role("button", name="Ben bets less")).to_be_visible()
    touch(phone, "Ben bets less", 1)
    expect(phone.get_by_text("sits the round out").first).to_be_visible()
    expect(phone.locator("#board")).to_have_attribute("data-version", "2")  # sent by itself
    touch(phone, "Cleo bets more", 2)
    phone.get_by_role("button", name="Cleo one seat up").tap()
    expect(field_of(phone, 1)).to_have_value("Cleo")
    touch(phone, "Ben bets more", 2)
    phone.get_by_role("link", name="Back to the table").tap()
    expect(phone.locator("#board .seats")).to_contain_text("bet 20")
    assert log(phone) == ["game rocket", "bet Ben 0", "bet Cleo 30", "order Ana Cleo Ben", "bet Ben 20"]


def test_an_older_board_does_not_replace_the_answer_to_a_tap(new_phone: NewPhone) -> None:
    """After a change to the seats the board is requested. Meanwhile a card is tapped, and its answer comes last."""
    phone = new_phone()
    open_record(phone, "Ana, Ben, Cleo", "game pairs")
    phone.locator("#board .seat", has_text="Ben").tap()
    phone.get_by_role("button", name="Cleo one seat up").tap()
    expect(field_of(phone, 1)).to_have_value("Cleo")
    asked: list[Route] = []
    tapped: list[Route] = []
    table = phone.url
    phone.route(table, lambda route: asked.append(route))
    phone.route("**/enter", lambda route: tapped.append(route))
    with phone.expect_request(table):
        phone.get_by_role("link", name="Back to the table").tap()
    with phone.expect_request("**/enter"):
        phone.locator("#board button[name=entry][value='7']").tap()
    phone.unroute(table)
    asked[0].continue_()
    expect(phone.locator("#board .seat").nth(1)).to_contain_text("Cleo")
    tapped[0].continue_()
    expect(phone.locator("#board")).to_have_attribute("data-version", "3")
    expect(phone.locator("#board .seat").first.locator(".card")).to_have_text("7")


def test_a_bet_is_kept_when_the_phone_is_put_away(new_phone: NewPhone) -> None:
    """A hidden page may be killed without warning, so a bet is stored on the phone or sent at once."""
    phone = new_phone()
    open_record(phone, "Ana, Ben, Cleo", "game rocket")
    phone.locator("#board .seat", has_text="Ben").tap()
    phone.route("**/enter", lambda route: route.abort())
    touch(phone, "Ben bets more", 4)
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert "bet Ben 50" in phone.evaluate("Object.values(localStorage).join()")


def test_a_new_name_that_waits_for_a_bet_is_not_lost(new_phone: NewPhone) -> None:
    phone = new_phone()
    open_record(phone, "Ana, Ben, Cleo", "game rocket")
    phone.locator("#board .seat", has_text="Ben").tap()
    on_their_way: list[Route] = []
    phone.route("**/enter", lambda route: on_their_way.append(route))
    with phone.expect_request("**/enter"):
        touch(phone, "Ben bets more", 1)
        phone.get_by_label("New name for Cleo").fill("Cléo")
    phone.get_by_role("button", name="Ana one seat down").tap()
    on_their_way[0].continue_()
    expect(field_of(phone, 0)).to_have_value("Ben")
    assert log(phone) == ["game rocket", "bet Ben 20", "rename Cleo Cléo", "order Ben Ana Cléo"]


def test_a_sheet_does_not_make_an_old_board_look_current(new_phone: NewPhone) -> None:
    """Another page of the dealer has entered a card that the board behind the sheet does not show."""
    phone = new_phone()
    address = open_record(phone, "Ana, Ben, Cleo", "game rocket")
    for times in range(2):  # once before the other page's card, once after it
        if times:
            phone.request.post(f"{address}/enter", form={"entry": "7", "version": 1})
        phone.locator("#board .seat", has_text="Ben").tap()
        expect(phone.get_by_label("New name for Ben")).to_be_visible()
        phone.go_back()
    phone.locator("#board button[value='8']").tap()
    expect(phone.locator("#board [role=alert]")).to_contain_text("8")
    assert log(phone) == ["game rocket", "7"]


def test_without_javascript_the_forms_do_the_same(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    address = open_record(phone, "Ana, Ben", "game pairs, 7")
    phone.goto(f"{address}/seats")
    expect(phone.get_by_role("button", name="Sit out")).to_have_count(0)  # a round is under way
    phone.get_by_label("New name for Ana").fill("Anna")
    phone.get_by_role("button", name="Done").tap()
    expect(phone.locator("#board .seats")).to_contain_text("Anna")
    assert names(phone) == ["Anna", "Ben"]


def test_without_javascript_every_step_of_a_bet_is_a_form(new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    address = open_record(phone, "Ana, Ben", "game rocket")
    phone.goto(f"{address}/seats")
    for bet in ("20", "30"):
        phone.get_by_role("button", name="Ben bets more").tap()
        expect(phone.locator(".bet output")).to_have_text(bet)
    assert log(phone) == ["game rocket", "bet Ben 20", "bet Ben 30"]


def test_a_payment_of_any_amount_is_one_action(new_phone: NewPhone) -> None:
    phone = new_phone()
    open_record(phone, "Ana, Ben, Cleo", "game starboard cards=no")
    phone.locator(".seat", has_text="Ben").tap(position={"x": 40, "y": 12})
    phone.locator(".seat", has_text="Cleo").get_by_text("gets").tap()
    phone.get_by_label("Another amount").fill("137")
    phone.get_by_label("Another amount").press("Enter")  # this presses no button, so nothing is undone
    phone.get_by_role("button", name="Pay", exact=True).tap()
    expect(phone.locator("#board")).to_have_attribute("data-version", "2")
    assert log(phone) == ["game starboard cards=no", "pay Ben Cleo 137"]
