"""Where the entries of the dealer's phone are: what each word in the bar means, and a way out of a conflict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.table.table import Table
from companion.web.i18n import gettext as _

from .page import Screen, common


class Word(NamedTuple):
    """A word of the bar, and what it means."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Connection(Screen):
    refused: str  # what the server said to the entries of this phone
    words: tuple[Word, ...]


def connection_screen(table: Table, table_id: str, dealer: bool, refused: str) -> Connection:
    return Connection(**common(table, table_id, dealer, _("Connection")), refused=refused, words=_words())


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
            _("The table went on without this phone. What you entered since then is only here."),
        ),
        Word(_("no answer, trying again"), _("Nobody answers, and the referee is not on this phone yet. Taps wait.")),
    )
