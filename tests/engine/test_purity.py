"""The layers: engine, games and table use only the standard library's pure parts, and point up only."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "companion"
PURE = {
    "bisect",
    "collections",
    "__future__",
    "collections.abc",
    "dataclasses",
    "fractions",
    "functools",  # what was worked out once may be remembered
    "math",
    "re",
    "typing",
    "unicodedata",
}
LAYERS = {
    "engine": {"engine"},
    "games": {"engine", "games"},
    "table": {"engine", "games", "table"},
}


def modules(layer: str) -> list[Path]:
    path = PACKAGE / layer
    return [path] if path.is_file() else sorted(path.glob("*.py"))


def imported(path: Path) -> set[str]:
    """Absolute names of what a module imports; our own as companion.…"""
    found = set()
    package = ("companion", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            tail = [node.module] if node.module else [alias.name for alias in node.names]
            found |= {".".join((*base, name)) for name in tail}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_is_pure_and_points_up(layer: str) -> None:
    assert modules(layer)
    for path in modules(layer):
        for name in imported(path):
            if name.startswith("companion"):
                assert name.split(".")[1] in LAYERS[layer], f"{path.name} imports {name}"
            else:
                assert name in PURE, f"{path.name} imports {name}"


def test_the_engine_names_no_game() -> None:
    from companion.games import GAMES

    for path in modules("engine"):
        words = set(ast.unparse(ast.parse(path.read_text("utf-8"))).casefold().split())
        strings = {
            node.value.casefold()
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not {game for game in GAMES if game in strings}, path.name
        assert not {game for game in GAMES if f"{game}()" in words}, path.name


def test_the_engine_reads_no_clock_and_no_chance() -> None:
    for layer in LAYERS:
        for path in modules(layer):
            calls = {
                node.func.id
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            assert not calls & {"open", "print", "input", "exec", "eval", "__import__"}, path.name
