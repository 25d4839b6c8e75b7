"""The coach is pure: standard library only, no clock, no randomness, nothing read but its own tables."""

from __future__ import annotations

import ast
from importlib.resources import files
from pathlib import Path

import pytest

import companion.coach

FOLDER = Path(companion.coach.__file__).parent
ALLOWED = {
    "__future__",
    "collections.abc",
    "dataclasses",
    "functools",
    "importlib.resources",
    "itertools",
    "math",
    "operator",
    "typing",
}
OTHER_LAYERS = {"engine", "games", "steps", "table"}
IMPURE = {"open", "print", "input", "exec", "eval", "__import__"}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_the_layer_is_pure(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= ALLOWED
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            name = node.module or ""
            ours = name.startswith("companion.") and name.split(".")[1] in OTHER_LAYERS
            assert ours or name in ALLOWED, name
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in IMPURE


def test_the_tables_are_in_the_package() -> None:
    names = {file.name for file in (files("companion.coach") / "data").iterdir()}
    assert {"pairs_weights.csv", "continuous_weights.csv", "pairs_card.csv"} <= names
