"""The shorter way of a plain request ends where Flask's own way ends."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Request, Response, appcontext_tearing_down, request_tearing_down
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge
from werkzeug.test import create_environ

from companion.web.framework import FORM, LARGEST_BODY, MOST_FIELDS, Answer, Companion, InMemory

from .conftest import app_on, close


def sent(body: bytes = b"", **more: Any) -> dict[str, Any]:
    """The environ of a form that was sent."""
    given = {"CONTENT_TYPE": FORM, "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body), **more}
    return create_environ("/t/a/enter", "http://pub:8000", method="POST") | given


@pytest.mark.parametrize(
    "body",
    [
        b"entry=7&version=12&id=tap+12",
        b"entry=7&entry=8&entry=",
        b"name=%C3%89mile+%26+Zo%C3%AB&what=a=b",
        "name=Zoë".encode(),
        b"name=%FF%FE",
        b"\xff\xfe",
        b"=&&;a;b",
        b"",
    ],
)
@pytest.mark.parametrize("kind", [FORM, f"{FORM}; charset=utf-8", "text/plain", ""])
def test_a_form_is_read_as_flask_reads_it(body: bytes, kind: str) -> None:
    ours, flasks = (each(sent(body, CONTENT_TYPE=kind)) for each in (InMemory, Request))
    assert list(ours.form.items(multi=True)) == list(flasks.form.items(multi=True))
    assert list(ours.files) == list(flasks.files) == []
    if ours.form:
        assert ours.get_data() == flasks.get_data() == b""


@pytest.mark.parametrize("length", ["", "-1", "x", "１２"])
def test_a_form_without_a_length_is_empty(length: str) -> None:
    assert not InMemory(sent(b"entry=7", CONTENT_LENGTH=length)).form


def test_a_form_that_was_read_as_bytes_before_is_still_there() -> None:
    request = InMemory(sent(b"entry=7"))
    assert request.get_data() == b"entry=7"
    assert request.form["entry"] == "7"


def test_a_form_that_is_cut_off_is_no_form() -> None:
    """Or 10 would be 1."""
    with pytest.raises(ClientDisconnected):
        InMemory(sent(b"entry=1", CONTENT_LENGTH="8")).form  # noqa: B018


def test_a_form_that_is_too_large_is_refused_unread() -> None:
    with pytest.raises(RequestEntityTooLarge):
        InMemory(sent(b"entry=1", CONTENT_LENGTH=str(LARGEST_BODY + 1))).form  # noqa: B018


def test_a_form_of_very_many_fields_is_refused() -> None:
    assert len(InMemory(sent(b"&".join([b"a=1"] * MOST_FIELDS))).form.getlist("a")) == MOST_FIELDS
    with pytest.raises(RequestEntityTooLarge):
        InMemory(sent(b"&".join([b"a"] * (MOST_FIELDS + 1)))).form  # noqa: B018


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"HTTP_HOST": "pub"},
        {"HTTP_HOST": "PUB:80"},
        {"HTTP_HOST": "[::1]:8000", "wsgi.url_scheme": "https"},
        {"HTTP_HOST": "no host at all"},
        {"HTTP_HOST": ""},
        {"HTTP_CONNECTION": "upgrade", "HTTP_UPGRADE": "websocket"},
        {"SCRIPT_NAME": "/pairs", "PATH_INFO": ""},
        {"SCRIPT_NAME": "/pairs/", "PATH_INFO": "//t/a"},
        {"PATH_INFO": "/t/\xc3\xa9", "QUERY_STRING": "n=\xc3\xa9"},
    ],
)
def test_a_page_is_looked_for_where_flask_looks(given: dict[str, str]) -> None:
    ours, flasks = Companion("ours"), Flask("flask")
    for _ in range(2):  # the second time the name is known
        requests = [InMemory(sent() | given), Request(sent() | given)]
        found = [vars(app.create_url_adapter(r)) for app, r in zip((ours, flasks), requests, strict=True)]  # type: ignore[arg-type]
        for place in found:
            place.pop("map")
            place["path_info"] = place["path_info"] and f"/{place['path_info'].lstrip('/')}"  # as `match` reads it
        assert found[0] == found[1]
        assert requests[0].host == requests[1].host


def test_all_requests_pass_the_same_functions_and_none_after_their_answer(tmp_path: Path) -> None:
    """What `Companion` leaves out of Flask's ways would otherwise be missed."""
    app = app_on(tmp_path)
    for functions in (app.before_request_funcs, app.after_request_funcs):
        assert set(functions) == {None}
    for others in (app.url_value_preprocessors, app.teardown_request_funcs):
        assert not any(others.values() if isinstance(others, dict) else others)
    assert not any(signal.receivers for signal in (request_tearing_down, appcontext_tearing_down))
    close(app)


def test_made_up_names_do_not_fill_the_memory() -> None:
    app = Companion("ours")
    for number in range(1_000):
        app.create_url_adapter(InMemory(sent(HTTP_HOST=f"pub{number}")))
    assert sys.getsizeof(app._names) < 20_000


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD"])
@pytest.mark.parametrize("status", [200, 204, 303, 304, 422])
@pytest.mark.parametrize("body", ["<p>é</p>", b"", ["a", "é"], None])
def test_an_answer_is_sent_as_flask_sends_it(method: str, status: int, body: Any) -> None:
    told = []
    for each in (Answer, Response):
        answer = each(body, status, {"X-Row": "{}", "Location": "/t/é"} if status == 303 else {"X-Row": "{}"})
        closed: list[bool] = []
        answer.call_on_close(lambda closed=closed: closed.append(True))
        pieces = answer(create_environ(method=method), lambda *head: told.append(head))
        told.append(b"".join(pieces))
        pieces.close()  # type: ignore[attr-defined]
        told.append(closed)
    assert told[:3] == told[3:]
    assert told[2] == [True]
