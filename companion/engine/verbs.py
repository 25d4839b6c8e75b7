"""Every verb: its arguments, who does it, whether it draws a card, and how the log describes it.

The table has the verbs that several games share, and those about the deck, the people and the chips. A game's own
verbs (`Game.own_verbs`) join it when the game is registered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .options import in_line
from .sentence import Sentence, say

if TYPE_CHECKING:
    from .notation import Entry
    from .play import Games

# What an argument can be: a card, a number (from 1; from 0; any but 0), a name, this word and no other, free text,
# or the rest of the line: all the names, or a game with its options.
Kind = Literal["card", "count", "natural", "amount", "name", "yes", "no", "text", "names", "game"]
FIXED: tuple[Kind, ...] = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a verb: its arguments, and what it is called. The sentences may have a gap for each argument."""

    said: Sentence  # in the log
    short: Sentence  # the same for narrow places
    label: Sentence  # on a button
    gaps: tuple[str, ...]
    kinds: tuple[Kind, ...]

    def takes(self, arguments: tuple[object, ...]) -> bool:
        """True if the number of arguments is right and the fixed words are in their places."""
        if self.kinds in (("names",), ("game",)):
            return bool(arguments)
        same = (kind not in FIXED or kind == given for kind, given in zip(self.kinds, arguments, strict=False))
        return len(self.kinds) == len(arguments) and all(same)

    def filled(self, arguments: tuple[object, ...], short: bool = False) -> Sentence:
        """The sentence with these arguments in its gaps."""
        values = dict(zip(self.gaps, arguments, strict=False))
        if self.kinds == ("names",):
            values[self.gaps[0]] = arguments
        return Sentence((self.short if short else self.said).template, values)


def form(said: Sentence, short: Sentence | None = None, label: Sentence | None = None, **arguments: Kind) -> Form:
    """A form from its sentences, and the name and kind of each argument, in order."""
    return Form(said, short or said, label or said, tuple(arguments), tuple(arguments.values()))


@dataclass(frozen=True, slots=True)
class Verb:
    """Something that can be done at a table. Its forms differ in the number of their arguments, or in a fixed word."""

    name: str
    doing: Sentence  # what a refusal calls it
    forms: tuple[Form, ...]
    by_seat: bool = False  # done by a player, whose name may come before it and whose turn it must be
    draws: bool = False  # needs a card in the pile
    of_round: bool = True  # its payments are reversed if the round is void; not for people and money
    then: Mapping[int, Form] = field(default_factory=dict)  # how cards are described that follow it in the round
    method: str = field(init=False)  # the method of a game that has the verb

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", f"on_{self.name}")

    def form_for(self, arguments: tuple[object, ...]) -> Form | None:
        """The form that takes these arguments."""
        return next((one for one in self.forms if one.takes(arguments)), None)

    @property
    def takes_text(self) -> bool:
        """Whether its argument is free text."""
        return self.forms[-1].kinds == ("text",)

    def offered(self, arguments: tuple[object, ...]) -> Sentence:
        """The text on a button."""
        found = self.form_for(arguments)
        assert found is not None
        return Sentence(found.label.template, found.filled(arguments).values)

    def form_of(self, entry: Entry) -> Form:
        """The form of an entry that was parsed. An empty text is no argument."""
        found = self.form_for(tuple(given for given in entry.args if given != ""))
        assert found is not None
        return found


def by_name(*verbs: Verb) -> dict[str, Verb]:
    """The verbs by their names."""
    return {verb.name: verb for verb in verbs}


CARD = "card"  # the one verb that is never written: a card is entered as its value alone

VERBS: dict[str, Verb] = by_name(
    # -- what a player does
    Verb(CARD, say("Entering a card"), (form(Sentence("{value}"), value="card"),), by_seat=True, draws=True),
    Verb(
        "fold",
        say("Folding"),
        (
            form(say("folds"), short=say("folded"), label=say("Fold")),
            form(say("takes {name}’s {value}"), value="card", name="name"),
        ),
        by_seat=True,
    ),
    Verb("pass", say("Passing"), (form(say("passes"), label=say("Pass")),), by_seat=True),
    Verb("lock", say("Locking"), (form(say("locks"), short=say("locked in"), label=say("Lock")),), by_seat=True),
    # -- before and during the deal
    Verb("dealer", say("Naming the dealer"), (form(say("{name} deals"), name="name"),)),
    Verb("button", say("Moving the button"), (form(say("{name} has the button"), name="name"),)),
    Verb("start", say("Naming the starting player"), (form(say("{name} starts"), name="name"),)),
    # -- the deck
    Verb("shuffle", say("Shuffling"), (form(say("shuffled")),)),
    Verb(
        "lost",
        say("Taking out a lost card"),
        (form(say("a card was lost")), form(say("a {value} was lost"), value="card")),
    ),
    Verb("misdeal", say("Calling a misdeal"), (form(say("misdeal")),), of_round=False),
    # -- points and chips
    Verb("score", say("Entering points"), (form(say("{name} scores {number}"), name="name", number="natural"),)),
    Verb("points", say("Setting points"), (form(say("{name}, points: {number}"), name="name", number="natural"),)),
    Verb(
        "buy",
        say("Buying chips"),
        (form(say("{name}: {amount} from the bank"), name="name", amount="amount"),),
        of_round=False,
    ),
    Verb(
        "pay",
        say("Paying chips"),
        (form(say("{name} pays {other} {amount}"), name="name", other="name", amount="count"),),
        of_round=False,
    ),
    # -- people and games
    Verb("sit", say("Joining"), (form(say("{name} joins"), name="name"),), of_round=False),
    Verb("leave", say("Sitting out"), (form(say("{name} sits out"), name="name"),), of_round=False),
    Verb(
        "rename",
        say("Changing a name"),
        (form(say("{name} is now called {new}"), name="name", new="name"),),
        of_round=False,
    ),
    Verb("order", say("Changing the seats"), (form(say("order of seats: {names}"), names="names"),), of_round=False),
    Verb(
        "title",
        say("Naming the evening"),
        (form(say("the evening has no name")), form(say("the evening is called “{title}”"), title="text")),
        of_round=False,
    ),
    Verb("settled", say("Settling up"), (form(say("everything owed is paid")),), of_round=False),
    Verb("game", say("Starting a game"), (form(say("new game: {game}"), game="game"),), of_round=False),
)


def register(own: Mapping[str, Verb]) -> None:
    """Add the verbs of one game to the table. A verb is the same in every game."""
    for name, verb in own.items():
        if VERBS.get(name, verb) != verb or verb.name != name:
            raise ValueError(f"the verb {name} is in the table already, or under another name")
    VERBS.update(own)


def card_named(entry: Entry) -> int | None:
    """The value of the card if it is the entry's only argument, else None."""
    return entry.args[0] if VERBS[entry.verb].form_of(entry).kinds == ("card",) else None


def card_drawn(entry: Entry) -> int | None:
    """The value of the card that an entry turns up, else None."""
    return card_named(entry) if VERBS[entry.verb].draws else None


def describe_entry(
    entry: Entry, games: Games, short: bool = False, cards: Mapping[int, Form] | None = None
) -> Sentence:
    """The entry as a sentence of the log, without the player, who is named beside it.

    `cards` has the forms of cards that are no longer called by their value (`card_forms`).
    """
    form = VERBS[entry.verb].form_of(entry)
    if entry.verb == CARD and cards:
        form = cards[entry.args[0]]
    if entry.verb == "game":
        key, options = entry.args
        return form.filled(((games[key].title, *in_line(games[key].options, options)),), short)
    return form.filled(entry.args, short)


def describe_entry_by(who: str | None, entry: Entry, games: Games, cards: Mapping[int, Form] | None = None) -> Sentence:
    """The same, with the name of the player who did it."""
    what = describe_entry(entry, games, cards=cards)
    if who is None:
        return what
    by_value = entry.verb == CARD and not cards
    return say("{name}: {what}", name=who, what=what) if by_value else say("{name} {what}", name=who, what=what)
