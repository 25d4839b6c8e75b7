"""Where things are: every address is made by Flask's `url_for`, so the program can live under any path.

A board needs a handful of addresses at every tap, and `url_for` is slow: those of a table are made once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from flask import request, url_for

# How a path begins, without the prefix the program may live under.
TABLE = "/t/"
API = "/api"
HEALTH = "/healthz"

KEPT = 1_000


class TableAddresses(NamedTuple):
    """The pages and forms of one table."""

    table_id: str
    prefix: str
    board: str
    choose_fold: str
    enter: str
    undo: str
    redo: str
    score: str
    me: str
    menu: str
    history: str
    repair: str
    deck: str
    seats: str
    chips: str
    game: str
    evening: str
    evening_text: str
    evening_csv: str
    payments: str
    share: str
    share_game: str
    record: str
    code: str
    offer: str
    take: str
    pass_on: str
    fork: str
    hand: str
    deals: str
    turn_up: str
    coach: str
    why: str
    luck: str

    def lookup(self, tab: str) -> str:
        """A tab of the look-up, filled in with the hand that is played here."""
        return _lookup(self.prefix, self.table_id, tab)


def addresses_of(table_id: str) -> TableAddresses:
    """The addresses of a table, under the prefix of this request."""
    return _addresses(request.root_path, table_id)


@lru_cache(maxsize=KEPT)
def _addresses(prefix: str, table_id: str) -> TableAddresses:
    def page(name: str, **query: Any) -> str:
        return url_for(f"table.{name}", table_id=table_id, **query)

    return TableAddresses(
        table_id,
        prefix,
        board=page("show"),
        choose_fold=page("show", fold="1"),
        enter=page("enter"),
        undo=page("undo", kind="undo"),
        redo=page("undo", kind="redo"),
        score=page("score"),
        me=page("choose_me"),
        menu=page("menu"),
        history=page("history"),
        repair=page("repair"),
        deck=page("deck"),
        seats=page("seats"),
        chips=page("chips"),
        game=page("game"),
        evening=page("evening"),
        evening_text=page("evening_text"),
        evening_csv=page("evening_csv"),
        payments=page("payments"),
        share=page("share"),
        share_game=page("share", of="game"),
        record=page("record"),
        code=page("code"),
        offer=page("handover"),
        take=page("take"),
        pass_on=page("pass_on"),
        fork=page("fork"),
        hand=page("hand"),
        deals=page("deals"),
        turn_up=page("turn_up"),
        coach=page("coach"),
        why=page("why"),
        luck=page("luck"),
    )


@lru_cache(maxsize=KEPT)
def _lookup(prefix: str, table_id: str, tab: str) -> str:
    return url_for("lookup.show", tab=tab, table=table_id)


def top_path() -> str:
    """The path the program lives under; all its addresses begin so."""
    return request.root_path or "/"


def is_for_programs(path: str) -> bool:
    """Whether a path, without the prefix, is answered with JSON."""
    return path.startswith((API, HEALTH))
