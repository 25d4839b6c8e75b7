"""The language of a request: chosen on this phone, else asked for by the browser."""

from __future__ import annotations

from typing import Any

from flask import Flask, g, has_request_context, request, session
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion import i18n
from companion.engine.sentence import Sentence
from companion.i18n import DEFAULT, LANGUAGES

from .addresses import API


def language() -> str:
    """The language of this request; English outside of a request."""
    try:
        known: str = g.language  # a board asks fifty times
    except (AttributeError, RuntimeError):
        if not has_request_context():
            return DEFAULT
        chosen = None if request.path.startswith(API) else session.get("language")
        known = g.language = chosen or asked_for(request.headers.get("Accept-Language", ""))
    return known


def gettext(message: str) -> str:
    return i18n.catalogue(language()).gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    return i18n.catalogue(language()).ngettext(one, many, count)


def bold(figure: object, style: str = "") -> Markup:
    """A figure in bold, for the gap of a sentence."""
    return Markup(f'<b class="{escape(style)}">{escape(figure)}</b>' if style else f"<b>{escape(figure)}</b>")


def translate(said: Sentence | str) -> str:
    """A sentence in the language of this request."""
    return i18n.translate(said, language())


def asked_for(header: str) -> str:
    """The best of our languages for an Accept-Language header."""
    wanted = parse_accept_header(header, LanguageAccept)
    tags = (tag.partition("-")[0].casefold() for tag, quality in wanted if quality > 0)
    return next((tag for tag in tags if tag in LANGUAGES), DEFAULT)


def init_app(app: Flask) -> None:
    app.jinja_env.add_extension("jinja2.ext.i18n")
    env: Any = app.jinja_env
    env.install_gettext_callables(gettext, ngettext, newstyle=True)
    env.filters["t"] = translate
    env.globals.update(bold=bold, language=language, languages=LANGUAGES)
