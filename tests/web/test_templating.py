"""Templates are compiled to less Python than Jinja makes, and still write the same."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest
from flask import Flask
from jinja2 import UndefinedError
from jinja2.compiler import CodeGenerator
from markupsafe import Markup

from companion.engine.notation import Entry, parse
from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.table.change import Change
from companion.table.table import Table
from companion.web import create_app
from companion.web.templating import Compiler, Templates, written

from .test_sentences import pages_of


class Thing(NamedTuple):
    name: Any = "Ann"


@pytest.fixture(scope="module")
def env() -> Templates:
    made = create_app(MemoryStore()).jinja_env
    assert isinstance(made, Templates)
    return made


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Ann", "Ann"),
        ("<b>", "&lt;b&gt;"),
        ("A&B", "A&amp;B"),
        ("O'Neil", "O&#39;Neil"),
        ('"Al"', "&#34;Al&#34;"),
        (Markup("<b>"), "<b>"),
        (55, "55"),
        (True, "True"),
        (0.5, "0.5"),
        (Thing("<i>"), "Thing(name=&#39;&lt;i&gt;&#39;)"),
    ],
)
def test_a_gap_is_escaped(env: Templates, value: object, expected: str) -> None:
    assert written(value) == expected
    assert env.from_string("{{ thing.name }}").render(thing=Thing(value)) == expected


def test_an_if_without_else_says_nothing(env: Templates) -> None:
    assert env.from_string("[{{ 'x' if thing.name }}]").render(thing=Thing("")) == "[]"


def test_what_is_not_there_is_an_error(env: Templates) -> None:
    with pytest.raises(UndefinedError):
        env.from_string("{{ nothing }}").render()
    with pytest.raises(UndefinedError):
        env.from_string("{{ nothing[0] }}").render()
    with pytest.raises(AttributeError):
        env.from_string("{{ nothing.name }}").render()
    with pytest.raises(AttributeError):
        env.from_string("{{ thing.age }}").render(thing=Thing())


def test_a_word_in_a_template_is_translated_and_its_gaps_are_escaped(env: Templates) -> None:
    assert env.from_string("{{ _('Undo') }}").render() == "Undo"
    assert env.from_string("{{ _('Take %(count)s', count='<3>') }}").render() == "Take &lt;3&gt;"
    assert env.from_string("{{ _('Take %(count)s', **gaps) }}").render(gaps={"count": "<3>"}) == "Take &lt;3&gt;"


NAMES = ("<b>&'", "Ann & Bob", "O'Neil", "</script>{{ 7 }}%(x)s")


def app_with(compiler: type[CodeGenerator], store: MemoryStore) -> Flask:
    """The application with its templates compiled by that one; a form has the same id in both."""
    app = create_app(store, {"SECRET_KEY": "the same"})
    app.jinja_env.code_generator_class = compiler  # type: ignore[misc]
    app.jinja_env.globals["form_id"] = lambda: "id"
    return app


@pytest.fixture(scope="module")
def both() -> list[Flask]:
    store = MemoryStore()
    ours, jinjas = (app_with(compiler, store) for compiler in (Compiler, CodeGenerator))
    jinjas.extensions["coaching"] = ours.extensions["coaching"]
    return [ours, jinjas]


def played(game: str, count: int) -> list[Entry]:
    """So many entries of an evening, chosen by chance."""
    random, table = Random(game), Table.open(GAMES, NAMES, [f"game {game}"])
    for _count in range(count):
        table = table.enter([random.choice(GAMES[game].legal(table.state) or [parse(f"game {game}")])])
    return [step.entry for step in table.steps()]


@pytest.mark.parametrize("game", GAMES)
def test_every_page_is_written_as_jinja_itself_writes_it(both: list[Flask], game: str) -> None:
    """With hostile names, early and late in an evening, the dealer's fragments and a watcher's pages."""
    tables = both[0].extensions["tables"]
    for count, spoken in ((5, "fr"), (40, "en")):
        with both[0].app_context():
            *entries, last = played(game, count)
            table, secret, _opened = tables.create(NAMES, entries)
            entered = tables.write(table, secret, 1, Change("enter", (str(last),)))
            undone = tables.write(table, secret, entered.version, Change("undo"))
        both[0].extensions["coaching"].judge_next(undone, 60)  # else the pages tell how far it has come
        dealing = {"Authorization": f"Bearer {secret}", "Accept-Language": spoken}
        for address in pages_of(both[0], game, table):
            if spoken == "en" and not address.startswith("/t/"):
                continue  # the same at any time, and dear
            for headers in ({**dealing, "HX-Request": "true"}, {"Accept-Language": spoken}):
                ours, jinjas = (app.test_client(use_cookies=False).get(address, headers=headers) for app in both)
                assert (ours.status_code, ours.data) == (jinjas.status_code, jinjas.data), address
