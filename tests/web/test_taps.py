"""The cost of a tap in statements, bytes and lines run; and a database of release 0.1.0, kept to test upgrades."""

from __future__ import annotations

import gzip
import re
import shutil
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from companion.engine.notation import parse
from companion.table.change import Change
from companion.web import create_app
from companion.web.tables import Tables

from .conftest import statements

FIXTURE = Path(__file__).parents[1] / "fixtures" / "release-0.1.0.sqlite3"
EIGHT = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(None, {"DATA": str(tmp_path)})


def test_a_tap_is_one_statement_and_three_kilobytes(app: Flask) -> None:
    sent = statements(app)
    client = app.test_client()
    form = {"game": "pairs", "seats": "8", **{f"name-{i}": name for i, name in enumerate(EIGHT)}}
    address = client.post("/tables", data=form).headers["Location"]
    for version, entry in enumerate(["5", "9", "10", "7", "6", "10", "3", "8", "10", "9", "9", "4", "10", "2"], 1):
        sent.clear()
        answer = client.post(
            f"{address}/enter",
            data={"entry": entry, "version": version, "id": f"tap {version}"},
            headers={"HX-Request": "true", "Accept-Encoding": "gzip"},
        )
        assert answer.status_code == 200
        assert len(sent) == 1, sent
        assert "Set-Cookie" not in answer.headers, "no session is written on a tap"
        assert answer.headers["Content-Encoding"] == "gzip"
        assert len(answer.data) <= 3_000
        assert b'id="board"' in gzip.decompress(answer.data)


def test_statements_do_not_grow_with_the_log(app: Flask) -> None:
    sent = statements(app)
    tables: Tables = app.extensions["tables"]
    table_id, secret, _table = tables.create(["Ana", "Ben"], [parse("game rocket decks=8")])
    counts = set()
    for version in range(1, 300):
        sent.clear()
        tables.write(table_id, secret, version, Change("enter", ("shuffle",)))
        counts.add(len(sent))
    assert counts == {1}


def test_a_database_of_this_release_is_read(tmp_path: Path) -> None:
    """Release 0.1.0 made the file; every later release must read it."""
    shutil.copy(FIXTURE, tmp_path / "fifty-five.sqlite3")
    tables: Tables = create_app(None, {"DATA": str(tmp_path)}).extensions["tables"]
    table = tables.load("fixture-of-0-1-0")
    assert [str(step.entry) for step in table.steps()] == ["game pairs stakes=tacoma", "7", "3", "9", "4", "fold"]
    assert {seat.name: seat.points for seat in table.state.seats} == {"Ana": 0, "Benoît": 0, "Zoë Lee": 3}
    assert table.version == 9
    assert table.report()["undo"] == "entry 4: 4 instead of 5"


def test_a_poll_gets_a_board_only_if_there_is_something_new(app: Flask) -> None:
    """A proxy may have weakened the ETag."""
    tables: Tables = app.extensions["tables"]
    table_id, secret, _opened = tables.create(("Ana", "Ben"), [parse("game pairs")])
    client, address = app.test_client(), f"/t/{table_id}"

    def poll(known: str) -> TestResponse:
        return client.get(address, headers={"HX-Request": "true", "If-None-Match": known})

    tag = client.get(address, headers={"HX-Request": "true"}).headers["ETag"]
    for known in (tag, f"W/{tag}", f'"another", W/{tag}'):
        assert (poll(known).status_code, poll(known).headers["ETag"]) == (304, tag), known
    for other in ("", '"another"', f'{tag[:-1]}x"', tag.strip('"')):
        assert poll(other).status_code == 200, other
    tables.write(table_id, secret, 1, Change("enter", ("7",)))
    assert poll(tag).status_code == 200


def test_a_poll_without_news_does_not_read_the_table(tmp_path: Path) -> None:
    """So that any number of tables can be watched: not all of them fit into memory."""
    first, restarted = (create_app(None, {"DATA": str(tmp_path)}) for _ in range(2))
    address = first.test_client().post("/tables", data={"game": "pairs", "seats": "2"}).headers["Location"]
    page = first.test_client().get(address).text
    found = re.search(r'hx-get="([^"]*[?]seen=[^"]*)"', page)
    assert found
    sent = statements(restarted)
    answer = restarted.test_client().get(unescape(found[1]), headers={"HX-Request": "true"})
    assert (answer.status_code, len(sent)) == (204, 1), sent


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python `work` runs."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("page", ["", "/history"])
def test_a_page_costs_no_more_when_chips_were_paid_all_evening(app: Flask, page: str) -> None:
    """The log has no card, round or end of a game at which a search backwards could stop."""
    tables: Tables = app.extensions["tables"]
    client = app.test_client()

    def cost(payments: int) -> int:
        entries = ["game pairs cards=no", *("pay Ana Ben 1", "pay Ben Ana 1") * (payments // 2)]
        table_id, _secret, _opened = tables.create(("Ana", "Ben"), [parse(entry) for entry in entries])
        client.get(f"/t/{table_id}{page}")
        return lines_run(lambda: client.get(f"/t/{table_id}{page}"))

    assert cost(1_000) < 1.5 * cost(200)
