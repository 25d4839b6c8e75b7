"""The statements of the store, built once."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    String,
    bindparam,
    delete,
    exists,
    false,
    func,
    insert,
    literal,
    literal_column,
    null,
    select,
    true,
    update,
)
from sqlalchemy.orm import aliased
from sqlalchemy.sql import Executable

from . import MARKED
from .models import AliasRow, ChangeRow, InvitationRow, ListedRow, TableRow

COLUMNS = ("table_id", "number", "kind", "entry", "entries", "client", "at", "taken")

_of_the_table = TableRow.id == bindparam("table_id")
_change_of_the_table = ChangeRow.table_id == bindparam("table_id")

# -- questions

_mark = ChangeRow.at + " " + ChangeRow.kind + " " + func.substr(ChangeRow.entries, 1, MARKED)  # as `Row.mark`
_seen = exists().where(_change_of_the_table, ChangeRow.client == bindparam("client"))
_listed_here = ListedRow.phone == bindparam("phone"), ListedRow.table_id == bindparam("table_id")
_seat = select(ListedRow.seat).where(*_listed_here).scalar_subquery()
STANDING = {  # by whether a client id is looked for, and the seat of a phone
    (by_client, by_phone): select(
        ChangeRow.number,
        TableRow.secret,
        _seen if by_client else false(),
        TableRow.offered,
        _mark,
        _seat if by_phone else literal(None),
    )
    .where(_of_the_table, _change_of_the_table, ChangeRow.table_id == TableRow.id)
    .order_by(ChangeRow.number.desc())
    .limit(1)
    for by_client in (False, True)
    for by_phone in (False, True)
}
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
# The table's row is locked during this statement: a hand-over waits for it, then the old dealer enters nothing more.
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

CHANGE_SECRET, CHANGE_SECRET_AND_DEALER = (
    update(TableRow)
    .where(TableRow.id == bindparam("of"), TableRow.secret == bindparam("old"))
    .values(secret=bindparam("new"), epoch=TableRow.epoch + passed_on)
    for passed_on in (0, 1)
)

# -- the end of a table: its own row first, which is locked until all is gone

CLOSE = update(TableRow).where(_of_the_table).values(epoch=TableRow.epoch + 1)
CLOSE_BY_DEALER = CLOSE.where(TableRow.secret == bindparam("mine"))
CLOSE_SILENT = CLOSE.where(_last < bindparam("before"))
DELETE = (
    delete(ListedRow).where(ListedRow.table_id == bindparam("table_id")),
    delete(ChangeRow).where(_change_of_the_table),
    delete(TableRow).where(_of_the_table),
)

# -- for the owner's commands

_last_taken = func.coalesce(ChangeRow.taken, ChangeRow.at)
_highest = aliased(ChangeRow)
SILENT = (
    select(ChangeRow.table_id, ChangeRow.number, _last_taken)
    .where(
        ChangeRow.number
        == select(func.max(_highest.number)).where(_highest.table_id == ChangeRow.table_id).scalar_subquery(),
        _last_taken < bindparam("before"),
    )
    .order_by(_last_taken, ChangeRow.table_id)
)
LISTED_BUT_GONE = (
    select(ListedRow.table_id).distinct().where(~exists().where(TableRow.id == ListedRow.table_id)).order_by("table_id")
)

# -- the lists of phones

_any_change = aliased(ChangeRow)
_newest = select(func.max(_any_change.number)).where(_any_change.table_id == ListedRow.table_id).scalar_subquery()
_listed = (
    select(
        ListedRow.table_id,
        ListedRow.dealt,
        ListedRow.seat,
        ListedRow.hidden,
        ChangeRow.number,
    )
    .where(
        ListedRow.phone == bindparam("phone"),
        ChangeRow.table_id == ListedRow.table_id,
        ChangeRow.number == _newest,
    )
    .order_by(ChangeRow.at.desc(), ListedRow.place.desc())
)
LISTED = _listed.add_columns(ChangeRow.at, _mark)
LISTED_BESIDE_DAMAGE = _listed.add_columns(literal(""), literal(""))  # no text of a row that may be damaged
_given = {
    "dealt": bindparam("is_dealt", type_=Boolean()),
    "seat": bindparam("own_seat", type_=String()),
    "hidden": bindparam("is_hidden", type_=Boolean()),
}
UPDATE_LISTED = (
    update(ListedRow)
    .where(ListedRow.phone == bindparam("whose"), ListedRow.table_id == bindparam("of"))
    .values({name: func.coalesce(given, getattr(ListedRow, name)) for name, given in _given.items()})
)
_others = aliased(ListedRow)
_next_place = select(func.coalesce(func.max(_others.place), 0) + 1).where(_others.phone == bindparam("whose"))
ADD_LISTED = insert(ListedRow).values(
    phone=bindparam("whose"),
    table_id=bindparam("of"),
    place=_next_place.scalar_subquery(),
    dealt=func.coalesce(_given["dealt"], false()),
    seat=func.coalesce(_given["seat"], ""),
    hidden=func.coalesce(_given["hidden"], false()),
)
ALIASES = select(AliasRow.key, AliasRow.name).where(AliasRow.phone == bindparam("phone"))
ADD_ALIAS = insert(AliasRow).values(phone=bindparam("whose"), key=bindparam("of"), name=bindparam("other"))
UPDATE_ALIAS = (
    update(AliasRow)
    .where(AliasRow.phone == bindparam("whose"), AliasRow.key == bindparam("of"))
    .values(name=bindparam("other"))
)
REMOVE_ALIAS = delete(AliasRow).where(AliasRow.phone == bindparam("phone"), AliasRow.key == bindparam("of"))
FORGET_LIST = (
    delete(ListedRow).where(ListedRow.phone == bindparam("phone")),
    delete(AliasRow).where(AliasRow.phone == bindparam("phone")),
    delete(InvitationRow).where(InvitationRow.phone == bindparam("phone")),
)

_mine, _theirs = aliased(ListedRow), aliased(ListedRow)
_my_alias = aliased(AliasRow)
COPY_LIST = (
    update(ListedRow)
    .where(
        ListedRow.phone == bindparam("to_phone"),
        ListedRow.table_id.in_(select(_theirs.table_id).where(_theirs.phone == bindparam("from_phone"), _theirs.dealt)),
    )
    .values(dealt=true()),
    insert(ListedRow).from_select(
        ["phone", "table_id", "place", "dealt", "seat", "hidden"],
        select(
            bindparam("to_phone", type_=String()),
            _theirs.table_id,
            _theirs.place,
            _theirs.dealt,
            _theirs.seat,
            _theirs.hidden,
        ).where(
            _theirs.phone == bindparam("from_phone"),
            ~exists().where(_mine.phone == bindparam("to_phone"), _mine.table_id == _theirs.table_id),
        ),
    ),
    insert(AliasRow).from_select(
        ["phone", "key", "name"],
        select(bindparam("to_phone", type_=String()), AliasRow.key, AliasRow.name).where(
            AliasRow.phone == bindparam("from_phone"),
            ~exists().where(_my_alias.phone == bindparam("to_phone"), _my_alias.key == AliasRow.key),
        ),
    ),
)

# -- invitations

INVITATION = select(InvitationRow.sealed, InvitationRow.until).where(InvitationRow.code == bindparam("of"))
INVITE = insert(InvitationRow).values(
    phone=bindparam("whose"), code=bindparam("new"), sealed=bindparam("secret"), until=bindparam("end")
)
INVITE_AGAIN = (
    update(InvitationRow)
    .where(InvitationRow.phone == bindparam("whose"))
    .values(code=bindparam("new"), sealed=bindparam("secret"), until=bindparam("end"))
)
USE_UP = delete(InvitationRow).where(InvitationRow.code == bindparam("of"))
WITHDRAW = delete(InvitationRow).where(InvitationRow.phone == bindparam("phone"))
SWEEP = delete(InvitationRow).where(InvitationRow.until < bindparam("now"))
