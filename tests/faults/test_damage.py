"""A row damaged by another program must not affect other tables."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from flask import Flask

from companion.store.opening import DATABASE
from companion.web import logs

DAMAGES = (
    "tables SET names = '5'",
    "tables SET names = '[null, 1]'",
    "tables SET names = x'ff00'",
    "tables SET names = '[]'",
    "tables SET names = replace(printf('%0200000d', 0), '0', '[')",
    "tables SET secret = x'ff00'",
    "tables SET offered = x'ff00'",
    "changes SET entries = '77' WHERE number = 2",
    "changes SET entries = x'ff00' WHERE number = 2",
    "changes SET entries = CAST(x'ff00' AS TEXT) WHERE number = 2",
    "changes SET at = x'ff00' WHERE number = 2",
    "changes SET at = 'yesterday' WHERE number = 2",
    "changes SET at = '2026-11-18T00:00:00' WHERE number = 2",
    "changes SET kind = 'amend' WHERE number = 2",
    "changes SET kind = 'steal' WHERE number = 2",
    "changes SET number = 'two' WHERE number = 2",
    "changes SET number = 7 WHERE number = 2",
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_dealer_of_a_damaged_table_still_has_the_other_tables(
    two_apps: tuple[Flask, Flask], damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    phone = two_apps[0].test_client()
    good, bad = (phone.post("/tables", data={"game": "pairs", "seats": "2"}).headers["Location"] for _ in range(2))
    phone.post(f"{bad}/enter", data={"entry": "7", "version": "1"})  # the newest: the home page would offer it
    spoil(Path(two_apps[0].config["DATA"]) / DATABASE, damage, bad.rpartition("/")[2])
    later = two_apps[1].test_client()  # its cache is empty, as after a restart
    cookie = phone.get_cookie("fifty-five")
    assert cookie is not None
    later.set_cookie("fifty-five", cookie.value)
    logs.init_app(two_apps[1])  # to where this test can read it
    home = later.get("/")
    assert home.status_code == 200
    assert {later.get(page).status_code for page in ("/evenings", "/phone", "/phone/tables.txt")} == {200}
    assert later.get(good).status_code == 200
    if "number = 7" in damage:
        assert bad in home.text, "only `companion check` finds a missing row"
        return
    assert good in home.text
    table = later.get(bad)
    assert table.status_code == 500
    assert "this table are damaged." in table.text
    logged = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert {line["event"] for line in logged} == {"a table is damaged"}
    assert bad not in home.text


@pytest.mark.parametrize("damage", ["tables SET guesses = 'abc'", "changes SET taken = x'ff00'"])
def test_damaged_data_for_a_takeover_is_reported_as_damage(two_apps: tuple[Flask, Flask], damage: str) -> None:
    phone = two_apps[0].test_client()
    at = phone.post("/tables", data={"game": "pairs", "seats": "2"}).headers["Location"]
    spoil(Path(two_apps[0].config["DATA"]) / DATABASE, damage, at.rpartition("/")[2])
    answer = two_apps[0].test_client().post(f"{at}/take", data={"code": "123456"})
    assert (answer.status_code, "this table are damaged." in answer.text) == (500, True)


def spoil(file: Path, damage: str, table: str) -> None:
    changed = damage if "WHERE" in damage else f"{damage} WHERE TRUE"
    column = "id" if damage.startswith("tables") else "table_id"
    connection = sqlite3.connect(file)
    with connection:
        assert connection.execute(f"UPDATE {changed} AND {column} = ?", [table]).rowcount == 1
    connection.close()
