"""Players, and the bank, the pot and the middle, as the pages of a table name them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from flask import current_app, session
from flask.sessions import SecureCookieSessionInterface

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
LARGEST_COOKIE = 3_600  # characters: browsers take 4,093 with name and attributes, and settings may add 250 later


def remember_people(names: Iterable[str]) -> None:
    """Offer these names again next time, except for the letters of seats without a name."""
    real = [name for name in names if is_person(name)]
    session["people"] = list(dict.fromkeys([*real, *known_people()]))[:REMEMBERED]
    fit_cookie()


def fit_cookie() -> None:
    """Forget the last set-up, then the names, if needed: a browser drops a cookie that is too large, and with it the
    phone's secret."""
    cookies = current_app.session_interface
    if not isinstance(cookies, SecureCookieSessionInterface):  # the program on the phone has no cookie
        return
    serializer = cookies.get_signing_serializer(current_app)
    for convenient in ("setup", "people"):
        if serializer is None or len(serializer.dumps(dict(session))) <= LARGEST_COOKIE:
            break
        session.pop(convenient, None)


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
