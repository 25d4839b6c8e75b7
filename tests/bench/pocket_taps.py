"""Taps on the phone edition, in its own Python: `pocket.py` fills in the two lists below and runs this file in Node.

It uses only the standard library, because the Python in Node has nothing else besides the program.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

OPENINGS: list[str] = []
TAPS: list[tuple[int, str]] = []
HEADERS = json.dumps(
    [
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("HX-Request", "true"),
        ("Accept-Language", "en-GB,en;q=0.9,fr;q=0.8"),
    ]
)


def rehearse(phone: Any) -> int:
    """Open the tables and enter the taps; return the number of taps."""
    names = {f"name-{number}": name for number, name in enumerate(("Ana", "Ben", "Cleo", "Dan"))}
    tables = []
    for opening in OPENINGS:
        form = {"game": opening.removeprefix("game "), "seats": len(names), **names}
        made = json.loads(phone.answer("POST", "/tables", HEADERS, urlencode(form).encode()))
        tables.append(dict(made["headers"])["Location"])
    versions = [1] * len(tables)
    for table, entry in TAPS:
        form = {"entry": entry, "version": versions[table], "id": f"tap {versions[table]}"}
        answer = json.loads(phone.answer("POST", f"{tables[table]}/enter", HEADERS, urlencode(form).encode()))
        assert answer["status"] == 200, answer["body"]
        versions[table] += 1
    return len(TAPS)
