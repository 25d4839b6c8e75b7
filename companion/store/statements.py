"""The statements of the store, built once."""

from __future__ import annotations

from sqlalchemy import bindparam, exists, false, func, insert, literal_column, null, select, update
from sqlalchemy.sql import Executable

from . import MARKED
from .models import ChangeRow, TableRow

COLUMNS = ("table_id", "number", "kind", "entry", "entries", "client", "at", "taken")

_of_the_table = TableRow.id == bindparam("table_id")
_change_of_the_table = ChangeRow.table_id == bindparam("table_id")

# -- questions

_mark = ChangeRow.at + " " + ChangeRow.kind + " " + func.substr(ChangeRow.entries, 1, MARKED)  # as `Row.mark`
_seen = exists().where(_change_of_the_table, ChangeRow.client == bindparam("client"))
STANDING, STANDING_AND_SEEN = (
    select(ChangeRow.number, TableRow.secret, seen, TableRow.offered, _mark)
    .where(_of_the_table, _change_of_the_table, ChangeRow.table_id == TableRow.id)
    .order_by(ChangeRow.number.desc())
    .limit(1)
    for seen in (false(), _seen)
)
NAMES = select(TableRow.names).where(_of_the_table)
ROWS = (
    select(ChangeRow.number, ChangeRow.kind, ChangeRow.entry, ChangeRow.entries, ChangeRow.client, ChangeRow.at)
    .where(_change_of_the_table, ChangeRow.number > bindparam("after"))
    .order_by(ChangeRow.number)
)
_last = (
    select(func.coalesce(ChangeRow.taken, ChangeRow.at))
    .where(_change_of_the_table)
    .order_by(ChangeRow.number.desc())
    .limit(1)
    .scalar_subquery()
)
TAKEOVER = select(TableRow.epoch, TableRow.guesses, TableRow.barred, _last).where(_of_the_table)
IDS = select(TableRow.id).order_by(TableRow.created, TableRow.id)
ANYTHING: Executable = select(literal_column("1"))

# -- one more change
# The statement that writes also checks the row before and the secret. So no number is ever skipped, and a hand-over in
# between is noticed. With the mark of the row before, so is a database that was put back to an earlier state. What is
# not found is NULL, which these columns refuse. (A condition on the whole statement would do the same, but SQLite then
# writes the row into a temporary table first.)

_next_number = select(ChangeRow.number + 1).where(_change_of_the_table, ChangeRow.number == bindparam("number") - 1)
# The table's row is locked during this statement: a hand-over waits for it, and nothing of the old dealer comes after.
# (SQLite has one writer at a time anyway.)
_dealers_table = (
    select(TableRow.id).where(_of_the_table, TableRow.secret == bindparam("secret")).with_for_update(read=True)
)
_after_the_same = _next_number.where(_mark == bindparam("after"))
APPENDS = {  # by whether the secret is checked, and whether the mark of the row before is
    (by_dealer, marked): insert(ChangeRow)
    .inline()  # nothing is fetched afterwards
    .values(
        {name: bindparam(name) for name in COLUMNS}
        | {"number": (_after_the_same if marked else _next_number).scalar_subquery()}
        | ({"table_id": _dealers_table.scalar_subquery()} if by_dealer else {})
    )
    for by_dealer in (False, True)
    for marked in (False, True)
}

# -- who deals

OFFER = update(TableRow).where(_of_the_table, TableRow.secret == bindparam("mine")).values(offered=bindparam("until"))
GUESSED = (
    update(TableRow)
    .where(_of_the_table, TableRow.guesses == bindparam("count") - 1)
    .values(guesses=bindparam("count"), barred=bindparam("until"))
)
PASS_ON = (
    update(TableRow)
    .where(_of_the_table, TableRow.epoch == bindparam("old"))
    .values(secret=bindparam("new"), epoch=bindparam("next"), offered=null(), guesses=0, barred=null())
)
