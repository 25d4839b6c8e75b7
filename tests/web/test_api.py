"""The JSON API against its contract, sentence by sentence, over both stores."""

from __future__ import annotations

import json
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from .conftest import Deal, Dealt, Json, deal_at, statements

# Every call that writes, with a body that would do at version 1 of a new table of Pairs.
WRITES = [
    ("POST", "/entries", {"version": 1, "entries": ["8"]}),
    ("POST", "/undo", {"version": 1}),
    ("POST", "/redo", {"version": 1}),
    ("PUT", "/entries/0", {"version": 1, "entry": "game port"}),
    ("POST", "/entries/0", {"version": 1, "entry": "game port"}),
    ("DELETE", "/entries/0", {"version": 1}),
]
HANDOVER = ("POST", "/handover", None)
NO_OBJECTS = {
    "nothing": b"",
    "a list": b"[]",
    "a list of objects": b'[{"version": 1, "entries": ["8"]}]',
    "a number": b"12",
    "a string": b'"version"',
    "null": b"null",
    "text": b"version=1",
    "half an object": b'{"version": 1',
    "no UTF-8": b'{"version": 1, "id": "\xff"}',
    "deep nesting": b"[" * 100_000,
    "an object nested deeply": b'{"version":' * 50_000,
}


def is_error(answer: TestResponse, status: int, code: str | None = None, case: object = "") -> Json:
    """Every error has one form: a code, and a sentence for the dealer."""
    assert answer.status_code == status, (case, answer.text)
    assert answer.mimetype == "application/json", case
    told: Json = answer.json
    assert isinstance(told["error"], str), case
    assert told["error"], case
    assert isinstance(told["message"], str), case
    assert told["message"].strip(), case
    if code is not None:
        assert told["error"] == code, (case, told)
    return told


def points(state: Json) -> dict[str, int]:
    return {seat["name"]: seat["points"] for seat in state["seats"]}


def chips(state: Json) -> dict[str, int]:
    return {seat["name"]: seat["chips"] for seat in state["seats"]}


def stacks(state: Json) -> dict[str, list[int]]:
    return {seat["name"]: seat["stack"] for seat in state["seats"]}


def without(state: Json, *keys: str) -> Json:
    return {key: value for key, value in state.items() if key not in keys}


def fractions(told: dict[str, str]) -> dict[str, Fraction]:
    return {key: Fraction(value) for key, value in told.items()}


# -- errors


@pytest.mark.parametrize(("method", "path", "_"), WRITES)
def test_a_body_that_is_no_json_object_is_400(in_memory: Dealt, method: str, path: str, _: Json) -> None:
    before = in_memory.everything()
    for case, body in NO_OBJECTS.items():
        is_error(in_memory.call(method, path, data=body, content_type="application/json"), 400, case=case)
    assert in_memory.everything() == before


@pytest.mark.parametrize("body", NO_OBJECTS.values(), ids=NO_OBJECTS.keys())
def test_a_table_is_not_made_from_what_is_no_json_object(anybody: FlaskClient, body: bytes) -> None:
    for path in ("/api/tables", "/api/tables/import"):
        is_error(anybody.post(path, data=body, content_type="application/json"), 400)


@pytest.mark.parametrize(
    "path",
    [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/tables/",
        "/api/tables/nobody",
        "/api/tables/nobody/log",
        "/api/tables/nobody/nothing",
        "/api/lookup",
        "/api/lookup/nothing",
        "/api/tables/%F0%9F%82%A1",
        "/api/tables/%FF%00",
    ],
)
def test_what_is_not_there_is_404_as_json(client: FlaskClient, path: str) -> None:
    is_error(client.get(path), 404)


@pytest.mark.parametrize(("method", "path", "body"), [*WRITES, HANDOVER])
def test_an_unknown_table_is_404_for_a_write_too(client: FlaskClient, method: str, path: str, body: Json) -> None:
    headers = {"Authorization": "Bearer anything"}
    is_error(client.open(f"/api/tables/nobody{path}", method=method, json=body, headers=headers), 404)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/tables"),
        ("PUT", "/api/tables"),
        ("DELETE", "/api/tables"),
        ("POST", "/api/lookup/limit"),
        ("DELETE", "/api/lookup/odds"),
    ],
)
def test_a_wrong_method_is_405_as_json(anybody: FlaskClient, method: str, path: str) -> None:
    is_error(anybody.open(path, method=method), 405)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", ""),
        ("PUT", ""),
        ("GET", "/entries"),
        ("PUT", "/entries"),
        ("GET", "/entries/0"),
        ("PATCH", "/entries/0"),
        ("GET", "/undo"),
        ("GET", "/redo"),
        ("GET", "/handover"),
        ("POST", "/log"),
    ],
)
def test_a_wrong_method_at_a_table_is_405_as_json(in_memory: Dealt, method: str, path: str) -> None:
    is_error(in_memory.call(method, path, {"version": 1}), 405)


@pytest.mark.parametrize("place", ["x", "-1", "1.5", "0x1", ""])
def test_an_entry_that_is_no_number_is_not_there(in_memory: Dealt, place: str) -> None:
    is_error(in_memory.call("PUT", f"/entries/{place}", {"version": 1, "entry": "8"}), 404)


def test_too_large_a_body_is_refused_as_json(dealt: Dealt) -> None:
    is_error(dealt.call("POST", "/entries", {"version": 1, "entries": ["8"], "id": "x" * 2_000_000}), 413)
    assert dealt.state()["version"] == 1


def test_a_fault_of_ours_is_told_as_json(app: Flask, dealt: Dealt, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(app.extensions["tables"].store, "append", broken)
    told = is_error(dealt.enter("8"), 500)
    assert "disk" not in told["message"]


def message(dealt: Dealt, language: str) -> str:
    answer = dealt.call("POST", "/undo", {"version": 1}, headers={"Accept-Language": language})
    return str(is_error(answer, 422, "nothing")["message"])


def test_errors_are_told_in_the_language_of_the_reader(in_memory: Dealt) -> None:
    """English and French; English for everybody else."""
    english, french = message(in_memory, "en"), message(in_memory, "fr")
    assert english != french
    assert message(in_memory, "fr;q=0.4,en;q=0.8") == english
    assert message(in_memory, "en;q=0.4,fr;q=0.8") == french
    assert message(in_memory, "xx") == english


def test_the_language_of_a_region_is_the_language(in_memory: Dealt) -> None:
    english, french = message(in_memory, "en"), message(in_memory, "fr")
    assert message(in_memory, "fr-CA") == french
    assert message(in_memory, "fr-CA,en;q=0.5") == french
    assert message(in_memory, "en-GB") == english
    assert message(in_memory, "en-GB,fr;q=0.3") == english


# -- who may write


@pytest.mark.parametrize(("method", "path", "body"), [*WRITES, HANDOVER])
def test_writing_without_a_secret_is_401(dealt: Dealt, method: str, path: str, body: Json) -> None:
    before = dealt.everything()
    is_error(dealt.call(method, path, body, secret=None), 401)
    assert dealt.everything() == before


@pytest.mark.parametrize(("method", "path", "body"), [*WRITES, HANDOVER])
def test_writing_with_a_wrong_secret_is_403(dealt: Dealt, method: str, path: str, body: Json) -> None:
    before = dealt.everything()
    for wrong in (dealt.secret[:-1], dealt.secret + "x", dealt.secret.swapcase()):
        is_error(dealt.call(method, path, body, secret=wrong), 403)
    assert dealt.everything() == before


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic {secret}", "{secret}"])
def test_a_header_without_a_bearers_secret_is_401(dealt: Dealt, header: str) -> None:
    headers = {"Authorization": header.format(secret=dealt.secret)}
    body = {"version": 1, "entries": ["8"]}
    is_error(dealt.call("POST", "/entries", body, secret=None, headers=headers), 401)


def test_the_secret_of_another_table_is_a_wrong_one(deal: Deal) -> None:
    mine, other = deal(), deal()
    is_error(mine.call("POST", "/entries", {"version": 1, "entries": ["8"]}, secret=other.secret), 403)


def test_the_stored_hash_is_no_secret(app: Flask, dealt: Dealt) -> None:
    stored = app.extensions["tables"].store.standing(dealt.table).secret
    is_error(dealt.call("POST", "/entries", {"version": 1, "entries": ["8"]}, secret=stored), 403)


def test_a_seen_id_opens_no_door(dealt: Dealt) -> None:
    body = {"version": 1, "entries": ["8"], "id": "tap"}
    assert dealt.call("POST", "/entries", body).status_code == 200
    is_error(dealt.call("POST", "/entries", body, secret=None), 401)
    is_error(dealt.call("POST", "/entries", body, secret="wrong"), 403)


def test_the_cookie_of_the_pages_gives_the_same_right(app: Flask, dealt: Dealt) -> None:
    phone = app.test_client()
    with phone.session_transaction() as session:
        session["dealer"] = {dealt.table: dealt.secret}
    address = f"/api/tables/{dealt.table}/entries"
    assert phone.post(address, json={"version": 1, "entries": ["8"]}).status_code == 200
    with phone.session_transaction() as session:
        session["dealer"] = {dealt.table: "wrong"}
    is_error(phone.post(address, json={"version": 2, "entries": ["8"]}), 403)


def test_reading_needs_only_the_tables_id(app: Flask, dealt: Dealt) -> None:
    stranger = app.test_client()
    assert stranger.get(f"/api/tables/{dealt.table}").json == dealt.opening
    assert stranger.get(f"/api/tables/{dealt.table}/log").status_code == 200


def test_ids_and_secrets_cannot_be_guessed(deal: Deal) -> None:
    tables = [deal() for _ in range(20)]
    words = {table.table for table in tables} | {table.secret for table in tables}
    assert len(words) == 40
    assert min(map(len, words)) >= 16


# -- POST /api/tables


def test_a_new_table_begins_with_its_game(client: FlaskClient) -> None:
    body = {"seats": ["Ana", "Ben"], "game": "pairs", "options": {"stakes": "tacoma", "sum": 6}}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 201
    assert set(answer.json) == {"table", "dealer", "state"}
    assert answer.mimetype == "application/json"
    state, address = answer.json["state"], f"/api/tables/{answer.json['table']}"
    assert state["table"] == answer.json["table"]
    assert state["version"] == 1
    assert state["game"] == "pairs"
    assert state["options"]["stakes"] == "tacoma"
    assert state["options"]["sum"] == 6
    assert [seat["name"] for seat in state["seats"]] == ["Ana", "Ben"]
    assert state["last"] == "game pairs stakes=tacoma sum=6"
    assert client.get(address).json == state
    log = client.get(f"{address}/log").json["entries"]
    assert [(line["n"], line["entry"]) for line in log] == [(0, "game pairs stakes=tacoma sum=6")]


def test_options_may_be_left_out(client: FlaskClient) -> None:
    answer = client.post("/api/tables", json={"seats": ["Ana", "Ben"], "game": "pairs"})
    assert answer.status_code == 201
    assert answer.json["state"]["last"] == "game pairs"


def test_more_in_the_body_does_no_harm(client: FlaskClient) -> None:
    body = {"seats": ["Ana", "Ben"], "game": "pairs", "colour": "green", "table": "mine", "dealer": "me"}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 201
    assert answer.json["table"] != "mine"
    assert answer.json["dealer"] != "me"


@pytest.mark.parametrize(
    ("game", "options", "entry"),
    [
        (
            "rocket",
            {"decks": 2, "bet": 20, "max": 100, "button": "yes"},
            "game rocket decks=2 bet=20 max=100 button=yes",
        ),
        ("pairs", {"limit": 20, "calamities": "yes", "eights": "no"}, "game pairs limit=20 calamities=yes eights=no"),
        ("continuous", {"forfeit": "a song, loudly"}, 'game continuous forfeit="a song, loudly"'),
        ("pairs", {"forfeit": "l'addition #1"}, 'game pairs forfeit="l\'addition #1"'),
        ("port", {"goal": 30, "burn": 0}, "game port goal=30 burn=0"),
        ("starboard", {"ante": 2, "locks": "draw"}, "game starboard ante=2 locks=draw"),
        ("blackstone", {"ante": 7, "buyin": 100}, "game blackstone ante=7 buyin=100"),
        ("hawthorn", {"decks": 2, "odds": "after"}, "game hawthorn decks=2 odds=after"),
        ("zombie", {"oldest": "Ben/Ana", "goal": 15}, "game zombie oldest=Ben/Ana goal=15"),
        ("pairs", {"cards": "no"}, "game pairs cards=no"),
    ],
)
def test_options_become_the_first_entry_and_stay_numbers(deal: Deal, game: str, options: Json, entry: str) -> None:
    dealt = deal(game=game, **options)
    assert dealt.entries() == [entry]
    told = dealt.opening["options"]
    assert {key: told[key] for key in options} == options
    assert all(type(told[key]) is type(value) for key, value in options.items())


def test_options_left_out_have_their_defaults(deal: Deal) -> None:
    pairs = deal("Ana", "Ben", "Cleo").opening
    assert pairs["limit"] == 21
    expected = {"stakes": "forfeit", "sum": 6, "calamities": "no", "eights": "no", "burn": 5, "buyin": 0}
    assert expected.items() <= pairs["options"].items()
    assert {"odds": "all", "cards": "yes"}.items() <= pairs["options"].items()
    rocket = deal(game="rocket").opening
    assert {"decks": 1, "bet": 10, "button": "no", "burn": 0}.items() <= rocket["options"].items()
    for game, ante in (("starboard", 1), ("hawthorn", 1), ("blackstone", 5)):
        assert deal(game=game).opening["options"]["ante"] == ante
    for game in ("port", "zombie"):
        state = deal(game=game).opening
        assert state["goal"] == state["options"]["goal"] == 21


TWO = ["Ana", "Ben"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"game": "pairs"},
        {"seats": TWO},
        {"seats": None, "game": "pairs"},
        {"seats": "Ana", "game": "pairs"},
        {"seats": {"Ana": 1, "Ben": 2}, "game": "pairs"},
        {"seats": [], "game": "pairs"},
        {"seats": ["Ana"], "game": "pairs"},
        {"seats": list("ABCDEFGHI"), "game": "pairs"},
        {"seats": list("ABCDEFGH"), "game": "rocket"},
        {"seats": [1, 2], "game": "pairs"},
        {"seats": ["Ana", 2], "game": "pairs"},
        {"seats": ["Ana", None], "game": "pairs"},
        {"seats": ["Ana", ["Ben"]], "game": "pairs"},
        {"seats": TWO, "game": 5},
        {"seats": TWO, "game": None},
        {"seats": TWO, "game": ["pairs"]},
        {"seats": TWO, "game": ""},
        {"seats": TWO, "game": "chess"},
        {"seats": TWO, "game": "Pairs"},
        {"seats": TWO, "game": "pairs sum=6"},
        {"seats": TWO, "game": "pairs\nmisdeal"},
        {"seats": TWO, "game": "pairs", "options": []},
        {"seats": TWO, "game": "pairs", "options": [["sum", 6]]},
        {"seats": TWO, "game": "pairs", "options": "sum=6"},
        {"seats": TWO, "game": "pairs", "options": 6},
    ],
    ids=json.dumps,
)
def test_a_table_with_a_missing_or_unusable_field_is_invalid(anybody: FlaskClient, body: Json) -> None:
    is_error(anybody.post("/api/tables", json=body), 422, "invalid")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("pairs", {"speed": 3}),
        ("pairs", {"decks": 2}),
        ("pairs", {"goal": 21}),
        ("port", {"limit": 21}),
        ("pairs", {"": 1}),
        ("pairs", {"sum=6 limit": 3}),
        ("pairs", {"Sum": 6}),
        ("pairs", {"sum": True}),
        ("pairs", {"sum": 1.5}),
        ("pairs", {"sum": 6.0}),
        ("pairs", {"sum": None}),
        ("pairs", {"sum": [6]}),
        ("pairs", {"sum": {"is": 6}}),
        ("pairs", {"sum": "six"}),
        ("pairs", {"sum": ""}),
        ("pairs", {"sum": -6}),
        ("pairs", {"sum": 10**30}),
        ("pairs", {"limit": 0}),
        ("pairs", {"calamities": True}),
        ("pairs", {"calamities": False}),
        ("pairs", {"calamities": 1}),
        ("pairs", {"calamities": "true"}),
        ("pairs", {"stakes": "vegas"}),
        ("pairs", {"stakes": 6}),
        ("pairs", {"forfeit": True}),
        ("pairs", {"forfeit": None}),
        ("pairs", {"forfeit": 'a "song"'}),
        ("pairs", {"forfeit": "a\nsong"}),
        ("pairs", {"odds": "some"}),
        ("pairs", {"cards": "maybe"}),
        ("rocket", {"bet": 15}),
        ("rocket", {"max": 25}),
        ("rocket", {"decks": 9}),
        ("rocket", {"decks": 0}),
        ("hawthorn", {"decks": 3}),
        ("starboard", {"locks": "key"}),
        ("zombie", {"oldest": "Cleo/Dan"}),
    ],
    ids=str,
)
def test_an_unknown_option_or_an_impossible_value_is_refused(anybody: FlaskClient, game: str, options: Json) -> None:
    is_error(anybody.post("/api/tables", json={"seats": TWO, "game": game, "options": options}), 422, "invalid")


# -- names


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Cleo ", "Cleo"),
        ("Zoe\u0308", "Zoë"),
        ("\u00a0Benoi\u0302t\t", "Benoît"),
        ("Anna Maria", "Anna Maria"),
        ("O'Brien", "O'Brien"),
        ("<b>&amp;", "<b>&amp;"),
        ("名前 🂡", "名前 🂡"),
        ("x" * 24, "x" * 24),
        ("e\u0301" * 24, "é" * 24),
        (f"   {'y' * 24}   ", "y" * 24),
        ("8", "8"),
        ("fold", "fold"),
    ],
)
def test_names_are_normalised_and_trimmed(deal: Deal, given: str, kept: str) -> None:
    dealt = deal(given, "Dan")
    assert dealt.opening["seats"][0]["name"] == kept == unicodedata.normalize("NFC", kept)
    assert dealt.opening["waiting"] == [kept, "Dan"]
    assert dealt.enter("8", "9").json["turn"] == kept
    assert [seat["name"] for seat in dealt.state()["seats"]] == [kept, "Dan"]


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 25, "e\u0301" * 25, "A:b", "A,b", "A#b", 'A"b', "A\nb", "A\x00b", "A\x7fb", "A\u2028b", "\ud800"],
)
def test_a_name_that_cannot_be_is_invalid(anybody: FlaskClient, name: str) -> None:
    is_error(anybody.post("/api/tables", json={"seats": [name, "Ben"], "game": "pairs"}), 422, "invalid")


@pytest.mark.parametrize("twin", ["Zoë", "zoë", "ZOË", "Zoe\u0308", "  zoë "])
def test_names_are_unique_without_regard_to_case(anybody: FlaskClient, twin: str) -> None:
    is_error(anybody.post("/api/tables", json={"seats": ["Zoë", twin], "game": "pairs"}), 422, "invalid")


def test_names_with_blanks_are_quoted_as_arguments_and_bare_before_the_colon(deal: Deal) -> None:
    dealt = deal("Anna Maria", "Zoe\u0308")
    state = dealt.play(
        "Zoe\u0308: 9", "Anna Maria: 3", "Anna Maria: fold", 'points "Anna Maria" 12', "points Zoe\u0308 2"
    )
    assert points(state) == {"Anna Maria": 12, "Zoë": 2}
    assert dealt.entries()[1:] == [
        "Zoë: 9",
        "Anna Maria: 3",
        "Anna Maria: fold",
        'points "Anna Maria" 12',
        "points Zoë 2",
    ]
    is_error(dealt.enter("points Anna Maria 12"), 422, "invalid")


def test_entries_are_kept_as_they_are_printed(dealt: Dealt) -> None:
    dealt.play("  Ben:   7 ", ' buy   "Ana"  10')
    assert dealt.entries() == ["game pairs", "Ben: 7", "buy Ana 10"]


# -- GET /api/tables/<table>


def test_the_state_has_an_etag_by_version(dealt: Dealt) -> None:
    address = f"/api/tables/{dealt.table}"
    first = dealt.client.get(address)
    etag = first.headers["ETag"]
    assert dealt.client.get(address).headers["ETag"] == etag
    unchanged = dealt.client.get(address, headers={"If-None-Match": etag})
    assert unchanged.status_code == 304
    assert unchanged.data == b""
    assert unchanged.headers["ETag"] == etag
    dealt.play("8")
    changed = dealt.client.get(address, headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert changed.json["version"] == 2
    assert changed.headers["ETag"] != etag
    assert dealt.do("POST", "/undo").status_code == 200
    undone = dealt.client.get(address, headers={"If-None-Match": etag})
    assert undone.status_code == 200
    assert undone.headers["ETag"] not in (etag, changed.headers["ETag"])
    among_others = dealt.client.get(address, headers={"If-None-Match": f'"other", {undone.headers["ETag"]}'})
    assert among_others.status_code == 304


def test_an_etag_holds_for_a_reader_who_takes_gzip(dealt: Dealt) -> None:
    address, small = f"/api/tables/{dealt.table}", {"Accept-Encoding": "gzip"}
    etag = dealt.client.get(address, headers=small).headers["ETag"]
    assert dealt.client.get(address, headers={**small, "If-None-Match": etag}).status_code == 304


# -- POST entries


def test_entries_are_answered_with_the_new_state(dealt: Dealt) -> None:
    answer = dealt.enter("4", version=1)
    assert answer.status_code == 200
    assert answer.mimetype == "application/json"
    assert answer.json["table"] == dealt.table
    assert answer.json["version"] == 2
    assert stacks(answer.json) == {"Ana": [4], "Ben": []}
    assert dealt.state() == answer.json


def test_the_entries_of_one_call_are_one_change(dealt: Dealt) -> None:
    state = dealt.enter("4", "6", "9", version=1).json
    assert state["version"] == 2
    assert stacks(state) == {"Ana": [4, 9], "Ben": [6]}
    assert dealt.entries() == ["game pairs", "4", "6", "9"]
    undone = dealt.do("POST", "/undo").json
    assert stacks(undone) == {"Ana": [], "Ben": []}
    assert dealt.entries() == ["game pairs"]


REFUSED: list[tuple[list[str], int, str]] = [
    (["fold"], 0, "illegal"),
    (["1", "1"], 1, "illegal"),  # there is one 1
    (["4", "6", "Ben: 8"], 2, "illegal"),  # the 4 starts
    (["4", "6", "9", "lock"], 3, "illegal"),
    (["4", "points Cleo 3"], 1, "illegal"),
    (["4", "sit Cleo"], 1, "illegal"),  # a round is under way
    (["eleven"], 0, "invalid"),
    (["4", "11"], 1, "invalid"),
    (["4", "6", "0"], 2, "invalid"),
    (["4", ""], 1, "invalid"),
    (["4", "rename Ben"], 1, "invalid"),
    (["4", 'rename Ben "Zoë'], 1, "invalid"),
    (["4", "game chess"], 1, "invalid"),
    (["4", "game pairs speed=3"], 1, "invalid"),
    (["4", "6\n9"], 1, "invalid"),
    (["4", "\ud800"], 1, "invalid"),
]


def test_refused_entries_are_all_or_nothing(dealt: Dealt) -> None:
    before = dealt.everything()
    for entries, at, code in REFUSED:
        told = is_error(dealt.enter(*entries, id="refused"), 422, code, case=entries)
        assert told["at"] == at, entries
    assert dealt.everything() == before


def test_nobody_draws_a_card_that_cannot_be_there(deal: Deal) -> None:
    dealt = deal("Ana", "Ben", "Cleo")
    dealt.play("2", "2")
    told = is_error(dealt.enter("2"), 422, "illegal")
    assert told["at"] == 0
    assert "2" not in dealt.state()["legal"]


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_the_version_is_required_to_write(in_memory: Dealt, method: str, path: str, body: Json) -> None:
    before = in_memory.everything()
    is_error(in_memory.call(method, path, without(body, "version")), 422, "invalid")
    for version in (None, True, False, "1", "", 1.0, 1.5, [1], {"is": 1}):
        is_error(in_memory.call(method, path, {**body, "version": version}), 422, "invalid", case=version)
    assert in_memory.everything() == before


def test_unusable_entries_are_invalid(dealt: Dealt) -> None:
    before = dealt.everything()
    is_error(dealt.call("POST", "/entries", {"version": 1}), 422, "invalid")
    for entries in (None, "8", 8, [], [8], ["8", 9], [None], [["8"]], {"0": "8"}, True):
        is_error(dealt.call("POST", "/entries", {"version": 1, "entries": entries}), 422, "invalid", case=entries)
    assert dealt.everything() == before


def test_an_unusable_id_is_invalid(dealt: Dealt) -> None:
    before = dealt.everything()
    for client_id in (5, True, 1.5, ["tap"], {"tap": 1}):
        is_error(dealt.enter("8", version=1, id=client_id), 422, "invalid", case=client_id)
    assert dealt.everything() == before


@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_an_unusable_entry_is_invalid(dealt: Dealt, method: str) -> None:
    dealt.play("4")
    before = dealt.everything()
    is_error(dealt.call(method, "/entries/1", {"version": 2}), 422, "invalid")
    for entry in (None, 8, ["8"], {"entry": "8"}, True):
        is_error(dealt.call(method, "/entries/1", {"version": 2, "entry": entry}), 422, "invalid", case=entry)
    assert dealt.everything() == before


# -- versions


@pytest.mark.parametrize("version", [0, 1, 2, 4, -3, 10**30])
def test_another_version_than_the_present_one_is_stale(dealt: Dealt, version: int) -> None:
    """The answer brings the state, so that the phone can show it."""
    dealt.play("4", "6")
    before = dealt.everything()
    for method, path, body in (
        ("POST", "/entries", {"entries": ["9"]}),
        ("POST", "/undo", {}),
        ("POST", "/redo", {}),
        ("PUT", "/entries/1", {"entry": "5"}),
        ("POST", "/entries/1", {"entry": "5"}),
        ("DELETE", "/entries/1", {}),
        ("PUT", "/entries/1?preview=1", {"entry": "5"}),
    ):
        told = is_error(dealt.call(method, path, {**body, "version": version}), 409, "stale", case=path)
        assert told["state"] == before[0], path
    assert dealt.everything() == before


def test_the_version_grows_by_one_with_every_change_and_never_goes_back(dealt: Dealt) -> None:
    changes: list[tuple[str, str, Json]] = [
        ("POST", "/entries", {"entries": ["4", "6", "9"]}),
        ("POST", "/undo", {}),
        ("POST", "/redo", {}),
        ("PUT", "/entries/1", {"entry": "5"}),
        ("POST", "/undo", {}),
        ("POST", "/entries/1", {"entry": "buy Ana 10"}),
        ("DELETE", "/entries/1", {}),
        ("POST", "/undo", {}),
        ("POST", "/undo", {}),
        ("POST", "/entries", {"entries": ["10"]}),
    ]
    for version, (method, path, body) in enumerate(changes, 1):
        answer = dealt.call(method, path, {"version": version, **body})
        assert answer.status_code == 200, answer.text
        assert answer.json["version"] == version + 1
        assert dealt.state() == answer.json


def test_refusals_and_previews_leave_the_version_alone(dealt: Dealt) -> None:
    dealt.play("4", "6")
    dealt.enter("lock")
    dealt.do("PUT", "/entries/1?preview=1", entry="5")
    dealt.do("DELETE", "/entries/0")
    dealt.do("POST", "/redo")
    assert dealt.state()["version"] == 3


# -- ids


def test_an_id_seen_before_is_applied_once(dealt: Dealt) -> None:
    first = dealt.enter("4", version=1, id="tap")
    again = dealt.enter("4", version=1, id="tap")
    assert first.status_code == again.status_code == 200
    assert again.json == first.json
    assert dealt.entries() == ["game pairs", "4"]


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4, 99])
def test_an_id_is_looked_at_before_the_version(dealt: Dealt, version: int) -> None:
    dealt.enter("4", version=1, id="tap")
    dealt.enter("6", version=2, id="other tap")
    before = dealt.state()
    again = dealt.enter("4", version=version, id="tap")
    assert again.status_code == 200
    assert again.json == dealt.state() == before
    assert before["version"] == 3


def test_an_id_is_looked_at_before_the_entries(dealt: Dealt) -> None:
    """A resend may come when its entries would not fit any more."""
    dealt.enter("4", "6", "fold", version=1, id="tap")
    before = dealt.state()
    for entries in (["4", "6", "fold"], ["lock"], ["nonsense"]):
        again = dealt.enter(*entries, version=1, id="tap")
        assert again.status_code == 200
        assert again.json == before


def test_an_undone_entry_does_not_come_back_with_its_id(dealt: Dealt) -> None:
    dealt.enter("4", version=1, id="tap")
    dealt.do("POST", "/undo")
    again = dealt.enter("4", version=3, id="tap")
    assert again.status_code == 200
    assert again.json["version"] == 3
    assert dealt.entries() == ["game pairs"]


def test_the_id_of_a_refused_call_was_not_seen(dealt: Dealt) -> None:
    is_error(dealt.enter("lock", version=1, id="tap"), 422)
    is_error(dealt.enter("4", version=7, id="tap"), 409)
    answer = dealt.enter("4", version=1, id="tap")
    assert answer.json["version"] == 2
    assert dealt.entries() == ["game pairs", "4"]


def test_without_an_id_the_same_entry_counts_each_time(dealt: Dealt) -> None:
    for version in (1, 2, 3):
        assert dealt.enter("buy Ana 5", version=version).json["version"] == version + 1
    assert chips(dealt.state()) == {"Ana": 15, "Ben": 0}


def test_no_id_may_be_said_with_null(dealt: Dealt) -> None:
    for version in (1, 2):
        assert dealt.enter("buy Ana 5", version=version, id=None).json["version"] == version + 1


def test_another_table_may_see_the_same_id(deal: Deal) -> None:
    for dealt in (deal(), deal()):
        assert dealt.enter("4", version=1, id="tap").json["version"] == 2


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/undo", {}),
        ("PUT", "/entries/1", {"entry": "5"}),
        ("POST", "/entries/1", {"entry": "buy Ana 5"}),
        ("DELETE", "/entries/1", {}),
    ],
)
def test_undo_and_repairs_may_have_an_id_too(dealt: Dealt, method: str, path: str, body: Json) -> None:
    dealt.play("4", "6")
    first = dealt.call(method, path, {"version": 3, "id": "tap", **body})
    again = dealt.call(method, path, {"version": 3, "id": "tap", **body})
    assert first.status_code == again.status_code == 200, again.text
    assert again.json == first.json
    assert first.json["version"] == 4


@pytest.mark.parametrize("client_id", ["ä€😀", "'; DROP TABLE changes; --", 'say "hi"', "%", " ", "x" * 64])
def test_an_id_may_be_any_text(dealt: Dealt, client_id: str) -> None:
    for _ in range(2):
        assert dealt.enter("buy Ana 5", version=1, id=client_id).status_code == 200
    assert chips(dealt.state())["Ana"] == 5


def test_an_id_that_is_no_text_at_all_does_not_break_the_server(dealt: Dealt) -> None:
    """Half a surrogate pair can be written in JSON, but not in UTF-8."""
    body = b'{"version": 1, "entries": ["4"], "id": "\\ud800"}'
    answer = dealt.call("POST", "/entries", data=body, content_type="application/json")
    if answer.status_code != 200:
        is_error(answer, 422, "invalid")


# -- undo and redo


def test_undo_takes_back_the_last_change_and_redo_restores_it(dealt: Dealt) -> None:
    dealt.play("4")
    before = dealt.play("6")
    undone = dealt.do("POST", "/undo")
    assert undone.status_code == 200
    assert stacks(undone.json) == {"Ana": [4], "Ben": []}
    assert dealt.entries() == ["game pairs", "4"]
    redone = dealt.do("POST", "/redo")
    assert redone.status_code == 200
    assert without(redone.json, "version") == without(before, "version")
    assert dealt.entries() == ["game pairs", "4", "6"]


def test_all_changes_can_be_undone_and_restored_one_by_one(dealt: Dealt) -> None:
    states = [without(dealt.opening, "version", "redo")]
    states += [without(dealt.play(entry), "version", "redo") for entry in ("4", "6", "9", "fold", "8")]
    for wanted in states[-2::-1]:
        assert without(dealt.do("POST", "/undo").json, "version", "redo") == wanted
    is_error(dealt.do("POST", "/undo"), 422, "nothing")
    for wanted in states[1:]:
        assert without(dealt.do("POST", "/redo").json, "version", "redo") == wanted
    is_error(dealt.do("POST", "/redo"), 422, "nothing")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/entries/1", {"entry": "5"}),
        ("POST", "/entries/1", {"entry": "buy Ana 5"}),
        ("DELETE", "/entries/1", {}),
    ],
)
def test_a_repair_is_undone_like_an_entry(dealt: Dealt, method: str, path: str, body: Json) -> None:
    before = dealt.play("4", "6")
    repaired = dealt.do(method, path, **body).json
    entries = dealt.entries()
    undone = dealt.do("POST", "/undo").json
    assert without(undone, "version", "redo") == without(before, "version", "redo")
    assert dealt.entries() == ["game pairs", "4", "6"]
    redone = dealt.do("POST", "/redo").json
    assert without(redone, "version") == without(repaired, "version")
    assert dealt.entries() == entries


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/entries", {"entries": ["7"]}),
        ("PUT", "/entries/1", {"entry": "5"}),
        ("POST", "/entries/1", {"entry": "buy Ana 5"}),
        ("DELETE", "/entries/1", {}),
    ],
)
def test_any_new_change_clears_redo(dealt: Dealt, method: str, path: str, body: Json) -> None:
    dealt.play("4", "6")
    assert dealt.do("POST", "/undo").json["redo"] is not None
    changed = dealt.do(method, path, **body)
    assert changed.status_code == 200, changed.text
    assert changed.json["redo"] is None
    is_error(dealt.do("POST", "/redo"), 422, "nothing")


def test_a_refused_change_leaves_redo_alone(dealt: Dealt) -> None:
    dealt.play("4", "6")
    dealt.do("POST", "/undo")
    is_error(dealt.enter("lock"), 422)
    assert dealt.do("POST", "/redo").json["last"] == "6"


def test_creation_cannot_be_undone(dealt: Dealt) -> None:
    is_error(dealt.do("POST", "/undo"), 422, "nothing")
    is_error(dealt.do("POST", "/redo"), 422, "nothing")
    assert dealt.state() == dealt.opening


def test_the_state_tells_what_undo_and_redo_would_do(dealt: Dealt) -> None:
    assert dealt.opening["undo"] is None
    assert dealt.opening["redo"] is None
    state = dealt.play("4", "6")
    assert (state["last"], state["undo"], state["redo"]) == ("6", "6", None)
    state = dealt.do("POST", "/undo").json
    assert (state["last"], state["undo"], state["redo"]) == ("4", "4", "6")


# -- repairs


@pytest.fixture
def round_one(dealt: Dealt) -> Dealt:
    """Ana 4, Ben 6: Ana starts and draws a 9, Ben folds and takes the 4."""
    dealt.enter("4", "6", "9")
    assert points(dealt.play("fold")) == {"Ana": 0, "Ben": 4}
    return dealt


def test_amending_replays_the_log(round_one: Dealt) -> None:
    """With a 3, Ben starts; the 9 is his, and Ana folds and takes the 3."""
    answer = round_one.call("PUT", "/entries/2", {"version": 3, "entry": "3"})
    assert answer.status_code == 200
    assert answer.json["version"] == 4
    assert points(answer.json) == {"Ana": 3, "Ben": 0}
    assert round_one.entries() == ["game pairs", "4", "3", "9", "fold"]
    assert [line["seat"] for line in round_one.log()] == [None, "Ana", "Ben", "Ben", "Ana"]
    assert round_one.state() == answer.json


def test_inserting_comes_before_the_entry(round_one: Dealt) -> None:
    """Ben drew a 10 before the fold, so that it was Ana who folded."""
    answer = round_one.call("POST", "/entries/4", {"version": 3, "entry": "10"})
    assert answer.status_code == 200
    assert answer.json["version"] == 4
    assert points(answer.json) == {"Ana": 4, "Ben": 0}
    assert round_one.entries() == ["game pairs", "4", "6", "9", "10", "fold"]


def test_removing_takes_the_entry_out(round_one: Dealt) -> None:
    """Without the 9 it is Ana who folds."""
    answer = round_one.call("DELETE", "/entries/3", {"version": 3})
    assert answer.status_code == 200
    assert answer.json["version"] == 4
    assert points(answer.json) == {"Ana": 4, "Ben": 0}
    assert round_one.entries() == ["game pairs", "4", "6", "fold"]


def test_the_last_entry_can_be_removed_and_amended(round_one: Dealt) -> None:
    assert points(round_one.do("PUT", "/entries/4", entry="6").json) == {"Ana": 0, "Ben": 6}
    assert points(round_one.do("DELETE", "/entries/4").json) == {"Ana": 0, "Ben": 0}


def test_the_game_itself_can_be_amended_to_another(round_one: Dealt) -> None:
    state = round_one.do("PUT", "/entries/0", entry="game pairs stakes=tacoma limit=4").json
    assert state["phase"] == "game over"
    assert state["outcome"]["loser"] == "Ben"
    assert chips(state) == {"Ana": 6, "Ben": -6}


MISFITS: list[tuple[str, str, Json, int, str | None]] = [
    # A 4 pairs Ana at once: the fold comes in the middle of the next deal.
    ("PUT", "/entries/3", {"entry": "4"}, 4, "illegal"),
    ("POST", "/entries/3", {"entry": "4"}, 4, "illegal"),
    ("PUT", "/entries/1", {"entry": "fold"}, 1, "illegal"),
    ("POST", "/entries/1", {"entry": "fold"}, 1, "illegal"),
    ("PUT", "/entries/2", {"entry": "Cleo: 6"}, 2, "illegal"),
    ("PUT", "/entries/2", {"entry": "eleven"}, 2, "invalid"),
    ("POST", "/entries/2", {"entry": "11"}, 2, "invalid"),
    ("PUT", "/entries/2", {"entry": ""}, 2, "invalid"),
    # The first entry must start a game.
    ("PUT", "/entries/0", {"entry": "8"}, 0, None),
    ("POST", "/entries/0", {"entry": "8"}, 0, None),
    ("DELETE", "/entries/0", {}, 1, None),
    ("PUT", "/entries/0", {"entry": "game port"}, 4, "illegal"),
]


@pytest.mark.parametrize("preview", ["", "?preview=1"], ids=["for good", "preview"])
def test_a_repair_that_does_not_fit_names_the_first_entry_that_no_longer_fits(round_one: Dealt, preview: str) -> None:
    """Nothing has changed then, so the entries are counted as they are. A preview answers the same."""
    before = round_one.everything()
    for method, path, body, at, code in MISFITS:
        told = is_error(round_one.do(method, path + preview, **body), 422, code, case=(method, path, body))
        assert told["at"] == at, (method, path, body)
    assert round_one.everything() == before


def test_a_removal_that_does_not_fit_is_refused_too(dealt: Dealt) -> None:
    """Without one of the two cards the fold comes in the middle of the deal."""
    dealt.play("4", "6", "fold")
    before = dealt.everything()
    for place in (1, 2):
        assert is_error(dealt.do("DELETE", f"/entries/{place}"), 422, "illegal")["at"] == 3
    assert dealt.everything() == before


@pytest.mark.parametrize("place", [5, 99, 10**12])
def test_an_entry_that_is_not_in_the_log_cannot_be_repaired(round_one: Dealt, place: int) -> None:
    before = round_one.everything()
    for method, body in (("PUT", {"entry": "8"}), ("DELETE", {})):
        answer = round_one.do(method, f"/entries/{place}", **body)
        assert answer.status_code in (404, 422)
        is_error(answer, answer.status_code)
    assert round_one.everything() == before


REPAIRS = [
    ("PUT", "/entries/2", {"entry": "3"}, {"Ana": 3, "Ben": 0}),
    ("POST", "/entries/4", {"entry": "10"}, {"Ana": 4, "Ben": 0}),
    ("DELETE", "/entries/3", {}, {"Ana": 4, "Ben": 0}),
]


@pytest.mark.parametrize(("method", "path", "body", "after"), REPAIRS)
def test_a_preview_tells_what_would_be_and_changes_nothing(
    round_one: Dealt, method: str, path: str, body: Json, after: dict[str, int]
) -> None:
    before = round_one.everything()
    answer = round_one.do(method, f"{path}?preview=1", **body)
    assert answer.status_code == 200
    assert set(answer.json) == {"state", "changes"}
    assert points(answer.json["state"]) == after
    changes = answer.json["changes"]
    assert changes
    assert all(isinstance(sentence, str) and sentence.endswith(".") for sentence in changes)
    told = " ".join(changes)
    assert "Ana" in told
    assert str(after["Ana"]) in told
    assert round_one.everything() == before
    assert round_one.do(method, path, **body).json == answer.json["state"]


def test_a_preview_keeps_redo_and_uses_up_no_id(round_one: Dealt) -> None:
    round_one.do("POST", "/undo")
    round_one.do("PUT", "/entries/2?preview=1", entry="3", id="tap")
    assert round_one.state()["redo"] == "fold"
    assert round_one.do("PUT", "/entries/2", entry="3", id="tap").json["version"] == 5


def test_a_preview_of_no_difference_says_so(round_one: Dealt) -> None:
    answer = round_one.do("PUT", "/entries/3?preview=1", entry="10")
    assert answer.status_code == 200
    assert len(answer.json["changes"]) == 1


# -- the log


def test_the_log_tells_the_live_entries(dealt: Dealt) -> None:
    dealt.play("4", "Ben: 6", "9", "fold", "buy Ana 10", "8")
    answer = dealt.client.get(f"/api/tables/{dealt.table}/log")
    assert answer.status_code == 200
    assert answer.json["version"] == 7
    told = [(line["n"], line["entry"], line["seat"], line["round"]) for line in answer.json["entries"]]
    assert told == [
        (0, "game pairs", None, 1),
        (1, "4", "Ana", 1),
        (2, "Ben: 6", "Ben", 1),
        (3, "9", "Ana", 1),
        (4, "fold", "Ben", 1),
        (5, "buy Ana 10", None, told[5][3]),
        (6, "8", "Ana", 2),
    ]
    times = [datetime.fromisoformat(line["at"]) for line in answer.json["entries"]]
    assert times == sorted(times)
    assert all(time.tzinfo is not None for time in times)


def test_the_log_leaves_out_what_was_undone_or_repaired(dealt: Dealt) -> None:
    dealt.play("4", "6", "9")
    dealt.do("POST", "/undo")
    dealt.do("PUT", "/entries/1", entry="5")
    assert dealt.entries() == ["game pairs", "5", "6"]
    assert [line["n"] for line in dealt.log()] == [0, 1, 2]


# -- handover


def test_after_a_handover_the_old_secret_is_dead(dealt: Dealt) -> None:
    before = dealt.everything()
    answer = dealt.call("POST", "/handover")
    assert answer.status_code == 200
    assert set(answer.json) == {"dealer"}
    new = answer.json["dealer"]
    assert new != dealt.secret
    assert dealt.everything() == before
    for method, path, body in [*WRITES, HANDOVER]:
        is_error(dealt.call(method, path, body), 403)
    entered = dealt.call("POST", "/entries", {"version": 1, "entries": ["4"]}, secret=new)
    assert entered.status_code == 200
    assert entered.json["version"] == 2
    third = dealt.call("POST", "/handover", secret=new).json["dealer"]
    is_error(dealt.call("POST", "/handover", secret=new), 403)
    assert dealt.call("POST", "/undo", {"version": 2}, secret=third).status_code == 200


def test_a_handover_of_one_table_leaves_the_others_alone(deal: Deal) -> None:
    mine, other = deal(), deal()
    mine.call("POST", "/handover")
    assert other.play("4")["version"] == 2


# -- import


def record_of(dealt: Dealt, seats: str) -> str:
    return "\n".join(["fifty-five 1", f"seats {seats}", *dealt.entries()]) + "\n"


def test_an_imported_record_makes_a_table_with_the_same_state(deal: Deal) -> None:
    dealt = deal("Anna Maria", "Ben", "Zoë", stakes="tacoma", forfeit="a song, loudly #1")
    dealt.play(
        "Zoë: 9", "4", "6", "8", "fold", "buy Ben 20", 'rename "Anna Maria" Ana', "7", "lost", "game rocket bet=20"
    )
    dealt.do("POST", "/undo")
    answer = dealt.client.post("/api/tables/import", json={"record": record_of(dealt, '"Anna Maria" Ben Zoë')})
    assert answer.status_code == 201, answer.text
    assert set(answer.json) == {"table", "dealer", "state"}
    copy = Dealt(dealt.client, answer.json["table"], answer.json["dealer"], answer.json["state"])
    assert copy.table != dealt.table
    assert copy.secret != dealt.secret
    ours = ("table", "version", "undo", "redo")
    assert without(copy.state(), *ours) == without(dealt.state(), *ours)
    assert copy.opening == copy.state()
    assert copy.entries() == dealt.entries()
    assert copy.opening["version"] == 1


def test_an_import_cannot_be_undone_but_played_on(client: FlaskClient) -> None:
    record = "fifty-five 1\nseats Ana Ben\ngame pairs\n4\n6\n"
    answer = client.post("/api/tables/import", json={"record": record})
    copy = Dealt(client, answer.json["table"], answer.json["dealer"], answer.json["state"])
    assert copy.opening["undo"] is None
    is_error(copy.do("POST", "/undo"), 422, "nothing")
    copy.play("9", "fold")
    assert points(copy.state()) == {"Ana": 0, "Ben": 4}
    assert copy.do("PUT", "/entries/2", entry="3").status_code == 200
    assert points(copy.state()) == {"Ana": 3, "Ben": 0}


def test_comments_blank_lines_and_other_line_ends_do_no_harm(client: FlaskClient) -> None:
    record = (
        '# ours\r\nfifty-five 1  # a record\r\n\r\nseats "Anna Maria" Ben # two\r\n'
        "game pairs\r\n  4  # Anna Maria\r\n#6\r\n6"
    )
    answer = client.post("/api/tables/import", json={"record": record})
    assert answer.status_code == 201, answer.text
    assert stacks(answer.json["state"]) == {"Anna Maria": [4], "Ben": [6]}


@pytest.mark.parametrize(
    ("record", "line"),
    [
        ("", 1),
        ("fifty-six 1\nseats Ana Ben\ngame pairs\n", 1),
        ("fifty-five 2\nseats Ana Ben\ngame pairs\n", 1),
        ("fifty-five 1\nchairs Ana Ben\ngame pairs\n", 2),
        ("fifty-five 1\n\nseats\ngame pairs\n", 3),
        ('fifty-five 1\nseats "Ana Ben\ngame pairs\n', 2),
        ("fifty-five 1\nseats Ana Ben\ngame chess\n4\n", 3),
        ("fifty-five 1\nseats Ana Ben\ngame pairs speed=3\n4\n", 3),
        ("fifty-five 1\nseats Ana Ben\n# no game\n4\n", 4),
        ("fifty-five 1\nseats Ana Ben\ngame pairs\n4\n\n# a comment\neleven\n6\n", 7),
        ("fifty-five 1\nseats Ana Ben\ngame pairs\n1\n1\n6\n", 5),
        ("fifty-five 1\nseats Ana Ben\ngame pairs\n4\nfold\n", 5),
    ],
)
def test_a_record_that_does_not_fit_names_its_line(anybody: FlaskClient, record: str, line: int) -> None:
    told = is_error(anybody.post("/api/tables/import", json={"record": record}), 422)
    assert told["line"] == line


@pytest.mark.parametrize(
    "record", ["fifty-five 1\nseats Ana Ben\n", "fifty-five 1\n", "fifty-five 1\nseats Ana\ngame pairs\n"]
)
def test_half_a_record_is_refused_with_a_line(anybody: FlaskClient, record: str) -> None:
    told = is_error(anybody.post("/api/tables/import", json={"record": record}), 422)
    assert isinstance(told["line"], int)
    assert 1 <= told["line"] <= record.count("\n") + 1


@pytest.mark.parametrize("body", [{}, {"record": None}, {"record": 5}, {"record": ["fifty-five 1"]}], ids=json.dumps)
def test_an_unusable_record_is_invalid(anybody: FlaskClient, body: Json) -> None:
    is_error(anybody.post("/api/tables/import", json=body), 422, "invalid")


# -- look-ups


@pytest.mark.parametrize(("players", "limit"), [(2, 31), (3, 21), (4, 16), (5, 13), (6, 11), (7, 11), (8, 11)])
def test_the_limit_can_be_looked_up(anybody: FlaskClient, players: int, limit: int) -> None:
    answer = anybody.get(f"/api/lookup/limit?players={players}")
    assert answer.status_code == 200
    assert answer.json == {"limit": limit}


@pytest.mark.parametrize(
    ("query", "chips", "carried"),
    [
        ("stakes=cutchfeld&points=Ana:17,Ben:10&carried=0&sum=6", {"Ana": -17, "Ben": 17}, 0),
        ("stakes=tacoma&points=Ana:17,Ben:10", {"Ana": -6, "Ben": 6}, 0),
        ("stakes=tacoma&points=Ana:17,Ben:10&sum=9&carried=2", {"Ana": -9, "Ben": 11}, 0),
        # 17 and the 2 carried make 19: 6 for each of three, 1 is carried on.
        ("stakes=cutchfeld&points=Ana:17,Ben:3,Cleo:3,Dan:3&carried=2", {"Ana": -17, "Ben": 6, "Cleo": 6, "Dan": 6}, 1),
        # The loser need not be the first; 17 - 2 is 15, halved 7, 1 is carried.
        ("stakes=olympia&points=Ben:2,Ana:17,Cleo:2", {"Ben": 7, "Ana": -15, "Cleo": 7}, 1),
        ("stakes=portland&points=A:17,B:10,C:8,D:7,E:2", {"A": -41, "B": 7, "C": 9, "D": 10, "E": 15}, 0),
        ("stakes=seattle&points=A:17,B:10,C:8&carried=3", {"A": -2, "B": 1, "C": 1}, 3),
        ("stakes=downspear&points=A:17,B:10,C:8", {"A": -2, "B": 1, "C": 1}, 0),
        ("stakes=norland&points=A:17,B:8,C:8", {"A": -2, "B": 1, "C": 1}, 0),
        ("stakes=forfeit&points=A:17,B:8", {"A": 0, "B": 0}, 0),
        ("stakes=tacoma&points=Zo%C3%AB:17,Anna%20Maria:0", {"Zoë": -6, "Anna Maria": 6}, 0),
    ],
)
def test_stakes_can_be_looked_up(anybody: FlaskClient, query: str, chips: dict[str, int], carried: int) -> None:
    answer = anybody.get(f"/api/lookup/stakes?{query}")
    assert answer.status_code == 200, answer.text
    assert answer.json == {"chips": chips, "carried": carried}


def test_blackstone_can_be_looked_up(anybody: FlaskClient) -> None:
    """Pass: 5 + 8. Bust: 5 + 15. Who holds one is lost with one black among those taken: 9 of 39 are."""
    answer = anybody.get("/api/lookup/blackstone?white=15&held=1&unseen_white=30&unseen_black=9")
    assert answer.status_code == 200
    assert set(answer.json) == {"pass", "bust", "second"}
    assert (answer.json["pass"], answer.json["bust"]) == (13, 20)
    second = fractions(answer.json["second"])
    assert list(second) == [str(count) for count in range(1, 40)]
    assert second["1"] == Fraction(9, 39)
    assert second["2"] == 1 - Fraction(30 * 29, 39 * 38)
    assert second["3"] == 1 - Fraction(30 * 29 * 28, 39 * 38 * 37)
    assert second["30"] < 1
    assert second["31"] == second["39"] == 1


def test_blackstone_can_be_looked_up_with_no_stone_held(anybody: FlaskClient) -> None:
    """Two are needed: of three cards none black 30*29*28, one black 3*9*30*29, of 39*38*37."""
    answer = anybody.get("/api/lookup/blackstone?white=11&held=0&unseen_white=30&unseen_black=9")
    assert (answer.json["pass"], answer.json["bust"]) == (11, 16)
    second = fractions(answer.json["second"])
    assert second["1"] == 0
    assert second["2"] == Fraction(9 * 8, 39 * 38)
    assert second["3"] == 1 - Fraction(30 * 29 * 28 + 3 * 9 * 30 * 29, 39 * 38 * 37)
    assert second["31"] < 1
    assert second["32"] == 1


def test_blackstone_with_nothing_unseen_has_no_chances(anybody: FlaskClient) -> None:
    answer = anybody.get("/api/lookup/blackstone?white=0&held=0&unseen_white=0&unseen_black=0")
    assert answer.json == {"pass": 5, "bust": 5, "second": {}}


@pytest.mark.parametrize(("bet", "each"), [(10, 1), (20, 2), (50, 5), (1000, 100)])
def test_rocket_can_be_looked_up(anybody: FlaskClient, bet: int, each: int) -> None:
    answer = anybody.get(f"/api/lookup/rocket?bet={bet}")
    assert answer.status_code == 200
    assert answer.json == {"value": {str(v): v * each for v in range(1, 11)}, "death": 3 * each}


def test_odds_can_be_looked_up(anybody: FlaskClient) -> None:
    """52 unseen, six 7s and four 5s among them: (42 + 20) / 52 points."""
    answer = anybody.get("/api/lookup/odds?stack=7,5&seen=7,5,10")
    assert answer.status_code == 200
    assert set(answer.json) == {"pair", "expected", "odds"}
    assert Fraction(answer.json["pair"]) == Fraction(10, 52)
    assert Fraction(answer.json["expected"]) == Fraction(62, 52)
    unseen = {**{str(value): value for value in range(1, 11)}, "5": 4, "7": 6, "10": 9}
    assert fractions(answer.json["odds"]) == {value: Fraction(count, 52) for value, count in unseen.items()}


def test_an_empty_stack_cannot_pair(anybody: FlaskClient) -> None:
    answer = anybody.get("/api/lookup/odds?stack=&seen=7")
    assert Fraction(answer.json["pair"]) == Fraction(answer.json["expected"]) == 0
    assert Fraction(answer.json["odds"]["7"]) == Fraction(6, 54)


ALL_CARDS = ",".join(str(value) for value in range(1, 11) for _ in range(value))


@pytest.mark.parametrize(
    "query",
    [
        "limit",
        "limit?players=",
        "limit?players=1",
        "limit?players=9",
        "limit?players=0",
        "limit?players=-4",
        "limit?players=--4",
        "limit?players=4.0",
        "limit?players=four",
        "limit?players=%C2%B2",
        f"limit?players={'9' * 5000}",
        "stakes",
        "stakes?stakes=vegas&points=Ana:17,Ben:10",
        "stakes?points=Ana:17,Ben:10",
        "stakes?stakes=tacoma",
        "stakes?stakes=tacoma&points=Ana:17",
        "stakes?stakes=tacoma&points=Ana:17,Ben",
        "stakes?stakes=tacoma&points=Ana:17,Ben:",
        "stakes?stakes=tacoma&points=Ana:17,:10",
        "stakes?stakes=tacoma&points=Ana:17,Ben:ten",
        "stakes?stakes=tacoma&points=Ana:17,Ben:-1",
        "stakes?stakes=tacoma&points=Ana:17,Ana:10",
        f"stakes?stakes=tacoma&points=Ana:{'9' * 5000},Ben:10",
        "stakes?stakes=tacoma&points=Ana:17,Ben:10&sum=six",
        "stakes?stakes=tacoma&points=Ana:17,Ben:10&sum=--6",
        "stakes?stakes=tacoma&points=Ana:17,Ben:10&carried=-1",
        "blackstone",
        "blackstone?white=15&held=1&unseen_white=30",
        "blackstone?white=x&held=1&unseen_white=30&unseen_black=9",
        "blackstone?white=-1&held=1&unseen_white=30&unseen_black=9",
        "blackstone?white=46&held=1&unseen_white=30&unseen_black=9",
        "blackstone?white=15&held=2&unseen_white=30&unseen_black=8",
        "blackstone?white=15&held=1&unseen_white=30&unseen_black=10",
        "blackstone?white=0&held=1&unseen_white=999999&unseen_black=9",
        "rocket",
        "rocket?bet=25",
        "rocket?bet=1",
        "rocket?bet=ten",
        "rocket?bet=10.0",
        "rocket?bet=--10",
        "odds?stack=7",
        "odds?stack=7&seen=5",
        "odds?stack=11&seen=11",
        "odds?stack=0&seen=0",
        "odds?stack=x&seen=7",
        "odds?stack=&seen=1,1",
        f"odds?stack=&seen={'9' * 5000}",
        f"odds?stack=&seen={ALL_CARDS}",
        f"odds?stack=&seen={ALL_CARDS},10",
    ],
    ids=lambda query: query[:70],
)
def test_what_cannot_be_looked_up_is_invalid(anybody: FlaskClient, query: str) -> None:
    is_error(anybody.get(f"/api/lookup/{query}"), 422, "invalid")


# -- the state


def test_the_state_of_a_deal(deal: Deal) -> None:
    state = deal("Ana", "Ben", "Cleo").opening
    assert (state["phase"], state["turn"], state["round"], state["limit"]) == ("deal", None, 1, 21)
    assert state["waiting"] == ["Ana", "Ben", "Cleo"]
    assert set(state["legal"]) == {str(value) for value in range(1, 11)}
    assert state["shuffle"] is None
    deck = state["deck"]
    assert without(deck, "unseen") == {"decks": 1, "left": 50, "burned": 5, "discards": 0, "lost": 0, "total": 55}
    assert deck["unseen"] == {str(value): value for value in range(1, 11)}
    assert fractions(state["odds"]) == {str(value): Fraction(value, 55) for value in range(1, 11)}
    for seat in state["seats"]:
        assert without(seat, "name") == {"points": 0, "chips": 0, "state": "in", "stack": [], "kept": []}


def test_the_state_of_play(dealt: Dealt) -> None:
    """53 unseen: three 4s for Ana, five 6s for Ben."""
    state = dealt.play("4", "6")
    assert (state["phase"], state["turn"], state["waiting"]) == ("play", "Ana", [])
    assert set(state["legal"]) == {*map(str, range(1, 11)), "fold"}
    assert state["prices"] == {"fold": 4}
    assert fractions(state["risk"]) == {"Ana": Fraction(3, 53), "Ben": Fraction(5, 53)}
    assert fractions(state["expected"]) == {"Ana": Fraction(12, 53), "Ben": Fraction(30, 53)}
    assert Fraction(state["odds"]["4"]) == Fraction(3, 53)
    assert all("/" in value for value in state["risk"].values())


def test_the_state_between_rounds(dealt: Dealt) -> None:
    state = dealt.play("4", "6", "9", "fold")
    assert (state["phase"], state["turn"], state["waiting"]) == ("round over", None, ["Ana", "Ben"])
    assert stacks(state) == {"Ana": [], "Ben": []}
    assert state["seats"][1]["kept"] == [4]
    assert state["deck"]["discards"] == 2
    result = state["result"]
    assert (result["how"], result["who"], result["value"]) == ("fold", "Ben", 4)
    assert result["points"] == {"Ana": 0, "Ben": 4}
    assert result["stacks"] == {"Ana": [4, 9], "Ben": [6]}
    state = dealt.play("8")
    assert state["round"] == 2
    assert not state.get("result")


def test_the_state_of_a_game_that_is_over(deal: Deal) -> None:
    """Four points are the limit here: Ben reaches it with the fold and pays six."""
    dealt = deal(stakes="tacoma", sum=6, limit=4)
    assert not dealt.opening.get("outcome")
    state = dealt.play("4", "6", "9", "fold")
    assert (state["phase"], state["turn"], state["legal"], state["waiting"]) == ("game over", None, [], [])
    outcome = state["outcome"]
    assert (outcome["loser"], outcome["winners"]) == ("Ben", ["Ana"])
    assert outcome["chips"] == {"Ana": 6, "Ben": -6}
    assert outcome["reason"].strip()
    assert chips(state) == {"Ana": 6, "Ben": -6}
    is_error(dealt.enter("8"), 422, "illegal")
    state = dealt.play("game rocket decks=2 bet=20")
    assert (state["game"], state["deck"]["total"]) == ("rocket", 110)
    assert chips(state) == {"Ana": 6, "Ben": -6}


def test_keys_of_other_games_are_absent(deal: Deal) -> None:
    pairs = deal().play("4", "6")
    for key in ("goal", "pot", "button", "dealer", "common", "white", "horde", "drawn", "lap", "source", "second"):
        assert key not in pairs
    starboard = deal(game="starboard").play("4", "9")
    assert {"pot", "button", "common"} <= set(starboard)
    for key in ("limit", "goal", "dealer", "white", "horde", "lap", "second"):
        assert key not in starboard


def test_antes_go_in_with_the_first_card_and_no_chip_is_lost(deal: Deal) -> None:
    dealt = deal("Ana", "Ben", "Cleo", game="starboard", buyin=20)
    assert chips(dealt.opening) == {"Ana": 20, "Ben": 20, "Cleo": 20}
    assert dealt.opening["pot"] == 0
    state = dealt.play("4")
    assert (state["pot"], chips(state)) == (3, {"Ana": 19, "Ben": 19, "Cleo": 19})
    state = dealt.play("9", "8", "lock", "lock", "buy Ben 15", "pay Cleo Ana 4")
    assert sum(chips(state).values()) + state["pot"] + state["carried"] == 75


@pytest.mark.parametrize(
    "game", ["pairs", "continuous", "starboard", "rocket", "blackstone", "hawthorn", "zombie", "port"]
)
def test_hidden_odds_are_absent_for_everybody(deal: Deal, game: str) -> None:
    hidden = {"odds", "risk", "expected", "second"}
    dealt = deal(game=game, odds="off")
    entries = ["play 4", "play 6"] if game == "hawthorn" else ["4", "6"]
    for state in (dealt.opening, dealt.play(*entries)):
        assert not hidden & set(state)
        assert "unseen" not in state["deck"]
        assert "left" in state["deck"]


def test_odds_may_be_shown_between_rounds_only(deal: Deal) -> None:
    dealt = deal(odds="after")
    for entry in ("4", "6", "9"):
        state = dealt.play(entry)
        assert "odds" not in state
        assert "unseen" not in state["deck"]
    state = dealt.play("fold")
    assert "odds" in state
    assert "unseen" in state["deck"]


def test_a_score_only_table_takes_points_and_no_cards(deal: Deal) -> None:
    dealt = deal(cards="no")
    assert dealt.opening["legal"] == dealt.opening["waiting"] == []
    for entry in ("8", "fold", "Ana: 8"):
        assert is_error(dealt.enter(entry), 422, "illegal")["at"] == 0
    state = dealt.play("score Ana 8", "score Ben 3", "points Ben 5")
    assert points(state) == {"Ana": 8, "Ben": 5}


def test_blackstone_tells_the_chances_of_a_second_black(deal: Deal) -> None:
    """Two white cards are seen: 53 unseen, ten of them black; nobody holds one."""
    state = deal(game="blackstone").play("4", "6")
    assert state["deck"]["unseen"] == {"white": 43, "10": 10}
    assert fractions(state["odds"]) == {"white": Fraction(43, 53), "10": Fraction(10, 53)}
    assert Fraction(state["second"]["1"]) == 0
    assert Fraction(state["second"]["2"]) == Fraction(10 * 9, 53 * 52)
    assert (state["turn"], state["white"], state["take"]["min"]) == ("Ana", 2, 1)
    assert state["prices"] == {"pass": 6, "bust": 7}
    assert "risk" not in state


# -- races


def test_of_many_phones_at_one_version_exactly_one_is_heard(app: Flask, dealt: Dealt) -> None:
    def tap(number: int) -> TestResponse:
        phone = Dealt(app.test_client(), dealt.table, dealt.secret, dealt.opening)
        return phone.enter("buy Ana 1", version=version, id=f"{version} {number}")

    with ThreadPoolExecutor(6) as pool:
        for version in range(1, 6):
            answers = list(pool.map(tap, range(6)))
            assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409, 409]
            assert dealt.state()["version"] == version + 1
    assert chips(dealt.state())["Ana"] == 5


def test_one_tap_sent_many_times_at_once_is_applied_once(app: Flask, dealt: Dealt) -> None:
    def tap(_: int) -> TestResponse:
        phone = Dealt(app.test_client(), dealt.table, dealt.secret, dealt.opening)
        return phone.enter("buy Ana 1", version=version, id=f"tap {version}")

    with ThreadPoolExecutor(6) as pool:
        for version in range(1, 6):
            answers = list(pool.map(tap, range(6)))
            assert {answer.status_code for answer in answers} == {200}
            assert {answer.json["version"] for answer in answers} == {version + 1}
    assert chips(dealt.state())["Ana"] == 5


# -- two processes on one database


@pytest.fixture
def two_phones(two_apps: tuple[Flask, Flask]) -> tuple[Dealt, Dealt]:
    """The same table, by way of either process."""
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


def test_entries_with_odd_blanks_are_the_same_to_the_other_process(two_phones: tuple[Dealt, Dealt]) -> None:
    here, there = two_phones
    here.play("  buy\n Ana\t 5 ", "Ben :\n7", "\r\n4")
    assert (here.state(), here.log()) == (there.state(), there.log())
    assert there.entries() == ["game pairs", "buy Ana 5", "Ben: 7", "4"]


def test_a_stale_phone_at_another_process_is_told_the_newest_state(two_phones: tuple[Dealt, Dealt]) -> None:
    here, there = two_phones
    there.state()
    here.play("4", "6")
    told = is_error(there.enter("9", version=1), 409, "stale")
    assert told["state"] == here.state()
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
    """Four phones at two processes; each sends every tap twice and tries again when it was too late."""
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
