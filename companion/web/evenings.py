"""The evenings of this phone: newest first, found by name, taken out of sight and brought back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.games import GAMES
from companion.store import Listed
from companion.table.people import People, is_person, key_of
from companion.table.standings import EveningSums
from companion.web.format import day_or_today, signed
from companion.web.forms import whole
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.pages import draw_page
from companion.web.phones import my_aliases, my_tables, put_out_of_sight
from companion.web.sums import ListedSums, SoFar, sums

blueprint = Blueprint("evenings", __name__)

A_PAGE = 8  # evenings
NAMED = 2  # people who are up; those who won or lost are named if they are as many at most
LONGEST_SEARCH = 60

Query = dict[str, str | int]


@dataclass(frozen=True)
class EveningRow:
    """An evening in the list."""

    table_id: str
    title: str  # its name, else who played
    people: str  # who played, if that is not the title
    day: str
    games: str
    figures: tuple[str, ...]  # who is up, who won, who lost
    dealt: bool  # by this phone; else it only watched


@dataclass(frozen=True)
class EveningsScreen:
    """One page of the list."""

    rows: tuple[EveningRow, ...]
    here: Query  # of the address of this page
    more: Query | None  # of the next page
    search: str
    count: int  # evenings in the whole list
    hidden: bool  # the page lists what is out of sight
    out_of_sight: int
    progress: SoFar | None  # while evenings are summed up
    moved: EveningRow | None  # was just taken out of sight


@blueprint.get("/evenings")
def show() -> ResponseReturnValue:
    """The evenings of this phone, or those out of sight, or those with a name in them."""
    return draw_page("evenings/evenings", evenings_screen())


@blueprint.get("/phone")
def storage() -> ResponseReturnValue:
    """What is kept of this phone: its tables, their size, and a file with all of them."""
    return render_template("lobby/phone.html", screen=evenings_screen())


@blueprint.post("/evenings/sight")
def move() -> ResponseReturnValue:
    """Take an evening out of sight, or bring it back."""
    table_id, hidden = request.form.get("table", ""), request.form.get("hidden") == "yes"
    known = put_out_of_sight(table_id, hidden)
    return redirect(url_for("evenings.show", moved=table_id if known and hidden else None), 303)


def evenings_screen() -> EveningsScreen:
    """The page that the address asks for."""
    first, hidden = whole(request.args.get("from", "")) or 0, "hidden" in request.args
    search = " ".join(request.args.get("name", "").split())[:LONGEST_SEARCH]
    mine = my_tables()
    listed = [one for one in mine if one.hidden == hidden]
    if search:
        progress = sums().sum_up(listed)
        people = People(my_aliases())
        matching = [one for one in progress.evenings if key_of(search) in words_of(one.sums, people)]
        found, count = matching[first : first + A_PAGE], len(matching)
    else:
        progress, count = sums().sum_up(listed[first : first + A_PAGE]), len(listed)
        found = progress.evenings
    return EveningsScreen(
        rows=tuple(row_of(one) for one in found if one.sums.names),
        here=query_of(search, hidden, first),
        more=query_of(search, hidden, first + A_PAGE) if count > first + A_PAGE else None,
        search=search,
        count=len(mine),
        hidden=hidden,
        out_of_sight=sum(one.hidden for one in mine),
        progress=None if progress.finished else progress,
        moved=next(map(row_of, sums_of_one(request.args.get("moved", ""), mine)), None),
    )


def query_of(search: str, hidden: bool, first: int) -> Query:
    """What an address of the list says, as far as it differs from the first page of all in sight."""
    asked: Query = {"name": search, "from": first}
    return {name: value for name, value in asked.items() if value} | ({"hidden": ""} if hidden else {})


def sums_of_one(table_id: str, listed: Sequence[Listed]) -> list[ListedSums]:
    """The sums of one evening that is out of sight."""
    return sums().sum_up([one for one in listed if one.table == table_id and one.hidden]).evenings


def words_of(evening: EveningSums, people: People) -> str:
    """What a search looks through: the name of the evening, and everybody's names."""
    persons = filter(None, map(people.of, evening.names))
    return key_of(" ".join((evening.title, *evening.names, *map(people.name, persons))))


def row_of(one: ListedSums) -> EveningRow:
    evening, table = one.sums, one.listed
    names = ", ".join(evening.names)
    return EveningRow(
        table_id=table.table,
        title=title_of(evening),
        people=names if evening.title else "",
        day=day_or_today(evening.at),
        games=games_of(evening),
        figures=tuple(figures_of(evening)),
        dealt=table.dealt,
    )


def title_of(evening: EveningSums) -> str:
    """The name of an evening or, without one, those who played."""
    return evening.title or ", ".join(evening.names)


def games_of(evening: EveningSums) -> str:
    """The games that were played, each named once."""
    return ", ".join(times(translate(GAMES[key].title), count) for key, count in counted_games(evening).items())


def counted_games(evening: EveningSums) -> Counter[str]:
    """How often each game was played. One that was broken off is named if there is no other."""
    return Counter(game.key for game in evening.games if game.counts) or Counter([evening.games[-1].key])


def figures_of(evening: EveningSums) -> Iterator[str]:
    """Who is up, who won and who lost."""
    chips = sorted(evening.chips().items(), key=lambda one: -one[1])
    up = [f"{name} {signed(won)}" for name, won in chips if won > 0 and is_person(name)]
    if up:
        yield _("up: {names}").format(names=", ".join(up[:NAMED]))
    won = Counter(name for game in evening.games if game.counts for name in game.winners if is_person(name))
    if won:
        yield _("won: {names}").format(names=most_often(won))
    lost = Counter(game.loser for game in evening.games if game.counts and game.loser and is_person(game.loser))
    if lost:
        yield _("lost: {names}").format(names=most_often(lost))


def most_often(found: Counter[str]) -> str:
    """Those who did it most often, and how often."""
    return ", ".join(times(name, count) for name, count in found.most_common(NAMED))


def times(what: str, count: int) -> str:
    return f"{what} ×{count}" if count > 1 else what
