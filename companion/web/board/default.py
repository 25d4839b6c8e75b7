"""The board of a game without one of its own: cards are keys, and every other choice is a button."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from companion.engine.game import SHUFFLE
from companion.engine.notation import Entry
from companion.engine.state import AnyState
from companion.engine.verbs import VERBS, card_drawn
from companion.web.board.common import BoardOf, with_short_names
from companion.web.board.screen import BoardPart, Button, Key
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate

ROOM_FOR = 2  # choices in the action row; more of them open in the place of the keys


class Choices(NamedTuple):
    """The choices of the player to act, as buttons."""

    buttons: tuple[Button, ...]


class DefaultBoard(BoardOf[AnyState]):
    """Any game, from its legal entries and its words alone."""

    # -- what the player to act may do

    @cached_property
    def choices(self) -> tuple[Button, ...]:
        """A button for everything that is not a card turned up."""
        return tuple(self.choice(entry) for entry in self.legal if card_drawn(entry) is None and entry != SHUFFLE)

    def choice(self, entry: Entry) -> Button:
        offered = VERBS[entry.verb].offered
        words, price = translate(offered(with_short_names(entry).args)), self.prices.get(entry.verb)
        figure, caption = (words, "") if price is None else (str(price), words)
        return Button(str(entry), figure, caption, translate(offered(entry.args)), quiet=price is None)

    @cached_property
    def many(self) -> bool:
        return len(self.choices) > ROOM_FOR

    def main_button(self) -> Button | None:
        """The only choice, or the first of two alike; of more it opens all, so that none has a better place."""
        if not self.many:
            return self.choices[0] if self.choices else None
        if self.choosing:
            return Button("", "✕", _("Go back"), _("Do not choose"), "close")
        count = len(self.choices)
        label = _("Choose: {count} choices").format(count=count)
        return Button("", _("Choose"), _("{count} choices").format(count=count), label, "open")

    def second_button(self) -> Button | None:
        return self.choices[1] if len(self.choices) == ROOM_FOR else None

    def instead_of_keys(self) -> BoardPart | None:
        """While a choice is being made: all of them."""
        return BoardPart("board/_choices.html", Choices(self.choices)) if self.choosing and self.many else None

    # -- the keys

    @cached_property
    def drawn_by(self) -> dict[int, str]:
        """The entry for each card that may come now: from the deck, or from a hand."""
        cards = ((card_drawn(entry), str(entry)) for entry in self.legal)
        return {value: entry for value, entry in cards if value is not None}

    def key_entry(self, value: int) -> str:
        return self.drawn_by.get(value, str(value))

    def key(self, value: int) -> Key:
        """A card from a hand has no odds of the deck."""
        entry = self.key_entry(value)
        if entry != str(value):
            return Key(entry, value, str(value), word=self.word_for(value), bad=self.is_bad(value))
        return super().key(value)

    # -- words

    def bar(self) -> tuple[str, ...]:
        return self.target_text(), *super().bar()

    def turn_text(self) -> str:
        if self.choosing and self.many:
            return _("does what?")
        if not self.choices:
            return _("must draw")
        return _("draw, or choose") if self.drawn_by else _("must choose")

    def note_in_play(self, position: int) -> str:
        """How a seat stands in the round, or what it won or lost in the last one; and what it keeps and holds."""
        seat = self.state.seats[position]
        hand: int = getattr(seat, "hand", 0)
        standing = {"out": _("out"), "folded": _("folded"), "passed": _("passed"), "locked": _("locked")}
        told = (
            self.won_or_lost(seat.name) if self.state.between else standing.get(seat.state, ""),
            ngettext("{count} in hand", "{count} in hand", hand).format(count=hand) if hand else "",
            self.kept(position),
        )
        return ", ".join(filter(None, told))
