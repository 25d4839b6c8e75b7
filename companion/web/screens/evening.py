"""The evening: who pays whom, how it went, the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.coach import is_hidden
from companion.games.stakes import STAKES_TITLES
from companion.table.ledger import (
    IN_THE_MIDDLE,
    Course,
    LedgerLine,
    Played,
    by_game,
    cash,
    chips_by_game,
    chips_by_round,
    forfeits,
    points_by_round,
    with_middle,
)
from companion.table.settlement import settle
from companion.table.table import Table
from companion.web.charts import Chart, draw_chart
from companion.web.format import plain, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate
from companion.web.worth import Worth

from .page import Screen, common
from .people import ChipHolder, Person, holder_name
from .pieces import marks

MANY = 5  # from so many people on, a game's title has a line of its own


@dataclass(frozen=True)
class PaymentDue:
    """A payment still to be made."""

    who: ChipHolder
    whom: ChipHolder
    amount: int
    money: str
    why: str


@dataclass(frozen=True)
class PaymentsDue:
    """Payments that settle: the whole evening, or one game of it."""

    title: str
    payments: tuple[PaymentDue, ...]


@dataclass(frozen=True)
class PaymentMade:
    """A payment as it was made."""

    when: str  # game and round
    who: ChipHolder
    whom: ChipHolder
    amount: str
    why: str


@dataclass(frozen=True)
class GameRow:
    """A game in the ledger: what each won or lost in it, and every payment."""

    title: str
    chips: tuple[str, ...]
    payments: tuple[PaymentMade, ...]


@dataclass(frozen=True)
class SumRow:
    """A line below the games of the ledger."""

    title: str
    chips: tuple[str, ...]
    main: bool = False


@dataclass(frozen=True)
class Account:
    """The ledger of one player."""

    person: Person
    total: str
    money: str
    payments: tuple[PaymentMade, ...]


@dataclass(frozen=True)
class ForfeitOwed:
    """What somebody still has to do, and for which game."""

    who: ChipHolder
    what: str
    game: str


@dataclass(frozen=True)
class Evening(Screen):
    line: str
    game_by_game: bool
    due: tuple[PaymentsDue, ...]
    worth: Worth
    message: str
    people: tuple[Person, ...]
    pot: bool  # whether the middle has a column in the ledger
    many: bool
    games: tuple[GameRow, ...]
    sums: tuple[SumRow, ...]
    carried: int
    forfeits: tuple[ForfeitOwed, ...]
    accounts: tuple[Account, ...]
    chips: Chart | None
    points: tuple[Chart, ...]
    luck: bool  # whether there is a page that tells luck from skill


def evening_screen(
    table: Table, table_id: str, dealer: bool, worth: Worth, game_by_game: bool = False, message: str = ""
) -> Evening:
    """Everything the table has come to so far."""
    return _EveningMaker(table, worth).screen(table_id, dealer, game_by_game, message)


class _EveningMaker:
    """Makes the screen from a table: the ledger is read once, and every part of the screen uses it."""

    def __init__(self, table: Table, worth: Worth) -> None:
        self.table = table
        self.worth = worth
        self.games = by_game(table)
        self.marks = marks(table.state)
        self.won = {name: sum(game.change.get(name, 0) for game in self.games) for name in self.marks}
        self.pot = any(IN_THE_MIDDLE in game.change for game in self.games)
        self.columns = [*self.marks, *([IN_THE_MIDDLE] if self.pot else [])]

    def screen(self, table_id: str, dealer: bool, game_by_game: bool, message: str) -> Evening:
        return Evening(
            **common(self.table, table_id, dealer, _("The evening")),
            line=self.line(),
            game_by_game=game_by_game,
            due=tuple(self.due_by_game() if game_by_game else self.due_in_all()),
            worth=self.worth,
            luck=not is_hidden(self.table),
            message=message,
            people=tuple(Person(*known) for known in self.marks.items()),
            pot=self.pot,
            many=len(self.marks) >= MANY,
            games=tuple(map(self.game_row, self.games)),
            sums=tuple(self.sum_rows()),
            carried=self.in_the_middle(),
            forfeits=tuple(self.forfeits()),
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
            name = _("{game} · {stakes}").format(game=name, stakes=translate(STAKES_TITLES[stakes]))
        if game.rounds > 1 and not rules.scores_points:
            name = _("{game} ×{rounds}").format(game=name, rounds=game.rounds)
        return f"{game.number} {name}"

    def holder(self, name: str) -> ChipHolder:
        return ChipHolder(holder_name(name), self.marks.get(name))

    # -- who pays whom

    def due_in_all(self) -> Iterator[PaymentsDue]:
        """The fewest payments that settle the whole evening."""
        payments = self.due(with_middle(self.won), _("{who} is at {lost}, {whom} at {won}"))
        if payments:
            yield PaymentsDue("", payments)

    def due_by_game(self) -> Iterator[PaymentsDue]:
        for game in self.games:
            payments = self.due(game.change, _("in this game {who} is at {lost}, {whom} at {won}"))
            if payments:
                yield PaymentsDue(self.title(game), payments)

    def due(self, change: Mapping[str, int], why: str) -> tuple[PaymentDue, ...]:
        return tuple(
            PaymentDue(
                self.holder(transfer.who),
                self.holder(transfer.whom),
                transfer.amount,
                self.worth.money(transfer.amount),
                why.format(
                    who=holder_name(transfer.who),
                    lost=signed(change[transfer.who]),
                    whom=holder_name(transfer.whom),
                    won=signed(change[transfer.whom]),
                ),
            )
            for transfer in settle(change)
        )

    def forfeits(self) -> Iterator[ForfeitOwed]:
        for owed in forfeits(self.table):
            game = self.title(self.games[owed.game - 1])
            yield ForfeitOwed(self.holder(owed.who), owed.what or _("a forfeit"), game)

    # -- the ledger

    def in_the_middle(self) -> int:
        return with_middle(self.won).get(IN_THE_MIDDLE, 0)

    def game_row(self, game: Played) -> GameRow:
        chips = tuple(signed(game.change.get(name, 0)) for name in self.columns)
        return GameRow(self.title(game), chips, tuple(self.payment_in_game(line) for line in game.lines))

    def sum_rows(self) -> Iterator[SumRow]:
        won, paid = with_middle(self.won), cash(self.table)
        yield SumRow(_("Won or lost"), tuple(signed(won.get(name, 0)) for name in self.columns), main=True)
        if not any(paid.bought.values()) and not any(paid.cashed.values()):
            return
        chips = {seat.name: seat.chips for seat in self.table.state.everyone()}
        for title, by_name in (
            (_("Bought in"), paid.bought),
            (_("Cashed out"), paid.cashed),
            (_("Chips now"), {**chips, IN_THE_MIDDLE: self.in_the_middle()}),
        ):
            yield SumRow(title, tuple(plain(by_name.get(name, 0)) for name in self.columns))

    def payment_in_game(self, line: LedgerLine) -> PaymentMade:
        return self.payment(line, _("round {number}").format(number=line.round), str(line.amount))

    def payment_of(self, name: str, line: LedgerLine) -> PaymentMade:
        """As a player sees it: what came in and what went out."""
        when = _("game {game}, round {number}").format(game=line.game, number=line.round)
        return self.payment(line, when, signed(line.amount if line.whom == name else -line.amount))

    def payment(self, line: LedgerLine, when: str, amount: str) -> PaymentMade:
        return PaymentMade(when, self.holder(line.who), self.holder(line.whom), amount, translate(line.why))

    def account(self, name: str) -> Account:
        """A player's own payments, and why they were made."""
        lines = (line for game in self.games for line in game.lines if name in (line.who, line.whom))
        won = self.won[name]
        return Account(
            Person(name, self.marks[name]),
            signed(won),
            self.worth.signed(won),
            tuple(self.payment_of(name, line) for line in lines),
        )

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
            words = _("limit {value}") if bad else _("goal {value}")
            goal = (course.goal, words.format(value=course.goal))
        title = _("Points by round: {game}").format(game=self.title(game))
        return draw_chart(title, _("Round"), self.marks, course.lines, goal, with_sign=False)
