"""Reads and runs the transcripts; transcripts/README.md describes their format."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from companion.engine.notation import parse
from companion.engine.play import open_table, play
from companion.engine.record import parse_seats, strip_comment
from companion.engine.report import report
from companion.engine.sentence import EntryError, InvalidEntry
from companion.engine.state import State
from companion.games import GAMES

FOLDER = Path(__file__).parent / "transcripts"


class TranscriptFailure(AssertionError):
    """A check of a transcript failed."""


@dataclass
class Runner:
    path: Path
    names: tuple[str, ...] = ()
    state: State[Any] | None = None
    number: int = 0
    checks: int = 0

    def run(self) -> int:
        """Play the whole file; return the number of checks made."""
        for number, raw in enumerate(self.path.read_text("utf-8").splitlines(), 1):
            line = strip_comment(raw)
            self.number = number
            if line:
                self.line(line)
        return self.checks

    def line(self, line: str) -> None:
        head, _, rest = line.partition(" ")
        if head == "fifty-five" or head == "rule":
            return
        if head == "seats":
            self.names = parse_seats(line)
        elif head in ("!", "=", "?"):
            self.checks += 1
            {"!": self.refused, "=": self.equals, "?": self.chance}[head](rest.strip())
        else:
            self.enter(line)

    def fail(self, message: str) -> None:
        raise TranscriptFailure(f"{self.path.parent.name}/{self.path.name}:{self.number}: {message}")

    def enter(self, line: str) -> None:
        try:
            self.state = self.after(line)
        except EntryError as error:
            self.fail(f"refused: {line}: {error}")

    def after(self, line: str) -> State[Any]:
        entry = parse(line)
        if self.state is None:
            return open_table(GAMES, self.names, entry)
        after = play(GAMES, self.state, entry)
        self.is_conserved(after)
        return after

    def is_conserved(self, state: State[Any]) -> None:
        if state.cards_accounted_for() != 55 * state.pile.decks or state.chips_accounted_for():
            self.fail("a card or a chip was lost")

    def refused(self, line: str) -> None:
        entry, _, words = line.partition("=>")
        try:
            self.after(entry.strip())
        except EntryError as error:
            if words.strip().casefold() not in str(error).casefold():
                self.fail(f"refused with other words: {error}")
        else:
            self.fail(f"was accepted: {entry}")

    @property
    def shown(self) -> dict[str, Any]:
        assert self.state is not None
        return report(GAMES[self.state.game], self.state)

    def equals(self, line: str) -> None:
        shown = self.shown
        if ":" not in line:
            kind = "points" if GAMES[shown["game"]].scores_points else "chips"
            line = f"{kind}: {line}"
        path, _, wanted = (part.strip() for part in line.partition(":"))
        if path.startswith("legal"):
            self.check_legal(path, _items(wanted), shown["legal"])
        elif path in ("points", "chips"):
            words = wanted.split()
            for name, number in zip(words[::2], words[1::2], strict=True):
                self.compare(f"{name}.{path}", self.seat(shown, name)[path], number)
        else:
            self.compare(path, self.find(shown, path), wanted)

    def check_legal(self, path: str, wanted: set[str], legal: list[str]) -> None:
        wrong = {
            "legal": wanted ^ set(legal),
            "legal has": wanted - set(legal),
            "legal lacks": wanted & set(legal),
        }[path]
        if wrong:
            self.fail(f"{path}: {sorted(wrong)} (legal are {legal})")

    def seat(self, shown: dict[str, Any], name: str) -> dict[str, Any]:
        for seat in shown["seats"]:
            if seat["name"] == name:
                return dict(seat)
        self.fail(f"no seat {name}")
        raise AssertionError

    def find(self, shown: dict[str, Any], path: str) -> Any:
        first, *rest = path.split(".")
        names = [seat["name"] for seat in shown["seats"]]
        found: Any = self.seat(shown, first) if first in names else shown.get(first, ABSENT)
        for key in rest:
            found = found.get(key, ABSENT) if isinstance(found, dict) else ABSENT
        return found

    def compare(self, path: str, found: Any, wanted: str) -> None:
        if _plain(found) != " ".join(wanted.split()):
            self.fail(f"{path} is {_plain(found)!r}, not {wanted!r}")

    def chance(self, line: str) -> None:
        shown, words = self.shown, line.split()
        if words[0] in ("next", "second", "challenge"):
            key = "odds" if words[0] == "next" else words[0]
            self.compare_chance(line, shown.get(key, {}).get(words[1]), words[2])
            return
        for kind, wanted in zip(words[1::2], words[2::2], strict=True):
            key = {"pair": "risk", "cost": "expected"}[kind]
            self.compare_chance(line, shown.get(key, {}).get(words[0]), wanted)

    def compare_chance(self, line: str, found: str | None, wanted: str) -> None:
        if found is None or Fraction(found) != Fraction(wanted):
            self.fail(f"{line}: found {found}")


ABSENT = object()


def _items(wanted: str) -> set[str]:
    separated = wanted.split(",") if "," in wanted else _words_or_entry(wanted)
    return {item.strip() for item in separated if item.strip()}


def _words_or_entry(wanted: str) -> list[str]:
    """`1 2 fold` is three entries, `take 2` one."""
    try:
        parse(wanted)
    except InvalidEntry:
        return wanted.split()
    return [wanted]


def _plain(found: Any) -> str:
    if found is ABSENT:
        return "absent"
    if found is None:
        return "none"
    if isinstance(found, list):
        return " ".join(map(str, found))
    if isinstance(found, dict):
        return " ".join(f"{key} {_plain(value)}" for key, value in found.items())
    return str(found)


def all_transcripts() -> list[Path]:
    return sorted(FOLDER.glob("*/*.txt"))


parametrized = pytest.mark.parametrize("path", all_transcripts(), ids=lambda path: f"{path.parent.name}/{path.stem}")
