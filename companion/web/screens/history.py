"""History and repair: every entry, and what another one in its place would change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.engine.errors import EntryError
from companion.engine.notation import Entry
from companion.engine.verbs import CARD, VERBS, card_drawn, card_named, said
from companion.table.change import Change, Kind
from companion.table.log import Refused, Step
from companion.table.table import Table
from companion.web.format import signed
from companion.web.forms import whole
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate

from .board import Mark
from .page import Screen, common
from .pieces import marks

# Numbers so far from the one entered are not offered in its place: nobody mistakes 3 for 30.
FAR = 10


@dataclass(frozen=True)
class Line:
    """An entry in the history."""

    number: int
    name: str
    mark: Mark | None
    face: str
    text: str
    at: str
    picked: bool
    repaired: bool
    suspect: bool


@dataclass(frozen=True)
class Round:
    title: str
    end: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class History(Screen):
    rounds: tuple[Round, ...]
    message: str
    picked: Line | None = None
    choices: tuple[tuple[str, str, bool], ...] = ()  # entry, label, chosen
    kind: str = "amend"
    entry: str = ""
    preview: tuple[str, ...] = ()
    fits: bool = False
    dropped: tuple[str, ...] = field(default=())


def history_screen(table: Table, table_id: str, dealer: bool, chosen: Mapping[str, str], message: str = "") -> History:
    """The log by rounds; the entry that is being repaired, with its consequences."""
    steps = table.steps()
    picked = _picked(steps, chosen)
    lines = [_line(table, step, step is picked, chosen.get("card", "")) for step in steps]
    base: dict[str, Any] = {
        **common(table, table_id, dealer, _("History")),
        "rounds": _rounds(steps, lines),
        "message": message,
    }
    if picked is None:
        return History(**base)
    kind = chosen.get("kind", "amend")
    entry = chosen.get("entry", "")
    choices = _choices(picked.entry, table.alternatives(picked.number), entry)
    shown: dict[str, Any] = {"picked": lines[picked.number], "choices": choices, "kind": kind, "entry": entry}
    wanted = wanted_repair({**chosen, "n": str(picked.number)})
    if wanted is None:
        return History(**base, **shown)
    return History(**{**base, **shown, **_consequences(table, wanted)})


def _picked(steps: list[Step], chosen: Mapping[str, str]) -> Step | None:
    """The entry named, or the likeliest culprit for a card that cannot be."""
    number, card = whole(chosen.get("n", "")), whole(chosen.get("card", ""))
    if number is not None and number < len(steps):
        return steps[number]
    if card is not None:
        same = [step for step in steps if card_drawn(step.entry) == card]
        return same[-1] if same else None
    return None


def wanted_repair(form: Mapping[str, str]) -> Change | None:
    """The change a repair form asks for; None while it is incomplete."""
    number, kind, entry = whole(form.get("n", "")), form.get("kind", "amend"), form.get("entry", "").strip()
    if number is None:
        return None
    kinds: dict[str, Kind] = {
        "amend": "amend",
        "round": "amend round",
        "insert": "insert",
        "remove": "remove",
        "cut": "cut",
    }
    bare = kind in ("remove", "cut")
    if kind not in kinds or not (bare or entry):
        return None
    return Change(kinds[kind], () if bare else (entry,), number)


def _choices(picked: Entry, others: list[Entry], chosen: str) -> tuple[tuple[str, str, bool], ...]:
    """What the entry may have been instead: other numbers near it, and what else the player could have done."""
    numbers = [entry.args[0] for entry in others if _is_number(entry)]
    near = picked.args[0] if _is_number(picked) else min(numbers, default=0)
    offered = [entry for entry in others if not _is_number(entry) or abs(entry.args[0] - near) < FAR]
    texts = [(str(entry), _label(entry, picked.verb)) for entry in offered]
    return tuple((text, label, text == chosen) for text, label in texts)


def _is_number(entry: Entry) -> bool:
    return len(entry.args) == 1 and isinstance(entry.args[0], int)


def _label(entry: Entry, verb: str) -> str:
    """The number alone where only that is different."""
    return str(entry.args[0]) if entry.verb == verb and _is_number(entry) else translate(said(entry))


def _consequences(table: Table, wanted: Change) -> dict[str, Any]:
    """What the repair would change; if it does not fit, whether it does without the rest of that round."""
    try:
        return _preview(table, wanted)
    except EntryError as error:
        refusal = error
    if wanted.kind == "amend" and wanted.number is not None:
        try:
            shown = _preview(table, Change("amend round", wanted.entries, wanted.number))
        except EntryError:
            return {"preview": (_why_not(table, refusal),)}
        step = table.step(wanted.number)
        gone = [s for s in table.steps(since=step.number + 1) if (s.game, s.round) == (step.game, step.round)]
        return {**shown, "kind": "round", "dropped": tuple(map(_in_words, gone))}
    return {"preview": (_why_not(table, refusal),)}


def _preview(table: Table, wanted: Change) -> dict[str, Any]:
    _after, changes = table.preview(wanted)
    return {"preview": tuple(map(translate, changes)), "fits": True}


def _why_not(table: Table, error: EntryError) -> str:
    """The first entry that would no longer fit, and why."""
    why = translate(error.sentence)
    if not isinstance(error, Refused) or error.at > table.head.number:
        return why
    text = _("Entry {number} ({what}) would no longer be possible: {why}")
    return text.format(number=error.at, what=_in_words(table.step(error.at)), why=why)


def _in_words(step: Step) -> str:
    return f"{step.seat or ''} {translate(said(step.entry))}".strip()


def _rounds(steps: list[Step], lines: list[Line]) -> tuple[Round, ...]:
    """Newest first, grouped by game and round."""
    groups: list[tuple[tuple[int, int], list[Line], Step]] = []
    for step, line in zip(steps, lines, strict=True):
        key = (step.game, step.round)
        if not groups or groups[-1][0] != key:
            groups.append((key, [], step))
        groups[-1][1].append(line)
        groups[-1] = (key, groups[-1][1], step if step.result else groups[-1][2])
    several = steps[-1].game > 1
    found = []
    for (game, number), group, last in reversed(groups):
        title = _("Round {number}").format(number=number)
        if several:
            title = _("Game {game}, round {number}").format(game=game, number=number)
        found.append(Round(title, _end(last, len(group)), tuple(reversed(group))))
    return tuple(found)


def _end(step: Step, count: int) -> str:
    if not step.result:
        return ngettext("{count} entry", "{count} entries", count).format(count=count)
    changes = step.result.points if any(step.result.points.values()) else step.result.chips
    return ", ".join(f"{name} {signed(number)}" for name, number in changes.items() if number) or ""


def _line(table: Table, step: Step, picked: bool, card: str) -> Line:
    entry = step.entry
    value = card_named(entry) if VERBS[entry.verb].by_seat else None
    face = "" if value is None else str(value)
    named = marks(table.state)
    return Line(
        number=step.number,
        name=step.seat or "",
        mark=named.get(step.seat or ""),
        face=face,
        text="" if entry.verb == CARD else translate(said(entry)),
        at=(step.at or "")[11:16],
        picked=picked,
        repaired=step.repaired,
        suspect=bool(card) and face == card,
    )
