"""Luck and skill of an evening: the part of the cards, the part of the players, and how little one evening proves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from flask import Blueprint
from flask.typing import ResponseReturnValue

from companion.coach import Choice, is_hidden, report
from companion.coach.accounts import Account
from companion.coach.advice import Unit
from companion.coach.judging import Judged
from companion.coach.words import choice_name, counted, luck_line, luck_notes, percent, shown, signed
from companion.engine.verbs import VERBS, describe_entry_by
from companion.table.log import card_forms
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.screen import Mark, marks
from companion.web.coaching import Progress, coaching
from companion.web.format import listing
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate
from companion.web.pages import Screen, common, draw_page
from companion.web.people import Person
from companion.web.table import load_for_phone

blueprint = Blueprint("luck", __name__, url_prefix=A_TABLE)

HALF = 100  # the length of the longest bar in the chart, to either side of the middle
UNITS: tuple[Unit, ...] = ("lose", "chips")
# The standard deviation of luck in one game of Pairs, as a share of a lost game, by players: from many games.
SPREADS = {2: 0.46, 3: 0.43, 4: 0.40, 5: 0.37, 6: 0.33}


@dataclass(frozen=True)
class CauseBar:
    """One cause of a result as a bar: to the right of the middle for a gain, to the left for a loss."""

    title: str
    figure: str
    x: float
    width: float
    style: str


@dataclass(frozen=True)
class PersonLuck:
    """The causes of one player's result."""

    person: Person
    line: str = ""  # of one game
    bars: tuple[CauseBar, ...] = ()  # of the evening


@dataclass(frozen=True)
class EveningLuck:
    """All games that are counted in the same unit, together."""

    title: str
    sentences: tuple[str, ...]  # who was luckiest and unluckiest, and the costliest decision
    unit: str
    people: tuple[PersonLuck, ...]
    proof: str  # how little it proves


@dataclass(frozen=True)
class Moment:
    """A remarkable entry, and its place in the history."""

    title: str
    text: str
    entry: str
    number: int


@dataclass(frozen=True)
class GameLuckRow:
    title: str
    people: tuple[PersonLuck, ...]
    moments: tuple[Moment, ...]


@dataclass(frozen=True)
class LuckScreen(Screen):
    hidden: bool
    done: int
    total: int
    ask_again: str  # the hx-trigger of the next request
    evening: tuple[EveningLuck, ...]
    moments: tuple[Moment, ...]
    games: tuple[GameLuckRow, ...]
    notes: tuple[str, ...]

    @property
    def finished(self) -> bool:
        return self.done == self.total


def luck_screen(
    table: Table, table_id: str, dealer: bool, judged: Sequence[Judged], total: int, held_up: bool, hidden: bool
) -> LuckScreen:
    """The page with the games judged so far."""
    page = _LuckPage(table, judged)
    return LuckScreen(
        **common(table, table_id, dealer, _("Luck and skill")),
        hidden=hidden,
        done=len(judged),
        total=total,
        ask_again="load delay:1s" if held_up else "load",
        evening=tuple(page.evening(unit) for unit in UNITS if page.of(unit)),
        moments=tuple(page.moments(judged)),
        games=tuple(page.game(each) for each in judged) if len(judged) > 1 else (),
        notes=tuple(map(translate, luck_notes({found.unit for _log, found in judged}))) if judged else (),
    )


class _LuckPage:
    """The judged games of a table in words and bars."""

    def __init__(self, table: Table, judged: Sequence[Judged]) -> None:
        self.table = table
        self.judged = judged
        self.marks = marks(table.state)

    def of(self, unit: Unit) -> list[Judged]:
        return [each for each in self.judged if each[1].unit == unit]

    # -- the evening

    def evening(self, unit: Unit) -> EveningLuck:
        games = self.of(unit)
        sums = summed(found.accounts for _log, found in games)
        in_unit = {name: shown(account, unit) for name, account in sums.items()}
        longest = max((abs(figure) for account in in_unit.values() for figure in figures(account)), default=0) or 1
        people = tuple(PersonLuck(self.person(name), bars=bars(account, longest)) for name, account in in_unit.items())
        if unit == "chips":
            little = _("One evening proves little: the cards can outweigh every choice.")
            explained = _("Chips won and lost. The causes add up to the result.")
            return EveningLuck(_("The evening in chips"), self.in_short(unit, in_unit), explained, people, little)
        points = _("Points here are hundredths of a lost game, not card points. The causes add up to the result.")
        little = proof([len(found.accounts) for _log, found in games])
        return EveningLuck(_("The evening of Pairs"), self.in_short(unit, in_unit), points, people, little)

    def in_short(self, unit: Unit, in_unit: dict[str, Account]) -> tuple[str, str, str]:
        """Who was luckiest and unluckiest, as the bars show it, and the costliest decision."""
        scale = 100 if unit == "lose" else 1
        most, least = (pick(account.luck for account in in_unit.values()) for pick in (max, min))
        names = {
            luck: listing(name for name, account in in_unit.items() if account.luck == luck) for luck in (most, least)
        }
        dearest = report(self.judged)["dearest"].get(unit)
        costliest = _("Costliest decision: {name}, {choice}, {cost}.")
        return (
            _("Luckiest: {names}, {amount} from the cards.").format(
                names=names[most], amount=amount(most / scale, unit)
            ),
            _("Unluckiest: {names}, {amount} from the cards.").format(
                names=names[least], amount=amount(least / scale, unit)
            ),
            costliest.format(**self.decision(dearest, unit)) if dearest else _("Nobody made a costly decision."),
        )

    def person(self, name: str) -> Person:
        """A player; one who has left the table has only a letter."""
        return Person(name, self.marks.get(name) or Mark(name[:1].upper(), "s8"))

    # -- game by game

    def game(self, judged: Judged) -> GameLuckRow:
        log, found = judged
        title = f"{log.number} {translate(self.table.games[found.game].title)}"
        people = tuple(
            PersonLuck(self.person(name), _line(account, found.unit)) for name, account in found.accounts.items()
        )
        return GameLuckRow(title, people, tuple(self.moments([judged])))

    # -- what stood out

    def moments(self, judged: Sequence[Judged]) -> Iterable[Moment]:
        found = report(judged)
        for unit in UNITS:
            if unit in found["dearest"]:
                yield self.dearest(found["dearest"][unit], unit)
            yield from self.turns(found["luckiest"].get(unit), found["unluckiest"].get(unit), unit)
        for beat in found["beats"]:
            text = _("{name}: a pair at a risk of {risk}, {cost}").format(
                name=beat["name"], risk=translate(percent(beat["risk"])), cost=amount(-beat["cost"], "lose")
            )
            yield self.moment(_("Bad luck after a good choice"), text, beat)

    def dearest(self, moment: dict[str, Any], unit: Unit) -> Moment:
        text = _("{name}: {choice}, {cost}").format(**self.decision(moment, unit))
        return self.moment(_("Costliest decision"), text, moment)

    def decision(self, moment: dict[str, Any], unit: Unit) -> dict[str, str]:
        """Who chose what, and the cost."""
        choice = translate(choice_name(Choice(moment["entry"], 0.0)))
        choice = choice[:1].lower() + choice[1:]
        return {"name": moment["name"], "choice": choice, "cost": amount(-moment["cost"], unit)}

    def turns(self, best: dict[str, Any] | None, worst: dict[str, Any] | None, unit: Unit) -> Iterable[Moment]:
        """The luckiest and the cruellest card; one moment if they are the same card."""
        if best and worst and best["n"] == worst["n"]:
            text = _("{first}; {second}").format(first=self.gain(best, unit), second=self.gain(worst, unit))
            title = _("Luckiest and cruellest card") if self.is_card(best) else _("Luckiest and cruellest round")
            yield self.moment(title, text, best)
            return
        if best:
            title = _("Luckiest card") if self.is_card(best) else _("Luckiest round")
            yield self.moment(title, self.gain(best, unit), best)
        if worst:
            title = _("Cruellest card") if self.is_card(worst) else _("Cruellest round")
            yield self.moment(title, self.gain(worst, unit), worst)

    def is_card(self, moment: dict[str, Any]) -> bool:
        """Whether the entry drew a card. A fold or a pass is not luck: then the round is named instead."""
        return VERBS[self.table.step(moment["n"]).entry.verb].draws

    def gain(self, moment: dict[str, Any], unit: Unit) -> str:
        return _("{name}: {what}").format(name=moment["name"], what=amount(moment["gain"], unit))

    def moment(self, title: str, text: str, moment: dict[str, Any]) -> Moment:
        step = self.table.step(moment["n"])
        what = translate(describe_entry_by(step.seat, step.entry, self.table.games, card_forms(step.before)))
        entry = _("entry {number}: {what}").format(number=step.number, what=what)
        return Moment(title, text, entry, step.number)


def summed(accounts: Iterable[dict[str, Account]]) -> dict[str, Account]:
    """Everybody's accounts, summed over several games."""
    found: dict[str, Account] = {}
    for game in accounts:
        for name, account in game.items():
            found.setdefault(name, Account()).add(account)
    return found


def figures(account: Account) -> tuple[float, ...]:
    return account.luck, account.gifts, account.skill, account.other, account.start, account.result


def bars(account: Account, longest: float) -> tuple[CauseBar, ...]:
    """The causes of a result as bars, the result last. Rare causes are left out if they are 0."""
    causes = (
        (_("Luck"), account.luck, "luck", True),
        (_("Others’ mistakes"), account.gifts, "gifts", True),
        (_("Own mistakes"), account.skill, "skill", True),
        (_("Corrections"), account.other, "other", False),
        (_("Starting position"), account.start, "other", False),
        (_("Result"), account.result, "result", True),
    )
    return tuple(
        _bar(title, value, longest, style) for title, value, style, always in causes if always or round(value, 1)
    )


def _bar(title: str, value: float, longest: float, style: str) -> CauseBar:
    width = round(HALF * abs(value) / longest, 1)
    return CauseBar(title, translate(signed(value)), HALF - width if value < 0 else HALF, width, style)


def proof(seats: Sequence[int]) -> str:
    """How far luck alone moves a player in these games, given the number of seats of each."""
    points = round(100 * sqrt(sum(SPREADS[min(count, 6)] ** 2 for count in seats)))
    games = len(seats)
    return ngettext(
        "One evening proves little: in {games} game luck alone moves a player by about {points} points, up or down.",
        "One evening proves little: in {games} games luck alone moves a player by about {points} points, up or down.",
        games,
    ).format(games=games, points=points)


def _line(account: Account, unit: Unit) -> str:
    return translate(luck_line(account, unit))


def amount(value: float, unit: Unit) -> str:
    """An amount with its unit. Points are hundredths of a lost game."""
    if unit == "lose":
        points = round(100 * value)
        return ngettext("{number} point", "{number} points", abs(points)).format(number=translate(signed(points)))
    return ngettext("{number} chip", "{number} chips", counted(value)).format(number=translate(signed(value)))


@blueprint.get("/luck")
def show(table_id: str) -> ResponseReturnValue:
    """Luck and skill. Each request judges a little more; the page asks again until all games are judged."""
    table, dealer = load_for_phone(table_id)
    hidden = is_hidden(table)
    progress = Progress([], 0, held_up=False) if hidden else coaching().judge_next(table)
    if progress.judged and len(progress.judged) == progress.total:
        coaching().note_evening(table_id, table.version, progress.judged)
    return draw_page("coach/luck", luck_screen(table, table_id, dealer, *progress, hidden))
