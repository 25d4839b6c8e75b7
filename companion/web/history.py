"""The history: every entry in words, newest first, in pages. One entry may be open for repair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.sentence import EntryError, InvalidEntry, say
from companion.engine.verbs import CARD, VERBS, card_drawn, card_named, describe_entry
from companion.table.log import Refused, Step, card_forms
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.screen import Mark, marks
from companion.web.format import signed
from companion.web.forms import id_of_form, whole
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate
from companion.web.pages import Screen, common, draw_page, wants_fragment
from companion.web.phones import dealers_secret
from companion.web.repair import RepairPanel, repair_panel, wanted_repair
from companion.web.slow import slow
from companion.web.table import load_for_phone
from companion.web.tables import Stale, tables

blueprint = Blueprint("history", __name__, url_prefix=A_TABLE)

A_PAGE = 80  # entries


@dataclass(frozen=True)
class HistoryLine:
    """An entry in the history."""

    number: int
    name: str
    mark: Mark | None
    face: str
    text: str
    at: str
    shown: bool  # a link led to this entry
    repaired: bool
    suspect: bool
    panel: RepairPanel | None = None


@dataclass(frozen=True)
class Round:
    title: str
    end: str
    lines: tuple[HistoryLine, ...]


@dataclass(frozen=True)
class History(Screen):
    rounds: tuple[Round, ...]
    message: str
    panel: RepairPanel | None
    older: int | None  # the neighbouring pages: each ends before this entry
    newer: int | None


def history_screen(table: Table, table_id: str, dealer: bool, chosen: Mapping[str, str], message: str = "") -> History:
    """A page of the log by rounds; on the dealer's phone with the repair panel of the picked entry."""
    picked, place = _picked(table, chosen), whole(chosen.get("at", ""))
    panel = repair_panel(table, picked, chosen, message) if picked and dealer else None
    end = _page_end(table, whole(chosen.get("before", "")), picked.number if picked else place)
    first, last = max(0, end - A_PAGE), table.head.number
    steps = table.steps(since=first)
    lines = [_line(table, step, chosen, panel) for step in steps[: end - first]]
    return History(
        **common(table, table_id, dealer, _("History")),
        rounds=_rounds(steps, lines),
        message="" if panel else message,
        panel=panel,
        older=first or None,
        newer=min(end + A_PAGE, last + 1) if end <= last else None,
    )


def _picked(table: Table, chosen: Mapping[str, str]) -> Step | None:
    """The entry that was named, or the latest one with a card that cannot be right."""
    number, card = whole(chosen.get("n", "")), whole(chosen.get("card", ""))
    if number is not None and number <= table.head.number:
        return table.step(number)
    if card is not None:
        step: Step | None = table.head
        while step is not None and card_drawn(step.entry) != card:
            step = step.before
        return step
    return None


def _page_end(table: Table, before: int | None, place: int | None) -> int:
    """The number of the entry before which the page ends: as asked for, or so that `place` is on the page."""
    newest = table.head.number + 1
    if before is not None:
        return max(1, min(before, newest))
    if place is not None and place < newest - A_PAGE:
        return max(place + A_PAGE // 2, A_PAGE)
    return newest


def _rounds(steps: list[Step], lines: list[HistoryLine]) -> tuple[Round, ...]:
    """The lines of a page, newest first, by game and round. A round may end on the page after this one."""
    groups: dict[tuple[int, int], list[HistoryLine]] = {}
    last: dict[tuple[int, int], Step] = {}
    several = steps[-1].game > 1
    for place, step in enumerate(steps):
        key = (step.game, step.round)
        if place < len(lines):
            groups.setdefault(key, []).append(lines[place])
        elif key not in groups:
            break
        if step.result or key not in last:
            last[key] = step
    found = []
    for (game, number), group in reversed(groups.items()):
        title = _("Round {number}").format(number=number)
        if several:
            title = _("Game {game}, round {number}").format(game=game, number=number)
        found.append(Round(title, _end(last[game, number], len(group)), tuple(reversed(group))))
    return tuple(found)


def _end(step: Step, count: int) -> str:
    """What the round brought everybody, and the chips that stayed in the middle or came from there."""
    if not step.result:
        return ngettext("{count} entry", "{count} entries", count).format(count=count)
    points = any(step.result.points.values())
    changes = dict(step.result.points if points else step.result.chips)
    if not points:
        changes[_("carried over")] = -sum(changes.values())
    return ", ".join(f"{name} {signed(number)}" for name, number in changes.items() if number)


def _line(table: Table, step: Step, chosen: Mapping[str, str], panel: RepairPanel | None) -> HistoryLine:
    entry = step.entry
    value = card_named(entry) if VERBS[entry.verb].by_seat else None
    cards = {} if value is None else card_forms(step.before)  # only a card needs the entries before it
    known = "" if value is None else str(value)
    face = "" if cards else known
    return HistoryLine(
        number=step.number,
        name=step.seat or "",
        mark=marks(table.state).get(step.seat or ""),
        face=face,
        text="" if entry.verb == CARD and face else translate(describe_entry(entry, table.games, cards=cards)),
        at=(step.at or "")[11:16],
        shown=chosen.get("at") == str(step.number),
        repaired=step.repaired,
        suspect=bool(known) and known == chosen.get("card"),
        panel=panel if panel and panel.number == step.number else None,
    )


@blueprint.get("/history")
def show(table_id: str) -> ResponseReturnValue:
    """The history, with the picked entry and a preview of its repair."""
    table, dealer = load_for_phone(table_id)
    return show_history(table_id, table, dealer, request.args.to_dict())


def show_history(
    table_id: str, table: Table, dealer: bool, chosen: dict[str, str], message: str = "", status: int = 200
) -> ResponseReturnValue:
    number = whole(chosen.get("n", ""))
    replayed = table.head.number - number if dealer and number is not None else 0  # by the preview of a repair
    with slow().turn(replayed):
        screen = history_screen(table, table_id, dealer, chosen, message)
    if wants_fragment() and screen.panel:
        # A key of the panel redraws it in place; a line moves it there.
        inside = request.headers.get("HX-Target") == "repair"
        return render_template("table/_repair.html" if inside else "table/_repair_moved.html", screen=screen), status
    return draw_page("table/history", screen), status


@blueprint.post("/repair")
def repair(table_id: str) -> ResponseReturnValue:
    """Make the repair that the preview showed."""
    form = request.form.to_dict()
    wanted = wanted_repair(form)
    table, dealer = load_for_phone(table_id)
    if wanted is None:
        return show_history(table_id, table, dealer, form, _("Choose what the entry should be."), 422)
    try:
        version, client = whole(form.get("version", "")), id_of_form(form, wanted)
        if version is None:
            raise InvalidEntry(say("The form is incomplete: reload the page."))
        tables().write(table_id, dealers_secret(table_id), version, wanted, client)
    except Stale as stale:
        return show_history(table_id, stale.table, dealer, {}, _("The table has moved on: nothing was changed."), 409)
    except EntryError as error:
        where = error.at if isinstance(error, Refused) else None
        why = translate(error.sentence)
        if where is not None:
            why = _("Entry {number} would no longer be possible. {why}").format(number=where, why=why)
        return show_history(table_id, table, dealer, form, why, 422)
    return redirect(url_for("table.show"), 303)
