"""The benches are run by hand. These tests see that they still start, and that the ordinary way is a fair comparison."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import event

from tests.bench.floor import create_floor
from tests.bench.ordinary import create_ordinary
from tests.bench.page import Shape
from tests.bench.phones import BenchDealer, InProcess, Watcher
from tests.bench.web import create_ours, first_load, most_statements


@pytest.mark.parametrize("bench", sorted(path.stem for path in (Path(__file__).parent / "bench").glob("[!_]*.py")))
def test_a_bench_can_be_imported(bench: str) -> None:
    assert import_module(f"tests.bench.{bench}").__doc__


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Flask]:
    app = create_floor(tmp_path)
    yield app
    app.extensions["database"].close()


@pytest.fixture
def ordinary(tmp_path: Path) -> Iterator[Flask]:
    app = create_ordinary(tmp_path)
    yield app
    with app.app_context():
        app.extensions["sqlalchemy"].engine.dispose()


def test_the_ordinary_way_draws_a_page_as_large_as_ours(tmp_path: Path, floor: Flask, ordinary: Flask) -> None:
    board = BenchDealer(InProcess(create_ours(tmp_path)), "game pairs").tap("7")
    for app in (floor, ordinary):
        beside = BenchDealer(InProcess(app), "game pairs").tap("7", Shape.of(board).headers)
        assert Shape.of(beside).elements == pytest.approx(Shape.of(board).elements, abs=1)
        assert len(beside) == pytest.approx(len(board), rel=0.03)


def test_the_ordinary_way_stores_every_tap_and_refuses_strangers(ordinary: Flask) -> None:
    sent: list[str] = []
    with ordinary.app_context():
        engine = ordinary.extensions["sqlalchemy"].engine
    event.listen(engine, "before_cursor_execute", lambda *said: sent.append(said[2].split()[0]))
    dealer = BenchDealer(InProcess(ordinary), "game pairs")
    sent.clear()
    dealer.tap("7", Shape(3, 20).headers)
    assert sent == ["SELECT", "INSERT"]
    before = Watcher(dealer.line, dealer.address)
    assert before.poll() == b""
    dealer.tap("3", Shape(3, 20).headers)
    assert Watcher(dealer.line, dealer.address).polled != before.polled
    dealer.right = {}
    assert dealer.send("9").status == 403


def test_the_first_load_is_the_page_with_its_styles_and_scripts(tmp_path: Path) -> None:
    line = InProcess(create_ours(tmp_path))
    found = first_load(line, BenchDealer(line, "game pairs"))
    kinds = {name.partition("?")[0].rpartition(".")[2] for name in found}
    assert kinds == {"page", "css", "js"}
    assert all(found.values())


def test_statements_are_seen(tmp_path: Path) -> None:
    assert most_statements(tmp_path, count=8) >= 1
