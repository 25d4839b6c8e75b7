"""What the pages' forms must bear besides what the fuzz sends: found by it once, kept for ever."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.engine.errors import InvalidEntry
from companion.engine.notation import clean_name

HUGE = "9" * 5_000  # more digits than Python turns into a number


def open_table(client: FlaskClient, **form: str) -> str:
    answer = client.post("/tables", data={"seats": "4", "game": "pairs", **form})
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


@pytest.mark.parametrize("seats", ["abc", HUGE, "-4", "", "\u0664", "1", "9"])
def test_a_number_of_seats_that_is_none_is_refused_on_the_set_up_page(anybody: FlaskClient, seats: str) -> None:
    answer = anybody.post("/tables", data={"seats": seats, "game": "pairs"})
    assert answer.status_code == 422
    assert "A table has 2 to 8 seats." in answer.text


def test_an_entry_number_that_is_none_picks_nothing(anybody: FlaskClient) -> None:
    table = open_table(anybody)
    anybody.post(f"{table}/enter", data={"entry": "7", "version": "1"})
    plain = anybody.get(f"{table}/history").text
    for wrong in (f"n={HUGE}", f"card={HUGE}", "n=-1", "n=x"):
        answer = anybody.get(f"{table}/history?{wrong}")
        assert answer.status_code == 200
        assert answer.text == plain


def test_two_repairs_without_an_id_are_two_repairs(anybody: FlaskClient) -> None:
    """An empty field is no id: the second repair is not taken for the first one sent again."""
    table = open_table(anybody)
    anybody.post(f"{table}/enter", data={"entry": "7", "version": "1"})
    for version, card in ((2, "8"), (3, "9")):
        form = {"n": "1", "kind": "amend", "entry": card, "version": str(version), "id": ""}
        assert anybody.post(f"{table}/repair", data=form).status_code == 303
    assert "\n9  #" in anybody.get(f"{table}/record").text


@pytest.mark.parametrize("wrong", ["x" * 201, "a\0b", "a\nb"])
@pytest.mark.parametrize("form", [{"entry": "7"}, {"n": "0", "kind": "amend", "entry": "game port"}])
def test_an_id_that_is_a_story_is_refused_and_nothing_is_entered(
    client: FlaskClient, form: dict[str, str], wrong: str
) -> None:
    table = open_table(client)
    before = client.get(f"{table}/record").text
    address = f"{table}/repair" if "n" in form else f"{table}/enter"
    answer = client.post(address, data={**form, "version": "1", "id": wrong})
    assert answer.status_code == 422
    assert client.get(f"{table}/record").text == before


@pytest.mark.parametrize("table", ["%00", "a%00b", "%ED%A0%80", "x" * 65, "..", "%2e%2e"])
def test_what_cannot_be_a_table_is_not_there(client: FlaskClient, table: str) -> None:
    for address in (f"/t/{table}", f"/api/tables/{table}", f"/t/{table}/handover"):
        assert client.get(address).status_code == 404
    assert client.post("/again", data={"table": "a\0b"}).status_code == 404


def test_a_query_that_is_no_text_is_told(client: FlaskClient) -> None:
    answer = client.get("/api/lookup/limit", environ_overrides={"QUERY_STRING": "players=\xff"})
    assert answer.status_code == 400
    assert answer.json["message"] == "The request could not be read."


@pytest.mark.parametrize("name", ["\u200b", "\u200f\u200d", "\u3164", "\u2800 \u00ad", "\u0301"])
def test_a_name_that_nobody_can_see_is_refused(name: str) -> None:
    with pytest.raises(InvalidEntry):
        clean_name(name)


@pytest.mark.parametrize("name", ["👩\u200d👧", "שלום", "Zoë", "e\u0301", "7", "名前"])
def test_a_name_that_somebody_can_see_is_taken(name: str) -> None:
    assert clean_name(name)


def test_a_phone_that_deals_at_many_tables_keeps_its_right(anybody: FlaskClient) -> None:
    """Browsers drop a cookie of more than 4,093 characters, and the right to deal with it."""
    names = {f"name-{seat}": "名" * 23 + "甲乙丙丁戊己庚辛"[seat] for seat in range(8)}
    for _ in range(24):
        table = open_table(anybody, seats="8", **names, **{"o-forfeit": "罰" * 200})
        answer = anybody.post(f"{table}/me", data={"me": names["name-0"]})
        assert answer.status_code == 303
        assert len(answer.headers["Set-Cookie"]) <= 4_093
    assert anybody.post(f"{table}/enter", data={"entry": "7", "version": "1"}).status_code == 303


def test_fields_nobody_knows_are_not_remembered(anybody: FlaskClient) -> None:
    answer = anybody.post(
        "/tables", data={"seats": "4", "game": "pairs", **{f"o-{number}": "x" * 300 for number in range(40)}}
    )
    assert answer.status_code == 303
    assert len(answer.headers["Set-Cookie"]) < 1_000


def test_a_book_that_is_no_record_is_not_sent_back(anybody: FlaskClient) -> None:
    answer = anybody.post("/import", data={"record": "<>&" * 80_000})
    assert answer.status_code == 422
    assert len(answer.data) < 20_000
    assert "Line 1" in answer.text
