"""Who is ahead over many evenings, worked out by hand."""

from __future__ import annotations

import pytest

from companion.engine.sentence import InvalidEntry
from companion.games import GAMES
from companion.table.people import People, key_of, root_of, with_alias
from companion.table.standings import PersonStanding, record_of, since, standings, sum_up
from companion.table.table import Table
from tests.table.test_ledger import NIGHT

LOST_BY = "game pairs cards=no limit=5 stakes=norland,score {} 5"
PORT_WON_BY = "game port cards=no goal=5,score {} 5"


def table(entries: str, names: str = "Ana Ben Cleo", at: str = "2026-03-01T20:00:00+00:00") -> Table:
    opened = Table.open(GAMES, names.split(), [entries.split(",")[0]], at)
    rest = entries.split(",")[1:]
    return opened.enter(rest, at) if rest else opened


def rows(*tables: Table, people: People | None = None) -> dict[str, tuple[int | None, int, int, int, int, int]]:
    """Rank, evenings, games, lost, won, chips, by name."""
    found = standings(map(sum_up, tables), people or People())
    return {one.name: row_of(one) for one in found}


def row_of(one: PersonStanding) -> tuple[int | None, int, int, int, int, int]:
    sums = one.sums
    return (one.rank, sums.evenings, sums.games, sums.lost, sums.won, sums.chips)


def test_the_night_of_five_games() -> None:
    """Cleo lost the Pairs; nobody wins or loses the four games for chips. All played five games."""
    night = Table.from_record(GAMES, NIGHT)
    assert rows(night) == {
        "Dan": (1, 1, 5, 0, 0, 22),
        "Ana": (2, 1, 5, 0, 0, 15),
        "Ben": (3, 1, 5, 0, 0, -17),
        "Cleo": (4, 1, 5, 1, 0, -20),
    }
    evening = sum_up(night)
    assert [game.key for game in evening.games] == ["pairs", "blackstone", "rocket", "starboard", "hawthorn"]
    assert evening.games[2].chips == {"Ana": 20, "Ben": -16, "Cleo": -10, "Dan": 6}
    pairs = standings([evening.of_game("pairs")], People())
    assert {one.name: row_of(one) for one in pairs}["Cleo"] == (None, 1, 1, 1, 0, -6)


def test_lost_and_won_games_over_two_evenings() -> None:
    first = table(f"{LOST_BY.format('Ben')},{PORT_WON_BY.format('Ana')}")
    second = table(f"{LOST_BY.format('Ana')},{LOST_BY.format('Ben')}", "Ana Ben Dora")
    # Norland: the loser pays each of those with 0 points one chip.
    assert rows(first, second) == {
        "Ana": (1, 2, 4, 1, 1, 1 - 2 + 1),
        "Ben": (2, 2, 4, 2, 0, -2 + 1 - 2),
        "Dora": (None, 1, 2, 0, 0, 1 + 1),
        "Cleo": (None, 1, 2, 0, 0, 1),
    }


def test_who_the_stakes_pay_has_not_won() -> None:
    assert rows(table(LOST_BY.format("Ben")))["Ana"] == (None, 1, 1, 0, 0, 1)


def test_lucky_day_has_a_winner_and_who_went_beyond_has_lost() -> None:
    exactly = table("game lucky cards=no goal=12,score Ana 10,score Ben 5,score Ana 2")
    assert rows(exactly)["Ana"] == (None, 1, 1, 0, 1, 0)
    assert rows(exactly)["Ben"] == (None, 1, 1, 0, 0, 0)
    beyond = table("game lucky cards=no goal=12,score Ana 10,score Ben 5,score Cleo 5,score Ana 3")
    assert rows(beyond) == {
        "Ben": (None, 1, 1, 0, 1, 0),
        "Cleo": (None, 1, 1, 0, 1, 0),
        "Ana": (None, 1, 1, 1, 0, 0),
    }


@pytest.mark.parametrize(
    ("entries", "games"),
    [
        ("game pairs cards=no,score Ben 4", 0),  # not over
        ("game pairs cards=no,points Ben 99", 1),  # lost by a correction
        ("game starboard,4,9,8", 0),  # no round is finished
        ("game starboard,4,9,lock,lock,lock", 1),
        ("game starboard,4,9,lock,lock,lock,3,8,lock,lock,lock", 1),  # two rounds of one game
        ("game pairs", 0),
    ],
)
def test_a_game_counts_when_it_is_over_or_has_a_finished_round(entries: str, games: int) -> None:
    assert sum(game.counts for game in sum_up(table(entries)).games) == games


def test_equal_people_share_a_rank() -> None:
    three = ",".join([PORT_WON_BY.format("Ana")] * 3)
    assert rows(table(three)) == {
        "Ana": (1, 1, 3, 0, 3, 0),
        "Ben": (2, 1, 3, 0, 0, 0),
        "Cleo": (2, 1, 3, 0, 0, 0),
    }


def test_a_person_is_a_name_without_case_and_accents() -> None:
    first = table(LOST_BY.format("Zoé"), "Zoé Ana")
    second = table(LOST_BY.format("ZOE"), "Ana ZOE")
    assert rows(second, first)["ZOE"] == (None, 2, 2, 2, 0, -2), "as it was spelled first in the list"
    assert key_of("  Jean   PAUL ") == key_of("jean paul")
    assert key_of("Straße") == key_of("STRASSE")
    assert key_of("राम") != key_of("रम"), "vowel signs are no accents"


def test_letters_of_seats_without_names_never_count() -> None:
    found = rows(table(LOST_BY.format("B"), "A B Ana"), table(LOST_BY.format("Ab"), "Ab c Ana"))
    assert found == {"Ana": (None, 2, 2, 0, 0, 2), "Ab": (None, 1, 1, 1, 0, -2)}


def test_one_person_at_two_seats_has_played_once() -> None:
    people = People({"ben": "Benoît"})
    evening = table(f"{LOST_BY.format('Ben')},{PORT_WON_BY.format('Benoît')}", "Ana Ben Benoît")
    # Ben lost and pays Ana and himself 1.
    assert rows(evening, people=people) == {
        "Benoît": (None, 1, 2, 1, 1, -1),
        "Ana": (None, 1, 2, 0, 0, 1),
    }


def test_a_new_name_and_people_who_come_and_go() -> None:
    evening = table(
        f"{LOST_BY.format('Ben')},rename Ben Bo,leave Cleo,{LOST_BY.format('Bo')},sit Dan,{PORT_WON_BY.format('Dan')},rename Bo Bob"
    )
    assert rows(evening) == {
        "Ana": (1, 1, 3, 0, 0, 2),
        "Bob": (2, 1, 3, 2, 0, -3),
        "Cleo": (None, 1, 1, 0, 0, 1),
        "Dan": (None, 1, 1, 0, 1, 0),
    }


def test_who_joined_and_left_in_mid_game_has_played_it() -> None:
    evening = table("game pairs cards=no limit=9,score Ana 3,leave Cleo,sit Dan,score Ben 9")
    assert {name: row[2:4] for name, row in rows(evening).items()} == {
        "Ana": (1, 0), "Ben": (1, 1), "Cleo": (1, 0), "Dan": (1, 0),
    }  # fmt: skip


def test_a_settlement_changes_nothing_in_the_standings() -> None:
    night = Table.from_record(GAMES, NIGHT)
    assert rows(night.enter(["settled"])) == rows(night)


def test_a_repair_of_an_old_evening_changes_the_standings() -> None:
    evenings = [table(",".join([LOST_BY.format("Ben")] * 2)) for _ in range(5)]
    assert rows(*evenings)["Ben"][3] == 10
    wrong = next(step for step in evenings[2].steps() if step.entry.verb == "score")
    evenings[2] = evenings[2].amend(wrong.number, "score Cleo 5")
    assert (rows(*evenings)["Ben"][3], rows(*evenings)["Cleo"][3]) == (9, 1)
    evenings[2] = evenings[2].undo()
    assert rows(*evenings)["Ben"][3] == 10


def test_an_evening_has_the_time_of_its_last_play() -> None:
    evening = table(LOST_BY.format("Ben"), at="2026-03-01T23:00:00+00:00").enter(
        ["settled"], "2026-03-05T12:00:00+00:00"
    )
    assert sum_up(evening).at == "2026-03-01T23:00:00+00:00"
    evenings = [sum_up(evening)]
    assert since(evenings, "2026-03-01") == since(evenings, "") == evenings
    assert since(evenings, "2026-03-02") == []


# -- who is who


def test_an_alias_is_reversible() -> None:
    evenings = [table(LOST_BY.format("Ben"), "Ana Ben"), table(LOST_BY.format("Benoît"), "Ana Benoît")]
    aliases = with_alias({}, "BEN", "Benoît")
    assert rows(*evenings, people=People(aliases))["Benoît"] == (None, 2, 2, 2, 0, -2)
    del aliases["ben"]
    assert rows(*evenings, people=People(aliases)) == rows(*evenings)


def test_aliases_never_make_a_circle() -> None:
    aliases = with_alias(with_alias({}, "Ben", "Benoît"), "Benoît", "Big B")
    assert {root_of(aliases, key) for key in ("ben", "benoit", "big b")} == {"big b"}
    for name, other in (("Big B", "Ben"), ("Big B", "Benoît"), ("Ben", "ben"), ("Ben", "Big b")):
        with pytest.raises(InvalidEntry, match="one person already"):
            with_alias(aliases, name, other)
    assert with_alias(aliases, "Ben", "Zoé") == {**aliases, "big b": "Zoé"}, "all names of a person go along"
    for letter in ("A", "h"):
        with pytest.raises(InvalidEntry, match="letter"):
            with_alias({}, letter, "Ben")
        with pytest.raises(InvalidEntry, match="letter"):
            with_alias({}, "Ben", letter)


def test_a_circle_made_by_two_phones_at_once_does_no_harm() -> None:
    people = People({"ben": "Benoît", "benoit": "Ben", "bo": "Ben"})
    assert people.of("Ben") == people.of("Benoît") == people.of("Bo") == "ben"
    assert People({"ben": "Ben"}).of("Ben") == "ben"


# -- one person


def test_a_persons_games_evenings_and_others() -> None:
    march = table(f"{LOST_BY.format('Ben')},{LOST_BY.format('Ana')},{PORT_WON_BY.format('Ben')}", "Ana Ben")
    april = table(f"{LOST_BY.format('Ben')},{LOST_BY.format('Cleo')},{LOST_BY.format('Ben')}")
    evenings = [sum_up(april), sum_up(march), sum_up(table(LOST_BY.format("Ana"), "Ana Cleo"))]
    ben = record_of("ben", evenings, People())
    assert ben is not None
    # April, three at the table: −2, +1, −2. March, two: −1, +1.
    assert [(night.number, night.sums.chips) for night in ben.nights] == [(0, -3), (1, 0)]
    assert (ben.best.number, ben.worst.number) == (1, 0)
    assert {key: (sums.games, sums.lost, sums.won, sums.chips) for key, sums in ben.games.items()} == {
        "pairs": (5, 3, 0, -3),
        "port": (1, 0, 1, 0),
    }
    assert [(one.name, one.games, one.lost, one.their_lost) for one in ben.others] == [
        ("Ana", 6, 3, 1),
        ("Cleo", 3, 2, 1),
    ]
    assert record_of("nobody", evenings, People()) is None
