"""An entry in words: the only place that says one to a person."""

from __future__ import annotations

from .notation import Entry
from .options import in_line
from .play import Games
from .sentence import Sentence, say
from .verbs import CARD, VERBS


def said(entry: Entry, games: Games, short: bool = False) -> Sentence:
    """What was done, as the log says it; who did it is told apart if it is a player's turn."""
    form = VERBS[entry.verb].form_of(entry)
    if entry.verb == "game":
        key, options = entry.args
        return form.filled(((games[key].title, *in_line(games[key].options, options)),), short)
    return form.filled(entry.args, short)


def said_of(who: str | None, entry: Entry, games: Games) -> Sentence:
    """The same with the player who did it."""
    what = said(entry, games)
    if who is None:
        return what
    return (
        say("{name}: {what}", name=who, what=what) if entry.verb == CARD else say("{name} {what}", name=who, what=what)
    )
