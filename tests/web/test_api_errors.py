"""The JSON API: every error has the same form, with its own status and a sentence for the reader."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from .api_calls import HANDOVER, WRITES, is_error
from .conftest import Dealt, Json

NO_OBJECTS = {
    "nothing": b"",
    "a list": b"[]",
    "a list of objects": b'[{"version": 1, "entries": ["8"]}]',
    "a number": b"12",
    "a string": b'"version"',
    "null": b"null",
    "text": b"version=1",
    "half an object": b'{"version": 1',
    "no UTF-8": b'{"version": 1, "id": "\xff"}',
    "deep nesting": b"[" * 100_000,
    "an object nested deeply": b'{"version":' * 50_000,
}


@pytest.mark.parametrize(("method", "path", "_"), WRITES)
def test_a_body_that_is_not_a_json_object_is_400(in_memory: Dealt, method: str, path: str, _: Json) -> None:
    before = in_memory.everything()
    for case, body in NO_OBJECTS.items():
        is_error(in_memory.call(method, path, data=body, content_type="application/json"), 400, case=case)
    assert in_memory.everything() == before


@pytest.mark.parametrize("body", NO_OBJECTS.values(), ids=NO_OBJECTS.keys())
def test_a_new_table_from_anything_but_a_json_object_is_400(anybody: FlaskClient, body: bytes) -> None:
    for path in ("/api/tables", "/api/tables/import"):
        is_error(anybody.post(path, data=body, content_type="application/json"), 400)


@pytest.mark.parametrize(
    "path",
    [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/tables/",
        "/api/tables/nobody",
        "/api/tables/nobody/log",
        "/api/tables/nobody/nothing",
        "/api/lookup",
        "/api/lookup/nothing",
        "/api/tables/%F0%9F%82%A1",
        "/api/tables/%FF%00",
    ],
)
def test_an_unknown_address_is_404_as_json(client: FlaskClient, path: str) -> None:
    is_error(client.get(path), 404)


@pytest.mark.parametrize(("method", "path", "body"), [*WRITES, HANDOVER])
def test_an_unknown_table_is_404_for_a_write_too(client: FlaskClient, method: str, path: str, body: Json) -> None:
    headers = {"Authorization": "Bearer anything"}
    is_error(client.open(f"/api/tables/nobody{path}", method=method, json=body, headers=headers), 404)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/tables"),
        ("PUT", "/api/tables"),
        ("DELETE", "/api/tables"),
        ("POST", "/api/lookup/limit"),
        ("DELETE", "/api/lookup/odds"),
    ],
)
def test_a_wrong_method_is_405_as_json(anybody: FlaskClient, method: str, path: str) -> None:
    is_error(anybody.open(path, method=method), 405)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", ""),
        ("GET", "/entries"),
        ("PUT", "/entries"),
        ("GET", "/entries/0"),
        ("PATCH", "/entries/0"),
        ("GET", "/undo"),
        ("GET", "/redo"),
        ("GET", "/handover"),
        ("POST", "/log"),
    ],
)
def test_a_wrong_method_at_a_table_is_405_as_json(in_memory: Dealt, method: str, path: str) -> None:
    is_error(in_memory.call(method, path, {"version": 1}), 405)


@pytest.mark.parametrize("place", ["x", "-1", "1.5", "0x1", ""])
def test_an_entry_whose_place_is_not_a_number_is_404(in_memory: Dealt, place: str) -> None:
    is_error(in_memory.call("PUT", f"/entries/{place}", {"version": 1, "entry": "8"}), 404)


def test_a_body_that_is_too_large_is_413_as_json(dealt: Dealt) -> None:
    is_error(dealt.call("POST", "/entries", {"version": 1, "entries": ["8"], "id": "x" * 2_000_000}), 413)
    assert dealt.state()["version"] == 1


def test_an_unexpected_error_is_500_as_json(app: Flask, dealt: Dealt, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(app.extensions["tables"].store, "append", broken)
    refused = is_error(dealt.enter("8"), 500)
    assert "disk" not in refused["message"]


def message(dealt: Dealt, language: str) -> str:
    answer = dealt.call("POST", "/undo", {"version": 1}, headers={"Accept-Language": language})
    return str(is_error(answer, 422, "nothing")["message"])


def test_errors_are_in_the_language_of_the_reader(in_memory: Dealt) -> None:
    """English and French; English for everybody else."""
    english, french = message(in_memory, "en"), message(in_memory, "fr")
    assert english != french
    assert message(in_memory, "fr;q=0.4,en;q=0.8") == english
    assert message(in_memory, "en;q=0.4,fr;q=0.8") == french
    assert message(in_memory, "xx") == english


def test_a_regional_language_falls_back_to_the_language(in_memory: Dealt) -> None:
    english, french = message(in_memory, "en"), message(in_memory, "fr")
    assert message(in_memory, "fr-CA") == french
    assert message(in_memory, "fr-CA,en;q=0.5") == french
    assert message(in_memory, "en-GB") == english
    assert message(in_memory, "en-GB,fr;q=0.3") == english
