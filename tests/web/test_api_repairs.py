"""The JSON API: undo and redo, repairs of the log and their previews, and the log itself."""

from __future__ import annotations

from datetime import datetime

import pytest
from flask.testing import FlaskClient

from .api_calls import chips, is_error, points, stacks, without
from .conftest import Dealt, Json, deal_at


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


def test_the_state_says_what_undo_and_redo_would_do(dealt: Dealt) -> None:
    assert dealt.opening["undo"] is None
    assert dealt.opening["redo"] is None
    state = dealt.play("4", "6")
    assert (state["last"], state["undo"], state["redo"]) == ("6", "6", None)
    state = dealt.do("POST", "/undo").json
    assert (state["last"], state["undo"], state["redo"]) == ("4", "4", "6")


@pytest.fixture
def round_one(dealt: Dealt) -> Dealt:
    """Ana has a 4, Ben a 6. Ana starts and draws a 9; Ben folds and takes the 4."""
    dealt.enter("4", "6", "9")
    assert points(dealt.play("fold")) == {"Ana": 0, "Ben": 4}
    return dealt


def test_amending_replays_the_log(round_one: Dealt) -> None:
    """With a 3, Ben starts and draws the 9; Ana folds and takes the 3."""
    answer = round_one.call("PUT", "/entries/2", {"version": 3, "entry": "3"})
    assert answer.status_code == 200
    assert answer.json["version"] == 4
    assert points(answer.json) == {"Ana": 3, "Ben": 0}
    assert round_one.entries() == ["game pairs", "4", "3", "9", "fold"]
    assert [line["seat"] for line in round_one.log()] == [None, "Ana", "Ben", "Ben", "Ana"]
    assert round_one.state() == answer.json


def test_inserting_comes_before_the_entry(round_one: Dealt) -> None:
    """Ben drew a 10 before the fold, so it was Ana who folded."""
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
    # A 4 pairs Ana at once, so the fold comes in the middle of the next deal.
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
def test_a_refused_repair_names_the_first_entry_that_is_no_longer_legal(round_one: Dealt, preview: str) -> None:
    """Entries are counted as they were before the repair. A preview answers the same."""
    before = round_one.everything()
    for method, path, body, at, code in MISFITS:
        answered = is_error(round_one.do(method, path + preview, **body), 422, code, case=(method, path, body))
        assert answered["at"] == at, (method, path, body)
    assert round_one.everything() == before


def test_a_removal_that_makes_a_later_entry_illegal_is_refused(dealt: Dealt) -> None:
    """Without one of the two cards, the fold comes in the middle of the deal."""
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
def test_a_preview_shows_the_result_and_changes_nothing(
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
    answered = " ".join(changes)
    assert "Ana" in answered
    assert str(after["Ana"]) in answered
    assert round_one.everything() == before
    assert round_one.do(method, path, **body).json == answer.json["state"]


def test_a_preview_keeps_redo_and_leaves_its_id_unused(round_one: Dealt) -> None:
    round_one.do("POST", "/undo")
    round_one.do("PUT", "/entries/2?preview=1", entry="3", id="tap")
    assert round_one.state()["redo"] == "fold"
    assert round_one.do("PUT", "/entries/2", entry="3", id="tap").json["version"] == 5


def test_a_preview_without_a_difference_says_so(round_one: Dealt) -> None:
    answer = round_one.do("PUT", "/entries/3?preview=1", entry="10")
    assert answer.status_code == 200
    assert len(answer.json["changes"]) == 1


def test_the_log_lists_the_live_entries(dealt: Dealt) -> None:
    dealt.play("4", "Ben: 6", "9", "fold", "buy Ana 10", "8")
    answer = dealt.client.get(f"/api/tables/{dealt.table}/log")
    assert answer.status_code == 200
    assert answer.json["version"] == 7
    answered = [(line["n"], line["entry"], line["seat"], line["round"]) for line in answer.json["entries"]]
    assert answered == [
        (0, "game pairs", None, 1),
        (1, "4", "Ana", 1),
        (2, "Ben: 6", "Ben", 1),
        (3, "9", "Ana", 1),
        (4, "fold", "Ben", 1),
        (5, "buy Ana 10", None, answered[5][3]),
        (6, "8", "Ana", 2),
    ]
    times = [datetime.fromisoformat(line["at"]) for line in answer.json["entries"]]
    assert times == sorted(times)
    assert all(time.tzinfo is not None for time in times)


def test_the_log_leaves_out_undone_and_repaired_entries(dealt: Dealt) -> None:
    dealt.play("4", "6", "9")
    dealt.do("POST", "/undo")
    dealt.do("PUT", "/entries/1", entry="5")
    assert dealt.entries() == ["game pairs", "5", "6"]
    assert [(line["n"], line["repaired"]) for line in dealt.log()] == [(0, False), (1, True), (2, False)]


def test_the_log_is_json_whatever_people_are_called(client: FlaskClient) -> None:
    """Names may contain a backslash, a quote or an emoji."""
    dealt = deal_at(client, "A\\n", "Zoë 🙂", "B'en")
    dealt.play("4", "6", "9", "lost", r"pay A\n B'en 5")
    answered = [(line["entry"], line["seat"]) for line in dealt.log()][1:]
    assert answered == [("4", "A\\n"), ("6", "Zoë 🙂"), ("9", "B'en"), ("lost", None), (r"pay A\n B'en 5", None)]
