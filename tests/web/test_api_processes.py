"""The JSON API: many phones at once, and two processes on one database."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from .api_calls import chips, is_error
from .conftest import Dealt, deal_at, statements


def answered(tap: Callable[[], TestResponse]) -> TestResponse:
    """The answer to a tap, sent again while the database is too busy, as a page does."""
    for _ in range(100):
        answer = tap()
        if answer.status_code != 503:
            break
    return answer


def test_of_many_phones_at_one_version_exactly_one_succeeds(app: Flask, dealt: Dealt) -> None:
    def tap(number: int) -> TestResponse:
        phone = Dealt(app.test_client(), dealt.table, dealt.secret, dealt.opening)
        return answered(lambda: phone.enter("buy Ana 1", version=version, id=f"{version} {number}"))

    with ThreadPoolExecutor(6) as pool:
        for version in range(1, 6):
            answers = list(pool.map(tap, range(6)))
            assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409, 409]
            assert dealt.state()["version"] == version + 1
    assert chips(dealt.state())["Ana"] == 5


def test_one_tap_sent_many_times_at_once_is_applied_once(app: Flask, dealt: Dealt) -> None:
    def tap(_: int) -> TestResponse:
        phone = Dealt(app.test_client(), dealt.table, dealt.secret, dealt.opening)
        return answered(lambda: phone.enter("buy Ana 1", version=version, id=f"tap {version}"))

    with ThreadPoolExecutor(6) as pool:
        for version in range(1, 6):
            answers = list(pool.map(tap, range(6)))
            assert {answer.status_code for answer in answers} == {200}
            assert {answer.json["version"] for answer in answers} == {version + 1}
    assert chips(dealt.state())["Ana"] == 5


@pytest.fixture
def two_phones(two_apps: tuple[Flask, Flask]) -> tuple[Dealt, Dealt]:
    """The same table through each of the two processes."""
    first = deal_at(two_apps[0].test_client())
    return first, Dealt(two_apps[1].test_client(), first.table, first.secret, first.opening)


def test_two_processes_see_each_others_changes(two_phones: tuple[Dealt, Dealt]) -> None:
    here, there = two_phones
    assert there.state() == here.opening
    for turn, entry in enumerate(("4", "6", "9", "10", "8", "fold")):
        phone = two_phones[turn % 2]
        assert phone.play(entry)["version"] == turn + 2
        assert here.state() == there.state()
    for version, phone, method, path, body in (
        (7, there, "POST", "/undo", {}),
        (8, here, "PUT", "/entries/2", {"entry": "3"}),
        (9, there, "POST", "/undo", {}),
        (10, here, "POST", "/redo", {}),
    ):
        answer = phone.call(method, path, {"version": version, **body})
        assert answer.status_code == 200, answer.text
        assert here.state() == there.state() == answer.json
    assert (here.state(), here.log()) == (there.state(), there.log())
    assert here.entries() == ["game pairs", "4", "3", "9", "10", "8"]


def test_entries_with_odd_spaces_are_the_same_in_the_other_process(two_phones: tuple[Dealt, Dealt]) -> None:
    here, there = two_phones
    here.play("  buy\n Ana\t 5 ", "Ben :\n7", "\r\n4")
    assert (here.state(), here.log()) == (there.state(), there.log())
    assert there.entries() == ["game pairs", "buy Ana 5", "Ben: 7", "4"]


def test_a_stale_phone_at_another_process_gets_the_newest_state(two_phones: tuple[Dealt, Dealt]) -> None:
    here, there = two_phones
    there.state()
    here.play("4", "6")
    error = is_error(there.enter("9", version=1), 409, "stale")
    assert error["state"] == here.state()
    assert there.enter("9", version=3).status_code == 200
    assert here.entries() == ["game pairs", "4", "6", "9"]


def test_an_etag_of_one_process_holds_at_the_other(two_phones: tuple[Dealt, Dealt]) -> None:
    here, there = two_phones
    here.play("4")
    address = f"/api/tables/{here.table}"
    etag = here.client.get(address).headers["ETag"]
    assert there.client.get(address, headers={"If-None-Match": etag}).status_code == 304
    assert there.enter("6", version=2).status_code == 200
    assert here.client.get(address, headers={"If-None-Match": etag}).status_code == 200


def test_an_id_seen_by_one_process_is_known_to_the_other(two_phones: tuple[Dealt, Dealt]) -> None:
    here, there = two_phones
    here.enter("4", version=1, id="tap")
    again = there.enter("4", version=1, id="tap")
    assert again.status_code == 200
    assert again.json == here.state()
    assert there.entries() == ["game pairs", "4"]


def test_a_handover_at_one_process_counts_at_the_other(two_phones: tuple[Dealt, Dealt]) -> None:
    here, there = two_phones
    there.play("4")
    assert here.state()["version"] == 2
    new = here.call("POST", "/handover").json["dealer"]
    is_error(there.enter("6"), 403)
    there.secret = new
    assert there.play("6")["version"] == 3


def test_two_processes_never_lose_or_double_an_entry(two_phones: tuple[Dealt, Dealt]) -> None:
    """Four phones use two processes; each sends every tap twice, and tries again when another was faster."""
    taps = 6

    def deal_on(place: int) -> None:
        shared = two_phones[place % 2]
        phone = Dealt(shared.client.application.test_client(), shared.table, shared.secret, shared.opening)
        for tap in range(taps):
            body = {"entries": [f"buy Ana {10**place}"], "id": f"{place}/{tap}"}
            for _ in range(100):
                answer = phone.do("POST", "/entries", **body)
                if answer.status_code != 409:
                    break
                phone.state()
            assert answer.status_code == 200, answer.text
            assert phone.do("POST", "/entries", **body).status_code == 200

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(deal_on, range(4)))
    here, there = two_phones
    assert (here.state(), here.log()) == (there.state(), there.log())
    assert chips(here.state())["Ana"] == taps * 1111
    assert here.state()["version"] == 1 + 4 * taps
    assert len(here.entries()) == 1 + 4 * taps


def test_an_entry_costs_one_statement(two_apps: tuple[Flask, Flask]) -> None:
    dealt = deal_at(two_apps[0].test_client())
    sent = statements(two_apps[0])
    for version, body in enumerate(({}, {"id": "tap"}, {"id": "next tap"}), 1):
        sent.clear()
        answer = dealt.enter("buy Ana 5", version=version, **body)
        assert answer.json["version"] == version + 1
        assert len(sent) == 1, sent


def test_an_entry_costs_the_same_after_a_hundred(two_apps: tuple[Flask, Flask]) -> None:
    dealt = deal_at(two_apps[0].test_client())
    for version in range(1, 3):
        assert dealt.enter(*["buy Ana 5"] * 50, version=version, id=f"{version}").status_code == 200
    sent = statements(two_apps[0])
    assert dealt.enter("buy Ana 5", version=3, id="tap").json["version"] == 4
    assert len(sent) == 1, sent
