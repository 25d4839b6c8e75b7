"""A table goes on elsewhere."""

from __future__ import annotations

from flask.testing import FlaskClient

from companion.store.memory import MemoryStore
from companion.web import create_app

from .conftest import Dealt


def test_a_table_of_its_own_has_the_live_entries_and_the_old_one_stays(dealt: Dealt) -> None:
    dealt.play("7", "3", "10")
    dealt.do("POST", "/undo")
    before = dealt.everything()
    somebody = dealt.client.application.test_client()
    address = somebody.post(f"/t/{dealt.table}/fork", data={"id": "form-0123456789abcdef"}).headers["Location"]
    new = address.rpartition("/")[2]
    assert new != dealt.table
    log = somebody.get(f"/api/tables/{new}/log").json["entries"]
    assert [line["entry"] for line in log] == ["game pairs", "7", "3"]
    tap = somebody.post(f"{address}/enter", data={"version": "1", "entry": "9"}, headers={"HX-Request": "true"})
    assert tap.status_code == 200  # who forks deals there
    assert dealt.everything() == before


def test_a_fork_of_nothing_is_told(client: FlaskClient) -> None:
    assert client.post("/t/nothing-of-this-name/fork").status_code == 404


def test_a_fork_counts_as_an_opening() -> None:
    phone = create_app(MemoryStore(), {"SECRET_KEY": "key", "TABLES_PER_HOUR": 2}).test_client()
    there = {"REMOTE_ADDR": "198.51.100.7"}
    table = phone.post("/tables", data={"game": "pairs", "seats": "2"}, environ_base=there).headers["Location"]
    answers = [phone.post(f"{table}/fork", environ_base=there).status_code for _ in range(2)]
    assert answers == [303, 429]
