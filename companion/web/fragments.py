"""Parts of a screen that are drawn once: a key, a seat's line. Most of a board is as it was a tap ago."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache

from flask import Flask
from markupsafe import Markup

from .i18n import language

KEPT = 4_000  # some 2 MB


def init_app(app: Flask) -> None:
    env = app.jinja_env

    @lru_cache(maxsize=KEPT)
    def drawn_once(name: str, spoken: str, thing: Hashable) -> Markup:
        return Markup(env.get_template(name).render(thing=thing).strip())

    def drawn(thing: Hashable, name: str) -> Markup:
        """A thing drawn by a small template that depends on nothing but it and the language."""
        return drawn_once(name, language(), thing)

    def drawn_each(things: Iterable[Hashable], name: str) -> Markup:
        spoken = language()
        return Markup("\n".join([drawn_once(name, spoken, thing) for thing in things]))

    env.filters.update(drawn=drawn, drawn_each=drawn_each)
