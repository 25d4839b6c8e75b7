"""The history: every entry in words, and what it may have been instead."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from companion.table.table import Table
from companion.web.screens.history import History, history_screen

NAMES = ("Ana", "Ben", "Cleo")


def history_of(*entries: str, **chosen: str) -> History:
    return history_screen(Table.open(GAMES, NAMES, entries), "x", True, chosen)


def lines(screen: History) -> list[tuple[str, str, str]]:
    """Oldest first: who, the card shown, the words."""
    return [(line.name, line.face, line.text) for part in reversed(screen.rounds) for line in reversed(part.lines)]


def labels(screen: History) -> list[str]:
    return [label for _entry, label, _chosen in screen.choices]


def test_every_entry_is_told_in_words() -> None:
    told = lines(history_of("game rocket", "bet Ben 20", "rename Cleo Zoe", "buy Ana 5", "pay Ana Ben 2", "lost 7"))
    assert told == [
        ("", "", "new game"),
        ("", "", "Ben bets 20"),
        ("", "", "Cleo is now called Zoe"),
        ("", "", "Ana: 5 from the bank"),
        ("", "", "Ana pays Ben 2"),
        ("", "", "a 7 was lost"),
    ]


def test_a_card_is_shown_and_what_it_was_for_is_said() -> None:
    told = lines(history_of("game hawthorn", "play 4", "play 6", "play 9", "8", "fold"))
    assert told[1] == ("Ana", "4", "plays the 4")
    assert told[4] == ("Ana", "8", "")
    assert told[5] == ("Ben", "", "folds")


def test_another_number_or_another_thing_is_offered() -> None:
    cards = [str(value) for value in range(1, 11)]
    assert labels(history_of("game pairs", "4", "6", "9", "8", n="4")) == [*cards, "folds"]
    stones = ("game blackstone", "4", "6", "9", "take 3")
    assert labels(history_of(*stones, n="4")) == [*(str(count) for count in range(1, 13)), "passes"]
    assert labels(history_of(*stones[:-1], "pass", n="4"))[:2] == ["takes 1", "takes 2"]


def test_the_preview_promises_nothing_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    repair = {"n": "2", "entry": "3"}
    assert history_of("game pairs", "4", "6", "9", **repair).fits
    monkeypatch.setattr("companion.table.table.MOST_PLAYED", 1)
    screen = history_of("game pairs", "4", "6", "9", **repair)
    assert not screen.fits
    assert "changed too many times" in screen.preview[0]


def test_what_would_no_longer_fit_is_told_in_words() -> None:
    """Ana 4 starts: she draws an 8, Ben folds. With a 4 she would have paired, and the fold goes."""
    screen = history_of("game pairs", "4", "6", "9", "8", "Ben: fold", n="4", entry="4")
    assert (screen.fits, screen.kind, screen.dropped) == (True, "round", ("Ben folds",))
    screen = history_of("game pairs", "4", "6", "9", "8", "Ben: fold", n="1", kind="remove")
    assert screen.preview == ("Entry 5 (Ben folds) would no longer be possible: It is not Ben's turn.",)


def test_in_continuous_pairs_any_card_may_have_been_taken() -> None:
    offered = history_of("game continuous", "4", "6", "9", "8", "fold", n="5", entry="fold 6 Ben").choices
    assert ("fold 6 Ben", "takes Ben's 6", True) in offered
    assert ("3", "3", False) in offered
