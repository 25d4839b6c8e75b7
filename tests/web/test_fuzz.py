"""Whatever anybody sends to whatever address: an answer in a sentence, and no table changed that should not be.

The routes are those of `app.url_map`, so a new one is fuzzed from its first day. Every example opens tables of its own
and sends a few requests about them, so a failing example can be told and played again.

`FIFTY_FIVE_FUZZ=20000 pytest tests/web/test_fuzz.py` makes at least so many requests and tells what was answered.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from markupsafe import escape
from werkzeug.datastructures import Headers
from werkzeug.routing import Rule
from werkzeug.test import EnvironBuilder, encode_multipart, run_wsgi_app

import companion.web
from companion.engine.notation import parse, print_seats, quote_name
from companion.engine.play import open_table, play
from companion.engine.verbs import VERBS
from companion.games import GAMES
from companion.store import Store
from companion.store.memory import MemoryStore
from companion.table.change import Change
from companion.table.table import Table
from companion.web import create_app
from companion.web.dealing import fingerprint
from companion.web.tables import Tables
from tests.engine.test_walk import NAMES, OPTIONS

from .conftest import app_at, app_on, close

# The upload of a body that breaks off is left to the garbage collector by Werkzeug.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed file:ResourceWarning")

STORES = ["memory", "sqlite", "postgres"]  # one more store: its name here, its application in `arena`
WANTED = int(os.environ.get("FIFTY_FIVE_FUZZ", "1500"))
REQUESTS = 3  # about the same table, one after another
LONGEST_COOKIE = 4093  # what browsers keep

# -- nasty values

MARKUP = ("<script>alert(1)", "<img src=x onerror=a()>")
NASTY_NAMES = (
    *MARKUP,
    "'&<b>&amp;",
    "{{7*7}}{name}%s",
    "=1+1",
    "../..",
    "שלום עולם",
    "مرحبا \u200f!",
    "👩\u200d👩\u200d👧\u200d👦🏴\u200d☠️",
    "Ãñ Q\u0323\u0301\u0302 ß ﬁ",
    "W" * 24,
    "𝔄" * 24,
)
NASTY_TEXTS = (
    *NASTY_NAMES,
    "",
    " ",
    ".",
    "..",
    "/",
    "//",
    "%00",
    "%2e%2e%2f",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "\u202eabc",
    "\u2028",
    "\ufeff",
    "\r\nSet-Cookie: a=b",
    "\\",
    '"',
    '""',
    "'; DROP TABLE tables; --",
    "<script>alert(1)</script>",
    '"><script>alert(1)</script>',
    "-1",
    "-0",
    "+1",
    "1.5",
    "1e9",
    "0x10",
    "٣",
    "²",
    "１",
    "0" * 12 + "1",
    "9" * 9,
    "9" * 20,
    "9" * 400,
    "9" * 5000,
    "NaN",
    "Infinity",
    "null",
    "true",
    "None",
    "[]",
    "x" * 300,
    "x" * 20_000,
    "é\u0301" * 700,
)
NASTY_JSON = (
    None,
    True,
    False,
    0,
    -1,
    -0.0,
    1.5,
    1e308,
    float("nan"),
    float("inf"),
    float("-inf"),
    2**31,
    2**63,
    10**400,
    [],
    {},
    [None],
    [[["x"]]],
    [1, "8", {}],
    {"a": {"b": [{}]}},
    ["8"] * 40,
    ["\0", "\ud800"],
    {"limit": 10**400},
    {"limit": True},
    {"forfeit": "\ud800"},
    {"\0": 1, "": "", "É": "x"},
)
# By name, so that a failing request can be printed.
RAW_BODIES = {
    "nothing": b"",
    "NUL": b"\0",
    "no UTF-8": b"\xff\xfe",
    "null": b"null",
    "list": b"[]",
    "text": b'"x"',
    "broken off": b"{",
    "huge number": b'{"version": 1' + b"0" * 5_000 + b"}",
    "deep list": b"[" * 100_000,
    "deep object": b'{"version":' * 2_000 + b"1" + b"}" * 2_000,
    "twice the same": b'{"version": 1, "version": "x", "entries": ["8"], "entries": null}',
    "UTF-16": '{"version": 2, "entries": ["8"]}'.encode("utf-16"),
    "half a character": b'{"record": "fifty-five 1\\nseats A B\\ngame pairs\\n\\ud800"}',
    "odd form": b"a=1&a=2&=&&&%zz=%ff",
    "odd entries": b"entry=8&version=2&entry=%00&entry=%ed%a0%80",
    "many fields": b"&".join([b"a=1"] * 2_000),
    "upload broken off": b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nfifty-five 1',
    "upload without a name": b"--x\r\n\r\n--x--",
    "too much": b"x" * 1_000_001,
}
CONTENT_TYPES = (
    "application/json",
    "application/json; charset=utf-16",
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=nonsense",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=" + "x" * 300,
    "text/plain",
    "text/html;;;=",
    "\xff/\xfe",
    "",
)
# As a server hands them on: Latin-1.
HEADERS: dict[str, tuple[str, ...]] = {
    "Authorization": (
        "Bearer",
        "Bearer ",
        "Bearer \xff\xfe",
        "bearer x y",
        "Bearer " + "x" * 20_000,
        "Basic YTpi",
        "Basic \xff",
        "Digest =,,=",
        "\xf0\x9f\x8e\xb2",
    ),
    "If-None-Match": ("*", '"1"', "W/", '"', ',",', "\xff", '"1", ' * 500, 'W/"2-en-000-"'),
    "If-Modified-Since": ("yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 99 Jan 99999 00:00:00 GMT"),
    "If-Range": ('"1"', "\xff"),
    "Range": ("bytes=0-0", "bytes=-1", "bytes=9-1", "bytes=0-" + "9" * 400, "lines=1-2", "bytes=\xff"),
    "HX-Request": ("true", "false", ""),
    "HX-Boosted": ("true",),
    "Accept": ("application/json", "*/*;q=x", "\xff"),
    "Accept-Encoding": ("gzip", "gzip;q=0", "*", "br;q=nan, gzip;q=inf", "\xff", "gzip;q=1e999"),
    "Accept-Language": ("fr", "fr-CA;q=0.1, xx", "fr;q=nan", "en;q=-1", ",;=,q=", "*", "\xe9", "fr," * 2_000, "fr\0"),
    "Cookie": ("fifty-five=", "fifty-five=x.y.z", "=;;=;", "\xff=\xfe", 'fifty-five="\\777"', "a=" + "b" * 9_000),
    "Origin": ("null", "", "http://localhost", "http://evil.example", "http://[", "\xff", "http://localhost@evil"),
    "Sec-Fetch-Site": ("same-origin", "none", "same-site", "cross-site", "", "\xff"),
    "Host": ("evil.example", "", "[::1", "localhost:x", "a b", "\xff", "x" * 300, "x" * 5_000, "<script>alert(1)"),
    "X-Forwarded-For": ("1.2.3.4", "\xff"),
    "X-Forwarded-Host": ("evil.example",),
    "X-Forwarded-Proto": ("https", "javascript"),
    "X-HTTP-Method-Override": ("DELETE",),
    "Content-Length": ("0", "1", "9", "-1", "x", "9" * 12, "9" * 5_000),
    "Transfer-Encoding": ("chunked",),
    "Expect": ("100-continue",),
    "Referer": ("http://evil.example/<script>alert(1)",),
}
RAW_QUERIES = ("%", "%zz=%ff", "\xff=\xfe", "&&==&", "a" * 9_000, "n=%ed%a0%80", "n=1&n=2;n=3", "\0", "version[]=1")
OTHER_METHODS = ("HEAD", "HEAD", "OPTIONS", "PATCH", "PUT", "DELETE", "POST", "GET", "TRACE", "BREW")

nasty = st.sampled_from(NASTY_TEXTS) | st.text(max_size=30)


# -- evenings: legal ones, and what a slip of the finger makes of them


@dataclass(frozen=True)
class Evening:
    """Seats, and entries that fit; the first starts the game."""

    names: tuple[str, ...]
    entries: tuple[str, ...]


@cache
def played(game: str, options: str, names: tuple[str, ...], seed: int, steps: int) -> Evening:
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
    return Evening(seats, tuple(entries))


@st.composite
def evenings(draw: st.DrawFn) -> Evening:
    # Few of each, so that an evening is played once and kept.
    game = draw(st.sampled_from(sorted(GAMES)))
    names = draw(st.sampled_from((NAMES, NAMES, NASTY_NAMES[:8], NASTY_NAMES[-8:])))
    always = OPTIONS[game] if names is NAMES else OPTIONS[game][:1]
    options = draw(st.sampled_from((*always, f"{OPTIONS[game][0]} odds=off buyin=50", f"{OPTIONS[game][0]} cards=no")))
    return played(game, options.strip(), names, draw(st.integers(0, 2)), draw(st.sampled_from((0, 4, 30))))


ARGUMENTS = {
    "card": st.integers(1, 10).map(str),
    "count": st.sampled_from(("1", "2", "10", "999999")),
    "natural": st.sampled_from(("0", "8", "50", "999999")),
    "amount": st.sampled_from(("100", "-100", "999999", "-999999")),
    "name": st.sampled_from((*NAMES[:3], "ann", f'"{NASTY_NAMES[6]}"', "W" * 24, "Dora", '"Jean Paul"')),
}
OPENINGS = [f"game {game} {options}".strip() for game, all_of_it in OPTIONS.items() for options in all_of_it]


@st.composite
def well_formed(draw: st.DrawFn) -> str:
    """An entry in one of the forms of the notation; whether it fits is another matter."""
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


# -- the fields of forms, queries and bodies


@dataclass(frozen=True)
class Blank:
    """To be filled in when the request is sent: what the dealer's phone knows then."""

    what: str


RIGHT = {name: Blank(name) for name in ("version", "legal", "name", "table", "pin", "client", "length")}
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
    "back": st.sampled_from(("seats", "chips", "menu", "show", "https://evil.example")),
    "verb": st.sampled_from(("score", "points", "buy", "pay", "bet")),
    "what": st.sampled_from(("rename", "leave", "sit", "up", "dealer", "button")),
    **dict.fromkeys(("seat", "to", "name", "me"), st.just(RIGHT["name"])),
    "new": st.sampled_from(NASTY_NAMES),
    "points": numbers | st.sampled_from(("Ana:17,Ben:10", "Ana:1,Ana:2", "Ana:0", ":1", "a:1," * 500)),
    **dict.fromkeys(("amount", "carried", "sum", "bet", "pot", "players"), numbers),
    **dict.fromkeys(("white", "held", "black", "unseen_white", "unseen_black", "p0", "p1", "p7"), numbers),
    **dict.fromkeys(("s1", "s10", "n1", "n10", "ask", "fold", "preview"), st.sampled_from(("1", "0"))),
    **dict.fromkeys(("stack", "seen"), st.sampled_from(("7,5", "7,5,10", "1," * 99, "7,,", "10,10"))),
    "stakes": st.sampled_from(("forfeit", "tacoma", "cutchfeld", "seattle", "portland", "olympia")),
    "worth": st.sampled_from(("0.50", "1000", "0", "0,5")),
    "currency": st.sampled_from(("€", "CHF", "zł", "kr.", "€" * 5)),
    "by": st.just("game"),
    "pin": st.just(RIGHT["pin"]) | st.just("1"),
    "table": st.just(RIGHT["table"]),
    "record": records(),
    "file": records(),
    "seats": st.integers(0, 9).map(str),
    "game": st.sampled_from(sorted(GAMES)),
    "options": st.dictionaries(st.sampled_from(("limit", "stakes", "sum", "forfeit", "odds", "nonsense")), options),
    "language": st.sampled_from(("en", "fr", "xx")),
    "theme": st.sampled_from(("auto", "dark", "light")),
    "hand": st.sampled_from(("left", "right")),
    "v": nasty,
    **{f"name-{seat}": st.sampled_from(NASTY_NAMES) for seat in range(8)},
    **{f"o-{key}": options for key in sorted({key for game in GAMES.values() for key in game.options})},
    "o-nonsense": nasty,
}
SETUP = ["game", *(name for name in FIELDS if name.startswith("o-"))]
LOOKUPS = "table players p0 p1 p7 carried sum s1 s10 n1 n10 ask pot bet white held black"
# The fields a route reads; one that is not told here gets any of all fields.
OF_A_ROUTE: dict[str, list[str]] = {
    "static": ["v"],
    "lobby.settings": ["language", "theme", "hand"],
    "lobby.create": ["seats", "seats", *SETUP, *(f"name-{seat}" for seat in range(8))],
    "lobby.again": ["table"],
    "lobby.import_record": ["record", "file"],
    "table.show": ["fold"],
    "table.enter": ["version", "entry", "entry", "id", "back"],
    "table.undo": ["version", "id"],
    "table.score": ["version", "seat", "to", "points", "amount", "verb", "back"],
    "table.choose_me": ["me"],
    "table.change_seats": ["version", "what", "name", "new"],
    "table.start_game": ["version", *SETUP],
    "table.take": ["pin"],
    "table.code": ["pin"],
    "table.evening": ["worth", "currency", "by"],
    "table.evening_text": ["worth", "currency", "by"],
    "table.history": ["n", "kind", "entry", "card"],
    "table.repair": ["version", "n", "kind", "entry", "id"],
    "lookup.index": LOOKUPS.split(),
    "lookup.show": LOOKUPS.split(),
    "api.create": ["seats", "game", "options"],
    "api.import_record": ["record"],
    "api.enter": ["version", "entries", "id"],
    "api.undo": ["version", "id"],
    "api.repair": ["version", "entry", "id"],
    "api.remove": ["version", "id"],
    "api.lookup_limit": ["players"],
    "api.lookup_stakes": ["stakes", "points", "carried", "sum"],
    "api.lookup_blackstone": ["white", "held", "unseen_white", "unseen_black"],
    "api.lookup_rocket": ["bet"],
    "api.lookup_odds": ["stack", "seen"],
}
# What the body of a call holds, where it is not what a form of the same name holds.
OF_A_BODY: dict[str, st.SearchStrategy[Any]] = {
    "seats": st.lists(st.sampled_from((*NAMES, *NASTY_NAMES)), max_size=9),
    "options": st.dictionaries(st.sampled_from(("limit", "sum", "forfeit", "odds", "burn", "É")), options, max_size=3),
}
# The arguments in a path; others by their converter.
ARGUMENT_NAMES: dict[str, st.SearchStrategy[Any]] = {
    "table_id": st.sampled_from((RIGHT["table"],) * 8 + (Blank("other"), "unknown")),
    "name": st.sampled_from(("app.css", "icons/icon-192.png", "../companion/table.py", "no.css")),
    "tab": st.sampled_from(("pairs", "continuous", "stakes", "odds", "starboard", "rocket", "blackstone", "hawthorn")),
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
class Request:
    """What is sent. `fields` go where `where` says; a raw query or body is sent as it is."""

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
    """The usual in five of six cases: a request with everything wrong is refused at once."""
    return st.sampled_from((usual,) * 5 * len(others) + others)


@st.composite
def requests(draw: st.DrawFn, rule: Rule, method: str) -> Request:
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
    return Request(
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


# -- the arena: an application whose every table is watched


@dataclass
class Tally:
    """What the whole run came to."""

    answers: Counter[int] = field(default_factory=Counter)
    slow: list[str] = field(default_factory=list)


@dataclass
class Arena:
    app: Flask
    tally: Tally
    created: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tables: Tables = self.app.extensions["tables"]
        self.store: Store = self.tables.store
        create = self.store.create

        def noted(table: str, *rest: Any) -> None:
            create(table, *rest)
            self.created.append(table)

        self.store.create = noted  # type: ignore[method-assign]

    def standing(self, table: str) -> Any:
        """All there is on record about a table, but for the guesses of its PIN."""
        takeover = self.store.takeover(table)
        return self.store.names(table), self.store.rows(table), self.store.standing(table), takeover and takeover.epoch

    def rows_of(self, tables: list[str]) -> list[Any]:
        return [(self.store.names(table), self.store.rows(table)) for table in tables]


@pytest.fixture(scope="module")
def tally(request: pytest.FixtureRequest) -> Iterator[Tally]:
    made = Tally()
    yield made
    if "FIFTY_FIVE_FUZZ" in os.environ:
        spread = ", ".join(f"{status} ×{count}" for status, count in sorted(made.answers.items()))
        with request.config.pluginmanager.get_plugin("capturemanager").global_and_fixture_disabled():
            print("", f"{made.answers.total()} requests: {spread}", *made.slow, sep="\n")


@pytest.fixture(scope="module", params=STORES)
def arena(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, tally: Tally) -> Iterator[Arena]:
    if request.param == "memory":
        app = create_app(MemoryStore(), {"SECRET_KEY": "a key for tests"})
    elif request.param == "sqlite":
        app = app_on(tmp_path_factory.mktemp("fuzz"))
    else:
        app = app_at(request.getfixturevalue("new_postgres")(), tmp_path_factory.mktemp("fuzz"))
    app.config["TAKEOVER_SILENCE"] = 0  # so that a PIN is looked at
    yield Arena(app, tally)
    if request.param != "memory":
        close(app)


ROUTES = [
    (rule, method)
    for rule in create_app(MemoryStore(), {"SECRET_KEY": "a key for tests"}).url_map.iter_rules()
    for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
]
each_route = pytest.mark.parametrize(("rule", "method"), ROUTES, ids=[f"{method} {rule}" for rule, method in ROUTES])


def so_many(examples: int) -> settings:
    # A failing request is told as it was drawn: to shrink it takes minutes. No database of failures either, since
    # hypothesis would share one among all routes.
    return settings(
        max_examples=examples,
        deadline=None,
        phases=(Phase.generate,),
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@dataclass(frozen=True)
class Answer:
    method: str
    path: str
    status: int
    headers: Headers
    text: str

    @classmethod
    def to(cls, app: Flask, environ: dict[str, Any]) -> Answer:
        """The application is called as a server calls it: a test client would tidy the request up, or choke on it."""
        parts, status, headers = run_wsgi_app(app, environ, buffered=True)
        body = b"".join(parts)
        if body and headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
        return cls(environ["REQUEST_METHOD"], path, int(status.split()[0]), headers, body.decode("utf-8", "replace"))

    def keeps_the_promises(self) -> None:
        """No breakdown; whatever is refused is refused in a sentence; no text is taken for markup."""
        assert self.status < 500, self.text
        assert all(len(cookie) <= LONGEST_COOKIE for cookie in self.headers.getlist("Set-Cookie"))
        if self.headers.get("Content-Type", "").startswith("text/html"):
            assert not [markup for markup in MARKUP if markup in self.text]
        if self.method == "HEAD":
            assert not self.text
        elif self.status >= 400 and self.path.startswith(("/api", "/healthz")):
            told = json.loads(self.text)
            assert told["error"].strip()
            assert told["message"].strip()
        elif self.status >= 400:
            assert re.search(r'role="alert"[^>]*>\s*[^<\s]', self.text), self.text


class Scene:
    """A table in the middle of an evening, its dealer's phone, and a table next to it that is none of his business."""

    def __init__(self, arena: Arena, evening: Evening, more: str) -> None:
        self.arena = arena
        self.first = len(arena.created)
        opened = [parse(entry) for entry in evening.entries]
        half = len(opened) // 2 + 1
        with arena.app.app_context():
            self.other, _secret, _table = arena.tables.create(NAMES[:2], [parse("game pairs")])
            self.table, self.secret, table = arena.tables.create(evening.names, opened[:half])
            if opened[half:]:
                later = Change("enter", evening.entries[half:])
                table = arena.tables.write(self.table, self.secret, 1, later, "tap-1")
                if more == "undone":
                    arena.tables.write(self.table, self.secret, table.version, Change("undo"))
            if more == "offered":
                arena.tables.dealing.offer(self.table, self.secret)

    # -- what the dealer's phone knows

    def fill(self, value: Any) -> Any:
        match value:
            case Blank(what):
                return getattr(self, what) if what in ("table", "other") else getattr(self, f"_{what}")()
            case list():
                return [self.fill(part) for part in value]
            case _:
                return value

    def now(self) -> Table:
        with self.arena.app.app_context():
            return self.arena.tables.load(self.table)

    def _version(self) -> int:
        return self.now().version

    def _length(self) -> int:
        return self.now().head.number

    def _legal(self) -> str:
        table = self.now()
        legal = table.games[table.state.game].legal(table.state)
        return str(legal[table.version % len(legal)]) if legal else "shuffle"

    def _name(self) -> str:
        table = self.now()
        return table.state.seats[table.version % len(table.state.seats)].name

    def _pin(self) -> str:
        with self.arena.app.app_context():
            return self.arena.tables.dealing.pin(self.table)

    def _client(self) -> str:
        return f"tap-{self._version()}"

    # -- sending

    def environ(self, request: Request) -> dict[str, Any]:
        """The request as a server hands it on, down to the bytes."""
        path = request.rule
        for name, value in request.arguments.items():
            path = str(self.fill(value)).join(re.split(rf"<(?:\w+:)?{name}>", path))
        pairs = [(name, self.fill(value)) for name, value in request.fields]
        words = [(name, part if isinstance(part, str) else str(part)) for name, part in pairs]
        query, body, kind = request.query or "", b"", ""
        if request.where == "query":
            query = "&".join(filter(None, (urlencode(words, errors="surrogatepass"), query)))
        elif request.where == "form":
            body, kind = urlencode(words, errors="surrogatepass").encode(), "application/x-www-form-urlencoded"
        elif request.where == "json":
            inside = ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in pairs)  # doubles stay
            body, kind = f"{{{inside}}}".encode(), "application/json"
        else:
            parts = {name: text.encode("utf-8", "replace").decode() for name, text in words}
            files = {"file": (io.BytesIO(parts.pop("file", "").encode()), "record.txt")}
            boundary, body = encode_multipart({**parts, **files})
            kind = f"multipart/form-data; boundary={boundary}"
        body = body if request.body is None else RAW_BODIES[request.body]
        made: dict[str, Any] = EnvironBuilder(method=request.method, input_stream=io.BytesIO(body)).get_environ()
        made |= {"PATH_INFO": path.encode("utf-8", "surrogatepass").decode("latin-1"), "QUERY_STRING": query}
        made |= {"CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": request.content_type or kind}
        for name, value in (*self.rights(request), *request.headers):
            key = name.upper().replace("-", "_")
            if key == "COOKIE" and "HTTP_COOKIE" in made:
                value = f"{made['HTTP_COOKIE']}; {value}"
            made["CONTENT_LENGTH" if key == "CONTENT_LENGTH" else f"HTTP_{key}"] = value
        return made

    def rights(self, request: Request) -> list[tuple[str, str]]:
        """How the sender shows who he is."""
        if request.who == "bearer":
            return [("Authorization", f"Bearer {self.secret}")]
        if request.who == "liar":
            return [("Authorization", f"Bearer {self.secret[::-1]}")]
        if request.who == "cookie":
            signer = self.arena.app.session_interface.get_signing_serializer(self.arena.app)  # type: ignore[attr-defined]
            kept = {"dealer": {self.table: self.secret}, "me": {self.table: self._name()}, "people": ["Ann", "Bob"]}
            return [("Cookie", f"fifty-five={signer.dumps(kept)}")]
        return []

    def may_write(self, request: Request) -> bool:
        standing = self.arena.store.standing(self.table)
        assert standing is not None
        sent = dict(request.headers)
        foreign = sent.get("Sec-Fetch-Site") in ("cross-site", "same-site", "", "\xff")
        return request.who in ("bearer", "cookie") and standing.secret == fingerprint(self.secret) and not foreign

    def send(self, request: Request) -> None:
        """Send it, and see that the answer keeps what everybody is promised."""
        tables, store = [self.table, self.other], self.arena.store
        before, rows = [self.arena.standing(table) for table in tables], self.arena.rows_of(tables)
        known, may_write = len(self.arena.created), self.may_write(request)
        environ = self.environ(request)
        started = time.process_time()
        answer = Answer.to(self.arena.app, environ)
        self.note(request, answer, time.process_time() - started)

        answer.keeps_the_promises()
        after = [self.arena.standing(table) for table in tables]
        if answer.status >= 400:
            assert after == before, "a refused request has changed the table"
            assert len(self.arena.created) == known, "a refused request has opened a table"
        if not may_write:
            assert self.arena.rows_of(tables) == rows, "somebody who does not deal has changed the table"
            if not (request.rule.endswith("/take") and answer.status == 303):
                assert after == before, "somebody who does not deal has changed who deals"
        assert after[1] == before[1], "the table next to it has changed"
        assert store.names(self.table) == before[0][0]

    def note(self, request: Request, answer: Answer, seconds: float) -> None:
        self.arena.tally.answers[answer.status] += 1
        if seconds > 1:
            self.arena.tally.slow.append(f"{seconds:.1f} s: {str(request)[:2_000]}")

    def replays(self) -> None:
        """Every table of this scene, and every one opened in it, is what its log says."""
        for table_id in self.arena.created[self.first :]:
            with self.arena.app.app_context():
                table = self.arena.tables.load(table_id)
            names, (opening, *later) = self.arena.store.names(table_id), self.arena.store.rows(table_id)
            assert names is not None
            again = Table.open(GAMES, names, opening.change.entries, opening.at)
            for row in later:
                again = again.change(row.change, row.at)
            assert again.report() == table.report()
            assert again.log() == table.log()
            told = Table.from_record(GAMES, table.record()).report()
            own = ("version", "undo", "redo")
            assert {**told, **dict.fromkeys(own)} == {**table.report(), **dict.fromkeys(own)}


def act(arena: Arena, evening: Evening, more: str, sent: list[Request]) -> None:
    scene = Scene(arena, evening, more)
    for request in sent:
        scene.send(request)
    scene.replays()


situations = st.sampled_from(("", "", "undone", "offered"))


# -- the tests


def test_every_route_and_every_argument_in_its_address_is_fuzzed(arena: Arena) -> None:
    fuzzed = {rule.rule for rule, _method in ROUTES}
    for rule in arena.app.url_map.iter_rules():
        assert rule.rule in fuzzed
        for name in rule.arguments - set(rule.defaults or ()):
            assert type(rule._converters[name]).__name__ in CONVERTERS, f"{rule}: a strategy for {name} is missing"
    endpoints = {rule.endpoint for rule in arena.app.url_map.iter_rules()}
    assert OF_A_ROUTE.keys() <= endpoints, "a route has gone: its fields are told for nothing"


def test_every_field_the_pages_read_is_fuzzed() -> None:
    reads = re.compile(r'(?:form|args|files|chosen|given)(?:\.get|\.getlist)?[\[(](?:given, )?"([a-z_]+)"')
    source = "".join(path.read_text() for path in sorted(Path(companion.web.__file__).parent.rglob("*.py")))
    assert not set(reads.findall(source)) - FIELDS.keys()


@each_route
def test_any_request_is_answered_in_a_sentence_and_changes_only_what_it_may(
    arena: Arena, rule: Rule, method: str
) -> None:
    @so_many(-(-WANTED // (len(ROUTES) * len(STORES) * REQUESTS)))
    @given(evenings(), situations, st.lists(requests(rule, method), min_size=REQUESTS, max_size=REQUESTS))
    def fuzz(evening: Evening, more: str, sent: list[Request]) -> None:
        act(arena, evening, more, sent)

    fuzz()


def test_requests_in_any_order_leave_every_table_as_its_log_says(arena: Arena) -> None:
    anything = st.sampled_from(ROUTES).flatmap(lambda route: requests(*route))

    @so_many(-(-WANTED // (20 * len(STORES) * REQUESTS)))
    @given(evenings(), situations, st.lists(anything, min_size=REQUESTS, max_size=12))
    def fuzz(evening: Evening, more: str, sent: list[Request]) -> None:
        act(arena, evening, more, sent)

    fuzz()


PAGES = [rule.rule for rule, method in ROUTES if rule.arguments == {"table_id"} and method == "GET"]


def look_at(arena: Arena, table: str, secret: str) -> dict[str, str]:
    """Every page about a table, as its dealer sees it."""
    client = arena.app.test_client(use_cookies=False)
    pages = {}
    for rule in PAGES:
        answer = client.get(rule.replace("<table_id>", table), headers={"Authorization": f"Bearer {secret}"})
        assert answer.status_code < 400, rule
        if answer.mimetype == "text/html":
            pages[rule] = answer.text
    return pages


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("first", range(0, len(NASTY_NAMES), 3))
def test_a_name_is_shown_as_it_was_given_and_never_taken_for_markup(arena: Arena, game: str, first: int) -> None:
    def pages(names: tuple[str, ...]) -> dict[str, str]:
        with arena.app.app_context():
            entries = [f"game {game}", *(f"buy {quote_name(name)} 5" for name in names)]
            table, secret, _table = arena.tables.create(names, list(map(parse, entries)))
        return look_at(arena, table, secret)

    # Where a page shows an innocent name, it shows any name.
    innocent, nasty_ones = ("Xaver", "Yolanda", "Zacharias"), NASTY_NAMES[first : first + 3]
    plain, shown = pages(innocent), pages(nasty_ones)
    assert all(name in plain["/t/<table_id>/seats"] for name in innocent)
    for rule, page in plain.items():
        for name, nasty_one in zip(innocent, nasty_ones, strict=True):
            assert name not in page or str(escape(nasty_one)) in shown[rule], rule
        assert not [markup for markup in MARKUP if markup in shown[rule]], rule
