"""People over many evenings: a person is a name, compared without case and accents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from unicodedata import normalize

from companion.engine.sentence import InvalidEntry, say

# Names of seats that nobody named. They are not people.
LETTERS = tuple("ABCDEFGH")
MOST_ALIASES = 500
_ACCENTS = "\u0300", "\u036f"  # the combining marks of Latin, Greek and Cyrillic letters

Aliases = Mapping[str, str]  # the name of the same person, by the key of another name


def key_of(name: str) -> str:
    """The name without case, accents and needless blanks."""
    first, last = _ACCENTS
    bare = "".join(char for char in normalize("NFD", name) if not first <= char <= last)
    return " ".join(normalize("NFC", bare).casefold().split())


def is_person(name: str) -> bool:
    """False for the letter of a seat without a name."""
    return name.strip().upper() not in LETTERS


def with_alias(aliases: Aliases, name: str, other: str) -> dict[str, str]:
    """The aliases with one more. An alias that would make a circle is refused."""
    if not (is_person(name) and is_person(other)):
        raise InvalidEntry(say("A letter stands for a seat without a name, not for a person."))
    if len(aliases) >= MOST_ALIASES:
        raise InvalidEntry(say("There are too many other names already."))
    if root_of(aliases, key_of(name)) == root_of(aliases, key_of(other)):
        raise InvalidEntry(say("{name} and {other} are one person already.", name=name, other=other))
    return {**aliases, root_of(aliases, key_of(name)): other}


def root_of(aliases: Aliases, key: str) -> str:
    """The key of a person, found by following the aliases; in a circle, which two phones may make, its smallest key."""
    passed: list[str] = []
    while key in aliases and key not in passed:
        passed.append(key)
        key = key_of(aliases[key])
    return min(passed[passed.index(key) :]) if key in passed else key


class People:
    """The people behind the names, given the aliases. Remembers how each name was spelled first."""

    def __init__(self, aliases: Aliases | None = None) -> None:
        self.aliases: Aliases = aliases or {}
        self._keys: dict[str, str | None] = {}
        self._spelled: dict[str, str] = {}

    def of(self, name: str | None) -> str | None:
        """The key of a person; None for nobody, and for the letter of a seat without a name."""
        if name is None:
            return None
        if name not in self._keys:
            own = key_of(name)
            self._keys[name] = root_of(self.aliases, own) if is_person(name) else None
            self._spelled.setdefault(own, name)
        return self._keys[name]

    def all_of(self, names: Iterable[str]) -> list[str]:
        """The keys of the people with these names, each once."""
        return [key for key in dict.fromkeys(map(self.of, names)) if key is not None]

    def name(self, key: str) -> str:
        """The name of a person, as it was spelled first, or in the alias."""
        named = (name for name in self.aliases.values() if key_of(name) == key)
        return self._spelled.get(key) or next(named, key)

    def spelling(self, key: str) -> str:
        """A name as it was spelled first."""
        return self._spelled.get(key, key)

    def also(self, key: str) -> list[str]:
        """The keys of the other names of a person that were given by an alias."""
        return [own for own in self.aliases if own != key and root_of(self.aliases, own) == key]
