"""The evening: who pays whom, how it went, the ledger; as a page, as text and as CSV."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flask import request, session

from companion.table.ledger import (
    FROM_BANK,
    IN_THE_MIDDLE,
    Cash,
    Course,
    Played,
    by_game,
    cash,
    chips_by_game,
    chips_by_round,
    forfeits,
    ledger,
    points_by_round,
    with_middle,
)
from companion.table.log import LedgerLine
from companion.table.settlement import settle
from companion.table.table import Table
from companion.web.charts import Chart, draw_chart
from companion.web.format import MINUS, plain, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate

from .board import Mark
from .page import Screen
from .pieces import marks

CURRENCY = "€"
MOST_CENTS = 1_000_00
_WORTH = re.compile(r"([0-9]{1,4})(?:[.,]([0-9]{1,2}))?")
# What a spreadsheet would take for a formula; the wide forms too.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
MANY = 5  # from so many people on, a game's title has a line of its own


# -- what a chip is worth


@dataclass(frozen=True)
class Worth:
    """What a chip is worth; 0 while nobody has said so."""

    cents: int = 0
    currency: str = CURRENCY

    def money(self, chips: int) -> str:
        """Some chips in money; nothing while nobody has said what they are worth."""
        if not self.cents:
            return ""
        whole, cents = divmod(abs(chips) * self.cents, 100)
        amount = _("{whole}.{cents}").format(whole=whole, cents=f"{cents:02}")
        form = _("{currency} {amount}") if self.currency[-1].isalpha() else _("{currency}{amount}")
        return (MINUS if chips < 0 else "") + form.format(currency=self.currency, amount=amount)

    def signed(self, chips: int) -> str:
        return ("+" if chips > 0 and self.cents else "") + self.money(chips)

    @property
    def typed(self) -> str:
        """As it stands in the form."""
        return f"{self.cents // 100}.{self.cents % 100:02}" if self.cents else ""


def read_worth(worth: str, currency: str) -> Worth | None:
    """What somebody typed: up to 1000, two decimals at most; nothing means that chips are only chips."""
    currency = unicodedata.normalize("NFC", currency[:40]).strip() or CURRENCY
    if len(currency) > 4 or any(unicodedata.category(char) not in ("Sc", "Lu", "Ll", "Lo") for char in currency):
        return None
    if not worth.strip():
        return Worth(0, currency)
    found = _WORTH.fullmatch(worth.strip())
    if not found:
        return None
    cents = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))
    return Worth(cents, currency) if 0 < cents <= MOST_CENTS else None


def worth_wanted() -> tuple[Worth, str]:
    """What a chip is worth, from the form or as this phone remembers it, and what is wrong with the form."""
    known = session.get("worth")
    before = Worth(*known) if known else Worth()
    if "worth" not in request.args:
        return before, ""
    read = read_worth(request.args["worth"], request.args.get("currency", before.currency))
    if read is None:
        return before, _("A chip is worth more than 0 and at most 1000, with two decimals at most.")
    if read != before:
        session["worth"] = [read.cents, read.currency]
        session.permanent = True
    return read, ""


# -- the screen


@dataclass(frozen=True)
class Party:
    """Somebody who pays or is paid; the middle has no mark."""

    name: str
    mark: Mark | None


@dataclass(frozen=True)
class Pay:
    who: Party
    whom: Party
    amount: int
    money: str
    why: str


@dataclass(frozen=True)
class Pays:
    """Payments that settle: the night, or one game of it."""

    title: str
    pays: tuple[Pay, ...]


@dataclass(frozen=True)
class PaidLine:
    """A payment as it was made."""

    when: str  # game and round
    who: Party
    whom: Party
    amount: str
    why: str


@dataclass(frozen=True)
class GameLine:
    title: str
    chips: tuple[str, ...]
    lines: tuple[PaidLine, ...]


@dataclass(frozen=True)
class Account:
    """The ledger of one player."""

    person: Party
    total: str
    money: str
    lines: tuple[PaidLine, ...]


@dataclass(frozen=True)
class SumLine:
    title: str
    figures: tuple[str, ...]
    main: bool = False


@dataclass(frozen=True)
class Evening(Screen):
    line: str
    game_by_game: bool
    settled: tuple[Pays, ...]
    worth: Worth
    message: str
    people: tuple[Party, ...]
    pot: bool  # whether the middle has a column in the ledger
    many: bool
    games: tuple[GameLine, ...]
    sums: tuple[SumLine, ...]
    carried: int
    forfeits: tuple[tuple[Party, str, str], ...]  # who, what, in which game
    accounts: tuple[Account, ...]
    chips: Chart | None
    points: tuple[Chart, ...]


def evening(
    table: Table, table_id: str, dealer: bool, worth: Worth, game_by_game: bool = False, message: str = ""
) -> Evening:
    """Everything the table has come to so far."""
    return _Maker(table, worth).screen(table_id, dealer, game_by_game, message)


class _Maker:
    def __init__(self, table: Table, worth: Worth) -> None:
        self.table = table
        self.worth = worth
        self.games = by_game(table)
        self.cash: Cash = cash(table)
        self.marks = marks(table.state)
        self.won = {name: sum(game.change.get(name, 0) for game in self.games) for name in self.marks}
        self.middle = with_middle(self.won).get(IN_THE_MIDDLE, 0)
        self.pot = any(IN_THE_MIDDLE in game.change for game in self.games)
        self.columns = [*self.marks, *([IN_THE_MIDDLE] if self.pot else [])]

    def screen(self, table_id: str, dealer: bool, game_by_game: bool, message: str) -> Evening:
        return Evening(
            table_id=table_id,
            version=self.table.version,
            dealer=dealer,
            title=_("The evening"),
            state=self.table.state,
            marks=self.marks,
            line=self.line(),
            game_by_game=game_by_game,
            settled=self.by_game() if game_by_game else self.fewest(),
            worth=self.worth,
            message=message,
            people=tuple(map(self.party, self.marks)),
            pot=self.pot,
            many=len(self.marks) >= MANY,
            games=tuple(
                GameLine(
                    self.title(game),
                    tuple(signed(game.change.get(name, 0)) for name in self.columns),
                    tuple(self.paid(line) for line in game.lines),
                )
                for game in self.games
            ),
            sums=tuple(self.sums()),
            carried=self.middle,
            forfeits=tuple(
                (self.party(owed.who), owed.what or _("a forfeit"), self.title(self.games[owed.game - 1]))
                for owed in forfeits(self.table)
            ),
            accounts=tuple(map(self.account, self.marks)),
            chips=self.chips_chart(),
            points=tuple(self.points_chart(course) for course in reversed(points_by_round(self.table)) if course.steps),
        )

    # -- words

    def line(self) -> str:
        count = len(self.games)
        line = ngettext("{count} game", "{count} games", count).format(count=count)
        if not self.worth.cents:
            return line
        return _("{games} · a chip is worth {money}").format(games=line, money=self.worth.money(1))

    def title(self, game: Played) -> str:
        """Its place in the evening, with stakes or, where every round is a game of its own, their number."""
        rules = self.table.games[game.key]
        name, stakes = translate(rules.title), game.options.get("stakes", "forfeit")
        if stakes != "forfeit":
            # The stakes are called after places: names that stay in any language.
            name = _("{game} · {stakes}").format(game=name, stakes=stakes.capitalize())
        if game.rounds > 1 and not rules.scores_points:
            name = _("{game} ×{rounds}").format(game=name, rounds=game.rounds)
        return f"{game.number} {name}"

    def party(self, name: str) -> Party:
        return Party(_party(name), self.marks.get(name))

    # -- who pays whom

    def fewest(self) -> tuple[Pays, ...]:
        pays = self.pays(with_middle(self.won), _("{who} stands at {lost}, {whom} at {won}"))
        return (Pays("", pays),) if pays else ()

    def by_game(self) -> tuple[Pays, ...]:
        found = []
        for game in self.games:
            pays = self.pays(game.change, _("in this game {who} has {lost}, {whom} {won}"))
            if pays:
                found.append(Pays(self.title(game), pays))
        return tuple(found)

    def pays(self, change: Mapping[str, int], why: str) -> tuple[Pay, ...]:
        return tuple(
            Pay(
                self.party(transfer.who),
                self.party(transfer.whom),
                transfer.amount,
                self.worth.money(transfer.amount),
                why.format(
                    who=_party(transfer.who),
                    lost=signed(change[transfer.who]),
                    whom=_party(transfer.whom),
                    won=signed(change[transfer.whom]),
                ),
            )
            for transfer in settle(change)
        )

    # -- the ledger

    def sums(self) -> Iterable[SumLine]:
        won = with_middle(self.won)
        yield SumLine(_("Won or lost"), tuple(signed(won.get(name, 0)) for name in self.columns), main=True)
        if any(self.cash.bought.values()) or any(self.cash.cashed.values()):
            chips = {seat.name: seat.chips for seat in self.table.state.everyone()}
            for title, figures in (
                (_("Bought in"), self.cash.bought),
                (_("Cashed out"), self.cash.cashed),
                (_("Chips now"), {**chips, IN_THE_MIDDLE: self.middle}),
            ):
                yield SumLine(title, tuple(plain(figures.get(name, 0)) for name in self.columns))

    def paid(self, line: LedgerLine, amount: str = "") -> PaidLine:
        when = _("round {number}").format(number=line.round)
        if amount:
            when = _("game {game}, round {number}").format(game=line.game, number=line.round)
        return PaidLine(
            when, self.party(line.who), self.party(line.whom), amount or str(line.amount), translate(line.why)
        )

    def account(self, name: str) -> Account:
        """A player's own lines: what came in and what went out, and why."""
        lines = []
        for game in self.games:
            for line in game.lines:
                if name in (line.who, line.whom):
                    lines.append(self.paid(line, signed(line.amount if line.whom == name else -line.amount)))
        won = self.won[name]
        return Account(self.party(name), signed(won), self.worth.signed(won), tuple(lines))

    # -- charts

    def chips_chart(self) -> Chart | None:
        if not any(game.lines for game in self.games):
            return None
        several = len(self.games) > 1
        course = chips_by_game(self.table, self.games) if several else chips_by_round(self.table)
        if not course.steps:
            return None
        title = _("Chips after each game") if several else _("Chips after each round")
        return draw_chart(title, _("Game") if several else _("Round"), self.marks, course.lines)

    def points_chart(self, course: Course) -> Chart:
        game = self.games[course.game - 1]
        bad = "limit" in self.table.games[game.key].options
        goal = None
        if course.goal is not None:
            words = _("limit {number}") if bad else _("goal {number}")
            goal = (course.goal, words.format(number=course.goal))
        title = _("Points by round: {game}").format(game=self.title(game))
        return draw_chart(title, _("Round"), self.marks, course.lines, goal, with_sign=False)


def _party(name: str) -> str:
    parties = {
        FROM_BANK: _("the bank"),
        ":pot": _("the pot"),
        IN_THE_MIDDLE: _("the middle"),
        ":front": _("in front"),
    }
    return parties.get(name, name)


# -- as files


def as_text(screen: Evening) -> str:
    """For a message to the others: who pays whom, the ledger, what is still owed."""
    told_of = _("{name}: {what}")
    lines = [told_of.format(name=screen.title, what=screen.line), "", _("Who pays whom")]
    for group in screen.settled:
        lines += [group.title] if group.title else []
        for pay in group.pays:
            words = _("{who} pays {whom} {amount}")
            told = words.format(who=pay.who.name, whom=pay.whom.name, amount=pay.amount)
            lines.append(f"  {told} ({pay.money})" if pay.money else f"  {told}")
    if not screen.settled:
        lines.append(f"  {_('Nobody owes anybody chips.')}")
    if screen.forfeits:
        lines += ["", _("Forfeits owed")]
        lines += ["  " + told_of.format(name=who.name, what=f"{what} ({game})") for who, what, game in screen.forfeits]
    heads = [person.name for person in screen.people] + ([_("the middle")] if screen.pot else [])
    lines += ["", _("Ledger")]
    for title, figures in [(game.title, game.chips) for game in screen.games] + [
        (line.title, line.figures) for line in screen.sums
    ]:
        what = ", ".join(f"{name} {chips}" for name, chips in zip(heads, figures, strict=True))
        lines.append("  " + told_of.format(name=title, what=what))
    if screen.carried:
        lines.append("  " + told_of.format(name=_("In the pot or carried"), what=screen.carried))
    return "\n".join(lines) + "\n"


def as_csv(table: Table) -> str:
    """Every payment, one a line. Bank, pot and middle keep their colon: no player's name has one."""
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(("game", "round", "entry", "who", "whom", "chips", "why"))
    for line in ledger(table):
        who, whom, why = map(no_formula, (line.who, line.whom, translate(line.why)))
        write.writerow((line.game, line.round, line.number, who, whom, line.amount, why))
    return "\ufeff" + out.getvalue()


def no_formula(cell: str) -> str:
    """Text stays text in a spreadsheet."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
