"""At a table: the board, the menu, history and repair, the evening."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import quote
from zlib import crc32

from flask import Blueprint, Response, current_app, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.notation import Entry, parse, quote_name
from companion.engine.sentence import EntryError, InvalidEntry, Sentence, say
from companion.engine.verbs import card_drawn, describe_entry
from companion.table.change import Change, Kind
from companion.table.log import Refused, card_forms
from companion.table.table import Table
from companion.web.addresses import TABLE, addresses_of
from companion.web.assets import kept_answer
from companion.web.dealing import NoSecret, WrongSecret
from companion.web.format import grouped
from companion.web.forms import id_of_form, whole
from companion.web.fragments import draw_page, wants_fragment
from companion.web.framework import HTML, Answer
from companion.web.games import board
from companion.web.i18n import gettext as _
from companion.web.i18n import language, translate
from companion.web.screens.board import Board, Message
from companion.web.screens.chips import chips_screen
from companion.web.screens.deck import deck_screen
from companion.web.screens.hand import hand_screen
from companion.web.screens.menu import menu_screen
from companion.web.screens.page import Screen
from companion.web.screens.seats import seats_screen
from companion.web.screens.setup import read_game, setup_screen
from companion.web.security import dealers_secret, remember_watched
from companion.web.tables import Stale, tables

blueprint = Blueprint("table", __name__, url_prefix=f"{TABLE}<table_id>")

PAGES: dict[str, Callable[[Table, str, bool], Screen]] = {
    "menu": menu_screen,
    "deck": deck_screen,
    "seats": seats_screen,
    "chips": chips_screen,
}
# Pages with forms: one stays there, and a refusal is told there.
FORM_PAGES: dict[str, Callable[[Table, str, bool, str], Screen]] = {"seats": seats_screen, "chips": chips_screen}


def look(table_id: str) -> tuple[Table, bool]:
    return tables().look(table_id, dealers_secret(table_id))


def draw(screen: Board) -> str:
    """A board as a page, or as the fragment of the same bytes."""
    if wants_fragment():
        return current_app.jinja_env.get_template("board/_board.html").render(screen=screen)
    return render_template("board/board.html", screen=screen)


def show_board(
    table_id: str, table: Table, dealer: bool, message: Message | None = None, status: int = 200
) -> ResponseReturnValue:
    """The board as it is after a change, or as it stays after a refusal."""
    me = "" if dealer else who_am_i(table_id)
    told = recovery_told(table, table_id, dealer, me)
    drawn = draw(board(table, table_id, dealer, message=message, me=me, recovery=told))
    return Answer(drawn, status, content_type=HTML)


def who_am_i(table_id: str) -> str:
    """The seat a watcher said is his."""
    me: str = session.get("me", {}).get(table_id, "")
    return me


def recovery_told(table: Table, table_id: str, dealer: bool, me: str) -> str:
    """The recovery code, where the board tells it: as the table opens, and to a watcher who said who he is."""
    told = table.version == 1 if dealer else me
    return grouped(tables().dealing.recovery_code(table_id)) if told else ""


@blueprint.get("")
def show(table_id: str) -> ResponseReturnValue:
    """The table screen."""
    table, dealer, offered = tables().look_closely(table_id, dealers_secret(table_id))
    asked = request.args if request.query_string else {}  # a poll asks nothing, and to find nothing takes long
    choosing, me = asked.get("fold") == "1", who_am_i(table_id)
    # The version, and the last entry: after a backup was restored, another board may have the same version.
    last = crc32(f"{table.head.number} {table.head.entry} {table.head.at}".encode())
    tag = quote(f"{table.version}-{last:x}-{language()}-{int(dealer)}{int(offered)}{int(choosing)}-{me}")

    def drawing() -> str:
        told = recovery_told(table, table_id, dealer, me)
        screen = board(table, table_id, dealer, choosing, None, me, offered, told)
        return draw(screen if dealer else screen._replace(seen=tag))

    if not wants_fragment():
        return drawing()
    if asked.get("seen") == tag:
        return Response(status=204)
    # One tag or several, each in quotes; a proxy that packs the answer puts W/ before it.
    if f'"{tag}"' in request.environ.get("HTTP_IF_NONE_MATCH", ""):
        answer = Response(status=304)
    else:
        # A thousand watchers of one table ask for the same few drawings.
        answer = Answer(drawing()) if dealer else kept_answer(f"{addresses_of(table_id).board} {tag}", drawing)
    answer.set_etag(tag)
    return answer


def change(table_id: str, wanted: Change, page: str = "") -> ResponseReturnValue:
    """Make a change asked for by a form, and show the board, or the page of the table that the form is on."""
    secret, form = dealers_secret(table_id), request.form
    try:
        version, client = whole(form.get("version", "")), id_of_form(form, wanted)
        if version is None:
            raise InvalidEntry(say("The form is incomplete: reload the page."))
        table = tables().write(table_id, secret, version, wanted, client)
    except Stale as stale:
        return refused(table_id, stale.table, say("The table has moved on: nothing was entered."), 409, page=page)
    except (NoSecret, WrongSecret):
        now, _dealer = look(table_id)
        sentence = say("Another phone deals here now. Not entered: {what}.", what=wanted_in_words(wanted, now))
        return show_refusal(table_id, now, False, Message(translate(sentence)), 403, page)
    except EntryError as error:
        now, dealer = look(table_id)
        entry = error.entry if isinstance(error, Refused) else None
        return refused(table_id, now, error.sentence, 422, dealer, entry, page)
    if wants_fragment() and not page:
        return show_board(table_id, table, dealer=True)
    return redirect(url_for(f"table.{page or 'show'}", table_id=table_id), 303)


def wanted_in_words(wanted: Change, table: Table) -> Sentence | tuple[Sentence | str, ...]:
    """A change that was not made."""
    if wanted.kind == "undo":
        return say("Undo")
    return tuple(entry_in_words(line, table) for line in wanted.entries) or say("a repair")


def entry_in_words(line: str, table: Table) -> Sentence | str:
    """An entry that was not made; as it was sent, if it says nothing."""
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
    page: str = "",
) -> ResponseReturnValue:
    """The whole screen again, with the reason, and the way to a repair where the deck proves one is needed."""
    message = Message(translate(sentence))
    value = None if entry is None else card_drawn(entry)
    if value is not None and not table.state.pile.unseen[value]:
        address = url_for("table.history", table_id=table_id, card=value, _anchor="repair")
        message = Message(message.text, address, _("Repair it"))
    return show_refusal(table_id, table, dealer, message, status, page)


def show_refusal(
    table_id: str, table: Table, dealer: bool, message: Message, status: int, page: str
) -> ResponseReturnValue:
    """Why nothing was entered, on the page where it was tried."""
    if page not in FORM_PAGES:
        return show_board(table_id, table, dealer, message, status)
    return draw_page(f"table/{page}", FORM_PAGES[page](table, table_id, dealer, message.text)), status


@blueprint.post("/enter")
def enter(table_id: str) -> ResponseReturnValue:
    """What the dealer saw."""
    form = request.form
    entries = tuple([entry for entry in form.getlist("entry") if entry.strip()])[:20]
    if not entries:
        table, dealer = look(table_id)
        return show_board(table_id, table, dealer, Message(_("Nothing was entered.")), 422)
    return change(table_id, Change("enter", entries, shuffles=True), page_of(form))


def page_of(form: Mapping[str, str]) -> str:
    """The page of the table a form is on, if it is one to which one returns."""
    page = form["back"] if "back" in form else ""  # noqa: SIM401 - a form looks for what it has not got for long
    return page if page in (*FORM_PAGES, "menu") else ""


@blueprint.post("/undo", defaults={"kind": "undo"})
@blueprint.post("/redo", defaults={"kind": "redo"})
def undo(table_id: str, kind: Kind) -> ResponseReturnValue:
    """Take back the last change, or restore it."""
    return change(table_id, Change(kind))


@blueprint.post("/score")
def score(table_id: str) -> ResponseReturnValue:
    """Points or chips without cards: the form's parts make one entry."""
    form = request.form
    who, whom = form.get("seat", ""), form.get("to", "")
    number = form.get("points", "") or form.get("amount", "") or form.get("other", "").strip()
    verb = form.get("verb", "score")
    if verb not in ("score", "points", "buy", "pay", "bet") or not who:
        table, dealer = look(table_id)
        return show_refusal(table_id, table, dealer, Message(_("Choose a player first.")), 422, page_of(form))
    names = [quote_name(who), quote_name(whom)] if verb == "pay" else [quote_name(who)]
    return change(table_id, Change("enter", (" ".join([verb, *names, number]),)), page_of(form))


# -- the menu and what is behind it


@blueprint.post("/me")
def choose_me(table_id: str) -> ResponseReturnValue:
    """A watcher says who he is; remembered on his phone."""
    table, _dealer = look(table_id)
    name = request.form.get("me", "")
    known = {seat.name for seat in table.state.seats}
    remember_watched(table_id, name if name in known else "")
    return redirect(addresses_of(table_id).board, 303)


def show_page(name: str, table_id: str) -> ResponseReturnValue:
    """One of the pages behind the board."""
    table, dealer = look(table_id)
    return draw_page(f"table/{name}", PAGES[name](table, table_id, dealer))


@blueprint.get("/hand")
def hand(table_id: str) -> ResponseReturnValue:
    """For the hidden cards of a player, which stay on his phone."""
    table, dealer = look(table_id)
    return draw_page("table/hand", hand_screen(table, table_id, dealer, who_am_i(table_id)))


for _name in PAGES:
    blueprint.add_url_rule(f"/{_name}", _name, partial(show_page, _name))


@blueprint.get("/game")
def game(table_id: str) -> ResponseReturnValue:
    """Another game for the same people."""
    table, _dealer = look(table_id)
    screen = setup_screen({"game": table.state.game, **request.args.to_dict()})
    return render_template("table/game.html", at=addresses_of(table_id), version=table.version, screen=screen)


@blueprint.post("/game")
def start_game(table_id: str) -> ResponseReturnValue:
    """End what is on the table and start a game."""
    try:
        entry = read_game(request.form.to_dict())
    except EntryError as error:
        table, dealer = look(table_id)
        return show_board(table_id, table, dealer, Message(translate(error.sentence)), 422)
    return change(table_id, Change("enter", (str(entry),)))
