"""The JSON API: a table made from a record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from .api_calls import is_error, points, stacks, without
from .conftest import Dealt, DealTable, Json

OLD_RECORD = Path(__file__).parents[1] / "fixtures" / "release-0.1.0.txt"


def record_of(dealt: Dealt, seats: str) -> str:
    return "\n".join(["fifty-five 1", f"seats {seats}", *dealt.entries()]) + "\n"


def test_an_imported_record_makes_a_table_with_the_same_state(deal: DealTable) -> None:
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


def test_an_imported_table_can_be_played_on_but_not_undone(client: FlaskClient) -> None:
    record = "fifty-five 1\nseats Ana Ben\ngame pairs\n4\n6\n"
    answer = client.post("/api/tables/import", json={"record": record})
    copy = Dealt(client, answer.json["table"], answer.json["dealer"], answer.json["state"])
    assert copy.opening["undo"] is None
    is_error(copy.do("POST", "/undo"), 422, "nothing")
    copy.play("9", "fold")
    assert points(copy.state()) == {"Ana": 0, "Ben": 4}
    assert copy.do("PUT", "/entries/2", entry="3").status_code == 200
    assert points(copy.state()) == {"Ana": 3, "Ben": 0}


def test_a_table_file_of_release_0_1_0_opens(client: FlaskClient) -> None:
    """Pairs under Tacoma: Cleo reaches 19 and pays 6 to Ben, who has 0. Then Rocket: Ben bets 50, pairs a 4 and pays 20
    to Ana, who deals; Cleo folds with Ana's 2 as the lowest card and pays 4. Everybody bought 50."""
    answer = client.post("/api/tables/import", json={"record": OLD_RECORD.read_text()})
    assert answer.status_code == 201, answer.text
    state = answer.json["state"]
    assert {seat["name"]: seat["chips"] for seat in state["seats"]} == {"Ana": 74, "Ben": 36, "Cleo": 40}
    assert (state["game"], state["phase"], state["dealer"]) == ("rocket", "round over", "Ben")


def test_comments_blank_lines_and_other_line_ends_are_accepted(client: FlaskClient) -> None:
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
        ("fifty-five 1\nseats Ana\ngame pairs\n", 2),
        ("fifty-five 1\n\nseats Ana Ben ANA # twice\ngame pairs\n", 3),
        ("fifty-five 1\nseats A B C D E F G H I\ngame pairs\n", 2),
        ("fifty-five 1\nseats Ana Ben\ngame chess\n4\n", 3),
        ("fifty-five 1\nseats Ana Ben\ngame pairs speed=3\n4\n", 3),
        ("fifty-five 1\nseats Ana Ben\n# no game\n4\n", 4),
        ("fifty-five 1\nseats Ana Ben\ngame pairs\n4\n\n# a comment\neleven\n6\n", 7),
        ("fifty-five 1\nseats Ana Ben\ngame pairs\n1\n1\n6\n", 5),
        ("fifty-five 1\nseats Ana Ben\ngame pairs\n4\nfold\n", 5),
    ],
)
def test_the_error_for_a_wrong_record_names_the_line(anybody: FlaskClient, record: str, line: int) -> None:
    error = is_error(anybody.post("/api/tables/import", json={"record": record}), 422)
    assert error["line"] == line


@pytest.mark.parametrize(
    "record", ["fifty-five 1\nseats Ana Ben\n", "fifty-five 1\n", "fifty-five 1\nseats Ana\ngame pairs\n"]
)
def test_half_a_record_is_refused_with_a_line(anybody: FlaskClient, record: str) -> None:
    error = is_error(anybody.post("/api/tables/import", json={"record": record}), 422)
    assert isinstance(error["line"], int)
    assert 1 <= error["line"] <= record.count("\n") + 1


@pytest.mark.parametrize("body", [{}, {"record": None}, {"record": 5}, {"record": ["fifty-five 1"]}], ids=json.dumps)
def test_an_unusable_record_is_invalid(anybody: FlaskClient, body: Json) -> None:
    is_error(anybody.post("/api/tables/import", json=body), 422, "invalid")
