"""Boards of every game in many states, drawn without a server, to be measured in one page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from flask import Flask

from companion.engine.cards import VALUES
from companion.engine.notation import Entry
from companion.engine.odds import puts_out
from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.table.table import Table
from companion.web import create_app
from companion.web.board.screen import Message
from companion.web.games import board_screen as board
from tests.known import KNOWN, SEATS
from tests.ninth import Lantern, LosersLantern, WinnersLantern, ninth_game

SHORT = SEATS
LONG = tuple(f"{name} Wolfeschlegelsteinhausen"[:24] for name in ("Maximiliana", *SHORT[1:]))
LANGUAGES = ("en", "fr")
ENTRIES = 160
LINK = re.compile(r"\?choose=(\d+)")  # to a board that shows what is behind it
KINDS = 10  # states of one table, at most
NINTH_BOARDS = ("light=40", "light=15", "light=60 odds=off")


@dataclass(frozen=True)
class Sitting:
    """The boards of one table, on which every key must stay in its place."""

    name: str
    language: str
    boards: tuple[str, ...]


@cache
def app() -> Flask:
    return create_app(MemoryStore(), {"SECRET_KEY": "boards"})


ROOT = Path(__file__).parents[2]


def style() -> str:
    """The style sheet as an element."""
    return f"<style>{(ROOT / 'static' / 'app.css').read_text()}</style>"


def draw(table: Table, language: str, dealer: bool = True, choosing: int = 0, me: str = "", sentence: str = "") -> str:
    """The fragment that replaces the board at a tap."""
    with app().test_request_context("/t/x", headers={"Accept-Language": language}):
        message = Message(sentence, "/", "Correct it") if sentence else None
        screen = board(table, "table", dealer, choosing, message, me)
        return app().jinja_env.get_template("board/_board.html").render(screen=screen)


def sittings(dealer: bool = True) -> Iterator[Sitting]:
    """Every game and the ninth ones of the tests, with every number of seats, with short and long names.

    Languages and options come in turn.
    """
    for game in GAMES:
        yield from _sittings(game, KNOWN[game].boards, dealer)
    for kind in (Lantern, LosersLantern, WinnersLantern):
        with ninth_game(kind):
            yield from _sittings(kind.key, NINTH_BOARDS, dealer)


def _sittings(game: str, options: tuple[str, ...], dealer: bool) -> Iterator[Sitting]:
    for turn, seats in enumerate(GAMES[game].players):
        for names in (SHORT, LONG):
            chosen = options[(turn + (names is LONG)) % len(options)]
            language = LANGUAGES[(seats + (names is LONG)) % 2]
            yield _sitting(game, seats, names, chosen, language, dealer)


def _sitting(game: str, seats: int, names: tuple[str, ...], options: str, language: str, dealer: bool) -> Sitting:
    kinds: dict[object, str] = {}
    random = Random(f"{game} {seats} {options}")
    table = Table.open(GAMES, names[:seats], [f"game {game} {options}".strip()])
    for _ in range(ENTRIES):
        kind = kind_of(table)
        if kind not in kinds and len(kinds) < KINDS:
            me = "" if dealer else random.choice(("", *names[:seats]))
            kinds[kind] = draw(table, language, dealer, me=me)
            for link in LINK.findall(kinds[kind])[:1]:
                kinds[kind, "choose"] = draw(table, language, choosing=int(link))
        entry = next_entry(table, random)
        if entry is None:
            break
        table = table.enter([entry])
    sentence = {
        "en": "All three 3s are out. An earlier entry is wrong.",
        "fr": "Les trois 3 sont sortis. Une saisie est fausse.",
    }
    if dealer:
        kinds["message"] = draw(table, language, sentence=sentence[language])
    name = f"{game} {options} {seats} {'long' if names is LONG else 'short'} {language}"
    return Sitting(name, language, tuple(kinds.values()))


def kind_of(table: Table) -> object:
    """A key for the appearance of a board: boards with the same key look alike."""
    state = table.state
    verbs = frozenset(entry.verb for entry in GAMES[state.game].legal(state))
    longest = max(len(seat.stack) for seat in state.seats)
    common = len(getattr(state, "common", ()) or getattr(state, "horde", ()))
    return state.phase, verbs, state.result is None, max(longest, common) // 3


def next_entry(table: Table, random: Random) -> Entry | None:
    """Mostly a card that pairs nobody, so that stacks grow long; sometimes another card or choice."""
    state = table.state
    game = GAMES[state.game]
    if state.options["cards"] == "no":
        return score(table, random)
    legal = game.legal(state)
    cards = [entry for entry in legal if entry.verb in ("card", "play")]
    others = [entry for entry in legal if entry.verb not in ("card", "play", "take")]
    takes = [entry for entry in legal if entry.verb == "take"]
    if takes and random.random() < 0.85:
        return takes[min(len(takes) - 1, int(random.expovariate(0.5)))]
    if others and (not cards or random.random() < 0.1):
        return random.choice(others)
    if not cards:
        return random.choice(legal) if legal else None
    turn = state.turn
    safe = [entry for entry in cards if turn is None or not puts_out(game, state, turn, entry.args[0])]
    if safe and random.random() < 0.9:
        return random.choice(safe)
    return random.choices(cards, weights=[1 + state.pile.unseen[entry.args[0]] for entry in cards])[0]


def score(table: Table, random: Random) -> Entry | None:
    state = table.state
    if state.phase == "game over":
        return None
    one, other = random.sample([seat.name for seat in state.seats], 2)
    if GAMES[state.game].scores_points:
        return Entry("score", (one, random.choice(VALUES)))
    return Entry("pay", (one, other, random.choice((1, 20, 500))))
