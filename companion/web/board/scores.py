"""The board of a table that only keeps the score, for any game."""

from __future__ import annotations

from typing import NamedTuple

from companion.engine.state import AnyState, Seat
from companion.web.board.common import BoardOf
from companion.web.board.screen import Action, BoardPart, DeckButton, Face, Mark
from companion.web.i18n import gettext as _


class ScorePad(NamedTuple):
    """The keys of the score pad: names, then points or chips."""

    seats: tuple[tuple[Mark, str, str], ...]  # with points or chips
    points: bool


class ScoreBoard(BoardOf[AnyState]):
    def bar(self) -> tuple[str, ...]:
        return self.target_text(), _("points only")

    def what_to_do(self, who: Seat) -> str:
        if self.state.phase == "game over":
            return self.how_it_ended()
        if self.state.result:
            return self.result_text(self.state.result)
        if not self.dealer:
            return _("the dealer enters the points") if self.game.scores_points else _("the dealer enters who pays")
        return _("tap a player, then the points") if self.game.scores_points else _("who pays whom?")

    def pad_style(self) -> str:
        """CSS classes for the height: names to tap, in one line or two, above the figures."""
        kind = "points" if self.game.scores_points else "chips"
        return f" with-{kind} names{1 + (len(self.state.seats) > 4)}"

    def seat_style(self, position: int) -> str:
        """No seat is marked during a game: nobody is to act."""
        return "" if self.state.phase != "game over" else super().seat_style(position)

    def headline(self, who: Seat) -> str:
        return super().headline(who) if self.state.result or self.state.outcome else _("Scores")

    def odds_rule(self) -> str:
        return ""

    def deck(self) -> DeckButton | None:
        return None

    def faces(self, position: int) -> tuple[Face, ...]:
        return tuple(Face(str(value), "kept") for value in self.state.seats[position].kept)

    def action(self) -> Action:
        if self.state.phase == "game over":
            return Action()
        points = self.game.scores_points
        hint = _("Tap a player, then the points") if points else _("Tap who pays, to whom, and how much")
        return Action(sentence=(hint, ""))

    def instead_of_keys(self) -> BoardPart | None:
        figures = [self.tally(position).figure for position in range(len(self.state.seats))]
        seats = tuple((self.marks[seat.name], seat.name, figures[i]) for i, seat in enumerate(self.state.seats))
        return BoardPart("board/_scores.html", ScorePad(seats, self.game.scores_points))
