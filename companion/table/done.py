"""The effect of a change, which undo would take back or redo restore: in the notation, and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.notation import Entry
from companion.engine.play import Games
from companion.engine.sentence import Sentence, say, say_many
from companion.engine.verbs import Form, describe_entry, describe_entry_by

from .change import Kind

# How many entries of one change are named on the undo button.
LABELLED = 4
EMPTY = Sentence("")


@dataclass(slots=True)
class Done:
    """What a change did: its entries; for a repair also its place in the log and the old entry."""

    kind: Kind
    entries: tuple[Entry, ...] = ()
    count: int = 1  # how many entries there were, including those not named
    who: str | None = None  # the player who drew or acted, if it was one entry
    number: int = 0
    old: Entry | None = None

    def __str__(self) -> str:
        """The change as the API shows it: in the notation."""
        entries = ", ".join(map(str, self.entries))
        match self.kind:
            case "enter":
                return entries if self.count <= LABELLED else f"{entries}, …"
            case "insert":
                return f"entry {self.number}: {entries if self.count <= LABELLED else f'{entries}, …'} inserted"
            case "remove":
                return f"entry {self.number}: {self.old} removed"
            case "cut":
                return f"back to entry {self.number}: {self.old}"
        return f"entry {self.number}: {entries} instead of {self.old}"


def entered(entries: Sequence[Entry], who: str | None = None) -> Done:
    """What entries made in one change did; `who` drew or acted, if it was one entry."""
    return Done("enter", tuple(entries[:LABELLED]), len(entries), who)


def describe_change(done: Done, games: Games, cards: Mapping[int, Form] | None = None) -> Sentence:
    """What a change did, in words; `cards` are the forms of cards at that place."""
    if done.kind != "enter":
        return _describe_repair(done, games, cards)
    return _and_more(describe_entry_by(done.who, done.entries[0], games, cards), done.count - 1)


def _and_more(first: Sentence, more: int) -> Sentence:
    counted = say_many("{first} and {count} more", "{first} and {count} more", more, first=first, count=more)
    return counted if more else first


def _describe_repair(done: Done, games: Games, cards: Mapping[int, Form] | None = None) -> Sentence:
    number, short = done.number, bool(cards)
    new = _and_more(describe_entry(done.entries[0], games, short, cards), done.count - 1) if done.entries else EMPTY
    old = describe_entry(done.old, games, short, cards) if done.old else EMPTY
    match done.kind:
        case "insert":
            return say("entry {number}: {new} inserted", number=number, new=new)
        case "remove":
            return say("entry {number}: {old} removed", number=number, old=old)
        case "cut":
            return say("everything after entry {number} deleted", number=number)
    return say("entry {number}: {new} instead of {old}", number=number, new=new, old=old)
