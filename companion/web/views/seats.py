"""Changes to the seats: names, places, who leaves and who comes."""

from __future__ import annotations

from flask import redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.notation import quote_name
from companion.engine.sentence import EntryError
from companion.table.change import Change
from companion.table.seats import rename_in_round, seats_with
from companion.web.addresses import addresses_of

from .table import blueprint, change, look, refused


@blueprint.post("/seats")
def change_seats(table_id: str) -> ResponseReturnValue:
    """One change to the seats, as an entry."""
    form = request.form
    what, name, new = form.get("what", ""), form.get("name", ""), form.get("new", "").strip()
    table, dealer = look(table_id)
    names = [seat.name for seat in table.state.seats]
    entries = {
        "rename": f"rename {quote_name(name)} {quote_name(new)}",
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
    if what == "rename" and new == name:
        return redirect(addresses_of(table_id).seats, 303)
    if what == "rename" and not table.state.between:
        try:
            wanted = rename_in_round(table, wanted.entries[0])
        except EntryError as error:
            return refused(table_id, table, error.sentence, 422, dealer, page="seats")
    return change(table_id, wanted, "seats")


def ordered(names: list[str]) -> str:
    return " ".join(["order", *map(quote_name, names)])


def moved(names: list[str], name: str, by: int) -> list[str]:
    """The names with one of them a place further up or down."""
    place = names.index(name) if name in names else 0
    other = place + by
    if 0 <= other < len(names):
        names[other], names[place] = names[place], names[other]
    return names
