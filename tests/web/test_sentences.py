"""Sentences are whole and follow the typography of their language, in the templates and on every page of every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.cli import words_of_argparse
from companion.games import GAMES
from companion.i18n import LANGUAGES, translate
from companion.store.memory import MemoryStore
from companion.table.table import Table
from companion.web import create_app
from companion.web.games import ROOMS
from companion.web.games import board_screen as board
from tests.test_messages import ROOT, both, messages

BLOCKS = {"p", "li", "div", "section", "header", "h1", "h2", "h3", "tr", "td", "th", "dt", "dd", "button", "a", "label", "summary", "option", "small", "legend", "br", "text", "title"}  # fmt: skip
WRONG = {
    # A negative number has a real minus sign, and 1 takes the singular.
    "en": r"(?<![\w\d-])-\d|(?<![\d.,/–])\b1 (?:points|chips|cards|rounds|decks|stones|players|games|entries)\b",
    "fr": r"(?<![\w\d-])-\d|(?<![\d.,/–])\b[01] (?:points|jetons|cartes|manches|paquets|pierres|joueurs|parties|saisies)\b"
    r"|(?<!\u202f)[;!?»]|\w:(?:\s|$)| [:;!?%»]|«(?!\u202f)|\u00a0[:;!?%»]|[“”]|\w'\w|\d%",
}
UNFILLED = r"[{}]|%\("


class Read(HTMLParser):
    """The lines a reader sees or hears."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._unseen = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in ("script", "style")
        if tag in BLOCKS:
            self.parts.append("\n")
        self.parts += [f"\n{value}\n" for name, value in attrs if name in ("aria-label", "placeholder") and value]

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in ("script", "style")
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(re.sub(r"[ \n\t]+", " ", data))

    @property
    def lines(self) -> list[str]:
        return [line.strip(" ") for line in "".join(self.parts).split("\n") if line.strip(" ")]


def pages_of(app: Flask, game: str, table_id: str) -> Iterator[str]:
    """The addresses of every page that needs only a table and a game."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.arguments <= {"table_id", "game", "tab"} and "/api/" not in rule.rule:
            values = {"table_id": table_id, "game": game, "tab": ROOMS[game].tab}
            yield re.sub(r"<(?:\w+:)?(\w+)>", lambda name: values[name[1]], rule.rule)  # noqa: B023
    yield from (f"/t/{table_id}/history?n=2&kind=remove", f"/new?game={game}", f"/t/{table_id}?choose=1")


@cache
def an_app() -> Flask:
    """One application for all games: compiling its templates again would take half of the time."""
    return create_app(MemoryStore(), {"SECRET_KEY": "a key for tests"})


def read_every_page(game: str, language: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of every page, at the beginning, in the middle and at the end of the game's example."""
    app = an_app()
    dealer, watcher = app.test_client(), app.test_client()
    for client in (dealer, watcher):
        client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    record = ROOMS[game].record
    assert record is not None
    names, (opening, *entries) = record.names.split(), record.entries.split(", ")
    form = {"game": game, "seats": str(len(names)), **{f"name-{i}": name for i, name in enumerate(names)}}
    address = dealer.post("/tables", data=form).headers["Location"]
    watcher.post(f"{address}/me", data={"me": names[0]})
    assert opening == f"game {game}"
    for place, entry in enumerate(entries, 1):
        enter(dealer, address, entry)
        if place in (1, len(entries) // 2, len(entries) - 1, len(entries)):
            for path in pages_of(app, game, address[3:]):
                if place > 1 and path.startswith(("/rules", "/lookup")):
                    continue  # always the same, and slow
                for client in (dealer, watcher):
                    answer = client.get(path, follow_redirects=True)
                    if answer.mimetype == "text/html":
                        yield f"{path} after {place}", Read(answer.text).lines


def enter(client: FlaskClient, address: str, entry: str) -> None:
    version = client.get(f"/api/tables/{address[3:]}").get_json()["version"]
    answer = client.post(f"{address}/enter", data={"entry": entry, "version": version})
    assert answer.status_code == 303, answer.text


@cache
def lines_of(game: str, language: str) -> dict[str, str]:
    """Every line, with a page that has it."""
    return {line: path for path, lines in read_every_page(game, language) for line in lines}


@pytest.mark.parametrize("game", ROOMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_every_page_follows_the_rules_of_its_language(game: str, language: str) -> None:
    lines = lines_of(game, language)
    assert len(lines) > 200
    wrong = re.compile(f"{WRONG[language]}|{UNFILLED}")
    assert [(line, path) for line, path in lines.items() if wrong.search(line) and line not in LANGUAGES.values()] == []


def test_no_message_is_a_part_of_a_sentence() -> None:
    """A colon at the end or a comma at the beginning means that something is appended to it."""
    of_argparse = words_of_argparse()
    glued = [
        en
        for message in messages()
        for en, _fr in both(message)
        if re.search(r"^[,;:.]|[:,\s]$", en) and en not in of_argparse
    ]
    assert glued == []


def test_no_template_puts_a_number_beside_a_word() -> None:
    """A number belongs into a placeholder of its sentence: other languages have another word order or plural."""
    beside = re.compile(
        r"\}\}(?:</b>)?[ :]+\{\{ ?_\("  # {{ 3 }} {{ _("left") }}
        r"|\{\{ ?_\([^}]*\) ?\}\}[ :]+(?:<b[^>]*>)?\{\{"  # {{ _("left") }}: {{ 3 }}
    )
    found = []
    for template in sorted((ROOT / "templates").rglob("*.html")):
        text = re.sub(r"\{\{ ui\.\w*icon\([^}]*\) \}\}", "", template.read_text("utf-8"))  # an icon is not a word
        for number, line in enumerate(text.split("\n"), 1):
            found += [(template.name, number, match[0]) for match in beside.finditer(line)]
    assert found == []


def test_between_rounds_the_headline_names_no_player(app_in_memory: Flask) -> None:
    """After a round of Starboard the winners are named in the line below."""
    table = Table.open(GAMES, ("Ana", "Ben", "Cleo"), ["game starboard", "4", "7", "lock", "lock", "lock"])
    assert table.state.phase == "round over"
    with app_in_memory.test_request_context("/t/x"):
        assert board(table, "x", dealer=True).who == "Round 1 over"


@pytest.mark.parametrize(
    ("entries", "english", "french"),
    [
        ("game pairs limit=1, 4, 1, fold", "1 point, the limit is 1", "1 point, la limite est 1"),
        ("game pairs limit=2, 4, 2, fold", "2 points, the limit is 2", "2 points, la limite est 2"),
        ("game port goal=1 cards=no, score Ana 1", "1 point", "1 point"),
    ],
)
def test_one_point_is_singular_at_the_end_of_a_game(
    app_in_memory: Flask, entries: str, english: str, french: str
) -> None:
    table = Table.open(GAMES, ("Ana", "Ben"), entries.split(", "))
    for language, expected in (("en", english), ("fr", french)):
        with app_in_memory.test_request_context("/t/x", headers={"Accept-Language": language}):
            shown = board(table, "x", dealer=True).do
        assert shown.rpartition(" · ")[2] == expected
        assert expected.partition(",")[0] in translate(table.state.outcome.reason, language)
        assert "1 points" not in translate(table.state.outcome.reason, language)


def test_the_best_stands_large_and_the_line_names_the_others(app_in_memory: Flask) -> None:
    """Port, five players: the sums 3, 4, 9, 8 and 7 earn 1, 2, 5, 4 and 3 points."""
    table = Table.open(GAMES, ("Ana", "Ben", "Cleo", "Dan", "Eve"), ["game port", *"34987", *["lock"] * 5])
    with app_in_memory.test_request_context("/t/x"):
        shown = board(table, "x", dealer=True)
    assert (shown.who, shown.do) == ("Cleo +5", "Ana +1, Ben +2, Dan +4 and Eve +3")


def test_only_the_best_are_named_when_more_than_four_share_the_rest(app_in_memory: Flask) -> None:
    """Port, six players: two have the best sum, so nobody stands large, and the line has room for four."""
    table = Table.open(GAMES, ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay"), ["game port", *"349975", *["lock"] * 6])
    with app_in_memory.test_request_context("/t/x"):
        shown = board(table, "x", dealer=True)
    assert (shown.who, shown.do) == ("Round 1 over", "most points: Cleo and Dan +6")
