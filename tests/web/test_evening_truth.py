"""Random evenings of every game: after each entry the pages say what the state says, in both languages.

The dealer's board, a watcher's, the evening and what is shared are read as HTML, as people read them. A few evenings
a game are played here; `FIFTY_FIVE_EVENINGS=300` plays that many in all.
"""

from __future__ import annotations

import os
from random import Random

import pytest
from flask.testing import FlaskClient

from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.web import create_app

from .truth.board import BoardTruth
from .truth.keys import KeysTruth
from .truth.markup import read
from .truth.night import Night
from .truth.paper import PaperTruth
from .truth.pencil import Pencil
from .truth.watcher import check_watcher
from .truth.words import LANGUAGES

EVENINGS = max(1, int(os.environ.get("FIFTY_FIVE_EVENINGS", "0")) // len(GAMES))  # of each game
FIRST = int(os.environ.get("FIFTY_FIVE_FIRST_EVENING", "0"))
CHANGES = 34  # of the game with its cards; then score only, then another game


@pytest.fixture(scope="module")
def phone() -> FlaskClient:
    return create_app(MemoryStore(), {"SECRET_KEY": "truth"}).test_client(use_cookies=False)


@pytest.mark.parametrize("number", range(FIRST, FIRST + EVENINGS))
@pytest.mark.parametrize("game", GAMES)
def test_the_pages_of_an_evening_are_true(phone: FlaskClient, game: str, number: int) -> None:
    random = Random(f"{game} {number}")
    night = Night(phone, random, game)
    done = [night.log[0]["entry"]]
    try:
        look_at_everything(night)
        for _change in night.course(CHANGES):
            done.append(_change)
            look_at_everything(night)
        for other, cards in ((game, False), (random.choice(list(GAMES)), True)):
            done.append(night.change_game(other, cards))
            look_at_everything(night)
            for _change in night.course(CHANGES // 3):
                done.append(_change)
                look_at_everything(night)
    except AssertionError as wrong:
        names = ", ".join(seat["name"] for seat in night.state["seats"])
        raise AssertionError(f"{wrong}\n\n{names}; after {done[-8:]}:\n{night.state}") from wrong


def look_at_everything(night: Night) -> None:
    for language in LANGUAGES:
        KeysTruth(night, read(night.page("", language)), language).check()
    # The other pages in one language after each entry, by turns.
    language = LANGUAGES[len(night.log) % len(LANGUAGES)]
    BoardTruth(night, read(night.page("", language, dealer=False)), language).check()
    check_watcher(night, night.random.choice(night.state["seats"])["name"], language)
    paper = PaperTruth(night, Pencil(night), language)
    paper.check_page(read(night.page("/evening", language)))
    paper.check_text(night.page("/evening.txt", language))
    paper.check_picture(read(night.page("/share.svg", language)))
    if night.state["outcome"]:
        shared = read(night.page("/share?of=game", language)).one("textarea")
        text = "".join(part for part in shared.parts if isinstance(part, str))
        paper.check_game(text, read(night.page("/share.svg?of=game", language)))
