"""One person over all evenings of this phone, and who is who: "Ben is Benoît"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from companion.coach.advice import Unit
from companion.engine.notation import clean_name
from companion.engine.sentence import Sentence, say
from companion.games import GAMES
from companion.table.people import People, key_of, root_of, with_alias
from companion.table.standings import PersonEvening, PersonRecord, Sums, Together, record_of
from companion.web.board.screen import Mark
from companion.web.charts import Chart, draw_chart
from companion.web.coaching import coaching
from companion.web.evenings import title_of
from companion.web.format import day_or_today, signed
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext, translate
from companion.web.luck import amount
from companion.web.pages import draw_page
from companion.web.phones import my_aliases, my_tables, set_alias, tables_in_sight
from companion.web.standings import line_of
from companion.web.sums import ListedSums, SoFar, sums

blueprint = Blueprint("person", __name__)

SIMILAR = 0.7  # of two names, from 0 to 1
LUCK_IN: dict[Unit, Sentence] = {
    "lose": say("Pairs: {amount} from the cards, in hundredths of a lost game."),
    "chips": say("Games for chips: {amount} from the cards."),
}


@dataclass(frozen=True)
class GameLine:
    """What somebody did in one game, or in all of them."""

    title: str
    games: int
    lost: int
    won: int
    chips: str


@dataclass(frozen=True)
class Night:
    """An evening that was the best or the worst of a person's."""

    label: str
    table_id: str
    title: str
    day: str
    figure: str


@dataclass(frozen=True)
class OtherName:
    """Another name of the same person."""

    key: str
    name: str


@dataclass(frozen=True)
class PersonScreen:
    name: str
    line: str
    total: GameLine | None = None
    games: tuple[GameLine, ...] = ()
    others: tuple[Together, ...] = ()
    nights: tuple[Night, ...] = ()
    chart: Chart | None = None
    luck: tuple[str, ...] = ()
    also: tuple[OtherName, ...] = ()
    similar: tuple[str, ...] = ()  # names that look like the same person
    rest: tuple[str, ...] = ()
    progress: SoFar | None = None


def person_screen(name: str, progress: SoFar) -> PersonScreen:
    """A person's page; 404 for somebody who has played nothing."""
    if not progress.finished:
        return PersonScreen(name, "", progress=progress)
    aliases, evenings = my_aliases(), progress.evenings
    key = People(aliases).of(name)  # another one: an address does not say how a name is spelled
    people = People(aliases)
    record = sums().answer(
        evenings,
        ("person", key, sorted(aliases.items())),
        lambda: record_of(key, [one.sums for one in evenings], people) if key else None,
    )
    if record is None:
        abort(404)
    others = everybody_else(record, evenings, people)
    similar = [other for other in others if is_similar(record.name, other)]
    return PersonScreen(
        name=record.name,
        line=line_of(record.sums),
        total=game_line("", record.sums),
        games=tuple(game_line(translate(GAMES[game].title), own) for game, own in record.games.items()),
        others=record.others,
        nights=tuple(nights_of(record, evenings)),
        chart=chips_chart(record),
        luck=tuple(luck_of(record.key, evenings, people)),
        also=tuple(OtherName(own, people.spelling(own)) for own in people.also(record.key)),
        similar=tuple(similar),
        rest=tuple(other for other in others if other not in similar),
    )


def game_line(title: str, own: Sums) -> GameLine:
    return GameLine(title, own.games, own.lost, own.won, signed(own.chips))


def everybody_else(record: PersonRecord, evenings: Sequence[ListedSums], people: People) -> list[str]:
    """The names of all other people, in order."""
    keys = {key for one in evenings for key in people.all_of(one.sums.names)} - {record.key}
    return [people.name(key) for key in sorted(keys)]


def is_similar(name: str, other: str) -> bool:
    """Whether two names look like the same person: Ben and Benoît, Zoe and Zohe."""
    one, two = key_of(name), key_of(other)
    return one.startswith(two) or two.startswith(one) or SequenceMatcher(None, one, two).ratio() >= SIMILAR


def nights_of(record: PersonRecord, evenings: Sequence[ListedSums]) -> Iterator[Night]:
    """The best evening and the worst, if there are several and they differ."""
    best, worst = record.best, record.worst
    if best.number != worst.number:
        yield night(_("Best evening"), best, evenings)
        yield night(_("Worst evening"), worst, evenings)


def night(label: str, one: PersonEvening, evenings: Sequence[ListedSums]) -> Night:
    found = evenings[one.number]
    figure = signed(one.sums.chips) if one.sums.chips else ""
    return Night(label, found.listed.table, title_of(found.sums), day_or_today(one.at), figure)


def chips_chart(record: PersonRecord) -> Chart | None:
    """The chips added up from evening to evening, oldest first."""
    course = [0]
    for one in reversed(record.nights):
        course.append(course[-1] + one.sums.chips)
    if len(record.nights) < 2 or not any(course):
        return None
    mark = Mark(record.name[:1].upper(), "s1")
    return draw_chart(
        _("Chips from evening to evening"), _("Evening"), {record.name: mark}, {record.name: course}, range(len(course))
    )


def luck_of(key: str, evenings: Sequence[ListedSums], people: People) -> Iterator[str]:
    """What the cards did to somebody, over the evenings that the coach has judged."""
    judged = coaching().luck_of_evenings((one.listed.table, one.listed.version) for one in evenings)
    mine = [[luck for luck in evening if people.of(luck.name) == key] for evening in judged]
    for unit, words in LUCK_IN.items():
        found = [luck.luck for evening in mine for luck in evening if luck.unit == unit]
        if found:
            yield translate(words).format(amount=amount(sum(found), unit))
    if any(mine):
        count = sum(map(bool, mine))
        yield ngettext("{count} evening is analysed.", "{count} evenings are analysed.", count).format(count=count)


@blueprint.get("/standings/person")
def show() -> ResponseReturnValue:
    """A person's page. The name is in the query, because it may hold a slash."""
    screen = person_screen(request.args.get("name", ""), sums().sum_up(tables_in_sight()))
    return draw_page("standings/person", screen)


@blueprint.post("/standings/person")
def join() -> ResponseReturnValue:
    """A name is another name for somebody; or no longer."""
    name, other, apart = (request.form.get(field, "") for field in ("name", "other", "apart"))
    if not my_tables():  # nobody to join, and any visitor could fill the database
        abort(404)
    known = my_aliases()
    if apart in known:
        set_alias(apart, None)
        return redirect(url_for("person.show", name=name), 303)
    name, other = clean_name(name), clean_name(other)
    key = root_of(known, key_of(name))
    set_alias(key, with_alias(known, name, other)[key])
    return redirect(url_for("person.show", name=other), 303)
