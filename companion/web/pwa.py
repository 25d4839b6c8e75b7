"""The installed app: its manifest, its service worker, and the page for when there is no signal."""

from __future__ import annotations

import hashlib
import json
import mimetypes
import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion import __version__
from companion.bundle import home_of
from companion.games import GAMES
from companion.web import pocket
from companion.web.addresses import API, TABLE
from companion.web.games import lookups
from companion.web.i18n import gettext as _
from companion.web.i18n import language, translate
from companion.web.lobby import count_of_games

blueprint = Blueprint("pwa", __name__)

COLOUR = "#080a09"
# The files that a page needs offline; the system fetches the icons itself.
SCRIPTS = ("app", "hand", "htmx.min", "import", "scan", "seats", "share", "space")
FILES = ("app.css", *(f"{script}.js" for script in SCRIPTS), "icon.svg")
SCREENSHOT = {"sizes": "540x1110", "type": "image/webp", "form_factor": "narrow"}  # as `make pictures` draws them
mimetypes.add_type("image/webp", ".webp")  # Python 3.11 does not know it by itself
# The service worker is one file, in this order: on a phone without a server, and with one.
ALONE = ("pocket/journal.js", "pocket/pages.js", "pocket/ask.js", "sw.js")
SERVED = ("copies.js", "pocket/sync.js", *ALONE)
ICONS = (("icon-192", "any"), ("icon-512", "any"), ("maskable-512", "maskable"))


def folder() -> Path:
    return home_of("static")


def asset(name: str) -> str:
    address: str = current_app.jinja_env.globals["asset"](name)  # type: ignore[operator]
    return address


@cache
def size(name: str) -> str:
    """Width and height of a PNG, from its first bytes."""
    head = (folder() / name).read_bytes()[:24]
    return "{}x{}".format(*struct.unpack(">II", head[16:24]))


def picture(name: str, **more: str) -> dict[str, str]:
    return {"src": asset(name), "sizes": size(name), "type": "image/png", **more}


@cache
def screenshots() -> tuple[str, ...]:
    """The games that have a screenshot."""
    return tuple(game for game in GAMES if (folder() / "screenshots" / f"{game}.webp").is_file())


@blueprint.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """The manifest, from which the system installs the app."""
    home = url_for("lobby.home")
    shortcuts = (
        (_("New table"), url_for("setup.new")),
        (_("Quick reference"), url_for("lookup.index")),
        (_("Rules"), url_for("rules.index")),
    )
    icon = picture("icons/icon-192.png")
    body: dict[str, Any] = {
        "id": home,
        "name": "Fifty-Five",
        "short_name": "Fifty-Five",
        "description": _(
            "For the card game Pairs, with your own deck: tap each card turned up. The phone scores and referees."
        ),
        "lang": language(),
        "dir": "ltr",
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": COLOUR,
        "theme_color": COLOUR,
        "categories": ["games", "utilities"],
        "icons": [picture(f"icons/{name}.png", purpose=purpose) for name, purpose in ICONS],
        "shortcuts": [{"name": name, "url": address, "icons": [icon]} for name, address in shortcuts],
        "screenshots": [
            {"src": asset(f"screenshots/{game}.webp"), **SCREENSHOT, "label": translate(GAMES[game].title)}
            for game in screenshots()
        ],
    }
    return Response(json.dumps(body, ensure_ascii=False), mimetype="application/manifest+json")


def addresses() -> Iterator[str]:
    """The addresses that work offline from the first visit on."""
    yield from map(url_for, ("lobby.home", "pwa.offline", "lookup.index", "rules.index"))
    yield from (url_for("lookup.show", tab=tab) for tab in dict.fromkeys((*lookups(), *GAMES)))
    yield from (url_for("rules.page", game=game) for game in GAMES)
    yield from (asset(name) for name in FILES)
    if pocket.bundle():
        yield url_for("pocket.host")
        yield from (asset(name) for name in pocket.FILES)


def places() -> dict[str, str]:
    """Addresses by which the service worker recognises requests."""
    return {
        "home": url_for("lobby.home"),
        "worker": url_for("pwa.service_worker"),
        "manifest": url_for("pwa.manifest"),
        "files": url_for("static", filename=""),
        "offline": url_for("pwa.offline"),
        "lookup": url_for("lookup.index"),
        "rules": url_for("rules.index"),
        "tables": request.root_path + TABLE,
        "api": request.root_path + API,
    }


@cache
def parts_of_worker(names: tuple[str, ...]) -> str:
    return "".join((folder() / name).read_text("utf-8") for name in names)


def worker(ours: dict[str, Any], names: tuple[str, ...], page: str = "") -> str:
    """The service worker with its settings, whose version changes with all of its content and with the page."""
    code = parts_of_worker(names)
    version = hashlib.sha256(json.dumps([__version__, code, ours, page]).encode()).hexdigest()[:12]
    return f"const OURS = {json.dumps({'version': version, **ours})};\n{code}"


@blueprint.get("/sw.js")
def service_worker() -> ResponseReturnValue:
    """The service worker. Its text changes with every file, the language and the version of the program."""
    ours: dict[str, Any] = {
        "language": language(),
        "addresses": list(addresses()),
        "places": places(),
        **pocket.for_worker(asset),
    }
    answer = Response(worker(ours, SERVED), mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@blueprint.get("/offline")
def offline() -> ResponseReturnValue:
    """The page that the service worker shows in place of one it has no copy of."""
    return render_template("pwa/offline.html", games=count_of_games())
