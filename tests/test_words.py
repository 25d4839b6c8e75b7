"""No word of the notation is shown to a reader: entries, options, refusals and repairs are put into words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from flask import Flask

from companion.engine.notation import Entry, parse
from companion.engine.sentence import EntryError, Sentence
from companion.engine.verbs import CARD, VERBS, Kind, describe_entry, describe_entry_by
from companion.games import GAMES
from companion.i18n import LANGUAGES, translate
from companion.table.done import describe_change
from companion.table.table import Table
from companion.web import i18n
from companion.web.lobby import describe
from companion.web.options import fields_of
from tests.known import KNOWN

NAMES = ("Ana", "Ben", "Cleo")
# An example for each kind of argument.
EXAMPLES: dict[Kind, str] = {
    "card": "4", "count": "3", "natural": "20", "amount": "-20", "name": "Ben", "yes": "yes", "no": "no",
    "text": '"The Anchor"',
    "names": "Cleo Ben Ana", "game": "port goal=11",
}  # fmt: skip
# Words of the notation that are French words as well.
FRENCH_TOO = {"points", "ante", "max", "coach", "score"}.union(*(known.also_french for known in KNOWN.values()))


@pytest.fixture
def speak() -> Iterator[Callable[[str], None]]:
    """Chooses the language of the screens, which are in English before."""
    app = Flask(__name__)
    i18n.init_app(app)
    with ExitStack() as request:

        def choose(language: str) -> None:
            request.close()
            request.enter_context(app.test_request_context(headers={"Accept-Language": language}))

        choose("en")
        yield choose


def keys_of_the_notation() -> set[str]:
    """Verbs, games, options and the words they accept."""
    options = {key: option for game in GAMES.values() for key, option in game.options.items()}
    words = {word for option in options.values() for word in option.words}
    return {*VERBS, *GAMES, *options, *words}


def every_entry() -> list[Entry]:
    """An entry for every form of every verb, and for every value of every option."""
    lines = []
    for verb in VERBS.values():
        for one in verb.forms:
            arguments = [EXAMPLES[kind] for kind in one.kinds]
            lines.append(" ".join(arguments if verb.name == CARD else [verb.name, *arguments]))
    lines += [f"game {key} {option}" for key, game in GAMES.items() for option in settings(game)]
    return [parse(line) for line in lines]


def settings(game: Any) -> Iterator[str]:
    for key, option in game.options.items():
        values = option.words or ((option.default or 20,) if option.is_number else ("Ana/Ben",))
        yield from (f"{key}={value}" for value in values)


def refusals() -> Iterator[tuple[str, Sentence]]:
    """The refusals of every verb at the start, in the deal and in play of every game, and of wrong options."""
    for key, game in GAMES.items():
        for option in game.options:
            yield from refused(Table.open(GAMES, NAMES, ["game pairs"]), f"game {key} {option}=nonsense")
        table = Table.open(GAMES, NAMES, [f"game {key}"])
        for step in range(12):
            for entry in every_entry():
                if entry.verb != "game":
                    yield from refused(table, str(entry))
            legal = game.legal(table.state)
            table = table.enter([str(legal[3 * step % len(legal)])])
        yield from refused(Table.open(GAMES, NAMES, [f"game {key} cards=no"]), "fold")


def refused(table: Table, line: str) -> Iterator[tuple[str, Sentence]]:
    try:
        table.enter([line])
    except EntryError as error:
        yield line, error.sentence


def repairs() -> Iterator[Sentence]:
    """What undo and redo would take back, for every kind of change."""
    table = Table.open(GAMES, NAMES, ["game pairs", "7", "3", "9"])
    changed = [
        table.enter(["fold"]),
        table.enter(["8", "fold"]),
        table.amend(2, "4"),
        table.insert(2, "buy Ana 5"),
        table.enter(["buy Ana 5"]).remove(4),
        table.cut(2),
    ]
    for one in changed:
        assert one.undone is not None
        yield describe_change(one.undone, GAMES, {})  # a card of Pairs is called by its value


def machine_words(text: str, language: str, notation: str = "") -> list[str]:
    """Words of the notation in a text. An English sentence may use the words, but not quote them."""
    found = re.findall(r"\b[a-z]+=", text)
    if " " in notation and notation in text:
        found.append(notation)
    if language == "fr":
        words = set(re.findall(r"[\w’]+", text)) & (keys_of_the_notation() - FRENCH_TOO)
    else:
        words = set(re.findall(r"“(\w+)", text)) & keys_of_the_notation()
    return [*found, *sorted(words)]


def texts_for_a_reader(language: str) -> Iterator[tuple[str, str]]:
    """All texts for a reader, each with the entry it is about."""
    for entry in every_entry():
        yield translate(describe_entry(entry, GAMES), language), str(entry)
        yield translate(describe_entry(entry, GAMES, short=True), language), str(entry)
        yield translate(describe_entry_by("Ana", entry, GAMES), language), str(entry)
    for line, sentence in refusals():
        yield translate(sentence, language), line
    yield from ((translate(sentence, language), "") for sentence in repairs())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_the_notation_reaches_a_reader(language: str) -> None:
    texts = set(texts_for_a_reader(language))
    assert len(texts) > 300
    assert [(text, words) for text, entry in sorted(texts) if (words := machine_words(text, language, entry))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_are_chosen_and_shown_in_words(language: str, speak: Callable[[str], None]) -> None:
    speak(language)
    for key, game in GAMES.items():
        fields = fields_of(key, {})
        for field in (*fields.own, *fields.common):
            shown = [field.title, *(label for _word, label in field.words)]
            assert [words for text in shown if (words := machine_words(text, language))] == []
            assert all(label for _word, label in field.words)
            # "yes" and "no" are the words of the notation and of a person.
            same = {word for word, label in field.words if word == label}
            assert same <= ({"yes", "no"} if language == "en" else set()), field
        for line in (describe(parse(f"game {key} {setting}")) for setting in settings(game)):
            assert machine_words(line, language) == []
            assert not re.search(r"· [a-z]+$", line) or line.split(" · ")[1] not in keys_of_the_notation(), line


def test_a_game_and_its_options_fit_one_line(speak: Callable[[str], None]) -> None:
    entry = parse("game pairs limit=12 stakes=portland calamities=yes odds=after forfeit=song")
    assert describe(entry) == "Pairs · limit 12 · Portland · with Calamities · odds after the round"
    speak("fr")
    assert describe(entry) == "Pairs · limite 12 · Portland · avec Calamités · probas après la manche"
    assert describe(parse("game rocket decks=2 bet=20")) == "Rocket · 2 paquets · première mise 20"


@pytest.mark.parametrize(
    ("line", "english", "french"),
    [
        ("game pairs odds=perhaps", "“perhaps” is not a choice for “Show the odds”.", "«\u202fperhaps\u202f» n’est pas un choix possible pour «\u202fAfficher les probas\u202f»."),
        ("game pairs limit=x", "“Limit” must be a whole number from 1 to 999, not “x”.", "«\u202fLimite\u202f» doit être un nombre entier de 1 à 999, pas «\u202fx\u202f»."),
        ("fold", "Folding is not possible during the deal.", "On ne peut pas se coucher pendant la donne."),
        ("bet Ben 20", "Betting is not part of Pairs.", "On ne peut pas miser à Pairs."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_impossible(line: str, english: str, french: str) -> None:
    ((_line, sentence),) = refused(Table.open(GAMES, NAMES, ["game pairs", "7"]), line)
    assert (translate(sentence, "en"), translate(sentence, "fr")) == (english, french)


def test_a_repair_is_put_into_words() -> None:
    english = [translate(sentence, "en") for sentence in repairs()]
    assert english == [
        "Ben folds",
        "8 and 1 more",
        "entry 2: 4 instead of 3",
        "entry 2: Ana: 5 from the bank inserted",
        "entry 4: Ana: 5 from the bank removed",
        "everything after entry 2 deleted",
    ]
