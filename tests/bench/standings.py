"""What standings cost: 200 evenings of 300 entries each, of all games, on SQLite: `python -m tests.bench.standings`.

Cold, the evenings are replayed and added up in parts, as the page asks for them; warm, they are known. Nothing fails: times
are reported beside what is aimed at.
"""

from __future__ import annotations

import tempfile
import tracemalloc
from pathlib import Path
from time import process_time

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import insert

from companion.games import GAMES
from companion.store import Row
from companion.store.models import ChangeRow, ListedRow
from companion.table.change import Change
from companion.web.dealing import fingerprint
from companion.web.sums import Sums
from companion.web.tables import Tables

from .evenings import evening
from .web import create_ours

EVENINGS, ENTRIES = 200, 300
COLD, WARM = 2_000, 20  # milliseconds of CPU
PLAYERS = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")
PHONE = "the phone of the bench"
PAGES = ("/standings", "/standings?game=pairs", "/standings.json", "/standings/person?name=Ana", "/evenings?name=ben")
AT = "2026-03-05T21:00:00+00:00"


def fill(app: Flask) -> None:
    """Put the evenings into the database and into the list of a phone: each entry is a row, as if it was tapped."""
    store = app.extensions["tables"].store
    for number in range(EVENINGS):
        table = f"evening{number:03}"
        opening, *rest = evening(f"game {list(GAMES)[number % len(GAMES)]}", ENTRIES, PLAYERS, seed=number)
        store.create(table, PLAYERS, fingerprint(table), Row(1, Change("open", (opening,)), AT))
        rows = [
            {"table_id": table, "number": place, "kind": "enter", "entries": entry, "at": AT, "taken": AT}
            for place, entry in enumerate(rest, 2)
        ]
        with store.engine.begin() as connection:
            connection.execute(insert(ChangeRow), rows)
            listed = {"phone": fingerprint(PHONE), "table_id": table, "place": number}
            connection.execute(insert(ListedRow).values(**listed, dealt=True, seat="", hidden=False))


def milliseconds(phone: FlaskClient, address: str) -> tuple[float, str]:
    """The CPU time of one answer, and the answer."""
    begins = process_time()
    answer = phone.get(address)
    assert answer.status_code == 200, answer.text
    return 1e3 * (process_time() - begins), answer.text


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="fifty-five-") as folder:
        app = create_ours(Path(folder))
        fill(app)
        phone = app.test_client()
        with phone.session_transaction() as session:
            session["phone"] = PHONE
        milliseconds(phone, "/")
        parts, page = [], 'hx-trigger="load'
        while 'hx-trigger="load' in page:
            spent, page = milliseconds(phone, "/standings")
            parts.append(spent)
        print(f"{EVENINGS} evenings of {ENTRIES} entries, CPU without a server.")
        print(f"cold: {sum(parts):6.0f} ms in {len(parts)} parts, the longest {max(parts):.0f} ms   (aim: {COLD})")
        for address in PAGES:
            milliseconds(phone, address)
            print(
                f"warm: {min(milliseconds(phone, address)[0] for _again in range(5)):6.1f} ms  {address}   (aim: {WARM})"
            )
        tables: Tables = app.extensions["tables"]
        listed = tables.store.listed(fingerprint(PHONE))
        tracemalloc.start()
        known = Sums(tables, app.extensions["slow work"])
        with app.app_context():
            known.all_of(listed)
        print(f"kept: {tracemalloc.get_traced_memory()[0] / EVENINGS / 1e3:6.1f} kB for each evening")
        tables.store.close()


if __name__ == "__main__":
    main()
