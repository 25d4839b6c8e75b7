"""Where the entries of the dealer's phone are: what each word in the bar means, and a way out of a conflict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from companion.table.table import Table
from companion.web.i18n import gettext as _

from .page import Screen, common


class Word(NamedTuple):
    """A word of the bar, and what it means."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Connection(Screen):
    refused: str  # why the server did not take the entries of this phone
    words: tuple[Word, ...]


def connection_screen(table: Table, table_id: str, dealer: bool, refused: Mapping[str, Any]) -> Connection:
    return Connection(**common(table, table_id, dealer, _("Connection")), refused=_why(refused), words=_words())


def _why(refused: Mapping[str, Any]) -> str:
    """In the reader's language of now. Only what the rules refuse is told in the server's own words."""
    match refused.get("status"):
        case None:
            return ""
        case 401 | 403:
            return _("Another phone deals here now: what you entered since then is only on this phone.")
        case 422:
            return " ".join((refused["message"], _("What you entered since then is only on this phone.")))
    return _("The table went on without this phone: what you entered since then is only here.")


def _words() -> tuple[Word, ...]:
    number = "3"
    return (
        Word(_("live"), _("The server has everything, and the other phones see it.")),
        Word(
            _("sending #…").replace("#", number),
            _("The line is slow. Go on: the server gets every entry once, in order."),
        ),
        Word(
            _("on this phone, # to send").replace("#", number),
            _("The server does not answer. Go on: entries stay on this phone and are sent by themselves later."),
        ),
        Word(_("waking the referee"), _("The referee on this phone is starting. What you tap waits for it.")),
        Word(
            _("not taken by the server"),
            _("The table went on without this phone: what you entered since then is only here."),
        ),
        Word(_("no answer, trying again"), _("Nobody answers, and the referee is not on this phone yet. Taps wait.")),
    )
