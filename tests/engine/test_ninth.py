"""A game that only the tests have is played like the others, with its rulebook and one registration."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from companion.engine.notation import parse
from companion.engine.play import replay
from companion.engine.sentence import InvalidEntry
from companion.engine.verbs import describe_entry
from companion.games import GAMES
from companion.table.differences import differences
from companion.table.log import Refused
from companion.table.table import Table
from tests.ninth import ninth_game

from .test_walk import LONGEST_ROUND, conserved, one_step, opened

NAMES = ("Ann", "Bob", "Cy")
# Ann 4 5, Bob 6 3, Cy 9 10: Bob's 3 starts. His 7 is beyond 15, Cy drops the 10, Ann's 6 meets the light.
ROUND = ("game lantern light=15 ante=2", "4", "6", "9", "5", "3", "10", "Bob: 7", "Cy: drop 10", "Ann: 6")


@pytest.fixture(autouse=True)
def lantern() -> Iterator[None]:
    with ninth_game():
        yield


def dealt(*entries: str) -> Table:
    return Table.open(GAMES, NAMES, entries[:1]).enter(entries[1:])


def chips(table: Table) -> dict[str, int]:
    return {seat.name: seat.chips for seat in table.state.seats}


def test_two_cards_are_dealt_to_each() -> None:
    table = dealt(*ROUND[:4])
    assert table.report()["waiting"] == ["Ann", "Bob", "Cy"]
    assert table.state.deal is not None
    assert not table.state.deal.tied, "everybody has a card, but nobody has tied"
    table = table.enter(ROUND[4:7])
    assert [seat.stack for seat in table.state.seats] == [(4, 5), (6, 3), (9, 10)]
    assert table.report()["turn"] == "Bob"


def test_a_tie_is_named() -> None:
    table = dealt("game lantern", "4", "6", "4", "9", "8", "10")
    deal = table.state.deal
    assert deal is not None
    assert (deal.waiting, deal.tied, deal.tied_at) == ((0, 2), (0, 2), 4)
    assert table.enter(["7", "8"]).report()["turn"] == "Ann"


def test_a_starter_named_in_the_deal_waits_for_the_second_cards() -> None:
    table = dealt("game lantern", "4", "6", "9", "start Cy", "8", "7")
    assert table.state.phase == "deal"
    assert table.enter(["10"]).report()["turn"] == "Cy"


def test_a_round_with_its_own_verb_and_its_own_ending() -> None:
    table = dealt(*ROUND)
    assert chips(table) == {"Ann": 6, "Bob": -4, "Cy": -2}
    result = table.state.result
    assert result is not None
    assert (result.how, result.who, result.value) == ("light", "Ann", 6)
    assert str(GAMES["lantern"].endings["light"].in_words(6)) == "met the light with a 6"
    assert [str(describe_entry(step.entry, table.games)) for step in table.steps()[-3:]] == ["7", "drops the 10", "6"]


def test_the_report_has_its_own_keys() -> None:
    shown = dealt(*ROUND[:-1]).report()
    assert shown["light"] == 15
    assert shown["pot"] == 8
    assert [seat["dropped"] for seat in shown["seats"]] == [False, False, True]
    assert "drop 4" in shown["legal"]
    # Ann has 9: a 7, 8, 9 or 10 is beyond the light, and 6 + 8 + 8 + 9 of them are among the 48 unseen.
    assert shown["risk"]["Ann"] == "31/48"


def test_record_replay_undo_and_redo() -> None:
    table = dealt(*ROUND)
    again = Table.from_record(GAMES, table.record())
    assert again.state == table.state
    assert replay(GAMES, NAMES, map(parse, ROUND)) == table.state
    one_by_one = Table.open(GAMES, NAMES, ROUND[:1])
    for entry in ROUND[1:]:
        one_by_one = one_by_one.enter([entry])
    assert one_by_one.report()["undo"] == "Ann: 6"
    undone = one_by_one.undo().undo()
    assert undone.report()["redo"] == "Cy: drop 10"
    assert undone.redo().redo().state == table.state


def test_repair_and_what_it_changes() -> None:
    """Bob's 7 was a 6: Bob met the light."""
    table = dealt(*ROUND)
    with pytest.raises(Refused) as refused:
        table.amend(7, "Bob: 6")
    assert refused.value.at == 8
    repaired = table.amend(7, "Bob: 6", drop=True)
    assert chips(repaired) == {"Ann": -2, "Bob": 4, "Cy": -2}
    assert [str(sentence) for sentence in differences(table, repaired)] == [
        "Round 1 would end like this: Bob, the light (6) → Ann −2, Bob +4, Cy −2.",
        "Ann: −2 chips instead of 6.",
        "Bob: 4 chips instead of −4.",
    ]
    others = list(map(str, table.alternatives(8)))
    assert {"Cy: drop 9", "Cy: drop 10", "Cy: pass", "Cy: 5"} <= set(others)


def test_its_verb_is_refused_where_it_does_not_belong() -> None:
    for game in ("pairs", "port"):
        with pytest.raises(Refused) as refused:
            Table.open(GAMES, NAMES, [f"game {game}", "4", "6", "9", "drop 4"])
        assert "not possible now" in str(refused.value)
    with pytest.raises(InvalidEntry):
        parse("drop 11")


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_random_rounds_end(seats: int) -> None:
    random = Random(seats)
    for walk in range(16):
        state = opened("lantern", seats, "light=30" if walk % 2 else "burn=30")
        for count in range(LONGEST_ROUND):
            state = one_step(state, random, thorough=count % 5 == 0)
            conserved(state)
            if state.result:
                break
        assert state.result, "the round did not end"
        assert state.result.how in GAMES["lantern"].endings
