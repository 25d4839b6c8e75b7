"""An evening: entries, undo, redo and repair in any order equal a fresh replay of the resulting log."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.engine.notation import Entry, parse
from companion.engine.play import replay
from companion.engine.sentence import EntryError
from companion.games import GAMES
from companion.table.change import Change
from companion.table.differences import differences
from companion.table.ledger import payments
from companion.table.limits import A_STATE, A_STEP
from companion.table.log import BeyondLimits, NothingThere, Refused
from companion.table.table import Table

NAMES = ("Ana", "Ben", "Cleo")
DESIGN = "game pairs stakes=tacoma sum=6,7,10,3,9,9,6,5,8,fold,4,10,2,8,10,8,5,9,7,10,6,4,10,6,fold"
ROUND_4 = "7,6,10,5,9,10,4,7,2,9,9"


def played(entries: str, names: tuple[str, ...] = ("Ana", "Ben", "Cleo", "Dan")) -> Table:
    first, *rest = entries.split(",")
    table = Table.open(GAMES, names, [first])
    for entry in rest:
        table = table.enter([entry])
    return table


def points(table: Table) -> dict[str, int]:
    return {seat.name: seat.points for seat in table.state.seats}


def texts(table: Table) -> list[str]:
    return [str(step.entry) for step in table.steps()]


EXTRA = (
    "shuffle",
    "lost",
    "misdeal",
    "points Ana 3",
    "buy Ben 20",
    "pay Ana Cleo 2",
    "sit Dora",
    "leave Ben",
    "rename Cleo Zoe",
    "order Cleo Ana Ben",
    "score Ana 4",
    'title "The Anchor"',
    "settled",
    "game starboard",
    "game continuous",
    "game blackstone",
    "game rocket",
    "game zombie",
    "game lucky",
    "game hawthorn",
    "game port",
)


class TableMachine(RuleBasedStateMachine):
    """The model is a list of logs for undo and redo."""

    @initialize(game=st.sampled_from(sorted(GAMES)))
    def open(self, game: str) -> None:
        self.table = Table.open(GAMES, NAMES, [f"game {game}"])
        self.log = [parse(f"game {game}")]
        self.past: list[list[Entry]] = []
        self.future: list[list[Entry]] = []
        self.version = 1

    def pick(self, index: int) -> Entry:
        state = self.table.state
        legal = GAMES[state.game].legal(state)
        choices = [*legal, *legal, *legal, *map(parse, EXTRA)]
        return choices[index % len(choices)]

    def attempt(self, wanted: list[Entry], change: Any) -> None:
        """A change is accepted exactly if its log can be replayed from the start."""
        try:
            replay(GAMES, NAMES, wanted)
        except EntryError:
            before = self.table.report()
            with pytest.raises(EntryError):
                change()
            assert self.table.report() == before
        except StopIteration:
            with pytest.raises(EntryError):
                change()
        else:
            self.table = change()
            self.past.append(self.log)
            self.future = []
            self.log = wanted
            self.version += 1

    @rule(index=st.integers(0, 10_000))
    def enter(self, index: int) -> None:
        entry = self.pick(index)
        self.attempt([*self.log, entry], lambda: self.table.enter([entry]))

    @rule(indexes=st.lists(st.integers(0, 10_000), min_size=2, max_size=3))
    def enter_several(self, indexes: list[int]) -> None:
        entries = [self.pick(index) for index in indexes]
        self.attempt([*self.log, *entries], lambda: self.table.enter(entries))

    @rule(place=st.integers(0, 10_000), index=st.integers(0, 10_000))
    def amend(self, place: int, index: int) -> None:
        n, entry = place % len(self.log), self.pick(index)
        self.attempt([*self.log[:n], entry, *self.log[n + 1 :]], lambda: self.table.amend(n, entry))

    @rule(place=st.integers(0, 10_000), index=st.integers(0, 10_000))
    def insert(self, place: int, index: int) -> None:
        n, entry = place % len(self.log), self.pick(index)
        self.attempt([*self.log[:n], entry, *self.log[n:]], lambda: self.table.insert(n, entry))

    @rule(place=st.integers(0, 10_000))
    def remove(self, place: int) -> None:
        n = place % len(self.log)
        self.attempt([*self.log[:n], *self.log[n + 1 :]], lambda: self.table.remove(n))

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        self.future.append(self.log)
        self.log = self.past.pop()
        self.table = self.table.undo()
        self.version += 1

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        self.past.append(self.log)
        self.log = self.future.pop()
        self.table = self.table.redo()
        self.version += 1

    @invariant()
    def equals_a_fresh_replay(self) -> None:
        assert [step.entry for step in self.table.steps()] == self.log
        assert self.table.state == replay(GAMES, NAMES, self.log)
        assert self.table.version == self.version
        assert (self.table.past is None) == (not self.past)
        assert (self.table.future is None) == (not self.future)

    @invariant()
    def the_record_makes_the_same_table(self) -> None:
        again = Table.from_record(GAMES, self.table.record())
        assert again.state == self.table.state
        assert again.version == 1
        assert again.past is None


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def test_undo_takes_back_a_whole_call() -> None:
    table = played("game pairs")
    table = table.enter(["7", "3", "9"])
    assert table.report()["undo"] == "7, 3, 9"
    table = table.undo()
    assert texts(table) == ["game pairs"]
    assert table.version == 3
    assert texts(table.redo()) == ["game pairs", "7", "3", "9"]


def test_all_or_nothing() -> None:
    table = played("game pairs")
    with pytest.raises(Refused) as refused:
        table.enter(["7", "1", "1"])
    assert refused.value.at == 2
    assert not refused.value.invalid
    with pytest.raises(Refused) as refused:
        table.enter(["7", "eleven"])
    assert refused.value.at == 1
    assert refused.value.invalid


def test_creation_cannot_be_undone() -> None:
    with pytest.raises(NothingThere):
        played("game pairs").undo()


def test_repair_of_the_designs_screen_11() -> None:
    """Cleo's 10 in round 3 was a 7: it pairs her at once, and round 3 ends there with her 7 points."""
    table = played(f"{DESIGN},{ROUND_4}")
    wrong = next(step.number for step in table.steps() if step.round == 3 and step.seat == "Cleo" and step.number > 20)
    assert texts(table)[wrong] == "10"
    with pytest.raises(Refused) as refused:
        table.amend(wrong, "7")
    # Dan's 6 becomes the first card of round 4, dealt to Ana; then "fold" comes in the middle of that deal.
    assert refused.value.at == wrong + 2
    assert texts(table)[wrong + 2] == "fold"


def test_preview_says_what_changes() -> None:
    """Ann 4, Bob 6; Ann draws 9, Bob folds for 4. If Ann's 9 had been a 4, it would have paired: no fold by Bob."""
    table = played("game pairs,4,6,9,fold", ("Ann", "Bob"))
    assert points(table) == {"Ann": 0, "Bob": 4}
    with pytest.raises(Refused) as refused:
        table.amend(3, "4")
    assert refused.value.at == 4
    repaired = table.amend(2, "3")
    # Bob's 3 is lowest: Bob starts and draws the 9; Ann folds for 3.
    assert points(repaired) == {"Ann": 3, "Bob": 0}
    assert [str(sentence) for sentence in differences(table, repaired)] == [
        "Round 1 would end like this: Ann, fold (3) → Ann +3.",
        "Ann: 3 points instead of 0.",
        "Bob: 0 points instead of 4.",
    ]
    assert [str(sentence) for sentence in differences(table, table)] == ["Nothing else changes."]
    assert repaired.undo().state == table.state


def test_repairs_are_marked_and_keep_the_time() -> None:
    table = Table.open(GAMES, NAMES, ["game pairs"], at="20:00").enter(["7"], at="20:01").enter(["3"], at="20:02")
    steps = table.amend(1, "8").steps()
    assert [(str(step.entry), step.at, step.repaired) for step in steps] == [
        ("game pairs", "20:00", False),
        ("8", "20:01", True),
        ("3", "20:02", False),
    ]


def test_the_first_entry_stays_a_game() -> None:
    table = played("game pairs,7,3", NAMES)
    for attempt in (lambda: table.remove(0), lambda: table.amend(0, "8"), lambda: table.insert(0, "8")):
        with pytest.raises(EntryError) as refused:
            attempt()
        assert "game" in str(refused.value)
    assert table.amend(0, "game port").state.game == "port"
    with pytest.raises(EntryError):
        table.amend(9, "8")


def test_log_has_derived_seats_and_rounds() -> None:
    table = played(f"{DESIGN},7", ("Ana", "Ben", "Cleo", "Dan"))
    opening, first, *steps = table.steps()
    assert (first.number, str(first.entry), first.seat, first.round) == (1, "7", "Ana", 1)
    assert [step.seat for step in steps[3:8]] == ["Cleo", "Dan", "Ana", "Ben", "Cleo"]
    assert str(steps[7].entry) == "fold"
    assert steps[-1].round == 4
    assert opening.seat is None


def test_record_reads_back_names_with_blanks() -> None:
    names = ("Anna Maria", "Ben", "Zoë")
    table = Table.open(GAMES, names, ['game pairs forfeit="a song, loudly"']).enter(["Zoë: 9", "7", "3"])
    again = Table.from_record(GAMES, table.record())
    assert again.names == names
    assert again.state == table.state
    assert 'seats "Anna Maria" Ben Zoë' in table.record()


def test_ledger_has_reasons_and_follows_a_new_name() -> None:
    table = played("game starboard buyin=20,4,9,lock,lock", ("Ana", "Ben"))
    table = table.enter(["rename Ben Benoît"]).enter(["pay Benoît Ana 3"])
    lines = [(line.who, line.whom, line.amount, str(line.why)) for line in payments(table)]
    assert lines == [
        (":bank", "Ana", 20, "buy-in"),
        (":bank", "Benoît", 20, "buy-in"),
        ("Ana", ":pot", 1, "ante"),
        ("Benoît", ":pot", 1, "ante"),
        (":pot", "Ana", 1, "the pot"),
        (":pot", "Benoît", 1, "the pot"),
        ("Benoît", "Ana", 3, "paid manually"),
    ]


def test_a_player_called_pot_is_not_the_pot() -> None:
    table = played("game starboard,4,9,lock,lock", ("pot", "bank"))
    assert [seat.chips for seat in table.state.seats] == [0, 0]
    assert table.state.result is not None
    assert table.state.result.chips == {"pot": 0, "bank": 0}


def test_undo_far_back_replays_only_from_a_kept_state() -> None:
    """States are kept between rounds only, so a long log stays small; undo still restores every state."""
    table = played(f"{DESIGN},{ROUND_4}")
    states = []
    while table.past:
        states.append(table.state)
        table = table.undo()
    for state in reversed(states):
        table = table.redo()
        assert table.state == state
    kept = [step for step in table.steps() if step.state is not None]
    assert len(kept) < len(table.steps()) / 2


def test_entries_and_names_with_braces_are_only_text() -> None:
    table = Table.open(GAMES, ["{x}", "{}"], ["game pairs", "buy {x} 5", "buy {} 5"])
    assert table.amend(1, "buy {} 7").enter(["shuffle"]).undo().report()["undo"] == (
        "entry 1: buy {} 7 instead of buy {x} 5"
    )


def test_back_to_an_entry_and_forth() -> None:
    table = played(f"{DESIGN},{ROUND_4}")
    cut = table.cut(4)
    assert texts(cut) == texts(table)[:5]
    assert cut.state == played(",".join(texts(table)[:5])).state
    assert cut.undo().state == table.state


def test_names_are_cleaned_at_the_opening() -> None:
    assert Table.open(GAMES, [" Ana ", "Benoi\u0302t"], ["game pairs"]).names == ("Ana", "Benoît")
    for names in (['A"B', "C"], ["x: y", "C"], [" Ana", "ana "]):
        with pytest.raises(Refused):
            Table.open(GAMES, names, ["game pairs"])


def test_a_preview_mentions_seats_games_and_hyphens() -> None:
    table = Table.open(GAMES, ["Ana", "Ben"], ["game pairs", "sit Cleo", "buy Ana 1"])
    assert [str(s) for s in differences(table, table.remove(1))] == ["Cleo would not sit at the table."]
    assert "a different game" in str(differences(table, table.amend(0, "game starboard"))[0])
    hyphen = Table.open(GAMES, ["Jean-Luc", "Ben"], ["game pairs", "5", "6", "5"])
    first = differences(hyphen, hyphen.amend(3, "fold"))[0]
    assert str(first) == "Round 1 would end like this: Jean-Luc, fold (5) → Jean-Luc +5."


def test_a_long_chain_is_not_compared_or_shown_step_by_step() -> None:
    table = Table.open(GAMES, NAMES, ["game pairs", *["shuffle"] * 3_000])
    assert table != Table.open(GAMES, NAMES, ["game pairs"])
    assert len(repr(table)) < 200
    assert len(table.enter(["shuffle"] * 500).report()["undo"]) < 100


def test_entries_that_are_not_text_are_refused() -> None:
    table = Table.open(GAMES, NAMES, ["game pairs"])
    for entry in (5, None, "x" * 5_000, 'sit "' + "\u0301\u0327" * 5_000 + '"'):
        with pytest.raises(Refused) as refused:
            table.enter([entry])  # type: ignore[list-item]
        assert refused.value.invalid


def test_an_evening_has_a_limit_of_people() -> None:
    entries = [f"{verb} p{n}" for n in range(60) for verb in ("sit", "leave")]
    with pytest.raises(Refused) as refused:
        Table.open(GAMES, NAMES, ["game pairs", *entries])
    assert "people" in str(refused.value)


def test_a_round_cut_short_drops_what_came_after() -> None:
    """The design's screen 11: Cleo's 10 was a 7; Dan's 6 and Ana's fold go, round 4 stays."""
    table = played(f"{DESIGN},{ROUND_4}")
    wrong = max(step.number for step in table.steps() if step.round == 3 and step.seat == "Cleo")
    repaired = table.amend(wrong, "7", drop=True)
    assert points(repaired) == {"Ana": 0, "Ben": 0, "Cleo": 10, "Dan": 8}
    assert repaired.state.round == 4
    assert repaired.undo().state == table.state


@pytest.mark.parametrize("way", ["cut", "drop", "undo"])
def test_entries_kept_for_undo_and_redo_are_counted(way: str) -> None:
    """Otherwise a table could fill the memory unnoticed by the limits."""
    table = Table.open(GAMES, NAMES, ["game pairs cards=no"])
    for _ in range(3):
        table = table.enter([f"buy {NAMES[0]} 1"] * 200)
        if way == "cut":
            table = table.cut(0)
        elif way == "drop":
            table = table.amend(1, f"buy {NAMES[0]} 2", drop=True)
    if way == "undo":
        for _ in range(3):
            table = table.undo()
    assert table.weight >= 590 * (A_STEP + A_STATE)


def test_alternatives_are_the_entries_legal_then() -> None:
    """The only 1 is out when Ana draws: her 9 may have been any other card, or a fold."""
    table = played("game pairs,1,6,Ana: 9,fold", ("Ana", "Ben"))
    assert list(map(str, table.alternatives(3))) == [*(f"Ana: {value}" for value in range(2, 11)), "Ana: fold"]
    assert list(map(str, table.alternatives(1))) == [str(value) for value in range(1, 11)]
    assert table.alternatives(0) == []
    assert table.enter(["buy Ana 5"]).alternatives(5) == []


# -- a shuffle that a card implies

BEFORE_THE_SHUFFLE = ("game blackstone burn=50", "4", "6", "take 3", "lost", "white", "white")


@pytest.mark.parametrize("stone", ["white", "whites", "7", "10"])
def test_a_card_after_the_last_one_implies_a_shuffle(stone: str) -> None:
    """50 of 55 burned, two dealt, one lost, two white: one of the three taken is missing, and the pile is empty."""
    table = Table.open(GAMES, ("Ana", "Ben"), BEFORE_THE_SHUFFLE)
    with pytest.raises(Refused):
        table.enter([stone])
    after = table.enter([stone], shuffles=True)
    assert texts(after)[-2:] == ["shuffle", stone]
    assert after.undo().state == table.state


def test_entries_without_a_card_imply_no_shuffle() -> None:
    table = Table.open(GAMES, ("Ana", "Ben"), BEFORE_THE_SHUFFLE)
    assert texts(table.enter(["buy Ana 5"], shuffles=True))[-1:] == ["buy Ana 5"]
    assert texts(table.enter(["buy Ana 5"], shuffles=True))[-2] != "shuffle"
    with pytest.raises(Refused) as refused:
        table.enter(["7", "11"], shuffles=True)
    assert refused.value.at == 1, "counted as they were entered"


# -- one change: asked for, previewed, stored


def test_a_change_is_stored_as_it_is_printed() -> None:
    table = Table.open(GAMES, ("Ana", "Ben"), BEFORE_THE_SHUFFLE)
    asked = Change("enter", (" Ana:  7 ",), shuffles=True)
    assert table.change(asked).as_kept(asked) == Change("enter", ("shuffle", "Ana: 7"))
    repair = Change("amend", (" 5 ",), 1)
    assert table.change(repair).as_kept(repair) == Change("amend", ("5",), 1)
    cut = Change("cut", (), 3)
    assert table.change(cut).as_kept(cut) == cut
    with pytest.raises(Refused) as refused:
        table.change(Change("enter", ("3", "Ben: take 3")))
    assert str(refused.value.entry) == "3"


def test_a_preview_promises_nothing_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = played("game pairs,4,6,9,fold", ("Ann", "Bob"))
    repair = Change("amend", ("3",), 2)
    after, changes = table.preview(repair)
    assert points(after) == {"Ann": 3, "Bob": 0}
    assert changes == differences(table, after)
    monkeypatch.setattr("companion.table.limits.MOST_PLAYED", 1)
    for ask in (table.preview, table.change_within_limits):
        with pytest.raises(BeyondLimits):
            ask(repair)
    assert table.change(repair).state == after.state, "what was accepted once is always read again"


# -- how long a table may get

FULL = "at most 5 entries. To go on, open a new table with the same people."


@pytest.fixture
def old_table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table of an earlier release, three entries longer than a new one may get."""
    table = Table.open(GAMES, ("Ana", "Ben"), ["game pairs"]).enter([f"buy Ana {chips}" for chips in range(1, 8)])
    monkeypatch.setattr("companion.table.limits.MOST_ENTRIES", 5)
    return table


def test_a_full_table_refuses_the_next_entry_and_offers_a_new_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.limits.MOST_ENTRIES", 5)
    table = Table.open(GAMES, ("Ana", "Ben"), ["game pairs", "buy Ana 1", "buy Ana 2"])
    with pytest.raises(Refused, match=FULL) as refused:
        table.change_within_limits(Change("enter", ("buy Ana 3", "buy Ana 4", "buy Ana 5")))
    assert refused.value.at == 2, "the first entry that has no room"
    full = table.change_within_limits(Change("enter", ("buy Ana 3", "buy Ana 4")))
    for change in (Change("enter", ("buy Ana 5",)), Change("insert", ("buy Ana 5",), 1)):
        with pytest.raises(Refused, match=FULL):
            full.change_within_limits(change)


@pytest.mark.parametrize(
    "change",
    [
        Change("undo"),
        Change("amend", ("buy Ben 1",), 1),
        Change("amend round", ("buy Ben 1",), 1),
        Change("remove", (), 1),
        Change("cut", (), 6),
    ],
)
def test_a_longer_old_table_can_be_repaired_and_undone(old_table: Table, change: Change) -> None:
    changed = old_table.change_within_limits(change)
    back = changed.change_within_limits(Change("redo" if change.kind == "undo" else "undo"))
    assert back.state == old_table.state
    assert texts(back) == texts(old_table)


def test_a_longer_old_table_cannot_grow(old_table: Table) -> None:
    for change in (Change("enter", ("buy Ana 8",)), Change("insert", ("buy Ana 8",), 1)):
        with pytest.raises(Refused, match=FULL):
            old_table.change_within_limits(change)
    shorter = old_table.change_within_limits(Change("remove", (), 1))
    with pytest.raises(Refused, match=FULL) as refused:
        shorter.change_within_limits(Change("enter", ("buy Ana 8",)))
    assert refused.value.at == 0


def test_a_longer_old_table_may_have_been_changed_more_often(old_table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file is too long to be imported as a new table, so the stricter limit does not apply."""
    monkeypatch.setattr("companion.table.limits.MOST_PLAYED", 1)
    short = old_table.change_within_limits(Change("cut", (), 1))
    assert texts(short.change_within_limits(Change("undo"))) == texts(old_table)
    with pytest.raises(BeyondLimits):
        short.change_within_limits(Change("enter", ("buy Ana 2",)))
    monkeypatch.setattr("companion.table.limits.MOST_PLAYED_IF_LONG", 1)
    with pytest.raises(BeyondLimits):
        old_table.change_within_limits(Change("undo"))
