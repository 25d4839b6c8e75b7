"""Tables from a file, a link or another table: previewed, then opened. The phone that opens one deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.notation import Entry, clean_name
from companion.engine.record import RecordError
from companion.engine.sentence import EntryError, InvalidEntry, say
from companion.games import GAMES
from companion.store import DamagedTable, Listed
from companion.table.people import Aliases, with_alias
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.screen import marks
from companion.web.chips import ScoreRow
from companion.web.dealing import UnknownTable, fingerprint
from companion.web.files import TableInFile, aliases_in, bare_lines, record_in, tables_in
from companion.web.format import days_ago
from companion.web.forms import id_of_opening, whole
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.logs import log_damage
from companion.web.people import Person
from companion.web.phones import my_tables, own_secret, remember_dealer
from companion.web.slow import slow
from companion.web.table import load_for_phone
from companion.web.tables import tables

blueprint = Blueprint("importing", __name__)


@dataclass(frozen=True)
class Arrival:
    game: str
    round: int
    entries: int
    points: bool  # whether the game has points
    scores: tuple[ScoreRow, ...]
    record: str  # sent back by the form that opens it


def arrival_screen(table: Table) -> Arrival:
    state = table.state
    game, named = table.games[state.game], marks(state)
    return Arrival(
        game=translate(game.title),
        round=state.round,
        entries=table.head.number,
        points=game.scores_points,
        scores=tuple(
            ScoreRow(Person(seat.name, named[seat.name]), seat.points, seat.chips) for seat in state.everyone()
        ),
        record=table.record(notes=False),
    )


@dataclass(frozen=True)
class ArrivingTable:
    """One of many tables in a file."""

    game: str
    names: tuple[str, ...]
    when: str  # when it was played last, if the file says so
    entries: int
    here: bool  # this phone has it already


@dataclass(frozen=True)
class Arrivals:
    """One part of the tables in a file."""

    tables: tuple[ArrivingTable, ...]
    first: int  # the place in the file where the part begins, from 0
    part: str  # which tables of the file these are; empty if they are all
    more: bool  # other tables of the file follow
    new: int  # tables of the part that this phone does not have yet
    text: str  # sent back by the form that opens them


PART = 100  # tables of a file that are read and opened at once
SHOWN_AGAIN = 50_000  # characters: a longer record is not shown again after a refusal


def found(listed: Iterable[Listed], read: Callable[[Listed], Table] | None = None) -> Iterator[tuple[Listed, Table]]:
    """The tables of a list that still exist and are not damaged."""
    read = read or tables().read_once
    for one in listed:
        try:
            yield one, read(one)
        except UnknownTable:
            continue
        except DamagedTable:  # the other tables are fine
            log_damage(one.table)


def opened(names: Sequence[str], entries: Sequence[Entry]) -> ResponseReturnValue:
    """Open a table that this phone deals, and go to it."""
    client, phone = id_of_opening(request.form), own_secret()
    table_id, _secret, _table = tables().create(names, entries, request.remote_addr, client, phone=phone)
    remember_dealer(table_id)
    return redirect(url_for("table.show", table_id=table_id), 303)


def arrived(record: str, preview: bool = True) -> ResponseReturnValue:
    """Preview or open a record, or the record in a link."""
    try:
        text = record_in(record)
        sources = tables_in(text)
        if len(sources) > 1 or sources[0].played:
            return many_arrived(text, sources, preview)
        read = tables().read_record(text, request.remote_addr, preview)
        if preview:
            return render_template("lobby/arrival.html", screen=arrival_screen(read))
        return opened(read.names, [step.entry for step in read.steps()])
    except EntryError as error:
        line = getattr(error, "line", None)
        shown = record if len(record) <= SHOWN_AGAIN else ""
        message = translate(error.sentence)
        if line:
            message = _("Line {line}: {why}").format(line=line, why=message)
        return render_template("lobby/import.html", message=message, record=shown), 422


class Summary(NamedTuple):
    """What the preview says of a table: a phone may have very many, too many to hold them all at once."""

    game: str
    names: tuple[str, ...]
    entries: int


def summary(table: Table) -> Summary:
    return Summary(table.state.game, table.names, table.head.number)


@dataclass(frozen=True)
class Arrived:
    """One of many tables in a file."""

    source: TableInFile
    summary: Summary
    table: Table | None  # None: this phone has it already, perhaps with more entries

    @property
    def here(self) -> bool:
        return self.table is None


def many_arrived(text: str, sources: Sequence[TableInFile], preview: bool) -> ResponseReturnValue:
    """Preview one part of a file's tables; or open those that are not on this phone yet, and preview the next part."""
    first = whole(request.form.get("first", "")) or 0
    if preview:
        return render_template("lobby/arrivals.html", screen=arrivals_screen(text, sources, first))
    new = [(one.source, one.table) for one in read_part(sources, first, preview=False) if one.table]
    tables().check_opening_rate(request.remote_addr, len(new))  # open all of a part or none
    with slow().turn():
        open_all(new)
    add_aliases(aliases_in(text))
    if first + PART < len(sources):
        return render_template("lobby/arrivals.html", screen=arrivals_screen(text, sources, first + PART))
    return redirect(url_for("evenings.show"), 303)


def read_part(sources: Sequence[TableInFile], first: int, preview: bool) -> list[Arrived]:
    """The tables of the part that begins at a place, if this phone has room for them."""
    mine = my_tables()
    with slow().turn():
        here = [(bare_lines(table.record(notes=False)), summary(table)) for _one, table in found(mine)]
        part = [read_table(source, here, preview) for source in sources[first : first + PART]]
    new = sum(not one.here for one in part)
    room = current_app.config["TABLES_OF_A_PHONE"] - len(mine)
    if new > room:
        full = say("New tables in this file: {count}. This phone has room for {room} more.", count=new, room=room)
        raise InvalidEntry(full)
    return part


def arrivals_screen(text: str, sources: Sequence[TableInFile], first: int) -> Arrivals:
    part = read_part(sources, first, preview=True)
    listed = tuple(
        ArrivingTable(
            translate(GAMES[one.summary.game].title),
            one.summary.names,
            days_ago(one.source.played),
            one.summary.entries,
            one.here,
        )
        for one in part
    )
    last = first + len(part)
    of = last < len(sources) or first > 0
    return Arrivals(
        tables=listed,
        first=first,
        part=_("{first}–{last} of {count}").format(first=first + 1, last=last, count=len(sources)) if of else "",
        more=last < len(sources),
        new=sum(not one.here for one in part),
        text=text,
    )


def open_all(new: Iterable[tuple[TableInFile, Table]]) -> None:
    """Open tables of a file. A form that is sent twice opens each table once."""
    form_id = id_of_opening(request.form)
    for source, table in new:
        client = f"{form_id}-{source.line}" if form_id else None
        entries = [step.entry for step in table.steps()]
        table_id, _secret, _table = tables().create(
            table.names, entries, request.remote_addr, client, at=source.played, phone=own_secret()
        )
        remember_dealer(table_id)
        tables().store.remember(fingerprint(own_secret()), table_id, seat=source.seat, hidden=source.hidden)


def add_aliases(arrived: Aliases) -> None:
    """Add other names of people to the list of this phone. What is known already stays."""
    phone, store = fingerprint(own_secret()), tables().store
    known: Aliases = store.aliases(phone)
    for name, other in arrived.items():
        with suppress(InvalidEntry):  # they are one person already, or nobody
            more = with_alias(known, clean_name(name), clean_name(other))
            for key in more.keys() - known.keys():
                store.set_alias(phone, key, more[key])
            known = more


def read_table(source: TableInFile, here: Iterable[tuple[str, Summary]], preview: bool) -> Arrived:
    bare = source.bare
    known = next((of for lines, of in here if lines.startswith(bare)), None)
    if known is not None:
        return Arrived(source, known, None)
    try:
        table = tables().read_record(source.record, request.remote_addr, preview)
        return Arrived(source, summary(table), table)
    except RecordError as error:
        raise RecordError(source.line + error.line, error.sentence) from error


@blueprint.route("/import", methods=["GET", "POST"])
def read_file() -> ResponseReturnValue:
    """The page to open a table from a file or a link, with a preview."""
    if request.method == "GET":
        own_secret()  # as on the home page
        return render_template("lobby/import.html", message="", record="")
    upload = request.files.get("file")
    record = upload.read().decode("utf-8", "replace") if upload and upload.filename else request.form.get("record", "")
    return arrived(record, preview="preview" in request.form)


@blueprint.post(f"{A_TABLE}/fork")
def fork(table_id: str) -> ResponseReturnValue:
    """Open a copy of a table that this phone deals, for entries that the server refused."""
    tables().check_opening_rate(request.remote_addr)
    table, _dealer = load_for_phone(table_id)
    return opened(table.names, [step.entry for step in table.steps()])
