"""Standings over this phone's evenings: who is ahead. As a page, as JSON, as a spreadsheet and as a message."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine.sentence import InvalidEntry, say
from companion.games import GAMES
from companion.table.people import Aliases, People
from companion.table.standings import PersonStanding, Sums, since, standings
from companion.web.addresses import STANDINGS
from companion.web.clock import now
from companion.web.downloads import no_formula
from companion.web.format import day_in_words, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate
from companion.web.pages import draw_page
from companion.web.phones import my_aliases, my_tables, tables_in_sight
from companion.web.sums import ListedSums, SoFar, sums

blueprint = Blueprint("standings", __name__)


@dataclass(frozen=True)
class Filter:
    """Which evenings and games count."""

    since: str = ""  # a day; empty for all
    game: str = ""  # its key; empty for all

    @property
    def query(self) -> dict[str, str]:
        """The same in an address."""
        return {name: value for name, value in (("since", self.since), ("game", self.game)) if value}


@dataclass(frozen=True)
class Choice:
    """A value of a filter that can be chosen."""

    value: str
    title: str


@dataclass(frozen=True)
class PersonRow:
    """A person's line."""

    rank: str
    name: str
    line: str  # evenings and games
    lost: int
    won: int
    chips: str


@dataclass(frozen=True)
class StandingsScreen:
    rows: tuple[PersonRow, ...]
    unranked: tuple[PersonRow, ...]
    lost: bool  # whether the column has anything in it
    won: bool
    chips: bool
    chosen: Filter
    periods: tuple[Choice, ...]
    games: tuple[Choice, ...]
    title: str  # what the filters leave, in words
    empty: bool  # no evening is in the list
    out_of_sight: bool
    progress: SoFar | None


def filter_wanted() -> Filter:
    """The filter that the address asks for; `InvalidEntry` if it cannot be read."""
    day, game = request.args.get("since", ""), request.args.get("game", "")
    if game and game not in GAMES:
        raise InvalidEntry(say("“{key}” is not a game.", key=game))
    try:
        return Filter(day and datetime.fromisoformat(day).date().isoformat(), game)
    except ValueError:
        raise InvalidEntry(say("The field “{name}” is missing or invalid.", name="since")) from None


def standings_of(evenings: Sequence[ListedSums], wanted: Filter, aliases: Aliases) -> list[PersonStanding]:
    """Everybody's place in these evenings."""

    def work_out() -> list[PersonStanding]:
        found = since([one.sums for one in evenings], wanted.since)
        return standings([evening.of_game(wanted.game) for evening in found], People(aliases))

    return sums().answer(evenings, ("standings", wanted, sorted(aliases.items())), work_out)


def standings_screen(progress: SoFar, wanted: Filter) -> StandingsScreen:
    found = standings_of(progress.evenings, wanted, my_aliases())
    kinds = {game.key for one in progress.evenings for game in one.sums.games}
    rows = [(one.rank, row_of(one)) for one in found]
    return StandingsScreen(
        rows=tuple(row for rank, row in rows if rank),
        unranked=tuple(row for rank, row in rows if not rank),
        lost=any(row.lost for _rank, row in rows),
        won=any(row.won for _rank, row in rows),
        chips=any(one.sums.chips for one in found),
        chosen=wanted,
        periods=periods(),
        games=tuple(Choice(key, translate(game.title)) for key, game in GAMES.items() if key in kinds),
        title=title_of(wanted),
        empty=not progress.total,
        out_of_sight=any(one.hidden for one in my_tables()),
        progress=None if progress.finished else progress,
    )


def periods() -> tuple[Choice, ...]:
    today = now()
    return (
        Choice(f"{today[:7]}-01", _("This month")),
        Choice(f"{today[:4]}-01-01", _("This year")),
        Choice("", _("All time")),
    )


def title_of(wanted: Filter) -> str:
    """The filter in words."""
    game = translate(GAMES[wanted.game].title) if wanted.game else _("all games")
    if not wanted.since:
        return _("{game}, all evenings").format(game=game)
    return _("{game}, since {day}").format(game=game, day=day_in_words(wanted.since))


def row_of(one: PersonStanding) -> PersonRow:
    own = one.sums
    return PersonRow(str(one.rank or "–"), one.name, line_of(own), own.lost, own.won, signed(own.chips))


def line_of(own: Sums) -> str:
    """How often somebody played."""
    evenings = ngettext("{count} evening", "{count} evenings", own.evenings).format(count=own.evenings)
    games = ngettext("{count} game", "{count} games", own.games).format(count=own.games)
    return f"{evenings}, {games}"


@blueprint.get("/standings")
def show() -> ResponseReturnValue:
    """Who is ahead. Each request adds up some more evenings; the page asks again until all are in."""
    screen = standings_screen(sums().sum_up(tables_in_sight()), filter_wanted())
    return draw_page("standings/standings", screen)


# -- for programs, spreadsheets and messages


def all_standings() -> list[PersonStanding]:
    """Everybody's place in all evenings that the address asks for."""
    wanted = filter_wanted()
    return standings_of(sums().all_of(tables_in_sight()), wanted, my_aliases())


@blueprint.get(STANDINGS)
def as_json() -> ResponseReturnValue:
    """The standings for programs."""
    return jsonify({"people": [{"name": one.name, **one.sums._asdict()} for one in all_standings()]})


@blueprint.get("/standings.csv")
def as_csv() -> ResponseReturnValue:
    """The standings for a spreadsheet."""
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow((_("rank"), _("name"), _("evenings"), _("games"), _("lost"), _("won"), _("chips")))
    for one in all_standings():
        write.writerow((one.rank or "", no_formula(one.name), *one.sums))
    answer = Response("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="fifty-five-standings.csv"'
    return answer


@blueprint.get("/standings/share")
def share() -> ResponseReturnValue:
    """The standings as a message to send."""
    wanted = filter_wanted()
    text = "\n".join([_("Standings"), title_of(wanted), "", *map(words_of, all_standings())]) + "\n"
    return render_template("standings/share.html", text=text, chosen=wanted)


def words_of(one: PersonStanding) -> str:
    """One person's line in the message."""
    place = f"{one.rank}. {one.name}" if one.rank else f"– {one.name}"
    return _("{name}: {what}").format(name=place, what=", ".join((line_of(one.sums), *results(one.sums))))


def results(own: Sums) -> Iterator[str]:
    """What somebody lost and won, where that is anything."""
    if own.lost:
        yield ngettext("{count} lost", "{count} lost", own.lost).format(count=own.lost)
    if own.won:
        yield ngettext("{count} won", "{count} won", own.won).format(count=own.won)
    if own.chips:
        yield ngettext("{number} chip", "{number} chips", abs(own.chips)).format(number=signed(own.chips))
