"""The least that a tap and a poll can cost: a Flask route, a form, one durable INSERT, and a page as large as the board."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from flask import Flask, redirect, render_template, request
from flask.typing import ResponseReturnValue
from jinja2 import DictLoader

from .page import ELEMENTS, SHAPE, values_for


def create_floor(folder: Path) -> Flask:
    database = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None, check_same_thread=False)
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        database.execute(f"PRAGMA {pragma}")
    database.execute("CREATE TABLE log (number INTEGER PRIMARY KEY, entry TEXT)")
    app = Flask("floor")
    app.extensions["database"] = database
    app.jinja_env.loader = DictLoader({"board.html": ELEMENTS})

    @app.post("/tables")
    def create() -> ResponseReturnValue:
        return redirect("/t/table", 303)

    @app.post("/t/<table_id>/enter")
    def enter(table_id: str) -> str:
        database.execute("INSERT INTO log (entry) VALUES (?)", (request.form["entry"],))
        return render_template("board.html", values=values_for(request.headers[SHAPE]))

    @app.get("/t/<table_id>")
    def show(table_id: str) -> str:
        return '<main hx-get="/bare?seen=1">'

    @app.get("/bare")
    def bare() -> ResponseReturnValue:
        return "", 204

    return app
