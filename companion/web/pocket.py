"""The program for phones, if it was built: its packed files, and the host page that runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, current_app, render_template, url_for
from flask.typing import ResponseReturnValue

from companion import __version__
from companion.bundle import Bundle
from companion.engine.sentence import say
from companion.i18n import LANGUAGES, translate
from companion.web.assets import A_YEAR

blueprint = Blueprint("pocket", __name__)

# Shown by the host page while it has no page to show.
WAITING = {
    "fetching": say("Downloading the app (6 MB, once)…"),
    "waking": say("Starting…"),
    "cannot": say(
        "Fifty-Five needs https and a newer browser. Or the app could not be downloaded: reload to try again."
    ),
}
# Shown in the bar of the dealer's board; "along" once, when Python is on the phone.
IN_THE_BAR = {
    "waking": say("starting"),
    "unsent": say("on this phone, # to send"),
    "refused": say("not taken by the server"),
    "along": say("From now on this phone can go on without signal."),
}
FILES = (
    "pocket/host.js",
    "pocket/host.css",
    "pocket/lend.js",
    "pocket/board.js",
    "pocket/python.js",
    "pocket/start.js",
    "pocket/journal.js",
    "pocket/pages.js",
)


def bundle() -> Bundle | None:
    found: Bundle | None = current_app.config["BUNDLE"]
    return found


def waiting_words() -> dict[str, str]:
    """The waiting texts in every language, because all readers get the same host page."""
    return {key: json.dumps({what: translate(text, key) for what, text in WAITING.items()}) for key in LANGUAGES}


def for_worker(asset: Callable[[str], str]) -> dict[str, Any]:
    """Settings for the service worker; empty if the program for phones was not built."""
    found = bundle()
    if found is None:
        return {}
    words = {key: {what: translate(text, key) for what, text in IN_THE_BAR.items()} for key in LANGUAGES}
    return {
        "packs": found.packs,
        "pocket": {
            "engine": __version__,
            "host": url_for("pocket.host"),
            "script": asset("pocket/board.js"),
            "python": asset("pocket/python.js"),
            "root": url_for("lobby.home"),
            "bundle": found.place,
            "words": words,
        },
    }


@blueprint.get("/pocket")
def host() -> ResponseReturnValue:
    """The host page: it runs Python on the phone, and shows the other pages in a frame."""
    found = bundle() or abort(404)
    return render_template("pocket/host.html", bundle=found.place, words=waiting_words())


@blueprint.get("/py/<key>/<name>")
def pack(key: str, name: str) -> ResponseReturnValue:
    """A packed file. Its address names its content, so browsers may keep it for good."""
    found = bundle()
    packed = found.read(f"py/{key}/{name}") if found else None
    if packed is None:
        abort(404)
    headers = {"Cache-Control": f"public, max-age={A_YEAR}, immutable"}
    return Response(packed, headers=headers, mimetype="application/octet-stream")
