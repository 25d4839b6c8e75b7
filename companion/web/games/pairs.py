"""The board of Pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from companion.coach.cards import TAKEN_IN_PAIRS, FoldingRow, pairs_card
from companion.engine.odds import risk
from companion.engine.results import Result
from companion.engine.sentence import say
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.games.pairs import Pairs, PairsState, limit_for
from companion.table import lookup
from companion.web.board.common import BoardOf
from companion.web.board.screen import Button, Face
from companion.web.format import about, percent, signed
from companion.web.games.examples import Example, ExampleRecord, face, row
from companion.web.games.lookups import ODDS_LOOKUP, Asked, Lookup
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext

from .room import Room
from .stakes import STAKES_LOOKUP, scores_text, stakes_lines


class PairsBoard(BoardOf[PairsState]):
    def bar(self) -> tuple[str, ...]:
        return (self.target_text(),)

    def turn_text(self) -> str:
        if self.state.pending:
            return ngettext("draw {count} more", "draw {count} more", self.state.pending).format(
                count=self.state.pending
            )
        return _("draw or fold") if "fold" in self.prices else _("must draw")

    def result_text(self, result: Result) -> str:
        seat = self.named(result.who or "")
        text = _("{ending}, now {points} of {limit}")
        return text.format(ending=super().result_text(result), points=seat.points, limit=self.state.limit)

    def how_it_ended(self) -> str:
        assert self.state.outcome is not None
        points = self.named(self.state.outcome.loser or "").points
        text = ngettext("{points} point, the limit is {limit}", "{points} points, the limit is {limit}", points)
        reached = text.format(points=points, limit=self.state.limit)
        if self.state.result is None:
            return reached
        return _("{ending} · {reached}").format(ending=super().result_text(self.state.result), reached=reached)

    def note_in_play(self, position: int) -> str:
        return self.kept(position)

    def faces(self, position: int) -> tuple[Face, ...]:
        seat = self.state.seats[position]
        if self.state.phase == "game over":
            return tuple(Face(str(value), "kept") for value in seat.kept)
        shown = super().faces(position)
        if self.state.phase != "play" or not shown or position != self.holder_of_lowest:
            return shown
        low = seat.stack.index(self.lowest)
        return (*shown[:low], Face(shown[low].value, "low", _("lowest in play")), *shown[low + 1 :])

    @cached_property
    def lowest(self) -> int:
        return min(self.state.in_play())

    @cached_property
    def holder_of_lowest(self) -> int:
        return next(i for i, seat in enumerate(self.state.seats) if self.lowest in seat.stack)

    def main_button(self) -> Button | None:
        price = self.prices.get("fold")
        if price is None:
            return None
        label = ngettext("Fold: takes the {price}, {price} point", "Fold: takes the {price}, {price} points", price)
        turn, limit = self.state.turn, self.target
        loses = turn is not None and limit is not None and self.seat(turn).points + price >= limit
        return Button("fold", signed(price), _("Fold and lose") if loses else _("Fold"), label.format(price=price))

    def second_button(self) -> Button | None:
        if self.state.phase != "play" or not cast(Pairs, self.game).may_discard_eight(self.state):
            return None
        return Button("eight", "8", _("drop, draw two"), _("Drop the 8 and draw two cards"))

    def drawing_caption(self) -> str:
        cost = self.chances.expected()
        return super().drawing_caption() if cost is None else _("pair · ≈ {cost}").format(cost=about(cost))


# -- the look-up tab


@dataclass(frozen=True)
class PairsFigures:
    """The limits, and what folding costs at the table it was opened from."""

    players: int
    limits: tuple[tuple[int, int], ...]
    fold: int | None
    folding: dict[int, tuple[FoldingRow, ...]]  # when to fold, by players
    taken: range


def pairs_figures(asked: Asked, state: AnyState | None) -> PairsFigures:
    in_play = state.in_play() if state else ()
    return PairsFigures(
        asked.number("players", len(state.seats) if state else 4, 2, 8),
        tuple((count, lookup.limit(count)["limit"]) for count in GAMES["pairs"].players),
        lookup.fold([in_play]) if in_play else None,
        pairs_card(),
        TAKEN_IN_PAIRS,
    )


# -- the rules page

RECORD = ExampleRecord("Ana Ben Cleo Dan", "game pairs, 7, 10, 3, 9, 9, 6, 5, 8, 9")


def example() -> Example:
    """A draw that pairs, where folding would have been cheap."""
    before, state = RECORD.after(1), RECORD.after()
    result = state.result
    fold = GAMES["pairs"].prices(before)["fold"]
    rows = []
    for position, seat in enumerate(state.seats):
        stack = result.stacks[seat.name]
        shown = tuple(face(value, "low") if value == fold else face(value) for value in stack)
        if seat.name == result.who:
            shown = (*shown[:-1], face(stack[-1], "hit"))
        gained = result.points.get(seat.name, 0)
        rows.append(row(state, position, shown, figure=signed(gained) if gained else ""))
    chance = percent(risk(GAMES["pairs"], before)[result.who])
    figures = {"fold": fold, "card": result.value, "points": result.points[result.who], "chance": chance}
    return Example(tuple(rows), figures=figures)


def limits() -> list[tuple[str, int]]:
    """The limit by players; the last column is for everyone from six on."""
    most = GAMES["pairs"].players[-1]
    return [*((str(players), limit_for(players)) for players in range(2, 6)), (f"6–{most}", limit_for(most))]


def rule_figures() -> Mapping[str, Any]:
    return {"limits": limits(), "stakes": stakes_lines(), "scores": scores_text()}


ROOM = Room(
    game=GAMES["pairs"],
    faces=("7", "7"),
    board=PairsBoard,
    lookups=(Lookup("pairs", say("Pairs"), "lookup/_pairs.html", pairs_figures), STAKES_LOOKUP, ODDS_LOOKUP),
    tab="pairs",
    rules="rules/pairs.html",
    record=RECORD,
    example=example,
    figures=rule_figures,
    words=(
        (say("add-ons"), "addons"),
        (say("burn"), "burn"),
        (say("cut card"), "cut"),
        (say("deal"), "deal"),
        (say("kept cards"), "kept"),
        (say("limit"), "limit"),
        (say("pair"), "pair"),
        (say("shuffle"), "shuffle"),
        (say("stack"), "stack"),
        (say("to fold"), "fold"),
        (say("stakes"), "stakes"),
        (say("tie"), "tie"),
    ),
)
