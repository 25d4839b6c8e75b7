"""The history: every entry in words, and the repairs it offers."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from companion.table.table import Table
from companion.web.history import A_PAGE, History, history_screen
from companion.web.menu import menu_screen
from companion.web.repair import Consequences, KeyGroup, RepairPanel

NAMES = ("Ana", "Ben", "Cleo")


def history_of(*entries: str, **chosen: str) -> History:
    return history_screen(Table.open(GAMES, NAMES, entries), "x", True, chosen)


def lines(screen: History) -> list[tuple[str, str, str]]:
    """Name, card and words of each line, oldest first."""
    return [(line.name, line.face, line.text) for part in reversed(screen.rounds) for line in reversed(part.lines)]


def panel_of(*entries: str, **chosen: str) -> RepairPanel:
    panel = history_of(*entries, **chosen).panel
    assert panel is not None
    return panel


def preview_of(*entries: str, **chosen: str) -> Consequences:
    preview = panel_of(*entries, **chosen).preview
    assert preview is not None
    return preview


def labels(group: KeyGroup) -> list[str]:
    return [key.label for key in (*group.numbers, *group.words)]


def test_every_entry_is_shown_in_words() -> None:
    listed = lines(history_of("game rocket", "bet Ben 20", "rename Cleo Zoe", "buy Ana 5", "pay Ana Ben 2", "lost 7"))
    assert listed == [
        ("", "", "new game: Rocket"),
        ("", "", "Ben bets 20"),
        ("", "", "Cleo is now called Zoe"),
        ("", "", "Ana: 5 from the bank"),
        ("", "", "Ana pays Ben 2"),
        ("", "", "a 7 was lost"),
    ]


def test_a_card_is_shown_with_what_it_was_played_for() -> None:
    listed = lines(history_of("game hawthorn", "play 4", "play 6", "play 9", "8", "fold"))
    assert listed[1] == ("Ana", "4", "plays the 4")
    assert listed[4] == ("Ana", "8", "")
    assert listed[5] == ("Ben", "", "folds")


def test_a_repair_offers_other_numbers_and_other_entries() -> None:
    cards = [str(value) for value in range(1, 11)]
    (change, missed) = panel_of("game pairs", "4", "6", "9", "8", n="4").groups
    assert labels(change) == [*cards, "folds"]
    assert [key.label for key in change.numbers] == cards
    assert [key.entry for key in change.numbers if key.same] == ["8"], "what was entered is no repair"
    assert labels(missed) == [*cards, "folds", "shuffled"]
    stones = ("game blackstone", "4", "6", "9", "take 3")
    assert labels(panel_of(*stones, n="4").groups[0]) == [*(str(count) for count in range(1, 13)), "passes"]
    assert labels(panel_of(*stones[:-1], "pass", n="4").groups[0])[:3] == ["takes 1", "takes 2", "takes 3"]


def test_a_missed_card_or_shuffle_is_inserted_by_a_key() -> None:
    """Ana starts with a 4 and pairs it; Ben's 7 opens the next round. The shuffle in between was not entered."""
    entries = ("game pairs", "4", "6", "9", "4", "7")
    missed = panel_of(*entries, n="5").groups[1]
    assert "shuffled" in labels(missed)
    # Ana had drawn a 5 before the second 4, so Ben got that 4.
    preview = preview_of(*entries, n="4", kind="insert", entry="5")
    assert preview.fits
    assert preview.sentences[0] == "Round 1 would not be over."
    assert [group.kind for group in panel_of(*entries, n="4", kind="insert", entry="5").groups] == ["insert"]


def test_nothing_can_be_inserted_before_the_first_entry() -> None:
    assert panel_of("game pairs", "4", n="0").groups == ()


def test_the_preview_says_if_the_repair_would_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    repair = {"n": "2", "entry": "3"}
    assert preview_of("game pairs", "4", "6", "9", **repair).fits
    monkeypatch.setattr("companion.table.limits.MOST_PLAYED", 1)
    preview = preview_of("game pairs", "4", "6", "9", **repair)
    assert not preview.fits
    assert "changed too many times" in preview.sentences[0]


def test_entries_that_would_no_longer_fit_are_named_in_words() -> None:
    """Ana starts with a 4 and draws an 8, then Ben folds. With a 4 Ana would have paired, so the fold is dropped."""
    preview = preview_of("game pairs", "4", "6", "9", "8", "Ben: fold", n="4", entry="4")
    assert (preview.fits, preview.kind, preview.dropped) == (True, "round", ("Ben folds",))
    preview = preview_of("game pairs", "4", "6", "9", "8", "Ben: fold", n="1", kind="remove")
    assert preview.sentences == ("Entry 5 (Ben folds) would no longer be possible. It is not Ben’s turn.",)


def test_in_continuous_pairs_any_card_may_have_been_taken() -> None:
    (change,) = panel_of("game continuous", "4", "6", "9", "8", "fold", n="5", entry="fold 6 Ben").groups
    assert [key.label for key in change.words if key.chosen] == ["takes Ben’s 6"]
    assert "3" in [key.label for key in change.numbers]


def test_a_round_shows_the_chips_it_carried_over() -> None:
    """Dan's second black stone costs the ante of 5 and 3 for the white stones: 2 for each of three others, 2 are left."""
    table = Table.open(GAMES, (*NAMES, "Dan"), ["game blackstone", "6", "10", "4", "10", "take 1", "9", "take 1", "10"])
    (round_,) = history_screen(table, "x", True, {}).rounds
    assert round_.end == "Ana +2, Ben +2, Cleo +2, Dan −8, carried over +2"


LONG = ("game rocket", *(f"buy Ana {number}" for number in range(1, 3 * A_PAGE + 1)))


def numbers(screen: History) -> list[int]:
    return [line.number for part in screen.rounds for line in part.lines]


def test_a_long_history_comes_in_pages() -> None:
    last = len(LONG) - 1
    newest = history_of(*LONG)
    assert numbers(newest) == [*range(last, last - A_PAGE, -1)]
    assert newest.newer is None
    seen, screen = numbers(newest), newest
    while screen.older:
        screen = history_of(*LONG, before=str(screen.older))
        assert len(numbers(screen)) <= A_PAGE
        seen += numbers(screen)
    assert seen == [*range(last, -1, -1)], "every entry, once"
    while screen.newer:
        screen = history_of(*LONG, before=str(screen.newer))
    assert numbers(screen) == numbers(newest)


def test_the_page_of_an_entry_shows_that_entry() -> None:
    for place in (0, 1, A_PAGE, 2 * A_PAGE, len(LONG) - 1):
        shown = history_of(*LONG, at=str(place))
        assert [line.number for part in shown.rounds for line in part.lines if line.shown] == [place]
        assert shown.panel is None
        picked = history_of(*LONG, n=str(place))
        assert [line.number for part in picked.rounds for line in part.lines if line.panel] == [place]


def test_a_round_split_over_two_pages_has_its_sums_on_both() -> None:
    rounds = ("game rocket", *(f"buy Ana {number}" for number in range(1, A_PAGE - 3)), "5", "7", "3")
    screen = history_of(*rounds, before=str(A_PAGE - 2))
    assert history_of(*rounds).rounds[0].end == screen.rounds[0].end != ""


def test_no_repair_is_worked_out_for_a_watcher(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.open(GAMES, NAMES, ("game pairs", "4", "6", "9", "8"))
    for asked in ("preview", "alternatives", "missed"):
        monkeypatch.setattr(Table, asked, None)
    for kind in ("amend", "insert", "remove", "cut"):
        assert history_screen(table, "x", False, {"n": "1", "kind": kind, "entry": "3"}).panel is None


# Ana has a 6, Ben a 10 and Cleo a 4, so Cleo starts. Values matter only in the deal; after that a card is a stone.
STONES = ("game blackstone", "6", "10", "4", "take 3", "10", "7", "white", "take 3", "white", "whites")


def test_a_stone_is_shown_by_colour_and_a_dealt_card_by_value() -> None:
    listed = lines(history_of(*STONES, "take 3", "10"))
    assert listed[2:7] == [
        ("Ben", "10", ""),
        ("Cleo", "4", ""),
        ("Cleo", "", "takes 3"),
        ("Cleo", "", "draws a black stone"),
        ("Cleo", "", "draws a white stone"),
    ]
    assert listed[-1] == ("Ben", "", "draws a black stone")
    after = lines(history_of(*STONES, "take 3", "10", "8"))  # the next round: cards again
    assert after[-1] == ("Ana", "8", "")


def test_a_stone_is_repaired_by_white_and_black() -> None:
    panel = panel_of(*STONES, n="6")
    assert panel.title == "Cleo draws a white stone"
    change, insert = panel.groups
    assert [(key.entry, key.label, key.same) for key in change.words] == [
        ("white", "white stone", True),
        ("10", "black stone", False),
        ("whites", "all white", False),
    ]
    assert not change.numbers
    assert not insert.numbers
    assert labels(panel_of(*STONES, n="2").groups[0])[:3] == ["1", "2", "3"], "in the deal the value counts"


def test_redo_names_a_stone() -> None:
    table = Table.open(GAMES, NAMES, STONES[:5]).enter(["10"])
    assert menu_screen(table.undo(), "x", True).redo == "Cleo draws a black stone"
    repaired = table.amend(5, "white")
    assert menu_screen(repaired.undo(), "x", True).redo == "entry 5: white stone instead of black stone"
