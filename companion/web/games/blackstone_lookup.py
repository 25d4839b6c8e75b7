"""The figures of Blackstone to look up: both fines, and the chance of a second black stone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.coach.cards import Stretch, blackstone_card
from companion.engine.report import odds_shown
from companion.engine.state import AnyState
from companion.games.blackstone import BLACK, BlackstoneState, bust_fine, pass_fine, second_black
from companion.table.lookup import MOST_WHITE
from companion.web.format import percent
from companion.web.games.lookups import Asked
from companion.web.i18n import gettext as _

TAKES = range(1, 11)


@dataclass(frozen=True)
class BlackstoneFigures:
    """Both fines, and the chance of a second black for each number taken."""

    white: int
    held: int
    black: int
    passing: int
    bust: int
    rows: tuple[tuple[int, str, str], ...]  # number taken, chance as a decimal, in percent
    fines: tuple[tuple[int, int, int], ...]  # white stones, pass, second black
    second: str
    most: tuple[tuple[str, tuple[Stretch, ...]], ...]  # without and with a black stone: the most that is sensible


def blackstone_figures(asked: Asked, state: AnyState | None) -> BlackstoneFigures:
    white, held, black = stones_at(state)
    white, held = asked.number("white", white, 0, MOST_WHITE), asked.number("held", held, 0, 1)
    black = asked.number("black", black, 0, BLACK)
    unseen = MOST_WHITE - white
    chances = [(k, second_black(k, held, unseen, black)) for k in TAKES if k <= unseen + black]
    return BlackstoneFigures(
        white,
        held,
        black,
        pass_fine(white),
        bust_fine(white),
        tuple((k, f"{float(chance):.3f}", percent(chance)) for k, chance in chances),
        tuple((count, pass_fine(count), bust_fine(count)) for count in range(MOST_WHITE + 1)),
        second_table(),
        ((_("no black stone"), blackstone_card(0)), (_("one black stone"), blackstone_card(1))),
    )


def stones_at(state: AnyState | None) -> tuple[int, int, int]:
    """White stones in the middle, black ones the player to act holds, black ones unseen."""
    if not isinstance(state, BlackstoneState) or state.phase != "play":
        return 15, 1, 9
    held = min(1, len(state.seats[state.turn].stack)) if state.turn is not None else 0
    return state.white, held, state.pile.unseen[BLACK] if odds_shown(state) else BLACK - held


@cache
def second_table() -> str:
    """The chance of a second black for every white, held, black unseen and number taken: a character each."""
    return "".join(
        second_mark(MOST_WHITE - white, held, black, taken)
        for white in range(MOST_WHITE + 1)
        for held in (0, 1)
        for black in range(BLACK + 1)
        for taken in TAKES
    )


def second_mark(unseen_white: int, held: int, black: int, taken: int) -> str:
    """The percentage as a character, counted from #; a blank where so many cannot be taken."""
    if taken > unseen_white + black:
        return " "
    return chr(35 + round(second_black(taken, held, unseen_white, black) * 100))
