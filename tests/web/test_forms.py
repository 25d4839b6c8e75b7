"""Requests that once broke the pages' forms, most of them found by the fuzz tests; and forms sent twice."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from companion.engine.notation import clean_name
from companion.engine.sentence import InvalidEntry

HUGE = "9" * 5_000  # more digits than `int` accepts


def open_table(client: FlaskClient, **form: str) -> str:
    answer = client.post("/tables", data={"seats": "4", "game": "pairs", **form})
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


@pytest.mark.parametrize("seats", ["abc", HUGE, "-4", "", "\u0664", "1", "9"])
def test_an_impossible_number_of_seats_is_refused_on_the_set_up_page(anybody: FlaskClient, seats: str) -> None:
    answer = anybody.post("/tables", data={"seats": seats, "game": "pairs"})
    assert answer.status_code == 422
    assert "A table has 2 to 8 seats." in answer.text


def test_after_a_refused_set_up_the_options_can_be_loaded(anybody: FlaskClient) -> None:
    """Without JavaScript, a button loads the options of the chosen game."""
    refused = anybody.post("/tables", data={"seats": "1", "game": "rocket"})
    asked = re.search(r'formmethod="get" formaction="([^"]+)"', refused.text)
    assert asked
    assert anybody.get(f"{asked[1]}?game=rocket").status_code == 200


def test_an_impossible_entry_number_selects_nothing(anybody: FlaskClient) -> None:
    table = open_table(anybody)
    anybody.post(f"{table}/enter", data={"entry": "7", "version": "1"})
    plain = anybody.get(f"{table}/history").text
    for wrong in (f"n={HUGE}", f"card={HUGE}", "n=-1", "n=x"):
        answer = anybody.get(f"{table}/history?{wrong}")
        assert answer.status_code == 200
        assert answer.text == plain


def test_two_repairs_without_an_id_are_two_repairs(anybody: FlaskClient) -> None:
    """An empty field is not an id, so the second repair is not mistaken for the first one sent again."""
    table = open_table(anybody)
    anybody.post(f"{table}/enter", data={"entry": "7", "version": "1"})
    for version, card in ((2, "8"), (3, "9")):
        form = {"n": "1", "kind": "amend", "entry": card, "version": str(version), "id": ""}
        assert anybody.post(f"{table}/repair", data=form).status_code == 303
    assert "\n9  #" in anybody.get(f"{table}/record").text


@pytest.mark.parametrize("wrong", ["x" * 201, "a\0b", "a\nb"])
@pytest.mark.parametrize("form", [{"entry": "7"}, {"n": "0", "kind": "amend", "entry": "game port"}])
def test_an_unusable_id_is_refused_and_nothing_is_entered(
    client: FlaskClient, form: dict[str, str], wrong: str
) -> None:
    table = open_table(client)
    before = client.get(f"{table}/record").text
    address = f"{table}/repair" if "n" in form else f"{table}/enter"
    answer = client.post(address, data={**form, "version": "1", "id": wrong})
    assert answer.status_code == 422
    assert client.get(f"{table}/record").text == before


@pytest.mark.parametrize("table", ["%00", "a%00b", "%ED%A0%80", "x" * 65, "..", "%2e%2e"])
def test_an_impossible_table_id_is_404(client: FlaskClient, table: str) -> None:
    for address in (f"/t/{table}", f"/api/tables/{table}", f"/t/{table}/handover"):
        assert client.get(address).status_code == 404
    assert client.post("/new-evening", data={"table": "a\0b"}).status_code == 404


def test_a_query_that_is_not_utf_8_is_400(client: FlaskClient) -> None:
    answer = client.get("/api/lookup/limit", environ_overrides={"QUERY_STRING": "players=\xff"})
    assert answer.status_code == 400
    assert answer.json["message"] == "The request could not be read."


@pytest.mark.parametrize("name", ["\u200b", "\u200f\u200d", "\u3164", "\u2800 \u00ad", "\u0301"])
def test_an_invisible_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidEntry):
        clean_name(name)


@pytest.mark.parametrize("name", ["👩\u200d👧", "שלום", "Zoë", "e\u0301", "7", "名前"])
def test_a_visible_name_is_accepted(name: str) -> None:
    assert clean_name(name)


def test_the_cookie_stays_small_enough_for_every_browser(anybody: FlaskClient) -> None:
    """Browsers drop a cookie of more than 4,093 characters, and with it the right to deal."""
    tables = []
    for start in range(3):
        names = {f"name-{seat}": "名" * 22 + chr(0x4E00 + 8 * start + seat) for seat in range(8)}
        form = {"seats": "8", "game": "pairs", **names, "o-forfeit": "罰" * 200, "o-oldest": "老" * 300}
        answer = anybody.post("/tables", data=form)
        assert len(answer.headers["Set-Cookie"]) <= 4_093
        tables.append(answer.headers["Location"])
    for table in tables:
        assert anybody.post(f"{table}/enter", data={"entry": "7", "version": "1"}).status_code == 303


def test_unknown_fields_are_not_remembered(anybody: FlaskClient) -> None:
    answer = anybody.post(
        "/tables", data={"seats": "4", "game": "pairs", **{f"o-{number}": "x" * 300 for number in range(40)}}
    )
    assert answer.status_code == 303
    assert len(answer.headers["Set-Cookie"]) < 1_000


def test_a_long_text_that_is_not_a_record_is_not_sent_back(anybody: FlaskClient) -> None:
    answer = anybody.post("/import", data={"record": "<>&" * 80_000})
    assert answer.status_code == 422
    assert len(answer.data) < 20_000
    assert "Line 1" in answer.text


# -- sent twice, entered once

PAGES = ("", "/menu", "/seats", "/chips", "/game", "/history?n=1&kind=amend&entry=buy+A+8")
# Forms that may safely be sent twice.
HARMLESS = ("/settings", "/me", "/handover", "/take")


class Forms(HTMLParser):
    """The POST forms of a page: their actions and hidden fields."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = given.get("method") == "post"
            if self.inside:
                self.found.append((given["action"], {}))
        elif tag == "input" and self.inside and given.get("type") == "hidden":
            self.found[-1][1][given["name"]] = given["value"]

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "form"


def forms_of(client: FlaskClient, address: str, **headers: str) -> list[tuple[str, dict[str, str]]]:
    parser = Forms()
    parser.feed(client.get(address, headers=headers).text)
    return parser.found


def test_every_form_that_writes_has_its_own_id(anybody: FlaskClient) -> None:
    table = open_table(anybody)
    for version, entry in enumerate(("buy A 5", "buy B 5", "buy C 5"), 1):
        anybody.post(f"{table}/enter", data={"entry": entry, "version": str(version)})
    anybody.post(f"{table}/undo", data={"version": "4"})
    seen: list[str] = []
    for address in ("/", "/new", "/import", *(table + page for page in PAGES)):
        forms = [(action, hidden) for action, hidden in forms_of(anybody, address) if not action.endswith(HARMLESS)]
        assert forms, address
        seen += [hidden.get("id", "") for _action, hidden in forms]
    assert all(re.fullmatch("form-[0-9a-f]{20}", one) for one in seen)
    assert len(set(seen)) == len(seen) > 10


def test_a_form_sent_twice_is_entered_once_and_both_answers_say_so(client: FlaskClient) -> None:
    table = open_table(client)
    [(action, hidden)] = [
        (action, hidden)
        for action, hidden in forms_of(client, f"{table}/seats")
        if action.endswith("/seats") and "seat" not in hidden
    ]
    form = {**hidden, "what": "sit", "new": "Zoe"}
    assert [client.post(action, data=form).status_code for _ in range(2)] == [303, 303]
    assert client.get(f"{table}/record").text.count("sit Zoe") == 1


def test_another_choice_in_a_form_already_entered_is_refused(client: FlaskClient) -> None:
    """The first answer got lost, and the dealer goes back and chooses another card: the page must say it was not entered."""
    table = open_table(client)
    [(action, hidden)] = forms_of(client, table)
    assert client.post(action, data={**hidden, "entry": "7"}).status_code == 303
    answer = client.post(action, data={**hidden, "entry": "8"})
    assert answer.status_code == 409
    assert "The table has moved on: nothing was entered." in answer.text


def another_tab_of(client: FlaskClient) -> FlaskClient:
    """The same phone, with the cookie it has now."""
    tab, cookie = client.application.test_client(), client.get_cookie("fifty-five")
    assert cookie
    tab.set_cookie("fifty-five", cookie.value)
    return tab


@pytest.mark.parametrize(("address", "tables"), [("/new", 1), ("/import", 1), ("/", 1), ("/new", 0), ("/import", 0)])
def test_a_form_sent_twice_opens_one_table(client: FlaskClient, address: str, tables: int) -> None:
    for _ in range(tables):
        open_table(client)
    forms = [form for form in forms_of(client, address) if not form[0].endswith(HARMLESS)]
    action, hidden = forms[0]
    form = {"seats": "3", "game": "port", "record": "fifty-five 1\nseats Ana Ben\ngame pairs\n7\n", **hidden}
    again = another_tab_of(client)
    first = client.post(action, data=form).headers["Location"]  # this answer with its cookie never arrived
    again.post("/settings", data={"theme": "dark"})
    assert again.post(action, data=form).headers["Location"] == first
    assert (
        again.post(f"{first}/undo", data={"version": "1"}).status_code == 422
    )  # it may deal, but nothing can be undone


def test_the_same_form_sent_again_after_a_card_opens_another_table(client: FlaskClient) -> None:
    [(action, hidden)] = [form for form in forms_of(client, "/new") if not form[0].endswith(HARMLESS)]
    form = {"seats": "3", "game": "port", **hidden}
    first = client.post(action, data=form).headers["Location"]
    other = client.post(action, data={**form, "seats": "4"}).headers["Location"]
    client.post(f"{first}/enter", data={"entry": "7", "version": "1"})
    third = client.post(action, data=form).headers["Location"]
    assert len({first, other, third}) == 3


def test_a_player_who_returns_gets_the_old_seat_and_one_undo_removes_them(client: FlaskClient) -> None:
    table = open_table(client)
    client.post(f"{table}/seats", data={"what": "leave", "seat": "1", "version": "1"})
    client.post(f"{table}/seats", data={"what": "sit", "new": "B", "version": "2"})
    entries = [line.partition("  #")[0] for line in client.get(f"{table}/record").text.splitlines()]
    assert entries[-2:] == ["sit B", "order A B C D"]
    client.post(f"{table}/undo", data={"version": "3"})
    assert "sit B" not in client.get(f"{table}/record").text
