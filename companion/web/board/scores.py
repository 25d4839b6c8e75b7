"""The board of a table that only keeps the score, for any game."""

from __future__ import annotations

from companion.engine.state import AnyState, Seat
from companion.web.board.common import BoardOf
from companion.web.board.screen import Action, Board, BoardPart, DeckButton, Face, Mark, Message, Pick
from companion.web.i18n import gettext as _


class ScoreBoard(BoardOf[AnyState]):
    """A tap on the lines of the seats says who, a key how many."""

    def screen(self, tab: str, message: Message | None = None, me: str = "", recovery: str = "") -> Board:
        """The board; before the first points it speaks of nobody."""
        board = super().screen(tab, message, me, recovery)
        return board if self.state.result or self.state.outcome else board._replace(mark=Mark("", ""))

    def bar(self) -> tuple[str, ...]:
        return self.target_text(), _("points only") if self.game.scores_points else _("chips only")

    def what_to_do(self, who: Seat) -> str:
        if self.state.phase == "game over":
            return self.how_it_ended()
        if self.state.result:
            return self.result_text(self.state.result)
        if not self.dealer:
            return _("the dealer enters the points") if self.game.scores_points else _("the dealer enters who pays")
        return _("tap a player, then the points") if self.game.scores_points else _("who pays whom?")

    def picks(self, name: str) -> tuple[Pick, ...]:
        if not self.dealer or self.state.phase == "game over":
            return ()
        if self.game.scores_points:
            return (Pick("seat", name),)
        payer = _("{name}: {what}").format(name=_("Who pays"), what=name)
        payee = _("{name}: {what}").format(name=_("to whom"), what=name)
        return Pick("seat", payer), Pick("to", payee, _("gets"))

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
        if self.state.phase == "game over" or not self.state.result:
            return Action()  # the line below the title says what to tap
        points = self.game.scores_points
        hint = _("Tap a player, then the points") if points else _("Tap who pays, who gets it, then how much")
        return Action(sentence=(hint, ""))

    def instead_of_keys(self) -> BoardPart | None:
        return BoardPart("board/_scores.html", self.game.scores_points)
