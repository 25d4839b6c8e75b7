"""The web application: server-rendered pages, htmx fragments and the JSON API over a store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.bundle import home_of
from companion.store import Store

from . import (
    addresses,
    another_phone,
    api,
    assets,
    chips,
    coach,
    deck,
    deleting,
    demo,
    downloads,
    errors,
    evening,
    evenings,
    hand,
    handover,
    health,
    history,
    i18n,
    importing,
    lobby,
    logs,
    lookup,
    luck,
    menu,
    pages,
    payments,
    person,
    phones,
    pocket,
    pwa,
    rules,
    seats,
    security,
    settling,
    setup,
    share,
    standings,
    sync,
    table,
)
from .coaching import Coaching
from .rate import OpeningRate
from .rows import send_written
from .slow import SlowWork
from .sums import Sums
from .tables import Tables

LARGEST_BODY = 1_000_000

# Each module has one blueprint: for pages before there is a table, pages of a table, and everything else.
BEFORE_A_TABLE = (lobby, evenings, standings, person, another_phone, setup, importing, demo)
OF_A_TABLE = (
    table,
    menu,
    deck,
    seats,
    chips,
    hand,
    history,
    evening,
    settling,
    payments,
    downloads,
    share,
    deleting,
    coach,
    luck,
    handover,
)
WITHOUT_A_TABLE = (lookup, rules, api, sync, pwa, pocket, health)


def create_app(store: Store | None = None, config: Mapping[str, Any] | None = None) -> Flask:
    """The application over a store; the embedded database if none is given."""
    app = Flask("companion", static_folder=None, template_folder=str(home_of("templates")))
    app.config.from_mapping(
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        MAX_FORM_PARTS=1_000,
        SESSION_COOKIE_NAME="fifty-five",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=400 * 24 * 3600,
        TAKEOVER_SILENCE=30,  # seconds without a change after which the recovery code takes over
        TABLES_PER_HOUR=120,  # from one address
        TABLES_OF_A_PHONE=1_000,  # the most that a phone may have after reading a file
        PROXIES=0,  # how many of our own are in front; their X-Forwarded headers are trusted
        BUNDLE=None,  # the program for phones, if it was built
        LOG=False,  # log every request
    )
    app.config.from_mapping(config or {})
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.autoescape = True  # every template is HTML or SVG
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    if store is None:
        from companion.store.opening import open_store  # only here: the phone has no SQLAlchemy

        store = open_store(app)
    slow = app.extensions["slow work"] = SlowWork()
    app.extensions["coaching"] = Coaching(slow)
    kept = app.extensions["tables"] = Tables(store, OpeningRate(app.config["TABLES_PER_HOUR"]), slow)
    app.extensions["sums"] = Sums(kept, slow)
    if app.config["PROXIES"]:
        trusted = app.config["PROXIES"]
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=trusted, x_proto=trusted, x_host=trusted, x_prefix=trusted
        )
    logs.init_app(app)
    i18n.init_app(app)  # first: a refusal has a sentence, too
    security.init_app(app)
    phones.init_app(app)
    assets.init_app(app, home_of("static"))
    addresses.init_app(app)
    pages.init_app(app)
    errors.init_app(app)
    app.after_request(send_written)
    for page in (*BEFORE_A_TABLE, *OF_A_TABLE, *WITHOUT_A_TABLE):
        app.register_blueprint(page.blueprint)
    return app
