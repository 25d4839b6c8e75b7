"""The JSON API: the coach's value for each choice, and the share of luck in the result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.cli import main

# Examples 1 and 8 of the coach's definitions, where they are worked out.
PAIRS = ("Ana Ben Cleo", "pairs", ("5", "8", "9"))
ROCKET = ("Ana Ben", "rocket", ("7", "1"))


def open_table(client: FlaskClient, names: str, game: str, entries: tuple[str, ...], **options: object) -> str:
    made = client.post("/api/tables", json={"seats": names.split(), "game": game, "options": options}).get_json()
    body = {"version": 1, "entries": list(entries)}
    secret = {"Authorization": f"Bearer {made['dealer']}"}
    assert client.post(f"/api/tables/{made['table']}/entries", json=body, headers=secret).status_code == 200
    return f"/api/tables/{made['table']}"


def test_the_coach_gives_every_choice_a_value(client: FlaskClient) -> None:
    answer = client.get(open_table(client, *PAIRS) + "/coach").get_json()
    assert answer["version"] == 2
    coach = answer["coach"]
    assert (coach["turn"], coach["unit"], coach["method"], coach["assumes"]) == ("Ana", "lose", "estimate", "rule")
    draw, fold = coach["options"]
    assert (draw["entry"], fold["entry"], coach["best"]) == ("draw", "fold", "draw")
    assert draw["value"] == pytest.approx(0.325, abs=0.004)
    assert fold["value"] == pytest.approx(1755 / (1755 + 977 + 977), abs=1e-4)
    assert "share" not in coach


def test_the_coach_and_luck_have_an_etag_by_version(client: FlaskClient) -> None:
    for what in ("coach", "luck"):
        address = f"{open_table(client, *PAIRS)}/{what}"
        first = client.get(address)
        assert first.headers["ETag"] == '"2"'
        assert client.get(address, headers={"If-None-Match": '"2"'}).status_code == 304
        assert client.get(f"/api/tables/nowhere/{what}").status_code == 404


@pytest.mark.parametrize("options", [{"coach": "off"}, {"odds": "off"}, {"odds": "after"}, {"calamities": "yes"}])
def test_the_coach_is_null_if_hidden_or_unknown(client: FlaskClient, options: dict[str, str]) -> None:
    assert client.get(open_table(client, *PAIRS, **options) + "/coach").get_json()["coach"] is None


def test_the_state_does_not_include_the_coach(client: FlaskClient) -> None:
    state = client.get(open_table(client, *PAIRS)).get_json()
    assert "coach" not in state
    assert state["options"]["coach"] == "ask"


def test_an_unknown_value_of_the_coach_option_is_refused(client: FlaskClient) -> None:
    body = {"seats": ["Ana", "Ben"], "game": "pairs", "options": {"coach": "loud"}}
    assert client.post("/api/tables", json=body).status_code == 422


def test_luck_and_skill_add_up_to_the_result(client: FlaskClient) -> None:
    """Ben folds a 7 facing a 1, which is best play, and pays a tenth of the bet for the 1."""
    answer = client.get(open_table(client, *ROCKET[:2], (*ROCKET[2], "fold"), bet=50) + "/luck").get_json()
    (game,) = answer["games"]
    assert (game["number"], game["game"], game["unit"]) == (1, "rocket", "chips")
    for seat in game["seats"].values():
        parts = sum(seat[part] for part in ("start", "skill", "gifts", "luck", "other"))
        assert parts == pytest.approx(seat["result"], abs=1e-9)
    assert game["seats"]["Ben"]["result"] == -5
    assert game["seats"]["Ben"]["skill"] == 0


def test_luck_is_hidden_with_the_coach(client: FlaskClient) -> None:
    answer = client.get(open_table(client, *ROCKET[:2], (*ROCKET[2], "fold"), coach="off") + "/luck").get_json()
    assert answer == {"version": 2, "luck": None}


def test_the_command_prints_the_same_as_the_api(
    client: FlaskClient, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    record = tmp_path / "record.txt"
    record.write_text("fifty-five 1\nseats Ana Ben\ngame rocket bet=50\n7\n1\n", "utf-8")
    address = open_table(client, *ROCKET, bet=50)
    for what in ("coach", "luck"):
        assert main([what, str(record)]) == 0
        printed = json.loads(capfdbinary.readouterr().out)
        answer = client.get(f"{address}/{what}").get_json()
        del answer["version"]
        assert printed == (answer["coach"] if what == "coach" else answer)
    record.write_text("fifty-five 1\nseats Ana Ben\ngame rocket coach=off\n7\n1\n", "utf-8")
    for what in ("coach", "luck"):
        assert main([what, str(record)]) == 0
        assert capfdbinary.readouterr().out == b"null\n"
