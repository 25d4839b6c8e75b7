"""The picture and the text for sharing a game or an evening."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from tests.table.test_ledger import NIGHT

from .test_evening_pages import seat, seated

SVG = "{http://www.w3.org/2000/svg}"
# Cleo reaches 16: Tacoma's 6 chips go to Ben and Dan, who have no points.
LOST = "game pairs stakes=tacoma cards=no,score Ana 2,score Cleo 10,score Cleo 6"


def drawn(client: FlaskClient, address: str) -> list[str]:
    """The texts in the picture above the line with the date."""
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.content_type == "image/svg+xml; charset=utf-8"
    assert " style=" not in answer.text, "an image has no stylesheet of ours, and the policy allows none"
    root = ElementTree.fromstring(answer.data)
    assert root.tag == f"{SVG}svg"
    *written, day = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert re.fullmatch(r"Fifty-Five · \d+ \w+ \d{4}", day)
    return written


def test_the_end_of_a_game_as_a_picture_and_as_text(anybody: FlaskClient) -> None:
    table = seated(anybody, LOST)
    written = drawn(anybody, f"{table}/share.svg?of=game")
    assert written[:3] == ["Pairs", "3 rounds", "Cleo loses"]
    assert written[3:] == [
        *("B", "Ben", "+3", "0"),
        *("D", "Dan", "+3", "0"),
        *("A", "Ana", "2"),
        *("C", "Cleo", "−6", "16"),
        *("C", "Cleo", "B", "D", "6"),
        "Cleo has 16 points; the limit is 16.",
        "Tacoma: Cleo pays 6, shared by Ben and",
        "Dan.",
    ]
    page = anybody.get(f"{table}/share?of=game").text
    told = ("Cleo loses", "Cleo has 16 points; the limit is 16.", "Tacoma: Cleo pays 6, shared by Ben and Dan.")
    assert "\n".join((*told, "Ben 0, Dan 0, Ana 2, Cleo 16\n")) in page
    assert f'src="{table}/share.svg?of=game"' in page


def test_a_forfeit_is_named(anybody: FlaskClient) -> None:
    table = seated(anybody, 'game pairs cards=no limit=5 forfeit="one song",score Dan 7')
    assert drawn(anybody, f"{table}/share.svg?of=game")[-1] == "Dan owes a forfeit: one song"


def test_the_evening_as_a_picture(anybody: FlaskClient) -> None:
    table = seat(anybody, NIGHT)
    written = drawn(anybody, f"{table}/share.svg")
    assert written[:2] == ["The evening", "5 games"]
    assert written[2:14] == ["D", "Dan", "+22", "A", "Ana", "+15", "B", "Ben", "−17", "C", "Cleo", "−20"]
    assert written[-15:] == ["C", "Cleo", "D", "Dan", "20", "B", "Ben", "D", "Dan", "2", "B", "Ben", "A", "Ana", "15"]
    assert f'href="{table}/share"' in anybody.get(f"{table}/evening").text
    assert drawn(anybody, f"{table}/share.svg?of=game") == written, "no game is over: the evening is shared"


@pytest.mark.parametrize("page", ["share", "share.svg", "share.svg?of=game"])
def test_a_long_name_is_shortened_and_markup_is_escaped(anybody: FlaskClient, page: str) -> None:
    names = '"<b>&amp;" "Maximilian-Konstantin B." "W i d e   W W W W W W W"'
    table = seated(anybody, "game pairs cards=no limit=5 stakes=portland,score <b>&amp; 7", names)
    answer = anybody.get(f"{table}/{page}")
    assert answer.status_code == 200
    assert "<b>" not in answer.text
    if ".svg" in page:
        assert any(
            text.startswith("Maximilian-Kon") and text.endswith("…") for text in drawn(anybody, f"{table}/{page}")
        )


@pytest.mark.parametrize("page", ["share", "share.svg"])
def test_sharing_an_unknown_table_is_404(anybody: FlaskClient, page: str) -> None:
    assert anybody.get(f"/t/nothing-here/{page}").status_code == 404
