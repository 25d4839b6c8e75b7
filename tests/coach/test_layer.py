"""The coach's tables are part of the package."""

from __future__ import annotations

from importlib.resources import files


def test_the_tables_are_in_the_package() -> None:
    names = {file.name for file in (files("companion.coach") / "data").iterdir()}
    assert {"pairs_weights.csv", "continuous_weights.csv", "pairs_card.csv"} <= names
