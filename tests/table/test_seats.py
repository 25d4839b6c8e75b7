"""A new name in the middle of a round, and the old place of a player who comes back."""

from __future__ import annotations

import pytest

from companion.engine.sentence import EntryError
from companion.games import GAMES
from companion.table.seats import first_of_round, rename, rename_in_round, seats_with
from companion.table.table import Table


@pytest.mark.parametrize(
    ("entries", "place"),
    [
        ("game pairs, 7", 1),
        ("game pairs, 7, 9, fold, 10", 4),
        ("game pairs, 7, 9, fold, buy Ana 5, 10, 4", 5),
        ("game rocket, bet Ben 20, 5, 8", 2),
        ("game continuous, 7, 9, 8, 10, fold 7 Ana, 4", 6),
        ("game pairs, 7, game port, 4", 3),
    ],
)
def test_a_new_name_is_entered_before_the_round(entries: str, place: int) -> None:
    table = Table.open(GAMES, ("Ana", "Ben"), entries.split(", "))
    assert not table.state.between
    assert first_of_round(table) == place
    renamed = table.change(rename_in_round(table, "rename Ben Zoe"))
    assert [seat.name for seat in renamed.state.seats] == ["Ana", "Zoe"]
    assert renamed.state.seats[1].stack == table.state.seats[1].stack
    assert renamed.undo().state == table.state


def test_several_new_names_in_a_round_are_one_change() -> None:
    table = Table.open(GAMES, ("A", "B"), ["game pairs", "7", "9", "fold", "10"])
    wanted = rename(table, {"A": "Ana", "B": "Ben"})
    named = table.change(wanted)
    assert [str(step.entry) for step in named.steps(since=4)] == ["rename A Ana", "rename B Ben", "10"]
    assert named.as_kept(wanted) == wanted
    assert (named.version, str(named.undone)) == (table.version + 1, "entry 4: rename A Ana, rename B Ben inserted")
    assert named.undo().state == table.state
    assert named.undo().redo().state == named.state


def test_an_entry_that_names_the_player_keeps_the_old_name() -> None:
    table = Table.open(GAMES, ("Ana", "Ben"), ["game pairs", "7", "pay Ana Ben 5"])
    with pytest.raises(EntryError, match="rename after the round"):
        rename_in_round(table, "rename Ben Zoe")
    with pytest.raises(EntryError, match="taken"):
        rename_in_round(table, "rename Ben ana")


@pytest.mark.parametrize(
    ("entries", "name", "around"),
    [
        (["leave Ben"], "Ben", "Ana Ben Cleo Dan"),
        (["leave Ana"], "Ana", "Ana Ben Cleo Dan"),
        (["leave Dan"], "Dan", "Ana Ben Cleo Dan"),
        (["leave Ben", "leave Cleo"], "Ben", "Ana Ben Dan"),  # before the next player still there
        (["leave Ben", "rename Cleo Clea"], "Ben", "Ana Ben Clea Dan"),
        (["leave Ben", "sit Ben", "order Ana Cleo Dan Ben", "leave Ben"], "Ben", "Ana Cleo Dan Ben"),
    ],
)
def test_a_player_comes_back_to_the_same_place(entries: list[str], name: str, around: str) -> None:
    table = Table.open(GAMES, ("Ana", "Ben", "Cleo", "Dan"), ["game pairs", *entries])
    assert seats_with(table, name) == around.split()
