"""The models work with Flask-SQLAlchemy as usual: one `db`, on the application that serves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import func, select

from companion.store.models import ChangeRow, TableRow, db
from companion.web import create_app


def test_the_models_can_be_queried_in_the_context_of_the_application(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    app = create_app(config={"DATA": str(tmp_path)})
    opened = app.test_client().post("/api/tables", json={"seats": ["Ana", "Ben"], "game": "pairs"})
    with app.app_context():
        assert db.engine is app.extensions["tables"].store.engine
        assert db.session.scalars(select(TableRow.id)).all() == [opened.json["table"]]
        assert db.session.scalar(select(func.count()).select_from(ChangeRow)) == 1


def test_the_protocol_of_a_store_imports_no_engine_flask_or_database() -> None:
    """Phones import it too."""
    code = "import sys, companion.store; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout
    assert "companion.store" in found.split()
    assert {"companion.engine.game", "companion.games", "flask", "sqlalchemy"}.isdisjoint(found.split())
