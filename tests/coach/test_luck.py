"""Luck and skill add up to the result, and agree with the specification."""

from __future__ import annotations

from typing import Any

import pytest

from companion.coach import game_logs, luck
from companion.games import GAMES
from companion.table.table import Table

from .walks import evening

PARTS = ("skill", "gifts", "luck", "other")
ENTRIES = 120


def judged(table: Table) -> dict[str, Any]:
    found = luck(table)
    assert found is not None
    return found


def record(seats: str, entries: str) -> Table:
    return Table.open(GAMES, seats.split(), entries.split(","))


def adds_up(found: dict[str, Any]) -> None:
    for game in found["games"]:
        for account in game["seats"].values():
            start = account["start"] if game["unit"] == "chips" else 0.0
            assert start + sum(account[part] for part in PARTS) == pytest.approx(account["result"], abs=1e-9)
            assert account["skill"] <= 0


@pytest.mark.parametrize("corrections", [0.0, 0.05])
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("pairs", 2, ""),
        ("pairs", 3, "limit=9"),
        ("pairs", 6, ""),
        ("rocket", 2, "bet=50"),
        ("rocket", 4, "decks=2 bet=20"),
        ("blackstone", 2, ""),
        ("blackstone", 3, ""),
        ("blackstone", 5, "ante=2"),
    ],
)
def test_the_causes_add_up_to_the_result(game: str, seats: int, options: str, corrections: float) -> None:
    found = judged(evening(game, seats, ENTRIES, 1, options, corrections))
    assert found["games"]
    adds_up(found)
    if game != "blackstone" and not corrections:
        for played in found["games"]:
            assert sum(account["luck"] for account in played["seats"].values()) == pytest.approx(0, abs=1e-9)


def test_results_of_pairs_are_the_chance_at_the_opening_less_the_loss() -> None:
    table = record("Ana Ben", "game pairs,points Ana 30,3,9,8,fold")
    assert table.state.outcome is None  # Ben has folded
    table = table.enter(["2", "9", "fold"])
    assert table.state.outcome is not None
    (game,) = judged(table)["games"]
    assert game["seats"]["Ana"]["result"] == pytest.approx(-0.5)
    assert game["seats"]["Ben"]["result"] == pytest.approx(0.5)
    assert game["seats"]["Ana"]["start"] == pytest.approx(0.5)


def test_a_correction_is_neither_luck_nor_skill() -> None:
    (game,) = judged(record("Ana Ben", "game pairs,points Ana 31"))["games"]
    assert game["seats"]["Ana"] == {
        "start": 0.5,
        "skill": 0.0,
        "gifts": 0.0,
        "luck": 0.0,
        "other": -0.5,
        "result": -0.5,
    }


def test_a_correction_within_a_round_changes_nothing_else() -> None:
    plain = judged(record("Ana Ben", "game pairs limit=9,3,9,8,7,fold,2,9,3,9"))
    same = judged(record("Ana Ben", "game pairs limit=9,3,9,8,points Ana 0,7,fold,2,9,3,9"))
    assert plain["games"] == same["games"] != []


def test_a_bad_fold_is_skill_and_a_gift() -> None:
    table = record("Ana Ben Cleo", "game pairs,5,8,9,fold,points Ana 21")
    (game,) = judged(table)["games"]
    ana, ben, cleo = game["seats"].values()
    assert ana["skill"] == pytest.approx(0.325 - 0.4732, abs=0.004)
    assert ben["gifts"] == cleo["gifts"] == pytest.approx(-ana["skill"] / 2)
    dearest = judged(table)["dearest"]["lose"]
    assert (dearest["n"], dearest["name"], dearest["entry"]) == (4, "Ana", "fold")
    assert dearest["cost"] == pytest.approx(-ana["skill"])


def test_a_pair_against_a_small_risk_is_a_bad_beat() -> None:
    found = judged(record("Ana Ben Cleo", "game pairs,5,8,9,5,points Ben 21"))
    (beat,) = found["beats"]
    assert (beat["n"], beat["name"]) == (4, "Ana")
    assert beat["risk"] == pytest.approx(4 / 52)
    # Ana's chance of losing was that of a draw, and is that of a seat with 5 points.
    assert beat["cost"] == pytest.approx(0.4732 - 0.325, abs=0.004)
    assert found["unluckiest"]["lose"]["name"] == "Ana"
    assert found["unluckiest"]["lose"]["gain"] == pytest.approx(-beat["cost"])
    assert found["luckiest"]["lose"]["gain"] > 0


def test_rocket_starts_at_the_house_edge() -> None:
    (game,) = judged(record("Ana Ben", "game rocket bet=50,7,1,fold"))["games"]
    assert game["unit"] == "chips"
    ana, ben = game["seats"]["Ana"], game["seats"]["Ben"]
    assert ben["start"] == pytest.approx(-0.020788 * 50)
    assert ana["start"] == pytest.approx(0.020788 * 50)
    assert ben["result"] == -5
    assert ben["skill"] == 0  # facing a 1, a 7 folds
    assert ben["luck"] == pytest.approx(-5 + 0.020788 * 50)


def test_a_wrong_fold_in_rocket_is_the_dealers_gain() -> None:
    (game,) = judged(record("Ana Ben", "game rocket bet=50,6,1,fold"))["games"]
    cost = 50 * (0.1 - 0.0995313)
    assert game["seats"]["Ben"]["skill"] == pytest.approx(-cost, abs=1e-5)
    assert game["seats"]["Ana"]["gifts"] == pytest.approx(cost, abs=1e-5)


def test_blackstone_starts_at_a_share_of_the_carried_chips() -> None:
    # Ana passes with 3 white stones: 7 chips. At Cleo's second ten, one of them cannot be divided.
    opening = "game blackstone,4,7,10,pass,take 1,white,take 1,10"
    table = record("Ana Ben Cleo", opening)
    carried = table.state.middle
    (game,) = judged(table)["games"]
    assert sum(account["result"] for account in game["seats"].values()) == -carried
    again = table.enter(["4", "7", "9", "pass", "pass"])
    (both,) = judged(again)["games"]
    assert both["seats"]["Ana"]["start"] == pytest.approx(carried / 3)


def test_a_void_round_counts_for_nothing() -> None:
    (game,) = judged(record("Ana Ben", "game rocket bet=50,7,1,misdeal"))["games"]
    for account in game["seats"].values():
        assert account["result"] == 0
        assert account["other"] == -account["start"]


def test_the_next_game_makes_a_round_void() -> None:
    found = judged(record("Ana Ben", "game rocket bet=50,7,1,game pairs"))
    assert [game["number"] for game in found["games"]] == [1]
    assert found["games"][0]["seats"]["Ben"]["result"] == 0


def test_a_round_under_way_is_not_judged_yet() -> None:
    table = record("Ana Ben", "game rocket bet=50,7,1,fold")
    assert judged(table.enter(["8", "9", "10"])) == judged(table)
    assert judged(record("Ana Ben", "game rocket bet=50,7,1"))["games"] == []


@pytest.mark.parametrize(
    "entries",
    [
        "game pairs,5,8",
        "game pairs limit=5 calamities=yes,5,8,fold",
        "game pairs limit=5 cards=no,score Ana 5",
        "game port,5,8",
        "game rocket,bet Ana 20,game port",
    ],
)
def test_unfinished_and_unknown_games_are_left_out(entries: str) -> None:
    assert judged(record("Ana Ben", entries))["games"] == []


def test_a_game_whose_seats_changed_is_left_out() -> None:
    table = record("Ana Ben", "game pairs limit=20,5,8,fold,sit Eve,points Ana 20")
    assert table.state.outcome is not None
    assert judged(table)["games"] == []


def test_games_are_numbered_from_the_first_of_the_table() -> None:
    table = record("Ana Ben", "game port,game pairs,points Ana 31,game pairs,points Ben 31")
    assert [game["number"] for game in judged(table)["games"]] == [2, 3]


def test_accounts_have_the_last_name() -> None:
    (game,) = judged(record("Ana Ben", "game pairs,rename Ana Anne,points Anne 31"))["games"]
    assert game["seats"]["Anne"]["result"] == -0.5
    assert "Ana" not in game["seats"]


def test_moments_have_the_last_name_too() -> None:
    """Ana draws a second 9 and takes 9 points; then Ana is renamed Anne."""
    found = judged(record("Ana Ben", "game pairs limit=10,9,10,9,rename Ana Anne,points Anne 10"))
    assert found["unluckiest"]["lose"]["name"] == "Anne"


@pytest.mark.parametrize("options", ["coach=off", "odds=off"])
def test_a_table_that_hides_the_coach_shows_no_luck(options: str) -> None:
    table = record("Ana Ben", f"game pairs {options},points Ana 31")
    assert luck(table) is None
    assert judged(table.enter(["game pairs"]))["games"] == []


def test_odds_hidden_until_the_end_do_not_hide_luck() -> None:
    assert judged(record("Ana Ben", "game pairs odds=after,points Ana 31"))["games"]


def test_only_the_newest_entries_of_a_long_table_are_judged() -> None:
    """Where rounds count, judging begins at the end of a round; in Pairs only whole games are judged."""
    table = evening("rocket", 2, 120, 4, "bet=20")
    (whole,), (rest,) = game_logs(table), game_logs(table, 60)
    assert rest.first > table.head.number - 60
    assert rest.opening.between
    assert rest.number == 1
    assert rest.entries == whole.entries[rest.first :]
    late = {(turn.n, turn.name, turn.gain) for turn in whole.judge().turns if turn.n > rest.first}
    assert {(rest.first + turn.n, turn.name, turn.gain) for turn in rest.judge().turns} == late
    pairs = evening("pairs", 3, 300, 4)
    every = list(game_logs(pairs))
    assert [(log.first, log.number) for log in game_logs(pairs, 150)] == [
        (log.first, log.number) for log in every if log.first > pairs.head.number - 150
    ]


@pytest.mark.parametrize(("game", "options"), [("pairs", "limit=200"), ("rocket", "bet=20")])
def test_newest_entries_within_one_round_leave_nothing_to_judge(game: str, options: str) -> None:
    """The newest entries contain no start of a game and no end of a round."""
    table = evening(game, 3, 120, 4, options)
    newest = table.head.number - max(step.number for step in table.steps() if step.result)
    assert list(game_logs(table, newest)) == []
