"""Hawthorn, laps from the deck: what a card costs on average, and how often the pot must be won to pay for it.

The hands are hidden, so the coach names no best choice.
"""

from __future__ import annotations

from companion.engine import odds
from companion.games import GAMES
from companion.games.hawthorn import FOLD, HawthornState

from .advice import Advice, Choice


def advise(state: HawthornState) -> Advice | None:
    """The prices of a draw and of a fold."""
    if state.turn is None or not has_answer(state):
        return None
    game = GAMES[state.game]
    risk, expected = odds.of_seat(game, odds.past_shuffle(game, state), state.turn)
    price = game.prices(state)["fold"]
    options = (Choice("draw", -float(expected)), Choice(str(FOLD), float(-price)))
    # Drawing now and folding next time at this price costs this much more than folding at once.
    extra = max(0.0, float(expected - risk * price))
    share = extra / state.pot if state.pot else None
    return Advice(state.seats[state.turn].name, "chips", "price", None, options, None, share)


def has_answer(state: HawthornState) -> bool:
    """Whether there is an answer: not on laps from the hand."""
    return state.source == "deck"
