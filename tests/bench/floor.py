"""The least a tap and a poll can be: a route, a form, one durable insert, and a fragment as large as the board.

The fragment has as many bytes and as many elements as the answer it is compared with, with one value in each.
"""

from __future__ import annotations

import os
import re
import sqlite3
import sys
from pathlib import Path

from flask import Flask, render_template, request
from jinja2 import DictLoader

from companion.server.serve import listening_socket, new_server, stop_on_signals
from tests.process import HOST

ELEMENT = '<p class="seat">{{ value }}</p>\n'
SAID = "what it says, however long"


def shape_of(answer: bytes) -> tuple[int, int]:
    """How many elements an answer has, and how many letters each of them says."""
    elements = max(1, len(re.findall(rb"<[a-z]", answer)))
    return elements, max(1, len(answer) // elements - len(ELEMENT.replace("{{ value }}", "")))


def create_floor(folder: Path) -> Flask:
    database = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None, check_same_thread=False)
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        database.execute(f"PRAGMA {pragma}")
    database.execute("CREATE TABLE log (number INTEGER PRIMARY KEY, entry TEXT)")
    app = Flask("floor")
    template = f"{{% for value in values %}}{ELEMENT}{{% endfor %}}"
    app.jinja_env.loader = DictLoader({"board.html": template})
    said = [SAID.ljust(length, ".")[:length] for length in range(2_000)]

    @app.post("/t/<table_id>/enter")
    def enter(table_id: str) -> str:
        form = request.form
        database.execute("INSERT INTO log (entry) VALUES (?)", (form["entry"],))
        # Which board to draw stands in place of the tap's version.
        elements, length = divmod(int(form["version"]), 10_000)
        return render_template("board.html", values=[said[length]] * elements)

    @app.get("/bare")
    def bare() -> str:
        return "ok"

    return app


if __name__ == "__main__":
    floor = create_floor(Path(os.environ["FLOOR_FOLDER"]))
    listening = listening_socket(HOST, int(sys.argv[1]))
    stop_on_signals(listening)
    new_server(floor, listening).run()
