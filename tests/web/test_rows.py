"""Sync: which rows the server sends to a phone that is its own referee, and which it accepts from it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion import __version__
from companion.store.memory import MemoryStore
from companion.web import create_app
from companion.web.clock import later, now
from companion.web.rows import LONGEST_HEADER, MOST_ROWS

from .conftest import Dealt, DealTable, Json, app_on, close, statements

AT = "2026-01-01T20:00:00+00:00"
NEW = "a-table-of-a-phone"


def row(number: int, *entries: str, kind: str = "enter", entry: int | None = None, **more: Any) -> Json:
    client = f"the-id-of-row-{number:04}"
    return {
        "number": number,
        "kind": kind,
        "entries": list(entries),
        "entry": entry,
        "client": client,
        "at": AT,
        **more,
    }


OPENING = row(1, "game pairs", kind="open")


def sent(phone: FlaskClient, table: str, *rows: Json, **more: Any) -> TestResponse:
    body = {"engine": __version__, "names": ["Ana", "Ben"], "rows": list(rows), **more}
    return phone.post(f"/api/tables/{table}/rows", json=body)


def rows_of(dealt: Dealt, after: int = 0, **more: Any) -> Json:
    answered: Json = dealt.call("GET", f"/rows?after={after}", **more).json
    return answered


def send(dealt: Dealt, *rows: Json, **more: Any) -> TestResponse:
    return dealt.call("POST", "/rows", {"engine": __version__, "names": ["Ana", "Ben"], "rows": list(rows)}, **more)


# -- rows that the server sends


def test_the_dealer_gets_every_row_with_its_id(dealt: Dealt) -> None:
    dealt.enter("7", id="tap-1")
    dealt.do("POST", "/undo", id="tap-2")
    answered = rows_of(dealt)
    assert (answered["engine"], answered["names"], answered["version"], answered["dealer"]) == (
        __version__,
        ["Ana", "Ben"],
        3,
        True,
    )
    assert [(one["number"], one["kind"], one["entries"], one["client"]) for one in answered["rows"]] == [
        (1, "open", ["game pairs"], None),
        (2, "enter", ["7"], "tap-1"),
        (3, "undo", [], "tap-2"),
    ]


def test_only_new_rows_are_sent(dealt: Dealt) -> None:
    dealt.play("7", "3")
    assert [one["number"] for one in rows_of(dealt, after=2)["rows"]] == [3]
    assert rows_of(dealt, after=3)["rows"] == []
    assert rows_of(dealt, after=3)["version"] == 3


def test_a_watcher_gets_the_rows_without_their_ids(dealt: Dealt) -> None:
    dealt.enter("7", id="tap-1")
    answered = rows_of(dealt, secret=None)
    assert answered["dealer"] is False
    assert [one["client"] for one in answered["rows"]] == [None, None]
    assert "tap-1" not in json.dumps(answered)


def test_the_settings_of_the_phone_come_with_its_rows(dealt: Dealt) -> None:
    dealt.client.post("/settings", data={"language": "fr", "theme": "light"})
    assert rows_of(dealt)["session"] == {"language": "fr", "theme": "light"}


def test_the_answer_to_a_write_includes_its_row(dealt: Dealt) -> None:
    answer = dealt.enter("7", id="tap-1")
    answered = json.loads(answer.headers["X-Row"])
    assert answered == rows_of(dealt, after=1)["rows"][0]
    assert "X-Row" not in dealt.call("GET").headers


def test_the_answer_to_a_tap_includes_its_row(anybody: FlaskClient) -> None:
    address = anybody.post("/tables", data={"game": "pairs", "seats": "2"}).headers["Location"]
    tap = {"version": "1", "entry": "7", "id": "0123456789abcdef"}
    answer = anybody.post(f"{address}/enter", data=tap, headers={"HX-Request": "true"})
    answered = json.loads(answer.headers["X-Row"])
    assert (answered["number"], answered["kind"], answered["entries"]) == (2, "enter", ["7"])
    again = anybody.post(f"{address}/enter", data=tap, headers={"HX-Request": "true"})
    assert again.status_code == 200
    assert "X-Row" not in again.headers  # nothing was written


def test_a_row_too_long_for_a_header_is_left_out(dealt: Dealt) -> None:
    assert "X-Row" in dealt.enter("shuffle").headers
    long = dealt.enter(*[f"buy Ana {number + 1}" for number in range(LONGEST_HEADER // 8)])
    assert long.status_code == 200
    assert "X-Row" not in long.headers


# -- rows that the server accepts


def test_rows_are_applied_in_order_as_if_they_had_been_tapped_here(dealt: Dealt) -> None:
    answer = send(
        dealt,
        row(2, "7"),
        row(3, "3", "10"),
        row(4, kind="undo"),
        row(5, kind="redo"),
        row(6, "4", kind="amend", entry=2),
    )
    assert (answer.status_code, answer.json) == (200, {"engine": __version__, "version": 6, "taken": 5})
    assert dealt.entries() == ["game pairs", "7", "4", "10"]
    assert [one["at"] for one in dealt.log()][1:] == [AT] * 3
    assert "X-Row" not in answer.headers  # the phone has the rows already


def test_rows_sent_again_are_applied_once(dealt: Dealt) -> None:
    rows = [row(2, "7"), row(3, "3")]
    assert send(dealt, *rows).json["taken"] == 2
    before = dealt.everything()
    again = send(dealt, *rows)
    assert (again.status_code, again.json["version"], again.json["taken"]) == (200, 3, 2)
    assert dealt.everything() == before
    assert send(dealt, *rows, row(4, "10")).json == {"engine": __version__, "version": 4, "taken": 3}
    assert dealt.entries() == ["game pairs", "7", "3", "10"]


def test_a_tap_that_is_sent_again_as_a_row_is_applied_once(dealt: Dealt) -> None:
    dealt.enter("7", id="the-id-of-row-0002")
    assert send(dealt, row(2, "7"), row(3, "3")).json["version"] == 3
    assert dealt.entries() == ["game pairs", "7", "3"]


def test_a_time_in_the_future_is_corrected(dealt: Dealt) -> None:
    assert send(dealt, row(2, "7", at=later(86_400))).status_code == 200
    assert dealt.log()[1]["at"] <= now()


def test_a_phone_that_sends_old_rows_is_not_silent(dealt: Dealt) -> None:
    """The time of a row is that of the tap, perhaps offline. Silence is counted from the last row the server accepted."""
    assert send(dealt, row(2, "7")).status_code == 200
    app = dealt.client.application
    with app.app_context():
        code = app.extensions["tables"].dealing.recovery_code(dealt.table)
    refused = app.test_client().post(f"/t/{dealt.table}/take", data={"recovery": code})
    assert refused.status_code == 409
    assert "used a moment ago" in refused.text


def test_a_row_costs_one_statement(tmp_path: Any) -> None:
    app = app_on(tmp_path)
    phone = app.test_client()
    sent(phone, NEW, OPENING)
    counted = statements(app)
    answer = sent(phone, NEW, *(row(2 + place, "buy Ana 5") for place in range(50)))
    assert answer.json["taken"] == 50
    assert len(counted) == 51  # one of them checks the sender
    close(app)


# -- who may send rows


def test_rows_of_anybody_else_are_refused_before_they_are_read(dealt: Dealt) -> None:
    before = dealt.everything()
    for rows in ([row(2, "7")], [], [OPENING], ["nonsense"], [row(2, "no card")]):
        assert send(dealt, *rows, secret=None).status_code == 401
        assert send(dealt, *rows, secret="x" * 32).status_code == 403  # type: ignore[arg-type]
    assert dealt.call("POST", "/rows", secret=None, data="no JSON").status_code == 401
    assert dealt.everything() == before


def test_after_a_hand_over_the_old_phone_is_refused(dealt: Dealt) -> None:
    dealt.call("POST", "/handover", {})
    answer = send(dealt, row(2, "7"))
    assert (answer.status_code, answer.json["error"]) == (403, "forbidden")
    assert answer.json["message"] == "This phone does not deal at this table any more."


def test_a_table_that_moved_on_refuses_new_rows_and_stays_as_it_is(dealt: Dealt) -> None:
    send(dealt, row(2, "7"))
    dealt.version = 2
    dealt.play("3")
    answer = send(dealt, row(2, "7"), row(3, "9"), row(4, "10"))
    assert (answer.status_code, answer.json["message"]) == (409, "The table has moved on.")
    assert (answer.json["number"], answer.json["taken"]) == (3, 1)
    assert dealt.entries() == ["game pairs", "7", "3"]


def test_an_illegal_row_is_named_and_the_rows_before_it_are_applied(dealt: Dealt) -> None:
    answer = send(dealt, row(2, "7"), row(3, "3"), row(4, "Ana: fold"), row(5, "10"))
    assert answer.status_code == 422
    assert (answer.json["number"], answer.json["taken"]) == (4, 2)
    assert answer.json["message"]
    assert dealt.entries() == ["game pairs", "7", "3"]


# -- tables opened on the phone


def test_a_table_opened_on_a_phone_keeps_its_id_and_that_phone_deals(client: FlaskClient) -> None:
    table = f"{NEW}-{id(client)}"
    assert sent(client, table, OPENING, row(2, "7")).json == {"engine": __version__, "version": 2, "taken": 2}
    assert sent(client, table, row(3, "3")).json["version"] == 3
    answered = client.get(f"/api/tables/{table}/rows").json
    assert (answered["dealer"], answered["names"], len(answered["rows"])) == (True, ["Ana", "Ben"], 3)
    tap = client.post(f"/t/{table}/enter", data={"version": "3", "entry": "10"}, headers={"HX-Request": "true"})
    assert tap.status_code == 200


def test_an_opening_can_be_sent_again_if_its_answer_was_lost(client: FlaskClient) -> None:
    table = f"{NEW}-lost-{id(client)}"
    for _lost in range(2):
        with_no_cookie = client.application.test_client()  # the answer with its cookie never arrived
        assert sent(with_no_cookie, table, OPENING, row(2, "7")).status_code == 200
    assert sent(client, table, OPENING, row(2, "7"), row(3, "3")).json["version"] == 3
    assert sent(client, table, row(4, "10")).status_code == 200


def test_the_phone_that_opened_a_table_can_deal_without_its_cookie(client: FlaskClient) -> None:
    table = f"{NEW}-cookie-{id(client)}"
    sent(client, table, OPENING, row(2, "7"))
    forgetful = client.application.test_client()
    assert sent(forgetful, table, row(3, "3")).status_code == 401
    assert sent(forgetful, table, row(3, "3"), opening="another-id-of-the-row").status_code == 401
    assert sent(forgetful, table, row(3, "3"), opening=["no", "id"]).status_code == 401
    for no_id in ("half of a pair: \ud800", "\0", "x" * 201):
        assert sent(forgetful, table, row(3, "3"), opening=no_id).status_code == 401
    assert sent(forgetful, table, row(3, "3"), opening=OPENING["client"]).json["version"] == 3
    assert sent(forgetful, table, row(4, "10")).status_code == 200


def test_a_stranger_who_guesses_the_opening_cannot_deal(client: FlaskClient) -> None:
    table = f"{NEW}-guess-{id(client)}"
    sent(client, table, OPENING)
    stranger = client.application.test_client()
    answered = stranger.get(f"/api/tables/{table}/rows").json["rows"][0]
    for guess in ({**answered, "client": "another-id-of-the-row"}, answered):
        assert sent(stranger, table, guess, row(2, "7")).status_code == 401
    assert client.get(f"/api/tables/{table}").json["version"] == 1


def test_after_a_handover_the_opening_no_longer_proves_who_deals(client: FlaskClient) -> None:
    table = f"{NEW}-passed-{id(client)}"
    sent(client, table, OPENING)
    client.post(f"/api/tables/{table}/handover")
    assert sent(client.application.test_client(), table, OPENING).status_code == 401
    assert sent(client, table, OPENING).status_code == 403


def test_another_opening_at_a_known_table_is_refused(dealt: Dealt) -> None:
    answer = send(dealt, OPENING, row(2, "7"))
    assert (answer.status_code, answer.json["number"], answer.json["taken"]) == (409, 1, 0)
    assert dealt.entries() == ["game pairs"]


@pytest.mark.parametrize("table", ["short", "x" * 11, "x" * 65, "with.a.dot.in.the.id"])
def test_an_id_that_is_invalid_or_easy_to_guess_opens_no_table(anybody: FlaskClient, table: str) -> None:
    assert sent(anybody, table, OPENING).status_code == 404
    assert anybody.get(f"/api/tables/{table}").status_code == 404


def test_rows_for_an_unknown_table_without_an_opening_are_404(anybody: FlaskClient) -> None:
    for rows in ([row(2, "7")], []):
        assert sent(anybody, f"{NEW}-unknown", *rows).status_code == 404


def test_a_table_opened_on_a_phone_counts_like_any_other() -> None:
    app = create_app(MemoryStore(), {"SECRET_KEY": "key", "TABLES_PER_HOUR": 2})
    phone = app.test_client()
    there = {"REMOTE_ADDR": "198.51.100.7"}
    body = {"engine": __version__, "names": ["Ana", "Ben"], "rows": [OPENING]}

    def opened(table: str) -> int:
        return phone.post(f"/api/tables/{table}/rows", json=body, environ_base=there).status_code

    assert [opened(f"{NEW}-{number}") for number in range(3)] == [200, 200, 429]
    assert opened(f"{NEW}-1") == 200  # it is already open


# -- malformed rows


@pytest.mark.parametrize("of_the_dealer", [True, False])
def test_a_body_that_is_no_json_object_is_refused(dealt: Dealt, of_the_dealer: bool) -> None:
    table = dealt.table if of_the_dealer else "a-table-that-nobody-has-opened"
    for body in ("no JSON", "[]", "7"):
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {dealt.secret}"}
        answer = dealt.client.post(f"/api/tables/{table}/rows", data=body, headers=headers)
        assert answer.status_code == 400, answer.text


def but(**changed: Any) -> Json:
    return {**row(2, "7"), **changed}


MALFORMED: dict[str, Json] = {
    "no number": but(number=None),
    "number as text": but(number="2"),
    "number is true": but(number=True),
    "number 0": but(number=0),
    "an opening that is not the first": but(kind="open"),
    "unknown kind": but(kind="win"),
    "kind is a list": but(kind=["enter"]),
    "no entries": but(entries=None),
    "enter nothing": but(entries=[]),
    "entries are numbers": but(entries=[7]),
    "too many entries": but(entries=["7"] * 5_001),
    "enter with a place": but(entry=1),
    "amend without entry": but(kind="amend", entries=[], entry=1),
    "amend without place": but(kind="amend"),
    "amend at a place below 0": but(kind="amend", entry=-1),
    "amend at true": but(kind="amend", entry=True),
    "insert more than there are seats": but(kind="insert", entries=["7"] * 9, entry=1),
    "remove with an entry": but(kind="remove", entry=1),
    "cut without place": but(kind="cut", entries=[]),
    "undo with an entry": but(kind="undo"),
    "no id": but(client=None),
    "empty id": but(client=""),
    "id is a number": but(client=7),
    "id with a control character": but(client="\0" * 20),
    "a very long id": but(client="x" * 201),
    "no time": but(at=None),
    "time without zone": but(at="2026-01-01T20:00:00"),
    "no such day": but(at="2026-02-30T20:00:00+00:00"),
    "time in other digits": but(at="٢٠٢٦-01-01T20:00:00+00:00"),
}


@pytest.mark.parametrize("bad", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_row_is_refused_and_no_row_is_applied(in_memory: Dealt, bad: Json) -> None:
    before = in_memory.everything()
    for rows in ([bad], [row(2, "7"), {**bad, "number": 3} if bad["number"] == 2 else bad]):
        answer = send(in_memory, *rows)
        assert (answer.status_code, answer.json["error"]) == (422, "invalid")
        assert answer.json["message"]
    assert in_memory.everything() == before


@pytest.mark.parametrize(
    "rows",
    [
        None,
        {},
        "rows",
        [None],
        [[]],
        [row(2, "7"), row(2, "8")],
        [row(2, "7"), row(4, "8")],
        [row(3, "7"), row(2, "8")],
        [row(2 + place, "buy Ana 5") for place in range(MOST_ROWS + 1)],
    ],
)
def test_anything_but_a_list_of_rows_in_order_is_refused(in_memory: Dealt, rows: Any) -> None:
    before = in_memory.everything()
    assert in_memory.call("POST", "/rows", {"rows": rows}).status_code == 422
    assert in_memory.everything() == before


def test_an_impossible_opening_is_refused_with_a_message(anybody: FlaskClient) -> None:
    table = f"{NEW}-bad-opening"
    for names, opening in (
        (["Ana"], OPENING),
        (["Ana", "Ana"], OPENING),
        (["Ana", 7], OPENING),
        ("Ana", OPENING),
        ([], OPENING),
        (["Ana", "Ben"], row(1, "7", kind="open")),
        (["Ana", "Ben"], row(1, "game chess", kind="open")),
        (["Ana", "Ben"], {**OPENING, "client": "short"}),
    ):
        answer = sent(anybody, table, opening, names=names)
        assert (answer.status_code, bool(answer.json["message"])) == (422, True)
    assert anybody.get(f"/api/tables/{table}").status_code == 404


def test_rows_from_another_site_are_refused(dealt: Dealt) -> None:
    assert send(dealt, row(2, "7"), headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert dealt.entries() == ["game pairs"]


@pytest.mark.parametrize("game", ["rocket", "blackstone", "hawthorn"])
def test_rows_from_one_server_are_accepted_by_another(deal: DealTable, anybody: FlaskClient, game: str) -> None:
    dealt = deal("Ana", "Ben", "Cy", game=game)
    for _ in range(12):
        dealt.play(dealt.state()["legal"][0])
    dealt.do("POST", "/undo")
    answered = rows_of(dealt)
    table = f"elsewhere-{game}-{id(dealt)}"
    rows = [{**one, "client": one["client"] or f"{table}-{one['number']}"} for one in answered["rows"]]
    assert sent(anybody, table, *rows, names=answered["names"]).status_code == 200
    here = anybody.get(f"/api/tables/{table}").json
    assert {**here, "table": ""} == {**dealt.state(), "table": ""}
