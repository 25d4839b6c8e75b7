"""A page, or the part of it that htmx swaps. Small parts are drawn once: most of a board is as it was a tap ago."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from flask import Flask, render_template
from markupsafe import Markup

from .forms import new_form_id
from .i18n import language
from .markup import marked

KEPT = 4_000  # some 2 MB


_by_htmx: ContextVar[bool] = ContextVar("by htmx", default=False)


def listen(environ: Mapping[str, Any]) -> None:
    """At the beginning of a request: who asks?"""
    _by_htmx.set(environ.get("HTTP_HX_REQUEST") == "true" and environ.get("HTTP_HX_BOOSTED") != "true")


def wants_fragment() -> bool:
    """Whether htmx asks: then only the part that it swaps is sent."""
    return _by_htmx.get()


def draw_page(name: str, screen: object) -> str:
    """The fragment for htmx, or page.html around it. The fragment's file has `_` before its name."""
    folder, _slash, page = name.partition("/")
    fragment, alone = f"{folder}/_{page}.html", not wants_fragment()
    return render_template("page.html" if alone else fragment, fragment=fragment, alone=alone, screen=screen)


def init_app(app: Flask) -> None:
    env = app.jinja_env

    @lru_cache(maxsize=KEPT)
    def drawn_once(name: str, spoken: str, thing: Hashable) -> Markup:
        return marked(env.get_template(name).render(thing=thing).strip())

    def drawn(thing: Hashable, name: str) -> Markup:
        """A thing drawn by a small template that depends on nothing but it and the language."""
        return drawn_once(name, language(), thing)

    def drawn_each(things: Iterable[Hashable], name: str, between: str = "\n") -> Markup:
        spoken = language()
        return marked(between.join([drawn_once(name, spoken, thing) for thing in things]))

    env.globals["form_id"] = new_form_id
    env.globals["has_server"] = True  # a phone that runs the program by itself says otherwise
    env.filters.update(drawn=drawn, drawn_each=drawn_each)
