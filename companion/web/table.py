"""The board: shown, tapped, undone. Also the functions that the other pages of a table share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote
from zlib import crc32

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.notation import Entry, parse, quote_name
from companion.engine.sentence import EntryError, InvalidEntry, Sentence, say
from companion.engine.verbs import card_drawn, describe_entry
from companion.table.change import Change, Kind
from companion.table.log import Refused, card_forms
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.assets import kept_answer
from companion.web.board.screen import Board, Message
from companion.web.dealing import NoSecret, WrongSecret
from companion.web.format import grouped
from companion.web.forms import id_of_form, whole
from companion.web.games import board_screen
from companion.web.i18n import gettext as _
from companion.web.i18n import language, translate
from companion.web.pages import wants_fragment
from companion.web.phones import dealers_secret, remember_watched, this_phone, who_am_i
from companion.web.tables import Stale, tables

blueprint = Blueprint("table", __name__, url_prefix=A_TABLE)


class FormPage(NamedTuple):
    """A page with forms: a change returns to it, and a refusal is shown on it."""

    endpoint: str
    show: Callable[[Table, str, bool, str], str]  # table, its id, whether this phone deals, the refusal


def load_for_phone(table_id: str) -> tuple[Table, bool]:
    """The table, and whether this phone deals."""
    return tables().load_for(table_id, dealers_secret(table_id))


def draw(screen: Board) -> str:
    """The board as a page, or as a fragment of the same bytes."""
    if wants_fragment():
        return render_template("board/_board.html", screen=screen)
    return render_template("board/board.html", screen=screen)


def show_board(
    table_id: str, table: Table, dealer: bool, message: Message | None = None, status: int = 200
) -> ResponseReturnValue:
    """The present board, after a change or a refusal."""
    me = "" if dealer else who_am_i(table_id)
    recovery = recovery_shown(table, table_id, dealer, me)
    return draw(board_screen(table, table_id, dealer, message=message, me=me, recovery=recovery)), status


def recovery_shown(table: Table, table_id: str, dealer: bool, me: str) -> str:
    """The recovery code, if the board shows it: on a new table to the dealer, and to watchers with a seat."""
    shown = table.version == 1 if dealer else me
    return grouped(tables().dealing.recovery_code(table_id)) if shown else ""


@blueprint.get("")
def show(table_id: str) -> ResponseReturnValue:
    """The board. A watcher's board polls this address."""
    standing, dealer, offered, me = tables().look(table_id, dealers_secret(table_id), this_phone())
    choosing = (dealer and whole(request.args.get("choose", ""))) or 0
    # The mark of the last change, too: after a backup was restored, another board may have the same version.
    last = crc32(standing.mark.encode())
    tag = quote(f"{standing.version}-{last:x}-{language()}-{int(dealer)}{int(offered)}.{choosing}-{me}")

    def drawing() -> str:
        table = tables().load_as_of(table_id, standing)
        recovery = recovery_shown(table, table_id, dealer, me)
        screen = board_screen(table, table_id, dealer, choosing, None, me, offered, recovery)
        return draw(screen if dealer else screen._replace(seen=tag))

    if not wants_fragment():
        return drawing()
    if request.args.get("seen") == tag:
        return Response(status=204)
    # One tag or several, each in quotes; a proxy that compresses the answer puts W/ before it.
    if f'"{tag}"' in request.headers.get("If-None-Match", ""):
        answer = Response(status=304)
    else:
        # Many watchers of one table ask for the same few boards.
        answer = make_response(drawing()) if dealer else kept_answer(f"{request.root_path} {table_id} {tag}", drawing)
    answer.set_etag(tag)
    return answer


def change(table_id: str, wanted: Change, page: FormPage | None = None) -> ResponseReturnValue:
    """Make the change that a form asks for; then show the board, or the page with the form."""
    secret, form = dealers_secret(table_id), request.form
    try:
        version, client = whole(form.get("version", "")), id_of_form(form, wanted)
        if version is None:
            raise InvalidEntry(say("The form is incomplete: reload the page."))
        table = tables().write(table_id, secret, version, wanted, client)
    except Stale as stale:
        return refused(table_id, stale.table, say("The table has moved on: nothing was entered."), 409, page=page)
    except (NoSecret, WrongSecret):
        now, _dealer = load_for_phone(table_id)
        sentence = say("Another phone deals here now. Not entered: {what}.", what=wanted_in_words(wanted, now))
        return show_refusal(table_id, now, False, Message(translate(sentence)), 403, page)
    except EntryError as error:
        now, dealer = load_for_phone(table_id)
        entry = error.entry if isinstance(error, Refused) else None
        return refused(table_id, now, error.sentence, 422, dealer, entry, page)
    if wants_fragment() and not page:
        return show_board(table_id, table, dealer=True)
    return redirect(url_for(page.endpoint if page else "table.show"), 303)


def wanted_in_words(wanted: Change, table: Table) -> Sentence | tuple[Sentence | str, ...]:
    """A refused change in words."""
    if wanted.kind == "undo":
        return say("Undo")
    return tuple(entry_in_words(line, table) for line in wanted.entries) or say("a correction")


def entry_in_words(line: str, table: Table) -> Sentence | str:
    """A refused entry in words; unchanged if it cannot be read."""
    try:
        return describe_entry(parse(line), table.games, cards=card_forms(table.head))
    except (EntryError, ValueError, KeyError):
        return line


def refused(
    table_id: str,
    table: Table,
    sentence: Sentence,
    status: int,
    dealer: bool = True,
    entry: Entry | None = None,
    page: FormPage | None = None,
) -> ResponseReturnValue:
    """The page with the refusal; with a link to the repair if the deck proves an earlier entry wrong."""
    message = Message(translate(sentence))
    value = None if entry is None else card_drawn(entry)
    if value is not None and not table.state.pile.unseen[value]:
        address = url_for("history.show", card=value, _anchor="repair")
        message = Message(message.text, address, _("Correct it"))
    return show_refusal(table_id, table, dealer, message, status, page)


def show_refusal(
    table_id: str, table: Table, dealer: bool, message: Message, status: int, page: FormPage | None
) -> ResponseReturnValue:
    """The refusal, on the board or on the page with the form."""
    if page is None:
        return show_board(table_id, table, dealer, message, status)
    return page.show(table, table_id, dealer, message.text), status


@blueprint.post("/enter")
def enter(table_id: str) -> ResponseReturnValue:
    """Enter what the dealer saw."""
    entries = tuple(entry for entry in request.form.getlist("entry") if entry.strip())[:20]
    if not entries:
        table, dealer = load_for_phone(table_id)
        return show_board(table_id, table, dealer, Message(_("Nothing was entered.")), 422)
    return change(table_id, Change("enter", entries, shuffles=True))


@blueprint.post("/undo", defaults={"kind": "undo"})
@blueprint.post("/redo", defaults={"kind": "redo"})
def undo(table_id: str, kind: Kind) -> ResponseReturnValue:
    """Take back the last change, or restore it."""
    return change(table_id, Change(kind))


@blueprint.post("/score")
def score(table_id: str) -> ResponseReturnValue:
    """Enter points or chips without cards."""
    return enter_score(table_id)


def enter_score(table_id: str, page: FormPage | None = None) -> ResponseReturnValue:
    """Make one entry from the fields of a form: who, to whom, how much."""
    form = request.form
    who, whom = form.get("seat", ""), form.get("to", "")
    number = form.get("points", "") or form.get("amount", "") or form.get("other", "").strip()
    verb = form.get("verb", "score")
    if verb not in ("score", "points", "buy", "pay", "bet") or not who:
        table, dealer = load_for_phone(table_id)
        return show_refusal(table_id, table, dealer, Message(_("Choose a player first.")), 422, page)
    if verb == "pay" and who == whom:
        table, dealer = load_for_phone(table_id)
        return show_refusal(table_id, table, dealer, Message(_("Choose two different players.")), 422, page)
    names = [quote_name(who), quote_name(whom)] if verb == "pay" else [quote_name(who)]
    return change(table_id, Change("enter", (" ".join([verb, *names, number]),)), page)


@blueprint.post("/me")
def choose_me(table_id: str) -> ResponseReturnValue:
    """Remember the seat that a watcher chose, on this phone."""
    table, _dealer = load_for_phone(table_id)
    name = request.form.get("me", "")
    known = {seat.name for seat in table.state.seats}
    remember_watched(table_id, name if name in known else "")
    return redirect(url_for("table.show"), 303)
