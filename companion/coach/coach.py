"""The coach of a table: which game answers, and when there is no honest answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.engine.game import SHUFFLE, AnyGame
from companion.engine.options import YES
from companion.engine.report import odds_shown
from companion.engine.state import AnyState

from . import blackstone, continuous, hawthorn, pairs, port, rocket, starboard, zombie
from .advice import Advice

ADVISERS: dict[str, Callable[[Any], Advice | None]] = {
    "pairs": pairs.advise,
    "continuous": continuous.advise,
    "port": port.advise,
    "starboard": starboard.advise,
    "rocket": rocket.advise,
    "blackstone": blackstone.advise,
    "hawthorn": hawthorn.advise,
    "zombie": zombie.advise,
}
# For games with positions that have no answer: a cheap check whether there is one.
ANSWERS: dict[str, Callable[[Any], bool]] = {
    "starboard": starboard.has_answer,
    "blackstone": blackstone.has_answer,
    "hawthorn": hawthorn.has_answer,
    "zombie": zombie.has_answer,
}
SLOW: dict[str, Callable[[Any], bool]] = {"blackstone": blackstone.is_slow, "starboard": starboard.is_slow}
# These take a shuffle that must come first into account, as the odds do.
LOOK_PAST_A_SHUFFLE = frozenset(("pairs", "continuous", "port", "hawthorn"))
ADD_ONS = ("calamities", "eights")
# Here a player may always draw or fold while a card is left: no need to list the legal entries.
ALWAYS_DRAW_OR_FOLD = frozenset(("pairs",))


def has_coach(key: str) -> bool:
    """Whether the coach knows a game, by its key."""
    return key in ADVISERS


def advise(game: AnyGame, state: AnyState) -> Advice | None:
    """What each choice of the player to act is worth; None if the table hides it or it is unknown."""
    return reckon(game, state) if is_shown(state) else None


def is_shown(state: AnyState) -> bool:
    """Whether the table's rules allow the coach to be shown now."""
    return state.options["coach"] != "off" and odds_shown(state)


def reckon(game: AnyGame, state: AnyState) -> Advice | None:
    """The advice even if the table hides it: finished games are judged by it."""
    return ADVISERS[game.key](state) if has_answer(game, state) else None


def may_tell(game: AnyGame, state: AnyState) -> bool:
    """True if there is advice to show. It is not worked out yet, because every board asks."""
    return is_shown(state) and has_answer(game, state)


def has_answer(game: AnyGame, state: AnyState) -> bool:
    """Whether the coach has an answer for this position."""
    if not has_coach(game.key) or not is_known(state) or not has_choice(game, state):
        return False
    return game.key not in ANSWERS or ANSWERS[game.key](state)


def is_known(state: AnyState) -> bool:
    """Whether the coach knows this kind of position: in play, with cards, without add-ons."""
    if state.phase != "play" or state.options["cards"] != YES:
        return False
    return not any(state.options.get(add_on) == YES for add_on in ADD_ONS)


def has_choice(game: AnyGame, state: AnyState) -> bool:
    """Whether the player to act may draw, and may do something else as well."""
    if game.key in ALWAYS_DRAW_OR_FOLD and state.pile.left:
        return True
    verbs = {entry.verb for entry in game.legal(state)}
    if SHUFFLE.verb in verbs and game.key not in LOOK_PAST_A_SHUFFLE:
        return False
    return len(verbs) > 1


def is_slow(game: AnyGame, state: AnyState) -> bool:
    """Whether the answer takes so long that it is worked out only when somebody asks. A cheap check."""
    return state.phase == "play" and game.key in SLOW and SLOW[game.key](state)
