"""One phone deals at a time; it may hand the deal over, or die."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.store.memory import MemoryStore
from companion.web import clock as the_clock
from companion.web import create_app

from .conftest import NewPhone
from .table import log, new_table, tap


def test_the_deal_goes_to_a_watching_phone_with_one_tap_each(new_phone: NewPhone) -> None:
    old, new = new_phone(), new_phone()
    address = new_table(old, 3)
    tap(old, "7")
    new.goto(address)
    late = old.context.new_page()
    late.goto(address)
    old.goto(f"{address}/handover")
    old.get_by_role("button", name="Hand over").tap()
    expect(old.locator("main")).to_contain_text("The deal is on offer")
    new.get_by_role("button", name="Take the deal").tap(timeout=5_000)
    expect(new.locator(".keys")).to_be_visible()
    tap(new, "3")
    # A tap of the old phone is refused, shown to it, and applied nowhere; it watches now.
    late.locator("#board button[name=entry][value='9']").tap()
    expect(late.get_by_role("alert")).to_contain_text("Another phone deals here now. Not entered: 9.")
    expect(late.locator(".keys")).to_have_count(0)
    assert log(new) == ["game pairs", "7", "3"]
    # It has time to read that, then follows the table like any other.
    tap(new, "9")
    expect(late.locator("#board")).to_have_attribute("data-version", "4", timeout=12_000)
    old.goto(address)
    expect(old.locator(".foot")).to_be_visible()


def test_the_deal_goes_to_who_scans_the_code(new_phone: NewPhone) -> None:
    old, new = new_phone(), new_phone()
    address = new_table(old, 3)
    old.goto(f"{address}/handover")
    old.get_by_role("button", name="Hand over").tap()
    new.goto(old.locator("a.text").inner_text())
    new.get_by_role("button", name="Take the deal").tap()
    new.wait_for_url(address)
    tap(new, "7")
    assert log(new) == ["game pairs", "7"]


def test_without_an_offer_the_pin_is_asked_for(new_phone: NewPhone) -> None:
    dealer, friend = new_phone(), new_phone()
    address = new_table(dealer, 3)
    dealer.goto(f"{address}/handover")
    pin = dealer.locator(".huge").inner_text()
    friend.goto(address)
    friend.get_by_role("link", name="Take the deal over").tap()
    friend.fill("input[name=pin]", pin)
    friend.get_by_role("button", name="Take the deal").tap()
    expect(friend.get_by_role("alert")).to_contain_text("used a moment ago")
    assert pin not in friend.content().replace(f'value="{pin}"', "")


# -- the same, without waiting for half a minute


@pytest.fixture
def client() -> FlaskClient:
    return create_app(MemoryStore(), {"SECRET_KEY": "x", "TAKEOVER_SILENCE": -5}).test_client()


def opened(client: FlaskClient) -> tuple[str, str]:
    address = client.post("/tables", data={"game": "pairs", "seats": "3"}).headers["Location"]
    page = client.get(f"{address}/handover").get_data(as_text=True)
    return address, page.split('class="huge">')[1][:6]


def test_a_watcher_takes_over_from_a_silent_phone_with_the_pin(client: FlaskClient) -> None:
    address, pin = opened(client)
    friend = client.application.test_client()
    assert friend.post(f"{address}/take", data={"pin": pin}).status_code == 303
    assert friend.post(f"{address}/enter", data={"entry": "7", "version": 1}).status_code == 303
    refused = client.post(f"{address}/enter", data={"entry": "9", "version": 2})
    assert refused.status_code == 403
    assert "Not entered: 9" in refused.get_data(as_text=True)
    assert client.get(f"/api/tables/{address[3:]}").get_json()["version"] == 2
    # The PIN is another one now: the old dealer cannot go back and forth with it.
    assert client.post(f"{address}/take", data={"pin": pin}).status_code == 403


def test_wrong_guesses_wait_longer_each_time(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two guesses are free; after the third one waits 10 s, then 20, then 40. The right PIN waits, too."""
    address, pin = opened(client)
    friend = client.application.test_client()
    wrong = "000000" if pin != "000000" else "111111"
    clock = [0.0]
    real = the_clock.time
    monkeypatch.setattr(the_clock, "time", lambda: real() + clock[0])

    def guess(number: str) -> int:
        return friend.post(f"{address}/take", data={"pin": number}).status_code

    assert [guess(wrong), guess(wrong)] == [403, 403]
    for wait in (10, 20, 40):
        assert guess(wrong) == 403
        assert guess(pin) == 429
        clock[0] += wait - 3
        assert guess(pin) == 429
        clock[0] += 6
    assert guess(pin) == 303


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
