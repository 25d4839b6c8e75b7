"""The JSON API: entries, the version each call names, and the ids that make a call safe to repeat."""

from __future__ import annotations

import pytest

from .api_calls import WRITES, chips, is_error, stacks, without
from .conftest import Dealt, DealTable, Json


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


def test_an_etag_holds_for_a_compressed_answer(dealt: Dealt) -> None:
    address, small = f"/api/tables/{dealt.table}", {"Accept-Encoding": "gzip"}
    etag = dealt.client.get(address, headers=small).headers["ETag"]
    assert dealt.client.get(address, headers={**small, "If-None-Match": etag}).status_code == 304


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
    (["4", "6", "Ben: 8"], 2, "illegal"),  # Ana has the lower card and starts
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
        error = is_error(dealt.enter(*entries, id="refused"), 422, code, case=entries)
        assert error["at"] == at, entries
    assert dealt.everything() == before


def test_a_card_that_cannot_be_left_is_refused(deal: DealTable) -> None:
    dealt = deal("Ana", "Ben", "Cleo")
    dealt.play("2", "2")
    error = is_error(dealt.enter("2"), 422, "illegal")
    assert error["at"] == 0
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


@pytest.mark.parametrize("version", [0, 1, 2, 4, -3, 10**30])
def test_any_version_but_the_current_one_is_stale(dealt: Dealt, version: int) -> None:
    """The answer includes the state, so that the phone can show it."""
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
        error = is_error(dealt.call(method, path, {**body, "version": version}), 409, "stale", case=path)
        assert error["state"] == before[0], path
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


def test_an_id_seen_before_is_applied_once(dealt: Dealt) -> None:
    first = dealt.enter("4", version=1, id="tap")
    again = dealt.enter("4", version=1, id="tap")
    assert first.status_code == again.status_code == 200
    assert again.json == first.json
    assert dealt.entries() == ["game pairs", "4"]


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4, 99])
def test_an_id_is_checked_before_the_version(dealt: Dealt, version: int) -> None:
    dealt.enter("4", version=1, id="tap")
    dealt.enter("6", version=2, id="other tap")
    before = dealt.state()
    again = dealt.enter("4", version=version, id="tap")
    assert again.status_code == 200
    assert again.json == dealt.state() == before
    assert before["version"] == 3


def test_an_id_is_checked_before_the_entries(dealt: Dealt) -> None:
    """A call may be sent again when its entries are no longer legal."""
    dealt.enter("4", "6", "fold", version=1, id="tap")
    before = dealt.state()
    for entries in (["4", "6", "fold"], ["lock"], ["nonsense"]):
        again = dealt.enter(*entries, version=1, id="tap")
        assert again.status_code == 200
        assert again.json == before


def test_sending_an_undone_entry_again_does_not_restore_it(dealt: Dealt) -> None:
    dealt.enter("4", version=1, id="tap")
    dealt.do("POST", "/undo")
    again = dealt.enter("4", version=3, id="tap")
    assert again.status_code == 200
    assert again.json["version"] == 3
    assert dealt.entries() == ["game pairs"]


def test_the_id_of_a_refused_call_can_be_used_again(dealt: Dealt) -> None:
    is_error(dealt.enter("lock", version=1, id="tap"), 422)
    is_error(dealt.enter("4", version=7, id="tap"), 409)
    answer = dealt.enter("4", version=1, id="tap")
    assert answer.json["version"] == 2
    assert dealt.entries() == ["game pairs", "4"]


def test_without_an_id_the_same_entry_counts_each_time(dealt: Dealt) -> None:
    for version in (1, 2, 3):
        assert dealt.enter("buy Ana 5", version=version).json["version"] == version + 1
    assert chips(dealt.state()) == {"Ana": 15, "Ben": 0}


def test_an_id_may_be_null(dealt: Dealt) -> None:
    for version in (1, 2):
        assert dealt.enter("buy Ana 5", version=version, id=None).json["version"] == version + 1


def test_two_tables_may_use_the_same_id(deal: DealTable) -> None:
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


def test_an_id_that_is_not_valid_unicode_does_not_break_the_server(dealt: Dealt) -> None:
    """JSON can contain half of a surrogate pair, UTF-8 cannot."""
    body = b'{"version": 1, "entries": ["4"], "id": "\\ud800"}'
    answer = dealt.call("POST", "/entries", data=body, content_type="application/json")
    if answer.status_code != 200:
        is_error(answer, 422, "invalid")
