"""Entries and their text: a valid entry is written back as it was read, any other is refused with a sentence."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.notation import Entry, clean_name, is_seen, parse, text
from companion.engine.record import parse_seats, print_seats, read_record
from companion.engine.sentence import InvalidEntry
from companion.engine.verbs import VERBS
from companion.games import GAMES  # adds the verbs of the games


def is_name(raw: str) -> bool:
    try:
        return clean_name(raw) == raw
    except InvalidEntry:
        return False


def is_text(raw: str) -> bool:
    return not raw or any(map(is_seen, raw))


def tidy(raw: str) -> str:
    return unicodedata.normalize("NFC", raw).strip()


names = st.text(min_size=1, max_size=24).map(tidy).filter(is_name)
arguments = {
    "card": st.integers(1, 10),
    "count": st.integers(1, 999_999),
    "natural": st.integers(0, 999_999),
    "amount": st.integers(-999_999, 999_999).filter(bool),
    "name": names,
    "yes": st.just("yes"),
    "no": st.just("no"),
    "text": st.text(max_size=30).map(tidy).filter(lambda raw: '"' not in raw and raw.isprintable() and is_text(raw)),
}


@st.composite
def entries(draw: Any) -> Entry:
    verb = draw(st.sampled_from(sorted(VERBS)))
    if verb == "card":
        args: tuple[Any, ...] = (draw(arguments["card"]),)
    elif verb == "order":
        args = tuple(draw(st.lists(names, min_size=1, max_size=8)))
    elif verb == "game":
        values = st.text(max_size=30).map(tidy)
        plain = values.filter(lambda raw: '"' not in raw and raw.isprintable())
        keys = st.text("abcxyz", min_size=1, max_size=6)
        args = (draw(keys), tuple(draw(st.dictionaries(keys, plain, max_size=3)).items()))
    else:
        args = tuple(draw(arguments[kind]) for kind in draw(st.sampled_from(VERBS[verb].forms)).kinds)
    seat = draw(st.none() | names) if VERBS[verb].by_seat else None
    return Entry(verb, args, seat)


def test_the_games_have_added_their_verbs() -> None:
    assert all(name in VERBS for game in GAMES.values() for name in game.own_verbs)


@given(entries())
@settings(max_examples=400)
def test_a_printed_entry_reads_back_the_same(entry: Entry) -> None:
    assert parse(text(entry)) == entry


@given(st.text(max_size=60) | st.text('0123456789 :="-#foldgametakbAn/é\u202e\x00', max_size=40))
@settings(max_examples=600)
def test_every_string_is_read_or_refused_with_a_sentence(raw: str) -> None:
    try:
        entry = parse(raw)
    except InvalidEntry as refusal:
        assert str(refusal).strip()
    else:
        assert parse(text(entry)) == entry


@given(st.text(max_size=80))
@settings(max_examples=200)
def test_every_record_is_read_or_refused_with_its_line(raw: str) -> None:
    for record in (raw, f"fifty-five 1\n{raw}", f"fifty-five 1\nseats Ana Ben\n{raw}"):
        try:
            list(read_record(record)[1])
        except InvalidEntry as refusal:
            assert str(refusal)
            assert refusal.line >= 1  # type: ignore[attr-defined]


@given(st.lists(names, min_size=1, max_size=8))
def test_seats_line_round_trips(seats: list[str]) -> None:
    assert parse_seats(print_seats(tuple(seats))) == tuple(seats)


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("8", Entry("card", (8,))),
        ("Ben: 8", Entry("card", (8,), "Ben")),
        ("Anna Maria: fold", Entry("fold", (), "Anna Maria")),
        ('fold 4 "Anna Maria"', Entry("fold", (4, "Anna Maria"))),
        ("lost", Entry("lost")),
        ("lost 7", Entry("lost", (7,))),
        ("buy Ana -20", Entry("buy", ("Ana", -20))),
        ("rename Ben Benoi\u0302t", Entry("rename", ("Ben", "Benoît"))),
        ("game rocket decks=2 bet=20", Entry("game", ("rocket", (("decks", "2"), ("bet", "20"))))),
        (
            'game pairs forfeit="a song: loud # twice"',
            Entry("game", ("pairs", (("forfeit", "a song: loud # twice"),))),
        ),
    ],
)
def test_reads(line: str, entry: Entry) -> None:
    assert parse(line) == entry


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "11",
        "0",
        "-3",
        "8 8",
        "٣",
        "take 0",
        "take",
        "take 3 4",
        "fold 4",
        "fold Ben 4",
        "bet Ana -10",
        "pay Ana Ben 0",
        "buy Ana 0",
        "shuffle now",
        "Ben: shuffle",
        ": 8",
        "Ben:",
        'rename Ben "Ben',
        "sit a,b",
        "sit " + "x" * 25,
        'sit " "',
        "sit a\u202eb",
        "game",
        "game Pairs!",
        "game pairs limit",
        "game pairs limit=3 limit=4",
        "take 99999999999999999999",
        "order",
        "card 8",
    ],
)
def test_refuses(line: str) -> None:
    with pytest.raises(InvalidEntry) as refusal:
        parse(line)
    assert str(refusal.value).endswith(".")
