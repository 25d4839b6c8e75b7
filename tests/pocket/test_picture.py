"""The picture of Python's memory: Pyodide's private functions still take and load it, and a start from it is as good as any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.bundle import home_of
from companion.pocket.build.runtime import find_node

from .both import run_json, unpack
from .site import built_site

LARGEST_PICTURE = 40_000_000


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    bundle = unpack(built_site(), tmp_path_factory.mktemp("bundle"))
    script = Path(__file__).with_name("picture.mjs")
    return run_json(find_node(), script, bundle, home_of("static") / "pocket" / "start.js")


def test_a_start_from_the_picture_is_quick_and_draws_the_same_page(tried: dict[str, Any]) -> None:
    """If this fails after a new Pyodide: _makeSnapshot, makeMemorySnapshot or _loadSnapshot has changed."""
    assert tried["bytes"] <= LARGEST_PICTURE
    for start in tried["starts"]:
        assert start["home"] == tried["normal"]["home"]
        assert start["cpu"] < tried["normal"]["cpu"] / 2


def test_two_starts_from_one_picture_have_different_secrets(tried: dict[str, Any]) -> None:
    first, second = (start["secrets"] for start in tried["starts"])
    assert [one == other for one, other in zip(first, second, strict=True)] == [False, False, False]


def test_no_table_is_in_the_picture(tried: dict[str, Any]) -> None:
    assert [start["tables"] for start in tried["starts"]] == [0, 0]


def test_a_broken_picture_is_refused_and_does_not_hang(tried: dict[str, Any]) -> None:
    assert all(tried["broken"])


def test_an_error_of_the_program_is_logged_and_answered(tried: dict[str, Any]) -> None:
    """The code in the bundle has no numbers of lines, which the log must survive."""
    assert [start["failing"] for start in (tried["normal"], *tried["starts"])] == [500, 500, 500]
