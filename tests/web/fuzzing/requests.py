"""Strategies for evenings, for the fields of a request and for whole requests, both legal and mistyped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st
from werkzeug.routing import Rule

from companion.engine.notation import parse
from companion.engine.play import open_table, play
from companion.engine.record import print_seats
from companion.engine.verbs import VERBS
from companion.games import GAMES
from companion.web.games import lookups
from tests.engine.test_walk import NAMES
from tests.known import KNOWN

from .values import (
    CONTENT_TYPES,
    HEADERS,
    NASTY_JSON,
    NASTY_NAMES,
    OTHER_METHODS,
    RAW_BODIES,
    RAW_QUERIES,
    nasty,
)

# -- evenings, both legal and mistyped


@dataclass(frozen=True)
class FuzzedEvening:
    """Seats and legal entries; the first entry starts the game."""

    names: tuple[str, ...]
    entries: tuple[str, ...]


@cache
def played(game: str, options: str, names: tuple[str, ...], seed: int, steps: int) -> FuzzedEvening:
    random = Random(f"{game} {options} {seed}")
    players = GAMES[game].players
    seats = names[: random.choice([count for count in players if count <= len(names)])]
    entries = [f"game {game} {options}".strip()]
    state = open_table(GAMES, seats, parse(entries[0]))
    for _ in range(steps):
        legal = GAMES[game].legal(state)
        if not legal:
            break
        entries.append(str(random.choice(legal)))
        state = play(GAMES, state, parse(entries[-1]))
    return FuzzedEvening(seats, tuple(entries))


@st.composite
def evenings(draw: st.DrawFn) -> FuzzedEvening:
    # Few different values, so that `played` finds most evenings in its cache.
    game = draw(st.sampled_from(sorted(GAMES)))
    names = draw(st.sampled_from((NAMES, NAMES, NASTY_NAMES[:8], NASTY_NAMES[-8:])))
    known = KNOWN[game].walks
    always = known if names is NAMES else known[:1]
    options = draw(st.sampled_from((*always, f"{known[0]} odds=off buyin=50", f"{known[0]} cards=no")))
    return played(game, options.strip(), names, draw(st.integers(0, 2)), draw(st.sampled_from((0, 4, 30))))


ARGUMENTS = {
    "card": st.integers(1, 10).map(str),
    "count": st.sampled_from(("1", "2", "10", "999999")),
    "natural": st.sampled_from(("0", "8", "50", "999999")),
    "amount": st.sampled_from(("100", "-100", "999999", "-999999")),
    "name": st.sampled_from((*NAMES[:3], "ann", f'"{NASTY_NAMES[6]}"', "W" * 24, "Dora", '"Jean Paul"')),
    "yes": st.just("yes"),
    "no": st.sampled_from(("no", "maybe")),
    "text": st.sampled_from(("Anchor", '"The Anchor"', '""', f'"{NASTY_NAMES[6]}"', '"</script>"', "W" * 201)),
}
OPENINGS = [f"game {game} {options}".strip() for game in GAMES for options in KNOWN[game].walks]


@st.composite
def well_formed(draw: st.DrawFn) -> str:
    """An entry in one of the forms of the notation; it need not be legal."""
    verb = draw(st.sampled_from(sorted(VERBS)))
    if verb == "card":
        written = draw(ARGUMENTS["card"])
    elif verb == "order":
        written = " ".join(("order", *draw(st.permutations(NAMES[:3]))))
    elif verb == "game":
        written = draw(st.sampled_from(OPENINGS))
    else:
        form = draw(st.sampled_from(VERBS[verb].forms)).kinds
        written = " ".join((verb, *(draw(ARGUMENTS[kind]) for kind in form)))
    return f"{draw(ARGUMENTS['name'])}: {written}" if VERBS[verb].by_seat and draw(st.booleans()) else written


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A well-formed entry with something cut out, put in or doubled."""
    entry = draw(well_formed())
    start = draw(st.integers(0, len(entry)))
    end = draw(st.integers(start, min(len(entry), start + 3)))
    put = draw(st.sampled_from(("", " ", ":", '"', "#", "=", "-", "0", entry, "\n", "\t", "\u202e", "é")) | nasty)
    return entry[:start] + put + entry[end:]


@st.composite
def records(draw: st.DrawFn) -> str:
    evening = draw(evenings())
    lines = ["fifty-five 1", print_seats(evening.names), *evening.entries]
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(lines)))
        put = draw(st.sampled_from((("",), (), ("# Ann",), (lines[0],))) | st.tuples(well_formed() | mutated() | nasty))
        lines[place : place + draw(st.integers(0, 1))] = put
    end = draw(st.sampled_from(("\n", "\n", "\r\n", "\r", "\n\n", "  # x\n")))
    return draw(st.sampled_from(("", "", "\ufeff"))) + end.join(lines)


@st.composite
def synced(draw: st.DrawFn) -> list[Any]:
    """Rows as a phone sends them, with some mistakes. The first may open a table; the others follow the newest."""
    opening = draw(mostly(False, True))
    rows: list[Any] = []
    for place in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(("enter", "enter", "undo", "redo", "remove", "amend", "cut", "open")))
        row: dict[str, Any] = {
            "number": place + 1 if opening else RIGHT["next"] if not place else draw(st.integers(-1, 60)),
            "kind": "open" if opening and not place else kind,
            "entries": ["game pairs"] if opening and not place else draw(st.lists(entries, max_size=2)),
            "entry": draw(st.sampled_from((None, None, 1, -1, True, "1"))),
            "client": draw(st.sampled_from(("a-long-enough-id", "tap-1", RIGHT["client"]))),
            "at": "2026-01-01T20:00:00+00:00",
        }
        if draw(mostly(False, True)):
            row[draw(st.sampled_from(sorted(row)))] = draw(st.sampled_from(NASTY_JSON))
        rows.append(row)
    return rows


# -- the fields of forms, queries and bodies


@dataclass(frozen=True)
class Blank:
    """A value to be filled in when the request is sent, when the dealer's phone knows it."""

    what: str


RIGHT = {name: Blank(name) for name in ("version", "next", "legal", "name", "table", "recovery", "client", "length")}
entries = st.just(RIGHT["legal"]) | well_formed() | mutated() | nasty
numbers = st.integers(-2, 60).map(str) | st.sampled_from(("9" * 9, "9" * 5_000))
options = st.sampled_from(("yes", "no", "5", "20", "tacoma", "all", "off", "Bob/Ann")) | nasty

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "version": st.just(RIGHT["version"]),
    "entry": entries,
    "entries": st.lists(entries, min_size=1, max_size=4),
    "id": st.sampled_from(("", "tap-1", "tap-2", "x" * 201, "\0", "é", RIGHT["client"])),
    "n": st.just(RIGHT["length"]) | numbers,
    "kind": st.sampled_from(("amend", "round", "insert", "remove", "cut")),
    "card": numbers,
    "verb": st.sampled_from(("score", "points", "buy", "pay", "bet")),
    "what": st.sampled_from(("leave", "sit", "up", "dealer", "button", "settled", "undo")),
    **dict.fromkeys(("seat", "to", "name", "me"), st.just(RIGHT["name"])),
    "new": st.sampled_from(NASTY_NAMES),
    "points": numbers | st.sampled_from(("Ana:17,Ben:10", "Ana:1,Ana:2", "Ana:0", ":1", "a:1," * 500)),
    **dict.fromkeys(("amount", "carried", "sum", "bet", "pot", "players"), numbers),
    **dict.fromkeys(("white", "held", "black", "unseen_white", "unseen_black", "p0", "p1", "p7"), numbers),
    **dict.fromkeys(("s1", "s10", "n1", "n10", "ask", "choose", "preview"), st.sampled_from(("1", "0"))),
    **dict.fromkeys(("stack", "seen"), st.sampled_from(("7,5", "7,5,10", "1," * 99, "7,,", "10,10"))),
    "stakes": st.sampled_from(("forfeit", "tacoma", "cutchfeld", "seattle", "portland", "olympia")),
    "worth": st.sampled_from(("0.50", "1000", "0", "0,5")),
    "currency": st.sampled_from(("€", "CHF", "zł", "kr.", "€" * 5)),
    "by": st.just("game"),
    "since": st.sampled_from(("2026-01-01", "2026-13-01", "20260101", "-", "\0")),
    "hidden": st.sampled_from(("yes", "no")),
    "moved": st.just(RIGHT["table"]) | nasty,
    "apart": st.sampled_from(("ann", "bob")) | nasty,
    **dict.fromkeys(("other", "who", "of"), st.just(RIGHT["name"])),
    **dict.fromkeys(("before", "at", "first"), numbers),
    "cards": st.sampled_from(("yes", "no")),
    "recovery": st.just(RIGHT["recovery"]) | st.just("1"),
    "withdraw": st.just("1"),
    "only": numbers,
    "sure": st.just("yes"),
    "code": st.just(RIGHT["table"]) | nasty,
    "from": numbers,
    "table": st.just(RIGHT["table"]),
    "record": records(),
    "file": records(),
    "after": numbers,
    "rows": st.deferred(synced),
    "names": st.lists(st.sampled_from((*NAMES, *NASTY_NAMES)), max_size=4),
    "engine": st.just("0.1.0"),
    "opening": st.sampled_from(("a-long-enough-id", "tap-1")),
    "seats": st.integers(0, 9).map(str),
    **dict.fromkeys(("game", "for"), st.sampled_from(sorted(GAMES))),
    "options": st.dictionaries(st.sampled_from(("limit", "stakes", "sum", "forfeit", "odds", "nonsense")), options),
    "language": st.sampled_from(("en", "fr", "xx")),
    "theme": st.sampled_from(("auto", "dark", "light")),
    "thumb": st.sampled_from(("left", "right")),
    "v": nasty,
    "title": nasty,
    **{f"name-{seat}": st.sampled_from(NASTY_NAMES) for seat in range(8)},
    **{f"o-{key}": options for key in sorted({key for game in GAMES.values() for key in game.options})},
    "o-nonsense": nasty,
}
SETUP = ["game", "for", *(name for name in FIELDS if name.startswith("o-"))]
LOOKUPS = "table players p0 p1 p7 carried sum s1 s10 n1 n10 ask pot bet white held black"
# The fields a route reads; a route that is not listed here gets any fields.
OF_A_ROUTE: dict[str, list[str]] = {
    "static": ["v"],
    "lobby.settings": ["language", "theme", "thumb"],
    "setup.create": ["seats", "only", "seats", *SETUP, *(f"name-{seat}" for seat in range(8))],
    "setup.new_evening": ["table", "id"],
    "evenings.show": ["from", "name", "hidden", "moved"],
    "evenings.move": ["table", "hidden"],
    "standings.show": ["since", "game"],
    "standings.as_json": ["since", "game"],
    "person.show": ["name"],
    "person.join": ["name", "other", "apart"],
    "evenings.storage": ["from"],
    "lobby.join": ["code"],
    "another_phone.add": ["code"],
    "importing.read_file": ["record", "file", "id", "preview", "first"],
    "demo.turn_up": ["version", "id"],
    "importing.fork": ["id"],
    "table.show": ["choose"],
    "table.enter": ["version", "entry", "entry", "id"],
    "table.undo": ["version", "id"],
    "table.score": ["version", "seat", "to", "points", "amount", "other", "verb"],
    "table.choose_me": ["me"],
    "chips.change": ["version", "seat", "to", "points", "amount", "other", "verb"],
    "seats.change_seats": ["version", "what", "seat", "new", "entry"],
    "seats.name_seats": ["version", *(f"name-{seat}" for seat in range(8))],
    "setup.start_game": ["version", *SETUP],
    "handover.take": ["recovery"],
    "handover.hand_over": ["withdraw"],
    "deleting.delete": ["sure"],
    "evening.show": ["worth", "currency", "by"],
    "settling.enter": ["version", "what", "title", "id"],
    "downloads.text": ["worth", "currency", "by"],
    "history.show": ["n", "kind", "entry", "card"],
    "history.repair": ["version", "n", "kind", "entry", "id"],
    "lookup.index": LOOKUPS.split(),
    "lookup.show": LOOKUPS.split(),
    "api.create": ["seats", "game", "options"],
    "api.import_record": ["record"],
    "api.enter": ["version", "entries", "id"],
    "api.undo": ["version", "id"],
    "api.repair": ["version", "entry", "id"],
    "api.remove": ["version", "id"],
    "sync.rows": ["after"],
    "sync.take_rows": ["engine", "names", "opening", "rows"],
    "api.lookup_limit": ["players"],
    "api.lookup_stakes": ["stakes", "points", "carried", "sum"],
    "api.lookup_blackstone": ["white", "held", "unseen_white", "unseen_black"],
    "api.lookup_rocket": ["bet"],
    "api.lookup_odds": ["stack", "seen"],
}
# Fields whose value in the body of an API call differs from that of the form field of the same name.
OF_A_BODY: dict[str, st.SearchStrategy[Any]] = {
    "seats": st.lists(st.sampled_from((*NAMES, *NASTY_NAMES)), max_size=9),
    "options": st.dictionaries(st.sampled_from(("limit", "sum", "forfeit", "odds", "burn", "É")), options, max_size=3),
}
# The arguments in a path, by name; others are chosen by their converter.
ARGUMENT_NAMES: dict[str, st.SearchStrategy[Any]] = {
    "table_id": st.sampled_from((RIGHT["table"],) * 8 + (Blank("other"), Blank("unopened"), "unknown")),
    "filename": st.sampled_from(("app.css", "icons/icon-192.png", "../companion/table.py", "no.css")),
    "tab": st.sampled_from(sorted(lookups())),
    "game": st.sampled_from(sorted(GAMES)),
    "number": st.just(RIGHT["length"]) | numbers,
}
CONVERTERS: dict[str, st.SearchStrategy[Any]] = {
    "UnicodeConverter": nasty,
    "PathConverter": nasty,
    "IntegerConverter": st.sampled_from(("0", "-1", "9" * 9, "9" * 30, "9" * 5_000, "٣", "1.5", "01")),
}

# -- requests


@dataclass(frozen=True)
class FuzzRequest:
    """A request to send. `fields` go where `where` says; a raw query or body is sent as it is."""

    rule: str
    method: str
    arguments: Mapping[str, Any]
    who: str
    fields: tuple[tuple[str, Any], ...]
    where: str
    query: str | None
    body: str | None  # one of RAW_BODIES
    content_type: str | None
    headers: tuple[tuple[str, str], ...]


def mostly(usual: Any, *others: Any) -> st.SearchStrategy[Any]:
    """The usual value in five of six cases: a request with everything wrong is refused too early to test much."""
    return st.sampled_from((usual,) * 5 * len(others) + others)


@st.composite
def requests(draw: st.DrawFn, rule: Rule, method: str) -> FuzzRequest:
    api = rule.rule.startswith(("/api", "/healthz"))
    names = OF_A_ROUTE.get(rule.endpoint, list(FIELDS))
    if len(names) > 12:
        names = draw(st.lists(st.sampled_from(names), max_size=12))
    chosen = [name for name in names if draw(mostly(True, False))]
    sent_as = "json" if api else "form"
    fields = []
    for name in chosen:
        good = OF_A_BODY[name] if api and name in OF_A_BODY else FIELDS[name]
        bad = st.sampled_from(NASTY_JSON) | nasty if api else nasty
        fields.append((name, draw(good if draw(mostly(True, False)) else bad)))
    if chosen and draw(mostly(False, True)):
        fields.append((chosen[0], draw(nasty)))
    arguments = {}
    for name in sorted(rule.arguments - set(rule.defaults or ())):
        usual = ARGUMENT_NAMES.get(name, nasty)
        converter = CONVERTERS[type(rule._converters[name]).__name__]
        arguments[name] = draw(usual if draw(mostly(True, False)) else converter)
    raw = draw(mostly(False, True))
    queried = method == "GET" or draw(mostly(False, True))
    return FuzzRequest(
        rule=rule.rule,
        method=draw(mostly(method, *OTHER_METHODS)),
        arguments=arguments,
        who=draw(st.sampled_from(("bearer", "bearer", "cookie", "cookie", "nobody", "liar"))),
        fields=tuple(fields),
        where="query" if queried else draw(mostly(sent_as, "json", "form", "multipart")),
        query=draw(mostly(None, *RAW_QUERIES, "preview=1", "preview=1", "preview=1")),
        body=draw(st.sampled_from(sorted(RAW_BODIES))) if raw else None,
        content_type=draw(mostly(None, *CONTENT_TYPES)),
        headers=tuple(draw(st.lists(headers, max_size=3) if draw(st.booleans()) else st.just([]))),
    )


headers = st.sampled_from([(name, value) for name, values in HEADERS.items() for value in values])
