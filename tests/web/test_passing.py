"""A table that continues elsewhere: as a fork, or on another phone through a link."""

from __future__ import annotations

import re
import tracemalloc
import zlib
from base64 import urlsafe_b64encode
from html import unescape
from random import Random

import pytest
from flask.testing import FlaskClient

from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.web import create_app

from .conftest import Dealt, deal_at


def test_a_fork_has_the_live_entries_and_the_old_table_stays(dealt: Dealt) -> None:
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
    assert tap.status_code == 200  # the phone that forks a table deals there
    assert dealt.everything() == before


def test_a_fork_of_an_unknown_table_is_404(client: FlaskClient) -> None:
    assert client.post("/t/nothing-of-this-name/fork").status_code == 404


def test_a_fork_counts_as_an_opening() -> None:
    phone = create_app(MemoryStore(), {"SECRET_KEY": "key", "TABLES_PER_HOUR": 2}).test_client()
    there = {"REMOTE_ADDR": "198.51.100.7"}
    table = phone.post("/tables", data={"game": "pairs", "seats": "2"}, environ_base=there).headers["Location"]
    answers = [phone.post(f"{table}/fork", environ_base=there).status_code for _ in range(2)]
    assert answers == [303, 429]


# -- the whole table in a link


def link_of(phone: FlaskClient, table: str) -> str:
    found = re.search(r"<textarea[^>]*>([^<]+)</textarea>", phone.get(f"/t/{table}/pass-on").text)
    assert found
    return unescape(found[1])


def played(dealt: Dealt, entries: int) -> None:
    """Play this many legal entries, chosen at random from a fixed seed."""
    random, batch = Random(5), 25
    table = dealt.client.application.extensions["tables"].load(dealt.table)
    for _ in range(entries // batch):
        texts = []
        for _ in range(batch):
            legal = table.games[table.state.game].legal(table.state)
            texts.append(str(random.choice(legal)) if legal else f"game {dealt.opening['game']}")
            table = table.enter([texts[-1]])
        assert dealt.enter(*texts).status_code == 200


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_link_carries_the_table_to_another_edition_and_back(game: str) -> None:
    """A second application is the other phone: it knows only the link."""
    here, there = (create_app(MemoryStore(), {"SECRET_KEY": key}).test_client() for key in ("one", "two"))
    dealt = deal_at(here, "Ana", "Zoë & Co", "Łukasz", game=game)
    played(dealt, 50)
    own = {"table": "", "version": 0, "undo": None, "redo": None}
    address = there.post("/import", data={"record": link_of(here, dealt.table)}).headers["Location"]
    table = address.rpartition("/")[2]
    assert {**there.get(f"/api/tables/{table}").json, **own} == {**dealt.state(), **own}
    back = here.post("/import", data={"record": link_of(there, table)}).headers["Location"]
    assert {**here.get(f"/api{back.replace('/t/', '/tables/')}").json, **own} == {**dealt.state(), **own}


def test_an_evening_of_300_entries_fits_into_a_code(anybody: FlaskClient) -> None:
    dealt = deal_at(anybody, "Ana", "Ben", "Cy", "Dot")
    played(dealt, 300)
    assert len(link_of(anybody, dealt.table)) < 800
    page = anybody.get(f"/t/{dealt.table}/pass-on")
    size = re.search(r'viewBox="-4 -4 (\d+)', page.text)
    assert size
    assert int(size[1]) <= 97 + 8  # squares per side
    assert len(page.data) < 90_000


def test_a_table_too_long_for_a_code_still_has_a_link(anybody: FlaskClient) -> None:
    dealt = deal_at(anybody, "Ana", "Ben", "Cy", "Dot")
    played(dealt, 2_500)
    page = anybody.get(f"/t/{dealt.table}/pass-on").text
    assert "too long for a code" in page
    assert "<path d" not in page.partition("<main")[2].partition("too long")[0].partition("</header>")[2]
    assert anybody.post("/import", data={"record": link_of(anybody, dealt.table)}).status_code == 303


def test_the_table_in_a_link_is_shown_before_it_is_opened(client: FlaskClient) -> None:
    dealt = deal_at(client, "Ana", "<b>Ben")
    dealt.play("7", "3", "buy Ana 20")
    somebody = client.application.test_client()
    known = len(somebody.get_cookie("fifty-five") or "")
    page = somebody.post("/import", data={"record": link_of(client, dealt.table), "preview": "1"})
    assert page.status_code == 200
    for shown in ("Pairs", "Ana", "&lt;b&gt;Ben", "3 entries", ">20<"):
        assert shown in page.text
    assert len(somebody.get_cookie("fifty-five") or "") == known  # no table was opened
    record = re.search(r'name="record" value="([^"]+)"', page.text)
    assert record
    assert somebody.post("/import", data={"record": unescape(record[1])}).status_code == 303


def test_the_table_in_a_scanned_code_is_shown(anybody: FlaskClient) -> None:
    dealt = deal_at(anybody)
    page = anybody.post("/join", data={"code": link_of(anybody, dealt.table)})
    assert (page.status_code, "A table you received" in page.text) == (200, True)


def packed(raw: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return "https://pub.example/import#r=" + urlsafe_b64encode(packer.compress(raw) + packer.flush()).decode().rstrip(
        "="
    )


def test_a_link_that_would_fill_the_memory_is_not_unpacked(anybody: FlaskClient) -> None:
    bomb = packed(b"7\n" * 30_000_000)
    assert len(bomb) < 100_000
    tracemalloc.start()
    answer = anybody.post("/import", data={"record": bomb, "preview": "1"})
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (answer.status_code, "The link is incomplete or carries no table" in answer.text) == (422, True)
    assert most < 20_000_000


@pytest.mark.parametrize(
    "link",
    [
        "#r=",
        "#r=!!!",
        "#r=AAAA",
        "#r=x",
        packed(b"\xff\xfe"),
        packed(b"fifty-five 1\nseats Ana Ben\ngame pairs\n")[:-4],
        packed(b"no record"),
        packed(b""),
    ],
)
def test_a_link_without_a_table_is_refused_with_a_message(anybody: FlaskClient, link: str) -> None:
    for more in ({}, {"preview": "1"}):
        answer = anybody.post("/import", data={"record": link, **more})
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text


def test_a_truncated_link_does_not_open_half_a_table(anybody: FlaskClient) -> None:
    link = packed(b"fifty-five 1\nseats Ana Ben\ngame pairs\n" + b"buy Ana 5\nlost\nbuy Ben 7\n" * 40)
    for cut in range(1, 20):
        assert anybody.post("/import", data={"record": link[:-cut]}).status_code == 422, cut


def test_a_record_with_a_link_in_a_comment_is_a_record(anybody: FlaskClient) -> None:
    record = f"fifty-five 1\nseats Ana Ben\ngame pairs  # from {packed(b'')}\n"
    assert anybody.post("/import", data={"record": record}).status_code == 303


def test_a_look_at_a_record_counts_as_an_opening_because_it_costs_as_much() -> None:
    phone = create_app(MemoryStore(), {"SECRET_KEY": "key", "TABLES_PER_HOUR": 2}).test_client()
    form = {"record": packed(b"fifty-five 1\nseats Ana Ben\ngame pairs\n"), "preview": "1"}
    answers = [phone.post("/import", data=form, environ_base={"REMOTE_ADDR": "198.51.100.7"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
