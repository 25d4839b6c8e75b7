"""The fields that all pages of a table share, and how a page or its fragment is rendered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Flask, render_template, request

from companion.table.table import Table
from companion.web.forms import new_form_id


@dataclass(frozen=True)
class Screen:
    """The fields that all pages of a table share."""

    table_id: str
    version: int
    dealer: bool
    title: str


def common(table: Table, table_id: str, dealer: bool, title: str) -> dict[str, Any]:
    """These fields as keyword arguments."""
    return {"table_id": table_id, "version": table.version, "dealer": dealer, "title": title}


def wants_fragment() -> bool:
    """True if htmx asks for the part that it swaps, not for a whole page."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and headers.get("HX-Boosted") != "true"


def draw_page(name: str, screen: object) -> str:
    """The fragment for htmx, or page.html around it. The fragment's file has `_` before its name."""
    folder, _slash, page = name.partition("/")
    fragment, alone = f"{folder}/_{page}.html", not wants_fragment()
    return render_template("page.html" if alone else fragment, fragment=fragment, alone=alone, screen=screen)


def init_app(app: Flask) -> None:
    app.jinja_env.globals["form_id"] = new_form_id
    app.jinja_env.globals["has_server"] = True  # False in the program on the phone
