"""The seats page: names, order, bets, joining and leaving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.notation import quote_name
from companion.engine.sentence import EntryError
from companion.engine.state import AnyState
from companion.table.change import Change
from companion.table.people import is_person
from companion.table.seats import rename, renames, seats_with
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.screen import marks
from companion.web.forms import whole
from companion.web.i18n import gettext as _
from companion.web.pages import Screen, common, draw_page, wants_fragment
from companion.web.people import Person, known_people, remember_people
from companion.web.slow import slow
from companion.web.table import FormPage, change, load_for_phone, refused, show_board

blueprint = Blueprint("seats", __name__, url_prefix=A_TABLE)

STEP, LARGE_STEP, LARGE, USUAL_MOST = 10, 50, 100, 1000  # bets go up by 10, and by 50 from 100 on


@dataclass(frozen=True)
class Bet:
    """The bet of a seat, how its entry begins, and the bets that can be reached by steps."""

    chips: int
    entry: str
    steps: tuple[int, ...]

    @property
    def less(self) -> int | None:
        return next((bet for bet in reversed(self.steps) if bet < self.chips), None)

    @property
    def more(self) -> int | None:
        return next((bet for bet in self.steps if bet > self.chips), None)


@dataclass(frozen=True)
class Seats(Screen):
    may_change: bool
    people: tuple[Person, ...]
    named: frozenset[str]  # those who are not called by the letter of their seat
    away: tuple[str, ...]
    first: str  # the verb that names the dealer or the button, in games that have one
    holder: str
    bets: Mapping[str, Bet]  # by name; empty if bets cannot be changed now
    known: tuple[str, ...]  # names used before on this phone
    message: str = ""  # why a change was refused


def seats_screen(table: Table, table_id: str, dealer: bool, message: str = "") -> Seats:
    state = table.state
    game = table.games[state.game]
    first = next((verb for verb in ("dealer", "button") if hasattr(game, f"on_{verb}")), "")
    named = marks(state)
    holder = state.name(getattr(state, first, None)) if first else None
    return Seats(
        **common(table, table_id, dealer, _("Seats")),
        may_change=state.between,
        people=tuple(Person(seat.name, named[seat.name]) for seat in state.seats),
        named=frozenset(filter(is_person, named)),
        known=tuple(name for name in known_people() if name not in named) if dealer else (),
        away=tuple(seat.name for seat in state.away),
        first=first,
        bets={seat.name: bet_of(state, seat.name, seat.bet) for seat in state.seats} if takes_bets(table) else {},
        message=message,
        holder=holder or "",
    )


def takes_bets(table: Table) -> bool:
    return hasattr(table.games[table.state.game], "on_bet") and table.state.between


def bet_of(state: AnyState, name: str, chips: int) -> Bet:
    return Bet(chips, f"bet {quote_name(name)}", steps_of_bet(chips, state.options.get("max")))


def steps_of_bet(chips: int, most: int | None) -> tuple[int, ...]:
    end = most or max(USUAL_MOST, 2 * chips)
    steps = {*range(0, LARGE, STEP), *range(LARGE, end, LARGE_STEP), end, chips}
    return tuple(sorted(bet for bet in steps if bet <= end))


def draw(table: Table, table_id: str, dealer: bool, message: str = "") -> str:
    return draw_page("table/seats", seats_screen(table, table_id, dealer, message))


PAGE = FormPage("seats.show", draw)


@blueprint.get("/seats")
def show(table_id: str) -> ResponseReturnValue:
    """The seats, as a page or as a sheet over the board."""
    table, dealer = load_for_phone(table_id)
    return draw(table, table_id, dealer)


@blueprint.post("/seats")
def change_seats(table_id: str) -> ResponseReturnValue:
    """Make one change to the seats. A seat is named by its place: its name may be a new one."""
    form = request.form
    what, new = form.get("what", ""), form.get("new", "").strip()
    if what == "bet":
        return change(table_id, Change("enter", (form.get("entry", ""),)), PAGE)
    table, _dealer = load_for_phone(table_id)
    names = [seat.name for seat in table.state.seats]
    name = dict(enumerate(names)).get(whole(form.get("seat", "")) or 0, "")
    entries = {
        "leave": f"leave {quote_name(name)}",
        "sit": f"sit {quote_name(new)}",
        "up": ordered(moved(names, name, -1)),
        "down": ordered(moved(names, name, 1)),
        "dealer": f"dealer {quote_name(name)}",
        "button": f"button {quote_name(name)}",
    }
    wanted = Change("enter", (entries.get(what, ""),))
    if what == "sit" and new in {seat.name for seat in table.state.away}:
        wanted = Change("enter", (*wanted.entries, ordered(seats_with(table, new))))
    return change(table_id, wanted, PAGE)


@blueprint.post("/names")
def name_seats(table_id: str) -> ResponseReturnValue:
    """Name seats, all in one change. A field that is left empty changes nothing."""
    table, dealer = load_for_phone(table_id)
    typed = [request.form.get(f"name-{place}", "").strip() for place in range(len(table.state.seats))]
    named = {seat.name: new for seat, new in zip(table.state.seats, typed, strict=True) if new not in ("", seat.name)}
    if not named:
        return show_board(table_id, table, dealer) if wants_fragment() else redirect(url_for("table.show"), 303)
    try:
        with slow().turn(table.head.number if dealer else 0):  # in a round, the round is replayed
            wanted = rename(table, named) if dealer else Change("enter", renames(named))
    except EntryError as error:
        return refused(table_id, table, error.sentence, 422)
    remember_people(named.values())
    return change(table_id, wanted)


def ordered(names: list[str]) -> str:
    return " ".join(["order", *map(quote_name, names)])


def moved(names: list[str], name: str, by: int) -> list[str]:
    """The names, with one of them moved up or down by a place."""
    place = names.index(name) if name in names else 0
    other = place + by
    if 0 <= other < len(names):
        names[other], names[place] = names[place], names[other]
    return names
