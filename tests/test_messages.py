"""Both languages are complete: the catalogue has every sentence of the source, translated, and no other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from companion.engine.sentence import say
from companion.i18n import CATALOGUES, catalogue, of_environment, translate

ROOT = Path(__file__).parents[1]
KEYWORDS: dict[str, Any] = {"_": None, "gettext": None, "ngettext": (1, 2), "say": None, "say_many": (1, 2)}
GAP = re.compile(r"\{[^}]*\}|%\(\w+\)[rs]|%s")


def in_the_source() -> set[str]:
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["babel"]["mappings"]
    methods = [(mapping["pattern"], mapping["method"]) for mapping in mappings]
    options = {m["pattern"]: {k: v for k, v in m.items() if k not in ("pattern", "method")} for m in mappings}
    found = set()
    for folder in ("companion", "templates"):
        local = [
            (pattern.removeprefix(f"{folder}/"), method) for pattern, method in methods if pattern.startswith(folder)
        ]
        local_options = {pattern.removeprefix(f"{folder}/"): option for pattern, option in options.items()}
        for _file, _line, message, _comments, _context in extract_from_dir(
            ROOT / folder, local, local_options, keywords=KEYWORDS
        ):
            found.add(message if isinstance(message, str) else message[0])
    return found


def french() -> Catalog:
    with (CATALOGUES / "fr" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale="fr")


def messages() -> list[Message]:
    return [message for message in french() if message.id]


def both(message: Message) -> list[tuple[str, str]]:
    """English and French, singular and plural separately."""
    if isinstance(message.id, tuple):
        return list(zip(message.id, message.string, strict=True))
    return [(message.id, str(message.string))]


def test_the_catalogue_is_neither_incomplete_nor_stale() -> None:
    known = {message.id if isinstance(message.id, str) else message.id[0] for message in messages()}
    source = in_the_source()
    assert len(source) > 300
    assert sorted(source - known) == [], "run `make messages` and translate"
    assert sorted(known - source) == [], "run `make messages`"


def test_every_french_string_is_there() -> None:
    assert [message.id for message in messages() if message.fuzzy or not all(fr for _en, fr in both(message))] == []


def test_gaps_are_the_same_in_both_languages() -> None:
    for message in messages():
        for index, (english, fr) in enumerate(both(message)):
            wanted, found = sorted(GAP.findall(english)), sorted(GAP.findall(fr))
            singular = isinstance(message.id, tuple) and index == 0
            assert found == wanted or (singular and set(found) <= set(GAP.findall(message.id[1]))), message.id


def test_babel_finds_no_gap_that_does_not_fit() -> None:
    assert [(message.id, errors) for message, errors in french().check()] == []


def test_sentences_that_count_have_singular_and_plural() -> None:
    """Gaps that are never 0 or 1 are listed here: fixed numbers, examples, and counts of two or more."""
    fixed = r"(?:most|least|burn|goal|fifth|cards|hand|ante|white_before|all)\b"
    example = re.compile(r"(?:Ana|Ben|Cleo) |%\(players\)s players, so")
    several = {
        "%(count)s games", "%(count)s games, one deck", "%(count)s players",  # all games, two players at least
        "{count} players", "{count} players share the pot: {share} each", "second black: {count} players get {share} each",
        "You typed %(names)s names and tapped %(seats)s: who is playing?",  # more names than seats
    }  # fmt: skip
    things = (
        "points|chips|cards|stones|players|rounds|games|decks|entries|seats|times|names",
        "points|jetons|cartes|pierres|joueurs|manches|parties|paquets|saisies|places|fois|pots|noms|autres|\\w+(?:ées|ues)",
    )
    glued = [
        text
        for message in messages()
        if isinstance(message.id, str) and message.id not in several and not example.match(message.id)
        for words, text in zip(things, both(message)[0], strict=True)
        if re.search(rf"(?:\{{(?!{fixed})\w+\}}|%\((?!{fixed})\w+\)s)[ \u202f](?:white |pierres )?(?:{words})\b", text)
    ]
    assert glued == []


def test_french_typography() -> None:
    """One kind of no-break space, before the high signs and within French quotes; curly apostrophes."""
    problems = []
    for message in messages():
        for _english, fr in both(message):
            bare = GAP.sub("x", fr)
            if re.search(r"(?<!\u202f)[;!?»]|\w:(\s|$)| [:;!?%»]|«(?!\u202f)|\u00a0|[“”]|\w'\w", bare):
                problems.append(fr)
            if re.search(r"[\dx]%", bare):
                problems.append(fr)
    assert problems == []


def test_french_says_tu_and_one_word_for_one_thing() -> None:
    """The glossary of docs/TRANSLATING.md: words that mean something else here, or nothing."""
    vous = r"\b(?:vous|votre|vos)\b|\b(?!assez|chez|nez|rez)\w+ez\b"
    others = r"\b(?:relevés?|réparer|faire paire|carte de mort|distribuer)\b"
    found = [fr for message in messages() for _en, fr in both(message) if re.search(f"{vous}|{others}", fr, re.I)]
    assert found == []
    english = r"\blook-ups?\b|\brecords?\b|\bfix\b"
    assert [en for message in messages() for en, _fr in both(message) if re.search(english, en, re.I)] == []


def test_the_build_compiled_the_catalogue() -> None:
    assert catalogue("fr").gettext("Undo") == "Annuler"
    assert catalogue("fr").gettext("{whole}.{tenth}") == "{whole},{tenth}"
    assert catalogue("en").gettext("Undo") == "Undo"


def test_sentences_within_sentences_are_translated() -> None:
    inner = say("All {count} {value}s are out: an earlier entry is wrong.", count=say("three"), value=3)
    translated = translate(inner, "fr")
    assert "trois" in translated.casefold()
    assert "three" not in translated


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LC_ALL": "en_GB", "LANG": "fr_FR"}, "en"),
        ({"LANG": "de_DE"}, "en"),
        ({}, "en"),
    ],
)
def test_the_terminal_asks_for_a_language(variables: dict[str, str], language: str) -> None:
    assert of_environment(variables) == language
