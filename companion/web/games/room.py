"""How a game looks on the screens, with defaults for everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.cards import CARDS_IN_A_DECK
from companion.engine.game import AnyGame
from companion.engine.sentence import Sentence
from companion.web.board.common import BoardOf
from companion.web.board.default import DefaultBoard
from companion.web.games.examples import DECK, Example, ExampleRecord
from companion.web.games.lookups import Lookup
from companion.web.i18n import translate


def no_figures() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Room:
    """The tile, the board, the rules page and the look-up of one game. Its set-up fields are its options."""

    game: AnyGame
    short_title: Sentence | None = None  # where the title has no room
    faces: tuple[str, ...] = ()  # the cards on its tile; "" is one face down
    board: type[BoardOf[Any]] = DefaultBoard
    lookups: tuple[Lookup, ...] = ()  # its own tabs
    tab: str = "odds"  # the tab that opens from its board
    rules: str = "rules/default.html"
    record: ExampleRecord | None = None  # the example on its rules page
    example: Callable[[], Example] | None = None
    figures: Callable[[], Mapping[str, Any]] = no_figures  # the numbers of its rules, by name
    words: tuple[tuple[Sentence, str], ...] = ()  # what people look for, and the place on the rules page

    @property
    def title(self) -> str:
        return translate(self.short_title or self.game.title)

    @property
    def tile(self) -> tuple[str, ...]:
        return self.faces or (translate(self.game.title)[:1],)

    def rule_figures(self) -> dict[str, Any]:
        """The numbers on its rules page: what all games have, and its own."""
        options = self.game.options
        common: dict[str, Any] = {key: options[key].default for key in ("burn", "goal", "ante") if key in options}
        return {"cards": CARDS_IN_A_DECK, "deck": DECK, **common, **self.figures()}
