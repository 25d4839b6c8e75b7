"""One phone deals at a time; it may hand the deal over, or stop working."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.store.memory import MemoryStore
from companion.web import clock as the_clock
from companion.web import create_app

from .conftest import NewPhone
from .table import log, new_table, open_record, tap


def test_the_deal_goes_to_a_watching_phone_with_one_tap_each(new_phone: NewPhone) -> None:
    old, new = new_phone(), new_phone()
    address = new_table(old, 3)
    tap(old, "7")
    new.goto(address)
    late = old.context.new_page()
    late.route("**/deals", lambda route: route.abort())  # this tab does not learn of it yet
    late.goto(address)
    board = old.context.new_page()
    board.goto(address)
    old.goto(f"{address}/handover")
    old.get_by_role("button", name="Hand over").tap()
    expect(old.locator("main")).to_contain_text("The deal is on offer")
    new.get_by_role("button", name="Take the deal").tap(timeout=5_000)
    expect(new.locator(".keys")).to_be_visible()
    tap(new, "3")
    # The page of the offer says so by itself, and so does an untouched board.
    expect(old.locator("main")).to_contain_text("Another phone deals here now. This one watches.")
    expect(board.get_by_role("alert")).to_have_text("Another phone deals here now.")
    expect(board.locator(".keys")).to_have_count(0)
    # A tap on the old phone is refused with a message; the phone watches now.
    late.locator("#board button[name=entry][value='9']").tap()
    expect(late.get_by_role("alert")).to_contain_text("Another phone deals here now. Not entered: 9.")
    expect(late.locator(".keys")).to_have_count(0)
    assert log(new) == ["game pairs", "7", "3"]
    # The message stays for a while, then the phone follows the table like any other.
    tap(new, "9")
    expect(late.locator("#board")).to_have_attribute("data-version", "4", timeout=12_000)
    old.get_by_role("link", name="Back to the table").last.tap()
    expect(old.locator(".foot")).to_be_visible()


def test_the_offer_is_in_sight_at_once_on_a_scrolled_phone_and_the_deal_goes_over_in_three_taps(
    new_phone: NewPhone,
) -> None:
    old, ben, television = new_phone(), new_phone(), new_phone(viewport={"width": 1280, "height": 720})
    ben.goto(open_record(old, "Ana,Ben,Cleo,Dan,Eve,Finn", "game pairs,7,5,9,8,10,3,6"))
    television.goto(ben.url)
    ben.get_by_role("button", name="Ben").tap()
    for place in ("0", "document.documentElement.scrollHeight"):
        ben.evaluate(f"scrollTo(0, {place})")
        old.get_by_role("link", name="Show the table code").tap()
        old.get_by_role("button", name="Another phone deals").tap()
        expect(ben.get_by_role("button", name="Take the deal")).to_be_in_viewport(ratio=1)
        expect(television.get_by_role("button", name="Take the deal")).to_be_in_viewport(ratio=1)
        if place == "0":
            old.get_by_role("button", name="Withdraw the offer").tap()
            old.get_by_role("link", name="Back to the table").tap()
            expect(ben.get_by_role("button", name="Take the deal")).to_have_count(0)
    ben.get_by_role("button", name="Take the deal").tap()
    expect(ben.locator(".keys")).to_be_visible()


def test_the_deal_goes_to_the_phone_that_scans_the_code(new_phone: NewPhone) -> None:
    old, new = new_phone(), new_phone()
    address = new_table(old, 3)
    old.goto(f"{address}/handover")
    old.get_by_role("button", name="Hand over").tap()
    new.goto(old.locator("a.text").inner_text())
    new.get_by_role("button", name="Take the deal").tap()
    new.wait_for_url(address)
    tap(new, "7")
    assert log(new) == ["game pairs", "7"]


def test_without_an_offer_the_recovery_code_is_asked_for(new_phone: NewPhone) -> None:
    """The code is on the dealer's board when the table opens, and on every watching phone that has chosen a seat."""
    dealer, friend = new_phone(), new_phone()
    address = new_table(dealer, 3)
    expect(dealer.locator(".say")).to_contain_text("the lowest card starts")
    code = dealer.locator(".act p", has_text="Takeover code").inner_text()[:7]
    tap(dealer, "7")
    expect(dealer.get_by_role("button", name="Undo")).to_be_enabled()
    assert "Recovery" not in dealer.content()
    friend.goto(address)
    assert code not in friend.content()
    friend.get_by_role("button", name="B", exact=True).tap()
    expect(friend.locator(".foot")).to_contain_text(f"Takeover code: {code}")
    friend.get_by_role("link", name="Take the deal over").tap()
    expect(friend.get_by_label("Takeover code")).to_have_value(code)
    friend.get_by_role("button", name="Take the deal").tap()
    expect(friend.get_by_role("alert")).to_contain_text("used a moment ago")


# -- the same without a browser, so that no test waits half a minute


@pytest.fixture
def client() -> FlaskClient:
    return create_app(MemoryStore(), {"SECRET_KEY": "x", "TAKEOVER_SILENCE": -5}).test_client()


def opened(client: FlaskClient) -> tuple[str, str]:
    address = client.post("/tables", data={"game": "pairs", "seats": "3"}).headers["Location"]
    return address, recovery_code(client, address)


def recovery_code(client: FlaskClient, address: str) -> str:
    page = client.get(f"{address}/handover").get_data(as_text=True)
    return page.split('class="huge recovery">')[1][:7].replace("\N{NO-BREAK SPACE}", "")


def test_a_watcher_takes_over_from_a_silent_phone_with_the_code(client: FlaskClient) -> None:
    address, code = opened(client)
    friend = client.application.test_client()
    assert friend.post(f"{address}/take", data={"recovery": code}).status_code == 303
    assert friend.post(f"{address}/enter", data={"entry": "7", "version": 1}).status_code == 303
    refused = client.post(f"{address}/enter", data={"entry": "9", "version": 2})
    assert refused.status_code == 403
    assert "Not entered: 9" in refused.get_data(as_text=True)
    assert client.get(f"/api/tables/{address[3:]}").get_json()["version"] == 2
    # The code is for the whole evening: the next dealer gets the same one, and it works again.
    assert recovery_code(friend, address) == code
    assert client.post(f"{address}/take", data={"recovery": f"{code[:3]} {code[3:]}"}).status_code == 303


def test_each_table_has_its_own_code(client: FlaskClient) -> None:
    assert len({opened(client)[1] for _ in range(4)}) == 4


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A list with the seconds by which the clock is moved."""
    by, real = [0.0], the_clock.time
    monkeypatch.setattr(the_clock, "time", lambda: real() + by[0])
    return by


def guess(client: FlaskClient, address: str, code: str) -> int:
    return client.post(f"{address}/take", data={"recovery": code}).status_code


def other_than(code: str) -> str:
    return "000000" if code != "000000" else "111111"


def test_wrong_guesses_wait_longer_each_time(client: FlaskClient, moved: list[float]) -> None:
    """Two guesses are free. After the third the wait is 10 s, then 20, then 40, even for the right code."""
    address, code = opened(client)
    friend = client.application.test_client()
    wrong = other_than(code)
    assert [guess(friend, address, wrong), guess(friend, address, wrong)] == [403, 403]
    for wait in (10, 20, 40):
        assert guess(friend, address, wrong) == 403
        assert guess(friend, address, code) == 429
        moved[0] += wait - 3
        assert guess(friend, address, code) == 429
        moved[0] += 6
    assert guess(friend, address, code) == 303


def test_a_clock_set_back_does_not_extend_a_wait(client: FlaskClient, moved: list[float]) -> None:
    address, code = opened(client)
    friend = client.application.test_client()
    moved[0] = 3_600
    assert [guess(friend, address, other_than(code)) for _ in range(3)] == [403, 403, 403]
    assert guess(friend, address, code) == 429
    moved[0] = 0
    assert guess(friend, address, code) == 303


def test_a_clock_set_back_does_not_extend_an_offer(client: FlaskClient, moved: list[float]) -> None:
    address, _code = opened(client)
    moved[0] = 3_600
    client.post(f"{address}/handover")
    moved[0] = 0
    assert client.application.test_client().post(f"{address}/take").status_code == 403


def test_a_clock_set_back_does_not_make_a_silent_phone_look_busy(client: FlaskClient, moved: list[float]) -> None:
    client.application.config["TAKEOVER_SILENCE"] = 30
    moved[0] = 3_600
    address, code = opened(client)
    friend = client.application.test_client()
    assert guess(friend, address, code) == 409
    moved[0] = 0
    assert guess(friend, address, code) == 303


def test_an_offer_can_be_taken_back(client: FlaskClient) -> None:
    address, _code = opened(client)
    friend = client.application.test_client()
    client.post(f"{address}/handover")
    assert "Take the deal" in friend.get(address).get_data(as_text=True)
    page = client.get(f"{address}/handover").get_data(as_text=True)
    assert "Withdraw the offer" in page
    assert friend.post(f"{address}/handover", data={"withdraw": "1"}).status_code in (401, 403)
    assert client.post(f"{address}/handover", data={"withdraw": "1"}).status_code == 303
    assert "Withdraw the offer" not in client.get(f"{address}/handover").get_data(as_text=True)
    assert friend.post(f"{address}/take").status_code == 403
    assert client.post(f"{address}/enter", data={"entry": "7", "version": 1}).status_code == 303


def test_the_dealers_board_polls_cheaply_and_learns_of_a_takeover_once(client: FlaskClient) -> None:
    address, code = opened(client)
    assert client.get(f"{address}/deals", headers={"HX-Request": "true"}).status_code == 204
    assert guess(client.application.test_client(), address, code) == 303
    polled = client.get(f"{address}/deals", headers={"HX-Request": "true"})
    assert polled.status_code == 286  # htmx stops polling
    assert "Another phone deals here now." in polled.get_data(as_text=True)
    assert client.get(f"{address}/deals").headers["Location"] == address


def test_a_watcher_cannot_write_by_any_request(client: FlaskClient) -> None:
    address, _pin = opened(client)
    table = address[3:]
    friend = client.application.test_client()
    before = client.get(f"/api/tables/{table}/log").get_json()
    form = {
        "version": "1",
        "entry": "9",
        "n": "0",
        "game": "port",
        "what": "leave",
        "name": "A",
        "seat": "A",
        "points": "3",
    }
    for path in ("enter", "undo", "redo", "score", "seats", "game", "repair", "handover"):
        assert friend.post(f"{address}/{path}", data=form).status_code in (401, 403, 422), path
    body = {"version": 1, "entries": ["9"], "entry": "9"}
    for method, path in (
        ("POST", "entries"),
        ("POST", "undo"),
        ("POST", "redo"),
        ("PUT", "entries/0"),
        ("POST", "entries/0"),
        ("DELETE", "entries/0"),
        ("POST", "handover"),
    ):
        assert friend.open(f"/api/tables/{table}/{path}", method=method, json=body).status_code == 401, path
        wrong = {"Authorization": "Bearer wrong"}
        assert friend.open(f"/api/tables/{table}/{path}", method=method, json=body, headers=wrong).status_code == 403
    assert client.get(f"/api/tables/{table}/log").get_json() == before
