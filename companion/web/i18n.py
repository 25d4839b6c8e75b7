"""The reader's language: chosen, else what the browser asks for. Found once a request."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from flask import Flask, session
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion import i18n
from companion.engine.sentence import Sentence
from companion.i18n import DEFAULT, LANGUAGES

from .addresses import API

_spoken: ContextVar[str] = ContextVar("language", default=DEFAULT)


class Words(dict[str, str]):
    """The texts of the program in a language, by the English ones; each is looked up once."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, message: str) -> str:
        found = self[message] = i18n.catalogue(self._language).gettext(message)
        return found


_words = {known: Words(known) for known in LANGUAGES}


def language() -> str:
    """The language of this request; outside of one, English."""
    return _spoken.get()


def gettext(message: str) -> str:
    return _words[_spoken.get()][message]


def ngettext(one: str, many: str, count: int) -> str:
    return i18n.catalogue(_spoken.get()).ngettext(one, many, count)


def bold(figure: object, style: str = "") -> Markup:
    """A figure that stands out, for the gap of a sentence."""
    return Markup(f'<b class="{escape(style)}">{escape(figure)}</b>' if style else f"<b>{escape(figure)}</b>")


def translate(said: Sentence | str) -> str:
    """A sentence in the language of this request."""
    if isinstance(said, Sentence) and not said.values and not said.plural:
        return _words[_spoken.get()][said.template]
    return i18n.translate(said, _spoken.get())


def in_template(message: str, **values: Any) -> Markup:
    """`_()` of the templates: our sentences are markup, what fills their gaps is not."""
    found = _marked(message, _spoken.get())
    return found % values if values else found


@lru_cache(maxsize=2_000)
def _marked(message: str, spoken: str) -> Markup:
    return Markup(i18n.catalogue(spoken).gettext(message))


@lru_cache(maxsize=500)
def asked_for(header: str) -> str:
    """The best of our languages for what a browser says it reads."""
    wanted = parse_accept_header(header, LanguageAccept)
    tags = (tag.partition("-")[0].casefold() for tag, quality in wanted if quality > 0)
    return next((tag for tag in tags if tag in LANGUAGES), DEFAULT)


def init_app(app: Flask) -> None:
    app.jinja_env.add_extension("jinja2.ext.i18n")
    env: Any = app.jinja_env
    env.install_gettext_callables(gettext, ngettext, newstyle=True)
    env.filters["t"] = translate
    env.globals.update(_=in_template, bold=bold, language=language, languages=LANGUAGES)


def listen(environ: Mapping[str, Any]) -> None:
    """At the beginning of a request: what does its reader speak?"""
    chosen = None if environ["PATH_INFO"].startswith(API) else session.get("language")
    _spoken.set(chosen or asked_for(environ.get("HTTP_ACCEPT_LANGUAGE", "")))


def forget() -> None:
    _spoken.set(DEFAULT)
