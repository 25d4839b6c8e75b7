"""The program on the phone, run by CPython: its answers, the rows it writes, and its restarts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from time import time

import pytest

from companion.pocket.store import HERE
from companion.web import clock

from .conftest import ORIGIN, Pocket, versions, without_ids


def test_a_tap_is_answered_and_written_to_the_journal(pocket: Pocket) -> None:
    table = pocket.open()
    key = table.removeprefix("/t/")
    answer = pocket.enter(table, "7", 1, "an id of the page")
    assert answer["status"] == 200
    assert 'data-version="2"' in answer["body"]
    ((store, how, row),) = answer["written"]
    assert (store, how) == ("rows", "add")
    at = row.pop("at")
    assert at > "2025"
    assert row == {
        "table": key,
        "number": 2,
        "kind": "enter",
        "entries": ["7"],
        "entry": None,
        "client": "an id of the page",
        "sent": 0,
    }
    assert pocket.journal.tables == {key: {"id": key, "names": ["A", "B", "C"], "copy": 0}}
    assert len(pocket.journal.rows[key, 1]["client"]) == 24, "the opening has an id too, so that it is sent once"


def test_the_same_tap_sent_twice_is_written_once(pocket: Pocket) -> None:
    table = pocket.open()
    pocket.enter(table, "7", 1, "one tap, sent again")
    again = pocket.enter(table, "7", 1, "one tap, sent again")
    assert (again["status"], again["written"]) == (200, [])
    assert 'data-version="2"' in again["body"]


def test_a_refusal_writes_nothing(pocket: Pocket) -> None:
    table = pocket.open()
    assert pocket.enter(table, "11", 1)["status"] == 422
    assert pocket.enter(table, "7", 5)["status"] == 409
    assert len(pocket.journal.rows) == 1


def test_python_can_be_restarted_at_any_time(pocket: Pocket) -> None:
    table = pocket.open()
    for version, card in enumerate("7395", start=1):
        pocket.enter(table, card, version)
    pocket.ask("POST", "/settings", {"language": "fr", "theme": "light"})
    before = pocket.ask("GET", table)
    pocket.wake()
    after = pocket.ask("GET", table)
    assert without_ids(after["body"]) == without_ids(before["body"])
    assert '<html lang="fr" data-theme="light"' in after["body"]
    assert "Reprendre" in pocket.ask("GET", "/")["body"], "the phone deals at its tables"
    assert pocket.enter(table, "8", 5)["status"] == 200


def test_rows_written_by_another_tab_are_caught_up_with(pocket: Pocket) -> None:
    table = pocket.open()
    key = table.removeprefix("/t/")
    other = Pocket()
    other.journal = pocket.journal
    other.wake()
    pocket.enter(table, "7", 1)
    assert other.python.version(key, 0) == 1
    missing = [row for (_table, number), row in pocket.journal.rows.items() if number > 1]
    other.python.catch_up(json.dumps({"tables": list(pocket.journal.tables.values()), "rows": missing, "session": []}))
    assert other.python.version(key, 0) == 2
    assert without_ids(other.ask("GET", table)["body"]) == without_ids(pocket.ask("GET", table)["body"])


def test_a_replaced_copy_is_read_again_even_at_the_same_version(pocket: Pocket) -> None:
    """As after a failed write: Python has a 7 in memory, but the journal has a 4."""
    table = pocket.open()
    key = table.removeprefix("/t/")
    pocket.enter(table, "7", 1)
    pocket.journal.rows[key, 2]["entries"] = ["4"]
    pocket.journal.tables[key]["copy"] = 1
    assert pocket.python.version(key, 1) == 0
    pocket.python.catch_up(pocket.journal.everything())
    log = json.loads(pocket.ask("GET", f"/api{table.replace('/t/', '/tables/')}/log")["body"])
    assert [line["entry"] for line in log["entries"]][-1] == "4"
    pocket.journal.rows[key, 2]["entries"] = ["9"]
    pocket.python.restore(pocket.journal.everything())
    log = json.loads(pocket.ask("GET", f"/api{table.replace('/t/', '/tables/')}/log")["body"])
    assert [line["entry"] for line in log["entries"]][-1] == "9"


def test_addresses_are_under_the_path_of_the_site() -> None:
    pocket = Pocket("/games/pairs")
    table = pocket.open()
    page = pocket.ask("GET", table)["body"]
    assert f'action="/games/pairs{table}/enter"' in page
    assert f'href="/games/pairs/static/app.css?v={versions()["app.css"]}"' in page
    assert ' href="/t/' not in page


def test_a_page_can_be_framed_only_by_our_own_site(pocket: Pocket) -> None:
    head = pocket.ask("GET", "/")["head"]
    assert "frame-ancestors 'self'" in head["Content-Security-Policy"]
    assert not {"X-Frame-Options", "Set-Cookie"} & set(head)


def test_another_site_cannot_open_a_table(pocket: Pocket) -> None:
    for origin, status in (("null", 403), ("https://evil.example", 403), (ORIGIN, 303)):
        made = pocket.ask("POST", "/tables", {"seats": 2, "game": "pairs"}, {"Origin": origin})
        assert made["status"] == status, origin
    assert len(pocket.journal.tables) == 1


def test_the_api_works_on_the_phone(pocket: Pocket) -> None:
    headers = {"Content-Type": "application/json"}
    made = pocket.ask("POST", "/api/tables", {"seats": ["Ana", "Ben"], "game": "pairs"}, headers)
    assert made["status"] == 201
    table = json.loads(made["body"])
    path = f"/api/tables/{table['table']}/entries"
    headers["Authorization"] = f"Bearer {table['dealer']}"
    entered = pocket.ask("POST", path, {"entries": ["7"], "version": 1}, headers)
    assert entered["status"] == 200, entered
    assert len(pocket.journal.rows) == 2


def test_pages_that_need_a_server_say_so(pocket: Pocket) -> None:
    table = pocket.open()
    for page in ("code", "handover", "take"):
        answer = pocket.ask("GET", f"{table}/{page}")
        assert answer["status"] == 503
        assert "needs a connection" in answer["body"]
        assert f'href="{table}/pass-on"' in answer["body"]
    forget = pocket.ask("POST", "/forget")
    assert (forget["status"], len(pocket.journal.tables)) == (405, 1), "the only copy is not deleted by a tap"
    for path in ("/healthz", "/sw.js", "/static/app.css", f"/api/tables/{table[3:]}/rows"):
        assert pocket.ask("GET", path)["status"] == 404, path


def test_a_full_disk_is_reported_in_the_language_of_the_reader(pocket: Pocket) -> None:
    reply = json.loads(pocket.python.no_room('[["Accept-Language", "en"]]'))
    assert (reply["status"], reply["written"]) == (503, [])
    assert "no room left" in reply["body"]
    pocket.ask("POST", "/settings", {"language": "fr"})
    assert "place" in json.loads(pocket.python.no_room('[["Accept-Language", "en"]]'))["body"]


def test_the_board_says_where_its_entries_are_and_does_not_poll(pocket: Pocket) -> None:
    page = pocket.ask("GET", pocket.open())["body"]
    assert re.search(r'<span class="[^"]*" id="link"[^>]*>on this phone</span>', page)
    assert 'hx-trigger="every' not in page, "there is no other phone that could take the deal"


def test_only_actions_that_work_without_a_server_are_offered(pocket: Pocket) -> None:
    table = pocket.open()
    for path in ("", "/menu", "/pass-on"):
        page = pocket.ask("GET", table + path)["body"]
        assert f'href="{table}/pass-on"' in page or path == "/pass-on"
        for elsewhere in (f'href="{table}/code"', f'href="{table}/handover"', f'href="{table}/others"'):
            assert elsewhere not in page, (path, elsewhere)


def test_all_tables_of_a_phone_except_the_demonstration_are_saved_in_a_file(pocket: Pocket) -> None:
    for _ in range(30):  # more than a cookie could hold
        pocket.enter(pocket.open(), "7", 1)
    demo = pocket.ask("POST", "/demo")
    assert pocket.ask("GET", str(demo["head"]["Location"]))["status"] == 200
    saved = pocket.ask("GET", "/phone/tables.txt")["body"]
    assert saved.count("fifty-five 1\n") == 30
    assert "The tables are on this phone only." in pocket.ask("GET", "/phone")["body"]
    other = Pocket()
    opened = other.ask("POST", "/import", {"record": saved.replace("7", "8"), "id": "form-0123456789abcdef"})
    assert (opened["status"], len(other.journal.tables)) == (303, 30)


def test_warming_up_leaves_nothing_behind(pocket: Pocket) -> None:
    pocket.python.warm("fr")
    assert pocket.python.store.tables() == []
    assert pocket.python.store.written == []
    assert "Resume" not in pocket.ask("GET", "/")["body"]


def test_no_module_of_a_database_or_server_is_loaded() -> None:
    program = "import sys, companion.pocket.phone; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not {name for name in loaded if name.split(".")[0] in {"sqlalchemy", "alembic", "waitress", "psycopg"}}


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (403, "Another phone deals here now: what you entered since then is only on this phone."),
        (409, "The table went on without this phone: what you entered since then is only here."),
        (422, "All three 3s are out. What you entered since then is only on this phone."),
    ],
)
def test_a_refusal_of_the_server_is_explained_with_one_button(status: int, sentence: str, pocket: Pocket) -> None:
    table = pocket.open()
    key = table.removeprefix("/t/")
    assert "<form" not in pocket.ask("GET", f"{table}/connection")["body"]
    pocket.journal.tables[key]["refused"] = {"status": status, "message": "All three 3s are out.", "number": 2}
    pocket.python.catch_up(pocket.journal.everything())
    page = pocket.ask("GET", f"{table}/connection")["body"]
    assert f'role="alert">{sentence}</p>' in page
    assert page.count("<button") == 1
    assert f'action="{table}/fork"' in page
    # The language is the current one, not that of the refusal.
    pocket.journal.session["here"] = {"id": "here", "language": "fr"}
    pocket.python.catch_up(pocket.journal.everything())
    assert sentence[:12] not in pocket.ask("GET", f"{table}/connection")["body"] or status == 422


def test_only_a_server_knows_the_recovery_code(pocket: Pocket) -> None:
    assert "Takeover code" not in pocket.ask("GET", pocket.open())["body"]


def test_settings_chosen_at_the_server_are_caught_up_with(pocket: Pocket) -> None:
    table = pocket.open()
    pocket.journal.session["elsewhere"] = {"id": "elsewhere", "language": "fr"}
    pocket.python.catch_up(pocket.journal.everything())
    assert '<html lang="fr"' in pocket.ask("GET", table)["body"]
    pocket.journal.session["here"] = {"id": "here", "language": "en"}
    pocket.python.catch_up(pocket.journal.everything())
    assert '<html lang="en"' in pocket.ask("GET", table)["body"], "chosen on this phone, without the server"


def listed(pocket: Pocket) -> list[str]:
    """The tables in the list, as its page shows them."""
    return re.findall(r'class="tile" href="(/t/[^"/]+)"', pocket.ask("GET", "/evenings")["body"])


def test_standings_are_those_of_the_tables_on_the_disk(pocket: Pocket) -> None:
    for number, name in enumerate(("Ben", "Benoît")):
        lines = ["fifty-five 1", f"seats Ana {name}", "game pairs cards=no limit=5 stakes=norland", f"score {name} 5"]
        pocket.ask("POST", "/import", {"record": "\n".join(lines), "id": f"form-0123456789abcde{number}"})

    def people() -> list[tuple[str, int, int]]:
        found = json.loads(pocket.ask("GET", "/standings.json")["body"])["people"]
        return [(one["name"], one["lost"], one["chips"]) for one in found]

    assert people() == [("Ana", 0, 2), ("Ben", 1, -1), ("Benoît", 1, -1)]
    pocket.ask("POST", "/standings/person", {"name": "Ben", "other": "Benoît"})
    assert people() == [("Ana", 0, 2), ("Benoît", 2, -2)]
    assert "Ben is Benoît" in pocket.ask("GET", "/standings/person?name=Beno%C3%AEt")["body"]
    (newest, oldest) = listed(pocket)
    pocket.ask("POST", "/evenings/sight", {"table": newest.removeprefix("/t/"), "hidden": "yes"})
    for _started_again in range(2):
        assert people() == [("Ana", 0, 1), ("Benoît", 1, -1)]
        assert listed(pocket) == [oldest]
        pocket.wake()
    pocket.ask("POST", "/evenings/sight", {"table": newest.removeprefix("/t/"), "hidden": "no"})
    pocket.ask("POST", "/standings/person", {"name": "Benoît", "apart": "ben"})
    pocket.wake()
    assert people() == [("Ana", 0, 2), ("Ben", 1, -1), ("Benoît", 1, -1)]


def test_the_list_is_what_the_phone_has_on_its_disk(pocket: Pocket) -> None:
    first, second = pocket.open(), pocket.open()
    pocket.ask("POST", "/demo")
    pocket.ask("POST", f"{first}/me", {"me": "B"})
    pocket.python.store.remember(HERE, second.removeprefix("/t/"), hidden=True)
    pocket.python.store.set_alias(HERE, "ben", "Benoît")
    pocket.journal.write(pocket.python.store.written)
    assert listed(pocket) == [first]
    before = pocket.python.store.listed(HERE), pocket.python.store.aliases(HERE)
    assert {one.table: (one.dealt, one.seat, one.hidden) for one in before[0]} == {
        first.removeprefix("/t/"): (True, "B", False),
        second.removeprefix("/t/"): (True, "", True),
    }
    pocket.wake()
    assert (pocket.python.store.listed(HERE), pocket.python.store.aliases(HERE)) == before
    assert listed(pocket) == [first]


def test_what_another_tab_changes_in_the_list_is_seen(pocket: Pocket) -> None:
    table = pocket.open().removeprefix("/t/")
    pocket.python.store.remember(HERE, table, hidden=True)
    pocket.python.store.set_alias(HERE, "ben", "Benoît")
    shown = {"id": "list", "seats": {table: "B"}, "hidden": [], "aliases": {"zoe": "Zoë"}}
    pocket.journal.write([("session", "put", shown)])
    pocket.python.catch_up(pocket.journal.everything())
    assert [(one.seat, one.hidden) for one in pocket.python.store.listed(HERE)] == [("B", False)]
    assert pocket.python.store.aliases(HERE) == {"zoe": "Zoë"}


def test_a_table_is_deleted_from_the_disk_too(pocket: Pocket) -> None:
    gone, stays = pocket.open(), pocket.open()
    pocket.enter(gone, "7", 1)
    assert pocket.ask("POST", f"{gone}/delete")["status"] == 200
    assert pocket.ask("POST", f"{gone}/delete", {"sure": "yes"})["status"] == 303
    assert list(pocket.journal.tables) == [stays.removeprefix("/t/")]
    assert {table for table, _number in pocket.journal.rows} == set(pocket.journal.tables)
    pocket.wake()
    assert pocket.ask("GET", gone)["status"] == 404
    assert listed(pocket) == [stays]


def test_where_there_is_a_server_a_table_is_deleted_there(pocket: Pocket) -> None:
    table = pocket.open()
    pocket.python.app.jinja_env.globals["has_server"] = True
    assert pocket.ask("POST", f"{table}/delete", {"sure": "yes"})["status"] == 503
    assert pocket.ask("GET", table)["status"] == 200


def test_tables_and_seats_that_came_from_the_server_are_dealt_and_known(pocket: Pocket) -> None:
    table = pocket.open().removeprefix("/t/")
    pocket.journal.write([("session", "put", {"id": "elsewhere", "language": "fr", "me": {table: "C"}})])
    pocket.wake()
    assert [one.seat for one in pocket.python.store.listed(HERE)] == ["C"]
    assert pocket.enter(f"/t/{table}", "7", 1)["status"] == 200


def test_a_copy_is_offered_quietly_if_none_was_saved_for_30_days(
    pocket: Pocket, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, offer = time(), "No copy of your tables was saved for 30 days."
    table = pocket.open()
    assert offer in pocket.ask("GET", f"{table}/evening")["body"]
    assert pocket.ask("GET", "/phone/tables.txt")["status"] == 200
    assert offer not in pocket.ask("GET", f"{table}/evening")["body"]
    pocket.wake()
    for days, due in ((29, False), (31, True)):
        monkeypatch.setattr(clock, "time", lambda days=days: start + days * 86_400)
        assert (offer in pocket.ask("GET", f"{table}/evening")["body"]) == due
    pocket.enter(table, "7", 1)
    assert offer not in pocket.ask("GET", f"{table}/evening")["body"], "not in the middle of a round"
    pocket.python.app.jinja_env.globals["has_server"] = True
    pocket.ask("POST", f"{table}/undo", {"version": 2})
    assert offer not in pocket.ask("GET", f"{table}/evening")["body"], "the server keeps them"
