"""An entry in words: the only place that says one to a person."""

from __future__ import annotations

from collections.abc import Mapping

from .notation import Entry
from .options import in_line
from .play import Games
from .sentence import Sentence, say
from .verbs import CARD, VERBS, Form


def said(entry: Entry, games: Games, short: bool = False, cards: Mapping[int, Form] | None = None) -> Sentence:
    """What was done, as the log says it; who did it is told apart if it is a player's turn.

    `cards` tells how cards are said then, where they are no longer called by their value (`cards_said`)."""
    form = VERBS[entry.verb].form_of(entry)
    if entry.verb == CARD and cards:
        form = cards[entry.args[0]]
    if entry.verb == "game":
        key, options = entry.args
        return form.filled(((games[key].title, *in_line(games[key].options, options)),), short)
    return form.filled(entry.args, short)


def said_of(who: str | None, entry: Entry, games: Games, cards: Mapping[int, Form] | None = None) -> Sentence:
    """The same with the player who did it."""
    what = said(entry, games, cards=cards)
    if who is None:
        return what
    by_value = entry.verb == CARD and not cards
    return say("{name}: {what}", name=who, what=what) if by_value else say("{name} {what}", name=who, what=what)
