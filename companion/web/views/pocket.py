"""The program for the phone itself, where it was built: Python's files, and the page that stays."""

from __future__ import annotations

import json

from flask import Blueprint, Response, abort, current_app, render_template
from flask.typing import ResponseReturnValue

from companion.engine.sentence import say
from companion.i18n import LANGUAGES, translate
from companion.web.assets import A_YEAR
from companion.web.bundle import Bundle

blueprint = Blueprint("pocket", __name__)

# What the page that stays says before there is a page to show.
WAITING = {
    "fetching": say("Fetching the referee (7 MB, once) …"),
    "waking": say("Waking the referee …"),
    "cannot": say(
        "Fifty-Five needs https and a newer browser. Or the referee could not be fetched: reload to try again."
    ),
}


def bundle() -> Bundle | None:
    found: Bundle | None = current_app.config["BUNDLE"]
    return found


def waiting_words() -> dict[str, str]:
    """In every language: the page that stays is the same for all readers."""
    return {key: json.dumps({what: translate(text, key) for what, text in WAITING.items()}) for key in LANGUAGES}


@blueprint.get("/pocket")
def staying() -> ResponseReturnValue:
    """The page that stays: it owns Python on the phone, and shows the others in its frame."""
    found = bundle() or abort(404)
    return render_template("pocket/staying.html", bundle=found.place, words=waiting_words())


@blueprint.get("/py/<key>/<name>")
def pack(key: str, name: str) -> ResponseReturnValue:
    """A packed file. Its address names its content, so it may be kept for ever."""
    found = bundle()
    packed = found.read(f"py/{key}/{name}") if found else None
    if packed is None:
        abort(404)
    headers = {"Cache-Control": f"public, max-age={A_YEAR}, immutable"}
    return Response(packed, headers=headers, mimetype="application/octet-stream")
