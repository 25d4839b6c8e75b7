"""The board of Zombie Life: the Horde in the middle."""

from __future__ import annotations

from typing import Any

from companion.engine.sentence import say
from companion.engine.state import Seat
from companion.games.zombie import turned_down
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext
from companion.web.screens.board import Button, Face

from .port import RaceBoard


class ZombieBoard(RaceBoard):
    hit_word = say("out")

    def turn_text(self, who: Seat) -> str:
        if self.state.drawn is not None:
            return _("where does the {value} go?").format(value=self.state.drawn)
        grabs = any(entry.verb == "grab" for entry in self.legal)
        return _("draw, take or pass") if grabs else _("draw or pass")

    def deal_text(self, who: Seat) -> str:
        dealer = self.state.name(self.state.dealer)
        return _("a card from {name}").format(name=dealer) if dealer else _("first card")

    def rows_look(self) -> str:
        return "two crowd" if len(self.state.seats) >= 7 else "two"

    def note(self, position: int, seat: Seat) -> str:
        if self.state.phase == "game over":
            return _("wins") if seat.name in self.state.outcome.winners else ""
        if self.state.between:
            return _("hands out") if position == self.state.dealer else ""
        return {"in": _("in"), "passed": _("passed")}.get(seat.state, _("out"))

    def faces(self, position: int, seat: Any) -> tuple[Face, ...]:
        shown = super().faces(position, seat)
        if self.state.between or not seat.facedown:
            return shown
        up = len(shown) - seat.facedown
        return (*shown[:up], *(Face(face.value, "down", _("face down")) for face in shown[up:]))

    def middle_part(self) -> dict[str, Any]:
        return {"middle": "board/_zombie_horde.html"} if self.state.phase == "play" else {}

    def keys_part(self) -> dict[str, Any]:
        state = self.state
        part = super().keys_part()
        if state.phase != "play":
            return part
        horde = [(value, f"grab {value}", f"grab {value}" in self.legal_texts) for value in state.horde]
        things = {"horde": horde, "drawn": state.drawn, "who": state.name(state.turn)}
        if state.drawn is not None:
            return {"keys_template": "board/_zombie_place.html", "things": things}
        return {**part, "things": things}

    def main_button(self) -> Button | None:
        if "pass" not in self.legal_texts:
            return None
        stack = self.seat(self.state.turn).stack
        down = turned_down(len(stack), len(self.state.those_in()) - 1)
        up = len(stack) - down
        label = ngettext("Pass: {down} turned down, {up} point now", "Pass: {down} turned down, {up} points now", up)
        caption = _("Pass, {down} down").format(down=down) if down else _("Pass")
        return Button("pass", f"+{up}" if up else "0", caption, label.format(down=down, up=up))

    def forced_sentence(self) -> tuple[str, str]:
        return _("Place the {value}").format(value=self.state.drawn), _("both places are free")

    def drawing_caption(self) -> str:
        return _("overwhelmed")
