"""What a change did: what undo would take back and redo restore, for the API and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.notation import Entry
from companion.engine.play import Games
from companion.engine.sentence import Sentence, say, say_many
from companion.engine.verbs import Form
from companion.engine.words import said, said_of

from .change import Kind

# How many entries of one change are told.
LABELLED = 4


@dataclass(slots=True)
class Done:
    """The entries that were made; for a repair its place in the log, and what stood there."""

    kind: Kind
    entries: tuple[Entry, ...] = ()
    count: int = 1  # how many entries there were, also those that are not told
    who: str | None = None  # who drew or acted, if it was one entry
    number: int = 0
    old: Entry | None = None

    def __str__(self) -> str:
        """As the API tells it: in the notation."""
        told = ", ".join(map(str, self.entries))
        match self.kind:
            case "enter":
                return told if self.count <= LABELLED else f"{told}, …"
            case "insert":
                return f"entry {self.number}: {told} inserted"
            case "remove":
                return f"entry {self.number}: {self.old} removed"
            case "cut":
                return f"back to entry {self.number}: {self.old}"
        return f"entry {self.number}: {told} instead of {self.old}"


def entered(entries: Sequence[Entry], who: str | None = None) -> Done:
    """What was entered in one change; who drew or acted, if it was one entry."""
    return Done("enter", tuple(entries[:LABELLED]), len(entries), who)


def told(done: Done, games: Games, cards: Mapping[int, Form] | None = None) -> Sentence:
    """What was done, in words; `cards` tells how cards are said there."""
    if done.kind != "enter":
        return _repair_told(done, games, cards)
    first, more = said_of(done.who, done.entries[0], games, cards), done.count - 1
    counted = say_many("{first} and {count} more", "{first} and {count} more", more, first=first, count=more)
    return counted if more else first


def _repair_told(done: Done, games: Games, cards: Mapping[int, Form] | None = None) -> Sentence:
    number, short = done.number, bool(cards)
    new = said(done.entries[0], games, short, cards) if done.entries else Sentence("")
    old = said(done.old, games, short, cards) if done.old else Sentence("")
    match done.kind:
        case "insert":
            return say("entry {number}: {new} inserted", number=number, new=new)
        case "remove":
            return say("entry {number}: {old} removed", number=number, old=old)
        case "cut":
            return say("everything after entry {number} deleted", number=number)
    return say("entry {number}: {new} instead of {old}", number=number, new=new, old=old)
