"""The reader's language: chosen, else what the browser asks for."""

from __future__ import annotations

from typing import Any

from flask import Flask, g, has_request_context, request, session

from companion import i18n
from companion.engine.errors import Sentence
from companion.i18n import DEFAULT, LANGUAGES


def language() -> str:
    """The language of this request."""
    if not has_request_context():
        return DEFAULT
    if "language" not in g:
        chosen = None if request.path.startswith("/api") else session.get("language")
        wanted = (tag.partition("-")[0].casefold() for tag, quality in request.accept_languages if quality > 0)
        g.language = chosen or next((tag for tag in wanted if tag in LANGUAGES), DEFAULT)
    found: str = g.language
    return found


def gettext(message: str) -> str:
    return i18n.catalogue(language()).gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    return i18n.catalogue(language()).ngettext(one, many, count)


def translate(said: Sentence | str) -> str:
    """A sentence in the language of this request."""
    return i18n.translate(said, language())


def init_app(app: Flask) -> None:
    app.jinja_env.add_extension("jinja2.ext.i18n")
    env: Any = app.jinja_env
    env.install_gettext_callables(gettext, ngettext, newstyle=True)
    app.jinja_env.filters["t"] = translate
    app.jinja_env.globals.update(language=language, languages=LANGUAGES)
    app.after_request(_vary)


def _vary(answer: Any) -> Any:
    answer.vary.add("Accept-Language")
    return answer
