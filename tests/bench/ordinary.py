"""The ordinary way: the same tap and poll as the documentation of Flask, Flask-SQLAlchemy and Jinja shows them.

A tap looks the table up, checks the session, adds a row with the ORM, commits and draws a page with as many elements and
bytes as our board. A poll looks the table up, checks the session and queries the newest row. It has no rules of games, and
no protection against double taps or stale phones.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from flask import Flask, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_sqlalchemy import SQLAlchemy
from jinja2 import DictLoader
from sqlalchemy import ForeignKey, event, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from .page import ELEMENTS, SHAPE, values_for

BOARD = '<main hx-get="{{ url_for("show", table_id=table_id, seen=newest) }}">\n' + ELEMENTS + "</main>\n"
OPENING = "1 20"  # the shape of the page before the first tap


def create_ordinary(folder: Path) -> Flask:
    class Base(DeclarativeBase):
        pass

    db = SQLAlchemy(model_class=Base)

    class PlayTable(db.Model):
        id: Mapped[str] = mapped_column(primary_key=True)
        secret: Mapped[str]

    class Entry(db.Model):
        id: Mapped[int] = mapped_column(primary_key=True)
        table_id: Mapped[str] = mapped_column(ForeignKey(PlayTable.id), index=True)
        text: Mapped[str]
        client: Mapped[str]

    app = Flask("ordinary")
    app.config.update(SECRET_KEY="a key for the bench", SQLALCHEMY_DATABASE_URI=f"sqlite:///{folder}/ordinary.sqlite3")
    app.jinja_env.loader = DictLoader({"board.html": BOARD})
    db.init_app(app)

    with app.app_context():
        # As durable as ours, and with as little disk work.
        @event.listens_for(db.engine, "connect")
        def set_pragmas(connection: object, _record: object) -> None:
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
            cursor.close()

        db.create_all()

    def draw(table_id: str, newest: int) -> str:
        values = values_for(request.headers.get(SHAPE, OPENING))
        return render_template("board.html", table_id=table_id, newest=newest, values=values)

    @app.post("/tables")
    def create() -> ResponseReturnValue:
        table = PlayTable(id=secrets.token_hex(8), secret=secrets.token_hex(16))
        db.session.add(table)
        session["dealer"] = {table.id: table.secret}
        address = url_for("show", table_id=table.id)
        db.session.commit()
        return redirect(address, 303)

    @app.post("/t/<table_id>/enter")
    def enter(table_id: str) -> str:
        table = db.get_or_404(PlayTable, table_id)
        if session.get("dealer", {}).get(table_id) != table.secret:
            abort(403)
        entry = Entry(table_id=table_id, text=request.form["entry"], client=request.form["id"])
        db.session.add(entry)
        db.session.flush()
        newest = entry.id
        db.session.commit()
        return draw(table_id, newest)

    @app.get("/t/<table_id>")
    def show(table_id: str) -> ResponseReturnValue:
        table = db.get_or_404(PlayTable, table_id)
        newest = db.session.scalar(select(func.max(Entry.id)).where(Entry.table_id == table_id)) or 0
        _deals = session.get("dealer", {}).get(table_id) == table.secret
        if request.args.get("seen", type=int) == newest:
            return "", 204
        return draw(table_id, newest)

    return app
