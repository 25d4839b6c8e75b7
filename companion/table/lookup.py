"""Answers that need no table: limits, fines, payouts, stakes and odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.cards import CARDS_IN_A_DECK, VALUES
from companion.engine.odds import odds_for
from companion.engine.report import fraction
from companion.engine.sentence import InvalidEntry, say
from companion.games import GAMES
from companion.games.blackstone import BLACK, bust_fine, pass_fine, second_black
from companion.games.pairs import limit_for
from companion.games.rocket import DEATH, payout
from companion.games.stakes import DEFAULT_SUM, STAKES, chips_after

MOST_WHITE = CARDS_IN_A_DECK - BLACK
MOST_PLAYERS = 100  # whose stakes can be worked out: far more than sit at a table


def limit(players: int) -> dict[str, Any]:
    """The points that lose a game of Pairs."""
    GAMES["pairs"].check_players(players, {})
    return {"limit": limit_for(players)}


def stakes(key: str, points: Mapping[str, int], carried: int = 0, sum_: int = DEFAULT_SUM) -> dict[str, Any]:
    """What each player wins or loses under these stakes, and the chips carried over."""
    if key not in STAKES:
        raise InvalidEntry(say("“{key}” is not one of the stakes.", key=key))
    if len(points) < 2:
        raise InvalidEntry(say("Enter points for at least two players to work out the stakes."))
    if len(points) > MOST_PLAYERS:
        raise InvalidEntry(say("Enter points for {most} players at most.", most=MOST_PLAYERS))
    chips, rest = chips_after(key, points, carried, sum_)
    return {"chips": chips, "carried": rest}


def fold(stacks: Sequence[Sequence[int]]) -> int:
    """The price of folding in Pairs: the lowest card in play."""
    cards = [value for stack in stacks for value in stack]
    if not cards:
        raise InvalidEntry(say("No card is in play."))
    return min(cards)


def blackstone(white: int, held: int, unseen_white: int, unseen_black: int) -> dict[str, Any]:
    """Both fines with the ante of 5, and the chance of a second black stone for every number taken."""
    if not 0 <= white <= MOST_WHITE or not 0 <= unseen_white <= MOST_WHITE:
        raise InvalidEntry(say("There are {most} white stones.", most=MOST_WHITE))
    if held not in (0, 1) or not 0 <= unseen_black <= BLACK - held:
        raise InvalidEntry(say("There are ten black stones, and a player who is still in holds one at most."))
    second = {
        str(count): fraction(second_black(count, held, unseen_white, unseen_black))
        for count in range(1, unseen_white + unseen_black + 1)
    }
    return {"pass": pass_fine(white), "bust": bust_fine(white), "second": second}


def rocket(bet: int) -> dict[str, Any]:
    """What each card costs or pays for a bet: folding, pairing, the dealer’s pair; and the dealer’s 3."""
    if bet < 0 or bet % 10:
        raise InvalidEntry(say("A bet is a multiple of 10."))
    return {"value": {str(value): payout(bet, value) for value in VALUES}, "death": payout(bet, DEATH)}


def odds(stack: Sequence[int], seen: Sequence[int]) -> dict[str, Any]:
    """The chance that the next card pairs a stack, what it costs on average, and each value's chance."""
    pair, cost, each = odds_for(stack, seen)
    return {
        "pair": fraction(pair),
        "expected": fraction(cost),
        "odds": {str(value): fraction(chance) for value, chance in each.items()},
    }
