"""The board of Port, and what it shares with Zombie Life: the race to the goal."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine.sentence import say
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.games.port import PortState, award
from companion.web.board.screen import Button
from companion.web.format import signed
from companion.web.games.examples import Example, ExampleRecord, faces, row
from companion.web.games.lookups import Asked, Lookup
from companion.web.i18n import gettext as _

from .race import RaceBoard
from .room import Room


class PortBoard(RaceBoard[PortState]):
    def turn_text(self) -> str:
        return _("draw or lock · sum {sum}").format(sum=self.sum_now())

    def note_in_play(self, position: int) -> str:
        seat = self.state.seats[position]
        if seat.state == "locked":
            return _("locked {sum}").format(sum=sum(seat.stack))
        if seat.state == "out":
            return _("out")
        return _("sum {sum}").format(sum=sum(seat.stack)) if seat.stack else ""

    def main_button(self) -> Button | None:
        total = self.sum_now()
        return Button("lock", str(total), _("Lock"), _("Lock with a sum of {sum}").format(sum=total))

    def sum_now(self) -> int:
        return 0 if self.state.turn is None else sum(self.state.seats[self.state.turn].stack)


# -- the look-up tab


@dataclass(frozen=True)
class PortFigures:
    """The points for each rank, by the number of players."""

    awards: tuple[tuple[int, tuple[int, ...]], ...]


def port_figures(asked: Asked, state: AnyState | None) -> PortFigures:
    counts = GAMES["port"].players
    return PortFigures(tuple((count, tuple(award(count, rank) for rank in range(count))) for count in counts))


# -- the rules page

RECORD = ExampleRecord(
    "Ana Ben Cleo Dan Eve", "game port, 8, 9, 10, 7, 6, 9, 5, 7, 8, 10, 9, 10, 6, 4, lock, lock, lock, lock"
)


def example() -> Example:
    """Sums, ranks, and what equal sums earn."""
    state = RECORD.after()
    result = state.result
    rows, sums = [], []
    for position, seat in enumerate(state.seats):
        stack, points = result.stacks[seat.name], result.points.get(seat.name)
        note = str(sum(stack)) if points else _("out")
        style = "" if points else "hit"
        rows.append(row(state, position, faces(stack, style), label=note, figure=signed(points or 0)))
        sums.append(sum(stack))
    best, second, third, last, _out = (result.points.get(seat.name, 0) for seat in state.seats)
    figures = {"players": len(state.seats), "best": best, "equal": sums[1], "second": second, "third": third}
    return Example(tuple(rows), figures={**figures, "last": last, "skipped": second - 1})


ROOM = Room(
    game=GAMES["port"],
    faces=("21",),
    board=PortBoard,
    lookups=(Lookup("port", say("Port"), "lookup/_port.html", port_figures),),
    tab="port",
    rules="rules/port.html",
    record=RECORD,
    example=example,
    words=((say("lock"), "lock"),),
)
