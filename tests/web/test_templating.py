"""Templates are compiled to less Python than Jinja makes, and still write the same."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from companion.store.memory import MemoryStore
from companion.web import create_app
from companion.web.templating import Templates, written


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
        env.from_string("{{ nothing.name }}").render()
    with pytest.raises(AttributeError):
        env.from_string("{{ thing.age }}").render(thing=Thing())


def test_a_word_in_a_template_is_translated_and_its_gaps_are_escaped(env: Templates) -> None:
    assert env.from_string("{{ _('Undo') }}").render() == "Undo"
    assert env.from_string("{{ _('Take %(count)s', count='<3>') }}").render() == "Take &lt;3&gt;"
    assert env.from_string("{{ _('Take %(count)s', **gaps) }}").render(gaps={"count": "<3>"}) == "Take &lt;3&gt;"
