"""The language of a request: chosen on this phone, else asked for by the browser."""

from __future__ import annotations

from contextvars import ContextVar
from gettext import NullTranslations
from typing import Any

from flask import Flask, has_request_context, request, session
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion import i18n
from companion.engine.sentence import Sentence
from companion.i18n import DEFAULT, LANGUAGES

from .addresses import API


def language() -> str:
    """The language of this request; English outside of a request."""
    if not has_request_context():
        return DEFAULT
    chosen = None if request.path.startswith(API) else session.get("language")
    return chosen or asked_for(request.headers.get("Accept-Language", ""))


# The messages of this request. They are not in `g`, whose proxy is slow: a board asks fifty times.
_messages: ContextVar[NullTranslations | None] = ContextVar("messages", default=None)


def catalogue() -> NullTranslations:
    """The messages in the language of this request, looked up once."""
    known = _messages.get()
    if known is None:
        known = i18n.catalogue(language())
        if has_request_context():
            _messages.set(known)
    return known


def forget_language(_error: BaseException | None = None) -> None:
    """Drop the messages that were looked up: the next request of this thread may be in another language."""
    _messages.set(None)


def gettext(message: str) -> str:
    return catalogue().gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    return catalogue().ngettext(one, many, count)


def in_template(message: str, /, **gaps: object) -> str:
    """`gettext` for templates: text, which Jinja escapes; or with gaps HTML, in which a gap of text is escaped."""
    return escape(gettext(message)) % gaps if gaps else gettext(message)


def bold(figure: object, style: str = "") -> Markup:
    """A figure in bold, for the gap of a sentence."""
    return Markup(f'<b class="{escape(style)}">{escape(figure)}</b>' if style else f"<b>{escape(figure)}</b>")


def translate(said: Sentence | str) -> str:
    """A sentence in the language of this request."""
    return i18n.translate_with(said, catalogue())


def asked_for(header: str) -> str:
    """The best of our languages for an Accept-Language header."""
    wanted = parse_accept_header(header, LanguageAccept)
    tags = (tag.partition("-")[0].casefold() for tag, quality in wanted if quality > 0)
    return next((tag for tag in tags if tag in LANGUAGES), DEFAULT)


def init_app(app: Flask) -> None:
    app.before_request(forget_language)
    app.teardown_request(forget_language)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    env: Any = app.jinja_env
    env.install_gettext_callables(gettext, ngettext, newstyle=True)
    env.globals["_"] = in_template  # the extension's own makes HTML of every word, which takes long
    env.filters["t"] = translate
    env.globals.update(bold=bold, language=language, languages=LANGUAGES)
