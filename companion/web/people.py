"""Players, and the bank, the pot and the middle, as the pages of a table name them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from flask import session

from companion.table.ledger import FROM_BANK, IN_THE_MIDDLE
from companion.table.people import is_person
from companion.web.board.screen import Mark
from companion.web.i18n import gettext as _


class Person(NamedTuple):
    """A player's name and mark."""

    name: str
    mark: Mark


@dataclass(frozen=True)
class ChipHolder:
    """A player, or the bank, the pot or the middle, which have no mark."""

    name: str
    mark: Mark | None


REMEMBERED = 16  # names that a phone remembers


def remember_people(names: Iterable[str]) -> None:
    """Offer these names again next time, except for the letters of seats without a name."""
    real = [name for name in names if is_person(name)]
    session["people"] = list(dict.fromkeys([*real, *known_people()]))[:REMEMBERED]


def known_people() -> list[str]:
    """The names used on this phone, the newest first."""
    known: list[str] = session.get("people", [])
    return known


def holder_name(name: str) -> str:
    """A player's name as it is; the bank, the pot, the middle in words."""
    words = {
        FROM_BANK: _("the bank"),
        ":pot": _("the pot"),
        IN_THE_MIDDLE: _("the middle"),
        ":front": _("the antes on the table"),
    }
    return words.get(name, name)
