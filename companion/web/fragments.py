"""A page, or the part of it that htmx swaps."""

from __future__ import annotations

from flask import Flask, render_template, request

from .forms import new_form_id


def wants_fragment() -> bool:
    """True if htmx asks: then only the part that it swaps is sent."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Boosted") != "true"


def draw_page(name: str, screen: object) -> str:
    """A page, or its fragment: the file with `_` before its name."""
    folder, _slash, page = name.partition("/")
    return render_template(f"{folder}/_{page}.html" if wants_fragment() else f"{name}.html", screen=screen)


def init_app(app: Flask) -> None:
    app.jinja_env.globals["form_id"] = new_form_id
    app.jinja_env.globals["has_server"] = True  # the phone's own edition sets it to False
