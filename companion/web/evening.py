"""The evening: who pays whom, charts, the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.coach import may_judge
from companion.games.stakes import STAKES_TITLES
from companion.table.course import Course, chips_by_game, chips_by_round, points_by_round
from companion.table.ledger import IN_THE_MIDDLE, GamesPlayed, Played, balances, cash
from companion.table.settlement import settle
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.over import who_ended
from companion.web.board.screen import marks
from companion.web.charts import Chart, draw_chart
from companion.web.format import day_in_words, plain, signed
from companion.web.forms import whole
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate
from companion.web.pages import Screen, common
from companion.web.people import ChipHolder, Person, holder_name
from companion.web.slow import slow
from companion.web.table import load_for_phone
from companion.web.worth import Worth, read_worth

blueprint = Blueprint("evening", __name__, url_prefix=A_TABLE)

MANY = 5  # people: from then on the title of a game has its own line
A_PAGE = 8  # games


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
    """The payments that settle the whole evening, or one game of it."""

    title: str
    payments: tuple[PaymentDue, ...]


@dataclass(frozen=True)
class GameRow:
    """What each person won or lost in a game, or in all games of the other pages."""

    title: str
    chips: tuple[str, ...]


@dataclass(frozen=True)
class SumRow:
    """A line below the games of the ledger."""

    title: str
    chips: tuple[str, ...]
    main: bool = False


@dataclass(frozen=True)
class PlayerTotal:
    """What one player has won or lost."""

    person: Person
    won: int
    total: str
    money: str


@dataclass(frozen=True)
class ForfeitOwed:
    """A forfeit still owed, and for which game."""

    who: ChipHolder
    what: str
    game: str


@dataclass(frozen=True)
class GameWon:
    """Who has won a game that is over."""

    game: str
    who: str


@dataclass(frozen=True)
class EveningScreen(Screen):
    name: str  # that the dealer gave the evening
    line: str
    day: str  # of the last entry
    settled: str  # when everything owed was paid; empty if it never was
    may_settle: bool
    between: bool  # no round is under way
    undo_settled: bool  # whether the settlement is the last entry
    several: bool  # more than one game was played
    moved: bool  # whether chips were won, lost or bought
    ledger: bool  # whether the ledger says more than the players' sums
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
    won: tuple[GameWon, ...]
    accounts: tuple[PlayerTotal, ...]
    chips: Chart | None
    points: tuple[Chart, ...]
    under_way: bool  # a round is being played, and there are chips in the middle
    luck: bool  # whether there is a page about luck and skill
    older: int | None  # the neighbouring pages: each ends before this game
    newer: int | None


def evening_screen(
    table: Table,
    table_id: str,
    dealer: bool,
    worth: Worth,
    game_by_game: bool = False,
    message: str = "",
    before: int | None = None,
) -> EveningScreen:
    """The evening so far: sums over all games, and one page of games, the newest or those before `before`."""
    return _EveningMaker(table, worth, before).screen(table_id, dealer, game_by_game, message)


class _EveningMaker:
    """Makes the screen. Only the games of its page are worked out one by one."""

    def __init__(self, table: Table, worth: Worth, before: int | None) -> None:
        self.table = table
        self.worth = worth
        self.played = played = GamesPlayed(table)
        self.last = played.last if before is None else max(played.first, min(before - 1, played.last))
        self.first = max(played.first, self.last - A_PAGE + 1)
        numbers = range(self.first, self.last + 1)
        self.games = [played.played(number) for number in numbers if number not in played.empty]
        self.marks = marks(table.state)
        self.won = played.owed()
        self.middle = balances(table).get(IN_THE_MIDDLE, 0)
        self.pot = bool(self.middle) or any(IN_THE_MIDDLE in game.change for game in self.games)
        self.columns = [*self.marks, *([IN_THE_MIDDLE] if self.pot else [])]
        self.several = sum(number not in played.empty for number in range(played.first, played.last + 1)) > 1
        paid = cash(table)
        self.bought = any(paid.bought.values()) or any(paid.cashed.values())
        self.paid = played.settled is not None and any(played.settled_before().values())
        # Chips are shown where some have moved, and each figure once: a single game is told by the players' sums.
        self.moved = (
            self.pot
            or self.bought
            or self.paid
            or any(self.won.values())
            or any(any(game.change.values()) for game in self.games)
        )

    def screen(self, table_id: str, dealer: bool, game_by_game: bool, message: str) -> EveningScreen:
        newest = self.played.last
        state = self.table.state
        due = tuple(self.due_by_game() if game_by_game else self.due_in_all())
        forfeits = tuple(self.forfeits())
        return EveningScreen(
            **common(self.table, table_id, dealer, state.title or _("The evening")),
            name=state.title,
            line=self.line(),
            day=day_in_words(self.table.head.at),
            settled=self.settled(),
            between=state.between,
            may_settle=state.between and bool(due or forfeits),
            undo_settled=self.table.head is self.played.settled,
            several=self.several,
            moved=self.moved,
            ledger=self.moved and (self.several or self.bought or self.paid),
            game_by_game=game_by_game,
            due=due,
            worth=self.worth,
            under_way=not state.between and bool(self.middle),
            luck=may_judge(self.table),
            message=message,
            people=tuple(Person(*known) for known in self.marks.items()),
            pot=self.pot,
            many=len(self.marks) >= MANY,
            games=tuple(self.game_rows()),
            sums=tuple(self.sum_rows()),
            carried=self.middle,
            forfeits=forfeits,
            won=tuple(self.games_won()),
            accounts=tuple(map(self.account, self.marks)),
            chips=self.chips_chart(),
            points=tuple(map(self.points_chart, self.courses())),
            older=self.first if self.first > self.played.first else None,
            newer=min(self.last + A_PAGE, newest) + 1 if self.last < newest else None,
        )

    # -- words

    def line(self) -> str:
        count = self.played.last - len(self.played.empty)
        line = ngettext("{count} game", "{count} games", count).format(count=count)
        if not self.worth.cents:
            return line
        return _("{games} · a chip is worth {money}").format(games=line, money=self.worth.money(1))

    def settled(self) -> str:
        """When everything was settled, if it was."""
        step = self.played.settled
        if step is None:
            return ""
        return _("Settled up in game {game}, round {number}. What is owed counts from then on.").format(
            game=step.game, number=step.round
        )

    def title(self, game: Played) -> str:
        """A game's number and name, with its stakes; with its rounds, where every round is settled in chips."""
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
        payments = self.due(self.won, _("{who} is at {lost}, {whom} at {won}"))
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
        """Those of all games since the settlement, not of this page alone."""
        for number in range(self.played.first, self.played.last + 1):
            owed = self.played.forfeit(number)
            if owed:
                title = self.title(self.played.played(number))
                yield ForfeitOwed(self.holder(owed.who), owed.what or _("a forfeit"), title)

    def games_won(self) -> Iterator[GameWon]:
        """The games of this page that somebody has won."""
        for game in self.games:
            outcome = self.played.outcome(game.number)
            if outcome and outcome.winners:
                yield GameWon(self.title(game), who_ended(outcome))

    # -- the ledger

    def game_rows(self) -> Iterator[GameRow]:
        """The games of this page; the games before them in one line, and those after them in another."""
        yield from self.rest_row(self.played.first, self.first - 1)
        for game in self.games:
            yield GameRow(self.title(game), self.figures(game.change))
        yield from self.rest_row(self.last + 1, self.played.last)

    def rest_row(self, first: int, last: int) -> Iterator[GameRow]:
        if first <= last:
            title = _("Games {first} to {last}").format(first=first, last=last)
            yield GameRow(title, self.figures(self.played.change(first, last)))

    def figures(self, change: Mapping[str, int]) -> tuple[str, ...]:
        return tuple(signed(change.get(name, 0)) for name in self.columns)

    def sum_rows(self) -> Iterator[SumRow]:
        yield SumRow(_("Won or lost"), self.figures(self.won), main=True)
        if self.played.settled:
            yield SumRow(_("Settled before"), self.figures(self.played.settled_before()))
        if not self.bought:
            return
        paid = cash(self.table)
        chips = {seat.name: seat.chips for seat in self.table.state.everyone()}
        for title, by_name in (
            (_("Bought in"), paid.bought),
            (_("Cashed out"), paid.cashed),
            (_("Chips now"), {**chips, IN_THE_MIDDLE: self.middle}),
        ):
            yield SumRow(title, tuple(plain(by_name.get(name, 0)) for name in self.columns))

    def account(self, name: str) -> PlayerTotal:
        won = self.won[name]
        return PlayerTotal(Person(name, self.marks[name]), won, signed(won), self.worth.signed(won))

    # -- charts

    def chips_chart(self) -> Chart | None:
        several = self.several
        course = chips_by_game(self.played) if several else chips_by_round(self.played)
        if not course.steps or not any(any(figures) for figures in course.lines.values()):
            return None
        title = _("Chips after each game") if several else _("Chips after each round")
        return draw_chart(title, _("Game") if several else _("Round"), self.marks, course.lines, course.numbers)

    def courses(self) -> list[Course]:
        """The points of the games on this page, newest first."""
        return [course for course in reversed(points_by_round(self.table, self.first, self.last)) if course.steps]

    def points_chart(self, course: Course) -> Chart:
        game = next(game for game in self.games if game.number == course.game)
        bad = self.table.games[game.key].points_are_bad
        goal = None
        if course.goal is not None:
            words = _("limit {value}") if bad else _("goal {value}")
            goal = (course.goal, words.format(value=course.goal))
        title = _("Points by round: {game}").format(game=self.title(game))
        return draw_chart(title, _("Round"), self.marks, course.lines, course.numbers, goal, with_sign=False)


@blueprint.get("/evening")
def show(table_id: str) -> ResponseReturnValue:
    """The evening as a page."""
    return render_template("table/evening.html", screen=evening_wanted(table_id, request.args.get("by") == "game"))


@blueprint.post("/evening")
def set_worth(table_id: str) -> ResponseReturnValue:
    """Set the value of a chip, for this phone."""
    by_game = request.form.get("by") == "game"
    worth = read_worth(request.form.get("worth", ""), request.form.get("currency", known_worth().currency))
    if worth is None:
        wrong = _("A chip is worth more than 0 and at most 1000, with two decimals at most.")
        return render_template("table/evening.html", screen=evening_wanted(table_id, by_game, wrong)), 422
    load_for_phone(table_id)  # raises if there is no such table
    session["worth"] = [worth.cents, worth.currency]
    session.permanent = True
    return redirect(url_for("evening.show", by="game" if by_game else None), 303)


def evening_wanted(table_id: str, by_game: bool, message: str = "") -> EveningScreen:
    """The evening as the address asks for it, with the value of a chip on this phone."""
    table, dealer = load_for_phone(table_id)
    before = whole(request.args.get("before", ""))
    with slow().turn(table.head.number):
        return evening_screen(table, table_id, dealer, known_worth(), by_game, message, before)


def known_worth() -> Worth:
    """The value of a chip that was set on this phone."""
    known = session.get("worth")
    return Worth(*known) if known else Worth()
