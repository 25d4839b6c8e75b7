"""What the documents promise: the example runs, and no call, verb, option, target or link is left out or invented."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from companion.cli import new_parser
from companion.engine.verbs import CARD, VERBS
from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.web import create_app

HOME = Path(__file__).parents[1]
READMES = ("README.md", "README.fr.md")
DOCUMENTS = (
    *READMES,
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "docs/API.md",
    "docs/COACH.md",
    "docs/HOSTING.md",
    "docs/POCKET.md",
    "docs/TRANSLATING.md",
)
API = (HOME / "docs/API.md").read_text("utf-8")


def part(heading: str) -> str:
    """A part of docs/API.md, up to the next heading."""
    return API.split(f"# {heading}\n")[1].split("\n#")[0]


def in_code(column: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", column))


def first_column(text: str) -> set[str]:
    """The code in the first column of a table."""
    rows = (line.split("|")[1] for line in text.splitlines() if line.startswith("| "))
    return {code for row in rows for code in in_code(row)}


def test_the_example_prints_what_the_document_says() -> None:
    code = re.search(r"```python\n(.*?)```", API, re.DOTALL)
    promised = re.search(r"prints `([^`]+)`", API)
    assert code
    assert promised
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code[1], {})
    assert printed.getvalue().strip() == promised[1]


def test_every_verb_is_documented() -> None:
    documented = {entry.split()[0] for entry in first_column(part("Notation"))} - {"8"}
    own = {verb for game in GAMES for verb in GAMES[game].own_verbs}
    assert documented >= own
    assert documented <= set(VERBS) - {CARD}


def test_every_option_is_documented() -> None:
    known = {option for game in GAMES for option in GAMES[game].options}
    text = part("Options of `game`")
    assert first_column(text) == known
    words = {word for game in GAMES.values() for option in game.options.values() for word in option.words}
    assert {word for word in words if f"`{word}`" not in text} == set()


def test_every_call_is_documented() -> None:
    app = create_app(MemoryStore(), {"SECRET_KEY": "key"})
    known = {
        f"{method} {re.sub('<int:number>', '<n>', rule.rule.replace('<table_id>', '<table>'))}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith(("/api/", "/standings.json"))
    }
    documented = first_column(part("JSON API")) | first_column(part("Sync, for our own phone edition"))
    assert {call.partition("?")[0] for call in documented} == known


def test_every_option_of_the_server_is_documented() -> None:
    text = (HOME / "docs/HOSTING.md").read_text("utf-8")
    run = new_parser()._subparsers._group_actions[0].choices["run"]  # type: ignore[union-attr, index, call-overload]
    options = {name for action in run._actions for name in action.option_strings if name.startswith("--")}
    assert {name for name in options if name not in text} == {"--help"}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_to_files_and_headings(document: str) -> None:
    text = (HOME / document).read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, heading = target.partition("#")
        found = (HOME / document).parent / file if file else HOME / document
        assert found.exists(), target
        headings = re.findall(r"(?m)^#+ (.*)$", found.read_text("utf-8")) if heading else []
        assert not heading or heading in [re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-") for name in headings]


@pytest.mark.parametrize("readme", READMES)
def test_a_readme_is_short(readme: str) -> None:
    assert len((HOME / readme).read_text("utf-8").splitlines()) <= 90


def test_both_readmes_have_the_same_commands_links_and_parts() -> None:
    english, french = ((HOME / readme).read_text("utf-8") for readme in READMES)
    for parts in (r"(?ms)^```.*?^```$", r"(?m)^\| ?\[.*?\|", r"(?m)^(?:#+|\d\.|\|)"):
        assert re.findall(parts, english) == re.findall(parts, french)


def test_the_french_readme_keeps_to_french_typography() -> None:
    """As on the screen: the narrow no-break space, and the curly apostrophe."""
    text = re.sub(r"(?s)```.*?```|`[^`]*`|\]\([^)]*\)|https?://\S+", "", (HOME / "README.fr.md").read_text("utf-8"))
    assert re.findall(r"[^\u202f][;!?»%]|\w:(?:\s|$)| [:;!?%»]|«[^\u202f]|\w'\w", text) == []


def test_every_make_target_is_documented() -> None:
    targets = re.search(r"(?m)^\.PHONY: (.*)$", (HOME / "Makefile").read_text("utf-8"))
    assert targets
    text = "".join((HOME / name).read_text("utf-8") for name in ("README.md", "CONTRIBUTING.md", "Makefile"))
    assert [name for name in targets[1].split() if f"make {name}" not in text and name not in ("help", "clean")] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_in_a_document_exists(document: str) -> None:
    text = (HOME / document).read_text("utf-8")
    for path in re.findall(r"`((?:companion|tests|templates|docs|static)/[\w./]+)`", text):
        assert (HOME / path).exists() or path.endswith("/messages.po"), path


def test_every_name_in_the_recipe_exists() -> None:
    text = (HOME / "CONTRIBUTING.md").read_text("utf-8")
    recipe = text.split("## Adding a game")[1].split("\n## ")[0]
    names = re.findall(r"`(own_\w+|endings|choices|draws|price|prices|cards_dealt|deal_order|on_\w+)\b", recipe)
    assert [name for name in names if not hasattr(GAMES["pairs"], name)] == []
