"""Helpers for tests of the JSON API: the calls that write, and short ways to read an answer."""

from __future__ import annotations

from fractions import Fraction

from werkzeug.test import TestResponse

from .conftest import Json

# Every call that writes, with a body that is valid at version 1 of a new table of Pairs.
WRITES = [
    ("POST", "/entries", {"version": 1, "entries": ["8"]}),
    ("POST", "/undo", {"version": 1}),
    ("POST", "/redo", {"version": 1}),
    ("PUT", "/entries/0", {"version": 1, "entry": "game port"}),
    ("POST", "/entries/0", {"version": 1, "entry": "game port"}),
    ("DELETE", "/entries/0", {"version": 1}),
]
HANDOVER = ("POST", "/handover", None)


def is_error(answer: TestResponse, status: int, code: str | None = None, case: object = "") -> Json:
    """Every error has one form: a code, and a sentence for the dealer."""
    assert answer.status_code == status, (case, answer.text)
    assert answer.mimetype == "application/json", case
    refused: Json = answer.json
    assert isinstance(refused["error"], str), case
    assert refused["error"], case
    assert isinstance(refused["message"], str), case
    assert refused["message"].strip(), case
    if code is not None:
        assert refused["error"] == code, (case, refused)
    return refused


def points(state: Json) -> dict[str, int]:
    return {seat["name"]: seat["points"] for seat in state["seats"]}


def chips(state: Json) -> dict[str, int]:
    return {seat["name"]: seat["chips"] for seat in state["seats"]}


def stacks(state: Json) -> dict[str, list[int]]:
    return {seat["name"]: seat["stack"] for seat in state["seats"]}


def without(state: Json, *keys: str) -> Json:
    return {key: value for key, value in state.items() if key not in keys}


def fractions(refused: dict[str, str]) -> dict[str, Fraction]:
    return {key: Fraction(value) for key, value in refused.items()}
