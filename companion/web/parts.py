"""Parts of a screen that are drawn once: a key, a seat's line. Most of a board is as it was a tap ago."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from flask import Flask
from markupsafe import Markup

from .i18n import language

KEPT = 4_000  # some 2 MB


def init_app(app: Flask) -> None:
    env = app.jinja_env

    @lru_cache(maxsize=KEPT)
    def drawn(name: str, spoken: str, things: tuple[Hashable, ...]) -> Markup:
        return Markup(env.get_template(name).render(things=things).strip())

    def part(name: str, *things: Hashable) -> Markup:
        """A small template that depends on nothing but the language and its frozen things."""
        return drawn(name, language(), things)

    env.globals["part"] = part
