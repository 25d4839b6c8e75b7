"""Sentences in the reader's language. So far there is one; every text already goes through here."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any

from flask import Flask

from companion.engine.errors import Sentence

_TRANSLATIONS = NullTranslations()


def gettext(message: str) -> str:
    return _TRANSLATIONS.gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    return _TRANSLATIONS.ngettext(one, many, count)


def translate(said: Sentence | str) -> str:
    """A sentence with its gaps filled, nested ones included."""
    if isinstance(said, str):
        return said
    values = {key: translate(value) if isinstance(value, Sentence) else value for key, value in said.values.items()}
    return gettext(said.template).format(**values)


def init_app(app: Flask) -> None:
    app.jinja_env.add_extension("jinja2.ext.i18n")
    env: Any = app.jinja_env
    env.install_gettext_callables(gettext, ngettext, newstyle=True)
    app.jinja_env.filters["t"] = translate
