"""Whatever a game needs besides its rulebook: what is missing is said in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from companion.engine.cards import NUMBER_WORDS
from companion.engine.report import report
from companion.engine.sentence import Sentence, say
from companion.games import GAMES
from companion.i18n import CATALOGUES, translate
from companion.table.table import Table
from companion.web.games import room_of

from .known import KNOWN, SEATS, Known
from .ninth import LosersLantern, ninth_game
from .transcript import FOLDER

HOME = Path(__file__).parents[1]
DOCUMENTS = {"README.md": "en", "README.fr.md": "fr", "CHANGELOG.md": "en"}  # that name every game, and their language
TRANSCRIPTS = 10  # at least


def read(path: str) -> str:
    """The text of a document, on one line a paragraph, with straight apostrophes."""
    text = (HOME / path).read_text("utf-8").replace("’", "'")
    return re.sub(r"(?<=\S)\n(?=\w)", " ", text)


def lacking(game: str) -> list[str]:
    """What a registered game still lacks, one sentence each."""
    return [
        *lacking_transcripts(game),
        *lacking_entry(game),
        *lacking_room(game),
        *lacking_documents(game),
        *lacking_french(game),
    ]


def lacking_transcripts(game: str) -> Iterator[str]:
    count = len(list((FOLDER / game).glob("*.txt")))
    if count < TRANSCRIPTS:
        yield f"tests/transcripts/{game}/ has {count} transcripts: write at least {TRANSCRIPTS}."
    texts = "\n".join(transcripts(game))
    for verb in GAMES[game].own_verbs:
        if not re.search(rf"(?m)^(\w+: )?{verb}\b", texts):
            yield f"No transcript plays “{verb}”."
    for how in GAMES[game].endings:
        if not re.search(rf"(?m)^= result\.how: {how}\b", texts):
            yield f"No transcript shows a round that ends by “{how}”."


def transcripts(game: str) -> Iterator[str]:
    """The transcripts in which the game is played."""
    for path in FOLDER.rglob("*.txt"):
        text = path.read_text("utf-8")
        if re.search(rf"(?m)^game {game}\b", text):
            yield text


def lacking_entry(game: str) -> Iterator[str]:
    known = KNOWN.get(game)
    if known is None:
        wanted = ", ".join(name for name in Known.__annotations__ if not hasattr(Known, name))
        yield f"tests/known.py has no entry for {game}: {wanted}."
        return
    played = " ".join((*known.walks, *known.boards, *transcripts(game)))
    for option in GAMES[game].own_options:
        if f"{option}=" not in played:
            yield f"Neither a walk or a board in tests/known.py nor a transcript sets the option “{option}”."


def lacking_room(game: str) -> Iterator[str]:
    room = room_of(game)
    if room.rules != f"rules/{game}.html":
        yield f"It has no rules page: write templates/rules/{game}.html and name it in companion/web/games/{game}.py."
    if room.record is None or room.example is None:
        yield "Its rules page has no example: name a record and an example in its room."


def lacking_documents(game: str) -> Iterator[str]:
    for document, language in DOCUMENTS.items():
        title = translate(GAMES[game].title, language)
        if title.replace("’", "'") not in read(document):
            yield f"{document} does not name {title}."
    notation, _, state = read("docs/API.md").partition("\n## State\n")
    for verb in GAMES[game].own_verbs:
        if not re.search(rf"(?m)^\|.*`{verb}\b.*?`.*\|.*\|", notation):
            yield f"docs/API.md does not explain the entry “{verb}”."
    for option in GAMES[game].own_options:
        if f"`{option}`" not in notation:
            yield f"docs/API.md does not explain the option “{option}”."
    for key in sorted(keys_shown(game)):
        if f"`{key}`" not in state:
            yield f"docs/API.md does not explain “{key}” in the state."


def keys_shown(game: str) -> set[str]:
    """The keys of the state and of its seats, from the deal to the middle of a round."""
    table = Table.open(GAMES, SEATS[: GAMES[game].players[0]], [f"game {game}"])
    keys = set[str]()
    for _ in range(6):
        shown = report(GAMES[game], table.state)
        keys |= {*shown, *shown["seats"][0]}
        table = table.enter([shown["legal"][-1]])
    return keys


def lacking_french(game: str) -> Iterator[str]:
    with (CATALOGUES / "fr" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        french = {
            message.id if isinstance(message.id, str) else message.id[0]: message.string
            for message in read_po(file, locale="fr")
        }
    for sentence in sorted({found.template for found in sentences(GAMES[game])}):
        if not french.get(sentence):
            yield f"There is no French for “{sentence}”: run `make messages` and translate."


def sentences(game: Any) -> Iterator[Sentence]:
    """The sentences that a game names itself by."""
    yield from (game.title, game.pitch)
    for verb in game.own_verbs.values():
        yield verb.doing
        for form in verb.forms:
            yield from (form.said, form.short, form.label)
    for ending in game.endings.values():
        yield ending.in_words(None)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_lacks_nothing(game: str) -> None:
    said = lacking(game)
    if said:
        pytest.fail("\n".join((f"{game} is not complete:", *said)), pytrace=False)


def test_the_games_are_counted() -> None:
    """Where a number of games is written, it is that of the games there are."""
    count = NUMBER_WORDS[len(GAMES)] if len(GAMES) < len(NUMBER_WORDS) else say(str(len(GAMES)))
    assert f"{count} games" in read("README.md")
    assert f"{translate(count, 'fr')} jeux" in read("README.fr.md")


def test_nothing_is_known_of_a_game_that_is_gone() -> None:
    assert set(KNOWN) <= set(GAMES)


def test_what_a_new_game_lacks_is_said_in_sentences() -> None:
    """A game that has its rulebook only."""
    with ninth_game(LosersLantern):
        said = lacking("lantern")
        with pytest.raises(LookupError, match=r"lantern has no entry in tests/known\.py"):
            KNOWN["lantern"]
    assert said == [
        "tests/transcripts/lantern/ has 0 transcripts: write at least 10.",
        "No transcript plays “drop”.",
        "No transcript shows a round that ends by “light”.",
        "No transcript shows a round that ends by “nearest”.",
        "No transcript shows a round that ends by “dark”.",
        "tests/known.py has no entry for lantern: walks, boards, full, words, fact, caption, rows.",
        "It has no rules page: write templates/rules/lantern.html and name it in companion/web/games/lantern.py.",
        "Its rules page has no example: name a record and an example in its room.",
        "README.md does not name Lantern.",
        "README.fr.md does not name Lantern.",
        "CHANGELOG.md does not name Lantern.",
        "docs/API.md does not explain the entry “drop”.",
        "docs/API.md does not explain the option “light”.",
        "docs/API.md does not explain “dropped” in the state.",
        "docs/API.md does not explain “light” in the state.",
        *(
            f"There is no French for “{sentence}”: run `make messages` and translate."
            for sentence in (
                *("Drop the {value}", "Dropping a card", "Lantern", "Meet the light", "all in the dark"),
                *("drops the {value}", "met the light with a {value}", "nearest to the light"),
            )
        ),
    ]
