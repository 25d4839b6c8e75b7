"""Hawthorn, laps from the deck: what a card costs on average, and how often the pot must be won to pay for it.

The hands are hidden, so the coach names no best choice.
"""

from __future__ import annotations

from companion.engine import odds
from companion.games import GAMES
from companion.games.hawthorn import FOLD, HawthornState

from .advice import Advice, Choice


def advise(state: HawthornState) -> Advice | None:
    """The prices of a draw and a fold."""
    if state.turn is None or not has_answer(state):
        return None
    game = GAMES[state.game]
    risk, expected = odds.of_seat(game, odds.past_shuffle(game, state), state.turn)
    price = game.prices(state)["fold"]
    options = (Choice("draw", -float(expected)), Choice(str(FOLD), float(-price)))
    # Who draws now and folds next time at this price pays so much more than who folds at once.
    dearer = max(0.0, float(expected - risk * price))
    share = dearer / state.pot if state.pot else None
    return Advice(state.seats[state.turn].name, "chips", "price", None, options, None, share)


def has_answer(state: HawthornState) -> bool:
    """On laps from the hand there is nothing to tell."""
    return state.source == "deck"
