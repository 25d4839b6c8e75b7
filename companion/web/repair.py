"""The repair of an entry: its alternatives, entries that may be missing before it, and the consequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.engine.notation import Entry
from companion.engine.sentence import EntryError
from companion.engine.verbs import CARD, describe_entry, describe_entry_by
from companion.games import GAMES
from companion.table.change import Change, Kind
from companion.table.log import Refused, Step, card_forms
from companion.table.table import Table
from companion.web.forms import whole
from companion.web.i18n import gettext as _
from companion.web.i18n import translate

# Numbers this far from the one entered are not offered: nobody mistakes 3 for 30.
FAR = 10
KINDS: dict[str, Kind] = {
    "amend": "amend",
    "round": "amend round",
    "insert": "insert",
    "remove": "remove",
    "cut": "cut",
}


class RepairKey(NamedTuple):
    """A key of the repair panel, with its entry and label."""

    entry: str
    label: str
    chosen: bool
    same: bool  # it is the present entry


class Consequences(NamedTuple):
    """What a repair would change, in sentences."""

    kind: str
    sentences: tuple[str, ...]
    fits: bool = False
    dropped: tuple[str, ...] = ()  # entries that it would delete


@dataclass(frozen=True)
class KeyGroup:
    """Keys for one purpose: numbers as a keypad, everything else in words below it."""

    kind: str
    title: str
    numbers: tuple[RepairKey, ...]
    words: tuple[RepairKey, ...]


@dataclass(frozen=True)
class RepairPanel:
    """The panel below the line that was tapped."""

    number: int
    title: str
    message: str
    entry: str
    groups: tuple[KeyGroup, ...]
    preview: Consequences | None


def repair_panel(table: Table, picked: Step, chosen: Mapping[str, str], message: str = "") -> RepairPanel:
    """The keys for an entry; once one is chosen, only its group and the consequences."""
    wanted = wanted_repair({**chosen, "n": str(picked.number)})
    entry = wanted.entries[0] if wanted and wanted.entries else ""
    preview = consequences(table, wanted) if wanted else None
    groups = [
        _group("amend", _("Change it to"), picked, table.alternatives(picked.number), entry),
        _group("insert", _("Insert what was missed before it"), picked, table.missed(picked.number), entry),
    ]
    if wanted is not None:
        groups = [group for group in groups if group.kind == wanted.kind.split()[0]]
    return RepairPanel(
        number=picked.number,
        title=in_words(picked),
        message=message,
        entry=entry,
        groups=tuple(group for group in groups if group.numbers or group.words),
        preview=preview,
    )


def wanted_repair(form: Mapping[str, str]) -> Change | None:
    """The change a repair form asks for; None while it is incomplete."""
    number, kind, entry = whole(form.get("n", "")), form.get("kind", "amend"), form.get("entry", "").strip()
    if number is None:
        return None
    bare = kind in ("remove", "cut")
    if kind not in KINDS or not (bare or entry):
        return None
    return Change(KINDS[kind], () if bare else (entry,), number)


def _group(kind: str, title: str, step: Step, offered: list[Entry], chosen: str) -> KeyGroup:
    """A group of keys: numbers near the one entered, and other entries in words. Each label appears once."""
    picked, cards = step.entry, card_forms(step.before)
    numbers = [entry for entry in offered if _is_number(entry)]
    near = picked.args[0] if _is_number(picked) else min((entry.args[0] for entry in numbers), default=0)
    keys: dict[str, RepairKey] = {}
    words: dict[str, RepairKey] = {}
    for entry in offered:
        if _is_number(entry) and abs(entry.args[0] - near) >= FAR:
            continue
        by_value = entry.verb == CARD and not cards
        number = by_value or (_is_number(entry) and entry.verb == picked.verb != CARD)  # the number alone is clear
        label = (
            str(entry.args[0]) if number else translate(describe_entry(entry, GAMES, short=bool(cards), cards=cards))
        )
        key = RepairKey(str(entry), label, str(entry) == chosen, kind == "amend" and entry == picked)
        group = keys if number else words
        before = group.get(label, key)
        group[label] = key._replace(chosen=key.chosen or before.chosen, same=key.same or before.same)
    return KeyGroup(kind, title, tuple(keys.values()), tuple(words.values()))


def _is_number(entry: Entry) -> bool:
    return len(entry.args) == 1 and isinstance(entry.args[0], int)


def consequences(table: Table, wanted: Change) -> Consequences:
    """What a repair would change. If later entries do not fit it, try it without the rest of the round."""
    kind = next(name for name, known in KINDS.items() if known == wanted.kind)
    try:
        return Consequences(kind, _changes(table, wanted), fits=True)
    except EntryError as error:
        refusal = error
    if wanted.kind == "amend" and wanted.number is not None:
        try:
            changes = _changes(table, Change("amend round", wanted.entries, wanted.number))
        except EntryError:
            return Consequences(kind, (_why_not(table, refusal),))
        step = table.step(wanted.number)
        gone = [s for s in table.steps(since=step.number + 1) if (s.game, s.round) == (step.game, step.round)]
        return Consequences("round", changes, fits=True, dropped=tuple(map(in_words, gone)))
    return Consequences(kind, (_why_not(table, refusal),))


def _changes(table: Table, wanted: Change) -> tuple[str, ...]:
    _after, changes = table.preview(wanted)
    return tuple(map(translate, changes))


def _why_not(table: Table, error: EntryError) -> str:
    """The first entry that would no longer fit, and why."""
    why = translate(error.sentence)
    if not isinstance(error, Refused) or error.at > table.head.number:
        return why
    text = _("Entry {number} ({what}) would no longer be possible. {why}")
    return text.format(number=error.at, what=in_words(table.step(error.at)), why=why)


def in_words(step: Step) -> str:
    """An entry in words, with its player."""
    return translate(describe_entry_by(step.seat, step.entry, GAMES, card_forms(step.before)))
