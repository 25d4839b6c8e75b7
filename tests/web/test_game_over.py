"""The end of a game as everybody reads it: who won or lost, and why, on the board, in the shared text and in the API."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from tests.ninth import LosersLantern, WinnersLantern, ninth_game

from .test_evening_pages import seated
from .test_sentences import Read

# Round 1: Ana locks 3 4 5, Cleo 9, Ben 7: 3, 2 and 1 points. Round 2: Ben locks 10, Ana 9, Cleo 3: 3, 2 and 1 points.
# Ben has the best sum of the last round, and Ana reaches the goal: she has 5 points, Ben 4, Cleo 3.
ANA_WINS = "game port goal=5,3,7,9,4,lock,lock,5,lock,9,10,3,lock,lock,lock"
LANGUAGES = ("en", "fr")


def read(client: FlaskClient, address: str, language: str = "en") -> list[str]:
    """The lines of a page."""
    answer = client.get(address, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return Read(answer.text).lines


@pytest.mark.parametrize(("language", "large"), [("en", "Ana wins"), ("fr", "Ana gagne")])
def test_the_large_name_is_the_winner_of_the_game(anybody: FlaskClient, language: str, large: str) -> None:
    table = seated(anybody, ANA_WINS, "Ana Ben Cleo")
    assert large in read(anybody, table, language)
    assert "Ben +3" not in read(anybody, table, language)
    page = anybody.get(table).text
    assert page.count('aria-current="true"') == 1
    assert "Ana" in page.partition('aria-current="true"')[2].partition("</li>")[0]


@pytest.mark.parametrize(("language", "large", "each"), [("en", "Ana and Ben win", "21 points each"), ("fr", "Ana et Ben gagnent", "21 points chacun")])  # fmt: skip
def test_a_shared_win_names_the_winners(anybody: FlaskClient, language: str, large: str, each: str) -> None:
    """Zombie Life: equal points share the win."""
    table = seated(anybody, "game zombie,points Ana 15,points Ben 21,points Ana 21", "Ana Ben")
    lines = read(anybody, table, language)
    assert large in lines
    assert each in lines


@pytest.mark.parametrize(
    ("entries", "en", "fr"),
    [
        (
            "game pairs limit=12 cards=no,score Ben 2,score Ben 10,rename Ben Bob",
            "Bob has 12 points; the limit is 12.",
            "Bob a 12 points\u202f; la limite est 12.",
        ),
        ("game port cards=no,score Ben 21,rename Ben Bob", "Bob: 21 points.", "Bob\u202f: 21 points."),
        ("game port goal=1 cards=no,score Ben 1,rename Ben Bob", "Bob: 1 point.", "Bob\u202f: 1 point."),
        ("game zombie,points Ana 15,points Ben 21,points Ana 21,rename Ben Bob", "Ana, Bob: 21 points.", "Ana, Bob\u202f: 21 points."),
        ("game lucky,points Ben 21,rename Ben Bob", "Bob has exactly 21 points.", "Bob a exactement 21 points."),
        ("game lucky goal=1,points Ben 1,rename Ben Bob", "Bob has exactly 1 point.", "Bob a exactement 1 point."),
        ("game lucky,points Ben 25,rename Ben Bob", "Bob went beyond 21, to 25.", "Bob a dépassé 21\u202f: 25."),
    ],
)  # fmt: skip
def test_the_reason_of_a_finished_game_follows_a_rename(anybody: FlaskClient, entries: str, en: str, fr: str) -> None:
    table = seated(anybody, entries, "Ana Ben")
    for language, reason in (("en", en), ("fr", fr)):
        over = anybody.get(f"/api/tables/{table[3:]}", headers={"Accept-Language": language}).json["outcome"]
        assert over["reason"] == reason
        assert reason in anybody.get(f"{table}/share?of=game", headers={"Accept-Language": language}).text
        board = " ".join(read(anybody, table, language))
        assert "Bob" in board
        assert "Ben" not in board
        assert "1 points" not in board.replace("21", "")


LANTERN = "game lantern light=15,4,6,9,5,3,10,Bob: 7,Cy: drop 10,Ann: 6"  # Ann +3, Bob -2, Cy -1


def test_a_game_with_a_loser_needs_no_stakes(anybody: FlaskClient) -> None:
    with ninth_game(LosersLantern):
        table = seated(anybody, LANTERN, "Ann Bob Cy")
        assert "Ann loses" in read(anybody, table)
        for page in ("evening", "evening.txt", "share", "share?of=game", "share.svg?of=game"):
            answer = anybody.get(f"{table}/{page}")
            assert answer.status_code == 200, page
        assert "forfeit" not in anybody.get(f"{table}/evening").text
        assert ranks(anybody, table) == ["Cy", "Bob", "Ann"]


def test_a_game_may_have_a_winner_and_a_loser(anybody: FlaskClient) -> None:
    """The large name is the winner's. The loser has the last place."""
    with ninth_game(WinnersLantern):
        table = seated(anybody, LANTERN, "Ann Bob Cy")
        lines = read(anybody, table)
        assert "Ann wins" in lines
        assert "Ann has seen the light." in lines
        assert ranks(anybody, table) == ["Ann", "Cy", "Bob"]
        page = anybody.get(table).text
        assert [words for words in ("wins", "loses") if words in page] == ["wins", "loses"]
        assert page.count('aria-current="true"') == 1
        over = anybody.get(f"/api/tables/{table[3:]}").json["outcome"]
        assert (over["winners"], over["loser"]) == (["Ann"], "Bob")
        shared = anybody.get(f"{table}/share?of=game").text
        assert "Ann +3, Cy −1, Bob −2" in shared
        assert "Ann has seen the light." in shared


def ranks(client: FlaskClient, table: str) -> list[str]:
    """The names of the seats, in the order of the board."""
    rows = re.findall(r'<li class="(?:seat|row)[^>]*>.*?</li>', client.get(table).text, re.S)
    return [next(name for name in ("Ann", "Bob", "Cy") if name in row) for row in rows]
