"""The board of a game without one of its own: every choice besides drawing is a button."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from companion.engine.notation import Entry
from companion.engine.state import AnyState
from companion.engine.verbs import CARD, VERBS
from companion.web.board.common import BoardOf
from companion.web.board.screen import BoardPart, Button
from companion.web.i18n import gettext as _
from companion.web.i18n import translate


class Choices(NamedTuple):
    """The choices of the player to act, as buttons."""

    buttons: tuple[Button, ...]


class DefaultBoard(BoardOf[AnyState]):
    """Shows the legal verbs as buttons with their prices; the first one is in the action row."""

    @cached_property
    def choices(self) -> tuple[Button, ...]:
        """A button for everything that the player to act may do besides drawing."""
        return tuple(
            self.choice(entry) for entry in self.legal if not VERBS[entry.verb].draws and entry.verb != "shuffle"
        )

    def choice(self, entry: Entry) -> Button:
        words = translate(VERBS[entry.verb].offered(entry.args))
        price = self.prices.get(entry.verb)
        figure = str(price) if price is not None else str(entry.args[0]) if entry.args else words
        return Button(str(entry), figure, words, words, quiet=figure == words)

    def turn_text(self) -> str:
        if not self.choices:
            return _("must draw")
        draws = any(entry.verb == CARD for entry in self.legal)
        return _("draw, or choose") if draws else _("must choose")

    def middle(self) -> BoardPart | None:
        if self.state.phase != "play" or len(self.choices) < 2:
            return None
        return BoardPart("board/_choices.html", Choices(self.choices[1:]))

    def main_button(self) -> Button | None:
        return self.choices[0] if self.choices else None
