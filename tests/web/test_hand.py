"""The page for hidden cards: it shows how many cards of each value are unseen, and sends nothing to the server."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from .conftest import Dealt, deal_at


@pytest.fixture
def dealt(anybody: FlaskClient) -> Dealt:
    found = deal_at(anybody, "Ana", "Ben", "Cleo", game="hawthorn")
    found.play("play 4", "play 7", "play 9")
    return found


def page_of(dealt: Dealt, name: str) -> str:
    watcher = dealt.client.application.test_client()
    watcher.post(f"/t/{dealt.table}/me", data={"me": name})
    return watcher.get(f"/t/{dealt.table}/hand").text


def keys(page: str) -> dict[int, tuple[int, bool]]:
    """How many cards of each value are unseen, and whether one would put the player out."""
    found = re.findall(r'data-card="(\d+)"\s+data-unseen="(\d+)"', page)
    out = " ".join(re.findall(r'data-cards="([\d ]*)"', page)).split()
    return {int(value): (int(unseen), value in out) for value, unseen in found}


def test_the_page_shows_which_cards_are_unseen_and_which_would_pair(dealt: Dealt) -> None:
    """The deck has one 1, two 2s and so on. A 4, a 7 and a 9 have been shown, and Ben's stack is the 7."""
    page = page_of(dealt, "Ben")
    whole = {value: value for value in range(1, 11)} | {4: 3, 7: 6, 9: 8}
    assert keys(page) == {value: (unseen, value == 7) for value, unseen in whole.items()}
    assert 'data-held="4"' in page  # five were dealt, one was played
    assert [value for value, (_unseen, pairs) in keys(page_of(dealt, "Cleo")).items() if pairs] == [9]


def test_in_pirates_inn_the_page_counts_what_a_challenge_of_each_other_player_risks(anybody: FlaskClient) -> None:
    """Ana 4, Ben 7, Cleo 9. Ana attacks Cleo with a 10; then Cleo is out, and nobody can challenge her."""
    dealt = deal_at(anybody, "Ana", "Ben", "Cleo", game="inn")
    dealt.play("play 4", "play 7", "play 9", "attack 10 Cleo")
    assert against(page_of(dealt, "Ben")) == {"Ana": "4", "Cleo": "9 10"}
    assert against(page_of(dealt, "Cleo")) == {"Ana": "4", "Ben": "7"}
    assert "Your risk if you draw" not in page_of(dealt, "Ben")  # a card drawn unseen puts nobody out
    dealt.play("accuse Ana no")
    assert against(page_of(dealt, "Ben")) == {"Ana": "4"}
    assert against(page_of(dealt, "Cleo")) == {}


def against(page: str) -> dict[str, str]:
    """The cards that would put a challenger out, by the player challenged."""
    found = re.findall(r'<tr data-cards="([\d ]*)">.*?<bdi>(\w+)</bdi>', page, re.DOTALL)
    return {name: cards for cards, name in found}


def test_the_board_links_to_the_page_for_a_watcher_with_a_seat(dealt: Dealt) -> None:
    watcher = dealt.client.application.test_client()
    link = f"/t/{dealt.table}/hand"
    assert link not in watcher.get(f"/t/{dealt.table}").text
    watcher.post(f"/t/{dealt.table}/me", data={"me": "Ben"})
    assert link in watcher.get(f"/t/{dealt.table}").text


@pytest.mark.parametrize(
    ("game", "options"), [("pairs", {}), ("hawthorn", {"odds": "off"}), ("hawthorn", {"cards": "no"})]
)
def test_the_page_is_empty_without_hidden_cards_or_odds(
    anybody: FlaskClient, game: str, options: dict[str, str]
) -> None:
    dealt = deal_at(anybody, game=game, **options)
    watcher = anybody.application.test_client()
    watcher.post(f"/t/{dealt.table}/me", data={"me": "Ben"})
    assert f"/t/{dealt.table}/hand" not in watcher.get(f"/t/{dealt.table}").text
    assert keys(page_of(dealt, "Ben")) == {}


def test_a_watcher_without_a_seat_is_asked_to_choose_one(dealt: Dealt) -> None:
    page = page_of(dealt, "nobody")
    assert "once you have said on the board who you are" in page
    assert keys(page) == {}
