"""The page for points and chips."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from tests.markup import on_one_line

RECORD = "fifty-five 1\nseats Ana Ben Cleo\ngame pairs\n7\n3\n9\n"


def opened(phone: FlaskClient) -> str:
    answer = phone.post("/import", data={"record": RECORD})
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def test_names_and_one_main_button(anybody: FlaskClient) -> None:
    page = on_one_line(anybody.get(f"{opened(anybody)}/chips").text)
    assert re.findall(r'class="btn main[^>]*>([^<]+)<', page) == ["Pay"]
    assert "<select" not in page
    for name in ("Ana", "Ben", "Cleo"):
        assert page.count(f'name="seat" value="{name}"') == 4  # pay, buy, points, score


def test_nobody_pays_themselves(anybody: FlaskClient) -> None:
    table = opened(anybody)
    form = {"version": "1", "verb": "pay", "seat": "Ana", "to": "Ana", "amount": "5"}
    refused = anybody.post(f"{table}/chips", data=form)
    assert refused.status_code == 422
    assert "Choose two different players." in refused.text
    assert anybody.post(f"{table}/chips", data=form | {"to": "Ben"}).status_code < 400
    evening = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", anybody.get(f"{table}/evening").text))
    assert "A Ana pays B Ben 5" in evening
