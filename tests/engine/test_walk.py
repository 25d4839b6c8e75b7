"""Every game survives a random walk: nothing is lost, something is always legal, and it ends."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.engine import odds
from companion.engine.notation import Entry, parse, text
from companion.engine.play import open_table, play
from companion.engine.report import report
from companion.engine.state import State
from companion.games import GAMES
from tests.known import KNOWN

NAMES = ("Ann", "Bob", "Cy", "Dot", "Eve", "Fay", "Gus", "Hal")
WALKS_OF_A_ROUND = 16
LONGEST_ROUND = 400
LONGEST_GAME = 2_000

CASES = [(game, seats, options) for game in GAMES for seats in GAMES[game].players for options in KNOWN[game].walks]


def opened(game: str, seats: int, options: str) -> State[Any]:
    return open_table(GAMES, NAMES[:seats], parse(f"game {game} {options}"))


TO_AN_END = [game for game in GAMES if GAMES[game].target(opened(game, 2, "")) is not None]


def conserved(state: State[Any]) -> None:
    assert state.cards_accounted_for() == 55 * state.pile.decks
    assert state.chips_accounted_for() == 0
    assert state.pile.left >= 0


def weights_fit(state: State[Any]) -> None:
    game = GAMES[state.game]
    chances = odds.next_card(game, state)
    assert sum(chances.values()) == 1 or not chances
    for risk in odds.risk(game, state).values():
        assert 0 <= risk <= 1
    for name, numbers in game.chances(state).items():
        assert all(0 <= chance <= 1 for chance in numbers.values()), name


def one_step(state: State[Any], random: Random, thorough: bool) -> State[Any]:
    """The state after a random legal entry or, now and then, an entry of the dealer."""
    game = GAMES[state.game]
    legal = game.legal(state)
    assert legal, "nothing is legal before the end"
    assert len(set(legal)) == len(legal)
    if thorough:
        weights_fit(state)
        assert report(game, state)["legal"] == [text(entry) for entry in legal]
        for entry in legal:
            assert parse(text(entry)) == entry
            conserved(play(GAMES, state, entry))
    if random.random() < 0.03 and state.pile.left:
        return play(GAMES, state, random.choice((Entry("shuffle"), Entry("lost"), Entry("title", ("Inn",)))))
    return play(GAMES, state, random.choice(legal))


@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_rounds_end(game: str, seats: int, options: str) -> None:
    random = Random(f"{game} {seats} {options}")
    for walk in range(WALKS_OF_A_ROUND):
        state = opened(game, seats, options)
        for count in range(LONGEST_ROUND):
            state = one_step(state, random, thorough=walk == 0 and count % 5 == 0)
            conserved(state)
            if state.result:
                break
        assert state.result, "the round did not end"
        assert state.result.how in GAMES[game].endings


@pytest.mark.parametrize("game", TO_AN_END)
@pytest.mark.parametrize("seats", [2, 3, 7])
def test_games_end(game: str, seats: int) -> None:
    random = Random(f"{game} {seats}")
    for _ in range(8):
        state = opened(game, seats, "")
        for _ in range(LONGEST_GAME):
            state = one_step(state, random, thorough=False)
            if state.phase == "game over":
                break
        assert state.phase == "game over"
        assert state.outcome is not None
        assert not GAMES[game].legal(state)
        conserved(state)


@pytest.mark.parametrize(("game", "seats", "options"), CASES[::7])
def test_misdeal_gives_back_every_chip(game: str, seats: int, options: str) -> None:
    random = Random(7)
    start = opened(game, seats, options)
    state = start
    for _ in range(12):
        state = play(GAMES, state, random.choice(GAMES[game].legal(state)))
        if state.result:
            return
    void = play(GAMES, state, Entry("misdeal"))
    assert [seat.chips for seat in void.seats] == [seat.chips for seat in start.seats]
    assert void.pot == 0
    assert void.middle == start.middle
    assert not void.on_the_table()
    conserved(void)


def test_an_illegal_entry_changes_nothing() -> None:
    """A state and everything in it is frozen."""
    state = opened("pairs", 3, "")
    with pytest.raises(AttributeError):
        state.round = 5  # type: ignore[misc]
    with pytest.raises(TypeError):
        state.but(rounds=5)
    assert Fraction(1, 55) == odds.next_card(GAMES["pairs"], state)["1"]
