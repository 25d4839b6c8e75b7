"""Fuzz every route: each request must be answered properly, and may change only what its sender may change.

The routes come from `app.url_map`, so a new one is fuzzed from its first day. Every example opens its own tables and
sends a few requests about them, so a failing example can be printed and repeated.

`FIFTY_FIVE_FUZZ=20000 pytest tests/web/test_fuzz.py` sends at least 20,000 requests and prints how they were answered.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from markupsafe import escape
from werkzeug.routing import Rule

import companion.web
from companion.engine.notation import parse, quote_name
from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.web import create_app

from .conftest import app_at, app_on, close
from .fuzzing.arena import Arena, FuzzCount, act
from .fuzzing.requests import CONVERTERS, FIELDS, OF_A_ROUTE, FuzzedEvening, FuzzRequest, evenings, requests
from .fuzzing.values import MARKUP, NASTY_NAMES

# Werkzeug leaves an upload that breaks off to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed file:ResourceWarning")

STORES = ["memory", "sqlite", "postgres"]  # for a new store, add its name here and its application to `arena`
WANTED = int(os.environ.get("FIFTY_FIVE_FUZZ", "700"))  # `make fuzz` sends many more
REQUESTS = 3  # about the same table, one after another


@pytest.fixture(scope="module")
def tally(request: pytest.FixtureRequest) -> Iterator[FuzzCount]:
    made = FuzzCount()
    yield made
    if "FIFTY_FIVE_FUZZ" in os.environ:
        spread = ", ".join(f"{status} ×{count}" for status, count in sorted(made.answers.items()))
        with request.config.pluginmanager.get_plugin("capturemanager").global_and_fixture_disabled():
            print("", f"{made.answers.total()} requests: {spread}", *made.slow, sep="\n")


@pytest.fixture(scope="module", params=STORES)
def arena(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, tally: FuzzCount
) -> Iterator[Arena]:
    if request.param == "memory":
        app = create_app(MemoryStore(), {"SECRET_KEY": "a key for tests"})
    elif request.param == "sqlite":
        app = app_on(tmp_path_factory.mktemp("fuzz"))
    else:
        app = app_at(request.getfixturevalue("new_postgres")(), tmp_path_factory.mktemp("fuzz"))
    app.config["TAKEOVER_SILENCE"] = 0  # so that a PIN is checked
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
    # A failing request is not shrunk, as that takes minutes. Failures are not stored either, since hypothesis would
    # share one database among all routes.
    return settings(
        max_examples=examples,
        deadline=None,
        phases=(Phase.generate,),
        database=None,
        suppress_health_check=list(HealthCheck),
    )


situations = st.sampled_from(("", "", "undone", "offered"))


def test_every_route_and_every_argument_in_its_address_is_fuzzed(arena: Arena) -> None:
    fuzzed = {rule.rule for rule, _method in ROUTES}
    for rule in arena.app.url_map.iter_rules():
        assert rule.rule in fuzzed
        for name in rule.arguments - set(rule.defaults or ()):
            assert type(rule._converters[name]).__name__ in CONVERTERS, f"{rule}: a strategy for {name} is missing"
    endpoints = {rule.endpoint for rule in arena.app.url_map.iter_rules()}
    assert OF_A_ROUTE.keys() <= endpoints, "a route has gone: its fields are listed for nothing"


def test_every_field_the_pages_read_is_fuzzed() -> None:
    reads = re.compile(r'(?:form|args|files|chosen|given)(?:\.get|\.getlist)?[\[(](?:given, )?"([a-z_]+)"')
    source = "".join(path.read_text() for path in sorted(Path(companion.web.__file__).parent.rglob("*.py")))
    assert not set(reads.findall(source)) - FIELDS.keys()


@each_route
def test_any_request_is_answered_and_changes_only_what_it_may(arena: Arena, rule: Rule, method: str) -> None:
    @so_many(-(-WANTED // (len(ROUTES) * len(STORES) * REQUESTS)))
    @given(evenings(), situations, st.lists(requests(rule, method), min_size=REQUESTS, max_size=REQUESTS))
    def fuzz(evening: FuzzedEvening, more: str, sent: list[FuzzRequest]) -> None:
        act(arena, evening, more, sent)

    fuzz()


def test_after_requests_in_any_order_every_table_matches_its_log(arena: Arena) -> None:
    anything = st.sampled_from(ROUTES).flatmap(lambda route: requests(*route))

    @so_many(-(-WANTED // (20 * len(STORES) * REQUESTS)))
    @given(evenings(), situations, st.lists(anything, min_size=REQUESTS, max_size=12))
    def fuzz(evening: FuzzedEvening, more: str, sent: list[FuzzRequest]) -> None:
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


INNOCENT = ("Xaver", "Yolanda", "Zacharias")
Pages = Callable[[str, tuple[str, ...]], dict[str, str]]


@pytest.fixture(scope="module")
def pages(arena: Arena) -> Pages:
    """A function that draws every page of a table with this game and these names, and keeps the result."""

    @cache
    def draw(game: str, names: tuple[str, ...]) -> dict[str, str]:
        with arena.app.app_context():
            entries = [f"game {game}", *(f"buy {quote_name(name)} 5" for name in names)]
            table, secret, _table = arena.tables.create(names, list(map(parse, entries)))
        return look_at(arena, table, secret)

    return draw


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("first", range(0, len(NASTY_NAMES), 3))
def test_a_name_is_shown_unchanged_and_never_becomes_markup(pages: Pages, game: str, first: int) -> None:
    # A page that shows an innocent name must show any name in the same place.
    nasty_ones = NASTY_NAMES[first : first + 3]
    plain, shown = pages(game, INNOCENT), pages(game, nasty_ones)
    assert all(name in plain["/t/<table_id>/seats"] for name in INNOCENT)
    for rule, page in plain.items():
        for name, nasty_one in zip(INNOCENT, nasty_ones, strict=True):
            assert name not in page or str(escape(nasty_one)) in shown[rule], rule
        assert not [markup for markup in MARKUP if markup in shown[rule]], rule
