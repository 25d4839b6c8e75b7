"""The web application: server-rendered pages, htmx fragments and the JSON API over a store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, request
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.bundle import home_of
from companion.store import Store

from . import assets, fragments, i18n, logs, security
from .coaching import Coaching
from .framework import Companion
from .rate import OpeningRate
from .rows import note_written, tell_written
from .tables import Tables
from .views import (
    api,
    coach,
    demo,
    errors,
    evening,
    handover,
    health,
    history,
    lobby,
    lookup,
    passing,
    pocket,
    pwa,
    rows,
    rules,
    seats,
    table,
)

# They add their routes to the blueprint of the table, or of the API.
ROUTES_OF_ANOTHER = (coach, demo, evening, handover, history, passing, rows, seats)


def create_app(store: Store | None = None, config: Mapping[str, Any] | None = None) -> Flask:
    """The application over a store; the embedded database if none is given."""
    app = Companion("companion", static_folder=None, template_folder=str(home_of("templates")))
    app.config.from_mapping(
        SESSION_COOKIE_NAME="fifty-five",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=400 * 24 * 3600,
        TAKEOVER_SILENCE=30,  # seconds without a change after which the recovery code takes over
        TABLES_PER_HOUR=120,  # from one address
        TABLES_OF_A_PHONE=security.DEALT_TABLES,  # at which it deals; a cookie holds no more
        PROXIES=0,  # how many of ours stand in front: only their word on the visitor's address is taken
        BUNDLE=None,  # the program for the phone itself, where it was built
        LOG=False,  # a line for every request
    )
    app.config.from_mapping(config or {})
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.autoescape = True  # all of them are HTML or SVG
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    if store is None:
        from companion.store.opening import open_store  # only here: the phone has no SQLAlchemy

        store = open_store(app)
    app.extensions["coaching"] = Coaching()
    app.extensions["tables"] = Tables(store, OpeningRate(app.config["TABLES_PER_HOUR"]))
    if app.config["PROXIES"]:
        trusted = app.config["PROXIES"]
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=trusted, x_proto=trusted, x_host=trusted, x_prefix=trusted
        )
    logs.init_app(app)
    assets.init_app(app, home_of("static"))
    i18n.init_app(app)
    fragments.init_app(app)
    security.init_app(app)
    errors.init_app(app)
    app.before_request(arrive)
    app.after_request(leave)
    for part in (lobby, table, lookup, rules, api, pwa, pocket, health):
        app.register_blueprint(part.blueprint)
    return app


# One function each: Flask takes longer to call such a function than ours take to run.


def arrive() -> None:
    """At the beginning of every request."""
    environ = request.environ
    note_written(None)
    fragments.listen(environ)
    i18n.listen(environ)
    security.refuse_bad_hosts(environ)
    security.refuse_other_sites(environ)


def leave(answer: Response) -> Response:
    """At the end of every request."""
    environ = request.environ
    i18n.forget()
    tell_written(answer)
    return security.add_headers(environ, assets.compress_answer(environ, answer))
