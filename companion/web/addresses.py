"""The beginnings of paths, and the table id that `url_for` fills in by itself."""

from __future__ import annotations

from typing import Any

from flask import Flask, request

# Without the prefix under which the program may be served.
TABLE = "/t/"
A_TABLE = f"{TABLE}<table_id>"
API = "/api"
HEALTH = "/healthz"
STANDINGS = "/standings.json"
DEMO = "demo-"  # the beginning of a demonstration's id; other ids have no o


def init_app(app: Flask) -> None:
    @app.url_defaults
    def add_table(endpoint: str, values: dict[str, Any]) -> None:
        """On a page of a table, `url_for("menu.show")` is the menu of that table."""
        shown = (request.view_args or {}).get("table_id")
        if shown and app.url_map.is_endpoint_expecting(endpoint, "table_id"):
            values.setdefault("table_id", shown)


def top_path() -> str:
    """The path under which the program is served."""
    return request.root_path or "/"


def is_demo(table_id: str) -> bool:
    return table_id.startswith(DEMO)


def is_for_programs(path: str) -> bool:
    """True if requests for this path (without the prefix) are answered with JSON."""
    return path.startswith((API, HEALTH, STANDINGS))
