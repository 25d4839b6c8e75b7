"""The board of a game with hidden hands: Hawthorn and Pirates’ Inn."""

from __future__ import annotations

from companion.engine.state import Seat
from companion.web.board.common import BoardOf
from companion.web.board.screen import Key, short_name
from companion.web.board.words import St
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext


class HiddenBoard(BoardOf[St]):
    def from_hand(self) -> bool:
        """Whether the next card comes from a hand, and not from the deck. Every round begins with one."""
        return self.state.phase != "play"

    def deal_text(self, who: Seat) -> str:
        return _("shows the chosen card") if self.from_hand() else super().deal_text(who)

    def deal_sentence(self) -> tuple[str, str]:
        head, soft = super().deal_sentence()
        if self.from_hand() and self.state.waiting:
            return _("{name}’s chosen card").format(name=short_name(self.seat(self.state.waiting[0]).name)), soft
        return head, soft

    def held(self, position: int) -> str:
        """How many hidden cards a seat has, in words."""
        count = self.game.own_seat_keys(self.state, position)["hand"]
        return ngettext("{count} in hand", "{count} in hand", count).format(count=count)

    def key(self, value: int) -> Key:
        """A card from a hand does not come from the deck: its odds say nothing, unless no copy is left."""
        if self.from_hand() and (self.state.pile.unseen[value] or not self.chances.shown):
            return Key(self.key_entry(value), value, str(value), word=self.word_for(value), bad=self.is_bad(value))
        return super().key(value)

    def key_entry(self, value: int) -> str:
        return f"play {value}" if self.from_hand() else str(value)
