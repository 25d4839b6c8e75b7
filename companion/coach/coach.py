"""The coach of a table: which game answers, and when there is nothing honest to say."""

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
SLOW: dict[str, Callable[[Any], bool]] = {"blackstone": blackstone.is_slow, "starboard": starboard.is_slow}
# These look past a shuffle that must come first, as the odds do.
LOOK_PAST_A_SHUFFLE = frozenset(("pairs", "continuous", "port", "hawthorn"))
ADD_ONS = ("calamities", "eights")


def advise(game: AnyGame, state: AnyState) -> Advice | None:
    """What each choice of the player to act is worth; nothing where the table hides it or nobody can tell."""
    return reckon(game, state) if is_shown(state) else None


def is_shown(state: AnyState) -> bool:
    """Whether the table's rules let the coach be seen now."""
    return state.options["coach"] != "off" and odds_shown(state)


def reckon(game: AnyGame, state: AnyState) -> Advice | None:
    """The same without regard to what the table hides: a finished game is judged by it."""
    adviser = ADVISERS.get(game.key)
    if adviser is None or not is_known(state) or not has_choice(game, state):
        return None
    return adviser(state)


def is_known(state: AnyState) -> bool:
    """Whether it is a position the coach was made for: in play, with cards, without add-ons."""
    plain = not any(state.options.get(add_on) == YES for add_on in ADD_ONS)
    return state.phase == "play" and state.options["cards"] == YES and plain


def has_choice(game: AnyGame, state: AnyState) -> bool:
    """Whether the player to act may draw, and may do something else as well."""
    verbs = {entry.verb for entry in game.legal(state)}
    if SHUFFLE.verb in verbs and game.key not in LOOK_PAST_A_SHUFFLE:
        return False
    return len(verbs) > 1


def is_slow(game: AnyGame, state: AnyState) -> bool:
    """Whether the answer takes so long that it is worked out only when somebody asks. Cheap to find out."""
    return state.phase == "play" and game.key in SLOW and SLOW[game.key](state)
