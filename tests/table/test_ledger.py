"""The end of an evening: the ledger, points and chips over time, and the fewest payments, exact to the chip."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import GAMES
from companion.table.course import MOST_STEPS, chips_by_game, chips_by_round, points_by_round
from companion.table.differences import differences
from companion.table.ledger import (
    IN_THE_MIDDLE,
    Forfeit,
    GamesPlayed,
    balances,
    by_game,
    cash,
    forfeits,
    newest_payments,
    steps_back,
)
from companion.table.settlement import MOST_EXACT, Transfer, settle
from companion.table.table import Table

NAMES = ["Ana", "Ben", "Cleo", "Dan"]

# Five games. What each won or lost, worked out by hand (middle: what is left in the pot or carried):
#
#                    Ana  Ben Cleo  Dan  middle
# 1 Pairs, Tacoma      0   +6   −6    0     0   Cleo reaches 16; Ben, with 0 points alone the lowest, gets 6.
# 2 Blackstone        +2   +2   +2   −8    +2   Dan's second black stone at 3 white: 5 + 3 = 8 for three: 2 each, 2 carried.
# 3 Rocket, bets 20  +20  −16  −10   +6     0   Ben pairs 8: 16; Cleo folds at 5: 10; Ana's 3 pays Dan 6.
# 4 Starboard         +2   −1   −2   +3    −2   antes 4, carried 2, cards 4: 10, shared by Ana (paid 3) and Dan (paid 2).
# 5 Hawthorn          −9   −8   −4  +21     0   antes 4; Ben's pair 7, Ana's 8, Cleo folds at 3: Dan takes 22.
#                    +15  −17  −20  +22     0
NIGHT = """fifty-five 1
seats Ana Ben Cleo Dan

game pairs stakes=tacoma sum=6
7
10
3
9
9
6
5
8
fold    # Cleo, for her own 3
4
10
2
8
10
8       # Dan pairs: 8
5
9
7
10
6
4
10
6
fold    # Ana, for the 4: Cleo 3, Dan 8, Ana 4
7
6
10
5
9
10
4
7
2
9
9
10      # Cleo pairs: 13
8
9
7
3
8
9
6
fold    # Cleo, for the 3: 16, the limit of four

game blackstone buyin=20   # each buys 20, which nobody has won
6
10
4
10
take 1
9       # Cleo: the third white stone
take 1
10      # Dan's second black one

game rocket bet=20         # Ana deals; the carried 2 are left alone
8
5
7
6
8       # Ben pairs
fold    # Cleo: her 5 is lower than Ana's 6
9
3       # Ana

game starboard             # Ana has the button
4
9
8       # Ana
lock    # Ben, at three cards
8       # Cleo pairs, and is out
7       # Dan
2       # Ana: four cards
lock    # Dan, which kills Ben's lock
lock    # Ana

game hawthorn
play 4
play 7
play 9
play 6
8       # Ana starts
7       # Ben pairs: 7
10
3
play 8  # Ana pairs: 8
fold    # Cleo: the 3 is the lowest of those in

buy Ben -3                 # cashes out the rest of the 20
"""


@pytest.fixture(scope="module")
def night() -> Table:
    return Table.from_record(GAMES, NIGHT)


def played(entries: str, names: list[str] = NAMES) -> Table:
    return Table.open(GAMES, names, entries.split(","))


# -- the night of five games


def test_the_ledger_by_game(night: Table) -> None:
    games = by_game(night)
    assert [(game.number, game.key, game.rounds) for game in games] == [
        (1, "pairs", 5),
        (2, "blackstone", 1),
        (3, "rocket", 1),
        (4, "starboard", 1),
        (5, "hawthorn", 1),
    ]
    assert [game.change for game in games] == [
        {"Ana": 0, "Ben": 6, "Cleo": -6, "Dan": 0},
        {"Ana": 2, "Ben": 2, "Cleo": 2, "Dan": -8, IN_THE_MIDDLE: 2},
        {"Ana": 20, "Ben": -16, "Cleo": -10, "Dan": 6},
        {"Ana": 2, "Ben": -1, "Cleo": -2, "Dan": 3, IN_THE_MIDDLE: -2},
        {"Ana": -9, "Ben": -8, "Cleo": -4, "Dan": 21},
    ]
    assert [sum(game.change.values()) for game in games] == [0] * 5
    rocket = [line for line in newest_payments(night) if line.game == 3][::-1]
    assert [(line.who, line.whom, line.amount, str(line.why)) for line in rocket] == [
        ("Ben", "Ana", 16, "a pair of 8s"),
        ("Cleo", "Ana", 10, "folded at 5"),
        ("Ana", "Dan", 6, "the dealer’s 3"),
    ]


def test_chips_bought_are_not_won(night: Table) -> None:
    money = cash(night)
    assert money.bought == {"Ana": 20, "Ben": 20, "Cleo": 20, "Dan": 20}
    assert money.cashed == {"Ana": 0, "Ben": 3, "Cleo": 0, "Dan": 0}
    # 20 + 15, 20 − 17 − 3, 20 − 20, 20 + 22
    assert {seat.name: seat.chips for seat in night.state.seats} == {"Ana": 35, "Ben": 0, "Cleo": 0, "Dan": 42}
    assert balances(night) == {"Ana": 15, "Ben": -17, "Cleo": -20, "Dan": 22}


def test_cashing_out_is_a_payment_to_the_bank(night: Table) -> None:
    last = next(newest_payments(night))
    assert (last.who, last.whom, last.amount, last.game) == ("Ben", ":bank", 3, 5)


def test_chips_after_each_game(night: Table) -> None:
    course = chips_by_game(GamesPlayed(night))
    assert course.steps == 5
    assert course.lines == {
        "Ana": (0, 0, 2, 22, 24, 15),
        "Ben": (0, 6, 8, -8, -9, -17),
        "Cleo": (0, -6, -4, -14, -16, -20),
        "Dan": (0, 0, -8, -2, 1, 22),
    }


def test_points_after_each_round(night: Table) -> None:
    (pairs,) = points_by_round(night)  # the other four games have no points
    assert (pairs.game, pairs.steps, pairs.goal) == (1, 5, 16)
    assert pairs.lines == {
        "Ana": (0, 0, 0, 4, 4, 4),
        "Ben": (0, 0, 0, 0, 0, 0),
        "Cleo": (0, 3, 3, 3, 13, 16),
        "Dan": (0, 0, 8, 8, 8, 8),
    }


def test_the_night_is_settled(night: Table) -> None:
    # No two of 15, −17, −20, 22 cancel, so four people need three payments.
    assert settle(balances(night)) == [
        Transfer("Cleo", "Dan", 20),
        Transfer("Ben", "Dan", 2),
        Transfer("Ben", "Ana", 15),
    ]


def test_the_night_is_settled_game_by_game(night: Table) -> None:
    pairs, blackstone, rocket, starboard, hawthorn = (settle(game.change) for game in by_game(night))
    assert pairs == [Transfer("Cleo", "Ben", 6)]
    assert blackstone == [Transfer("Dan", whom, 2) for whom in ("Ana", "Ben", "Cleo", IN_THE_MIDDLE)]
    assert rocket == [Transfer("Ben", "Ana", 16), Transfer("Cleo", "Ana", 4), Transfer("Cleo", "Dan", 6)]
    # Ana's +2 cancels one of the two −2, and Dan's +3 the other and Ben's −1: three payments for five.
    assert len(starboard) == 3
    assert hawthorn == [Transfer("Ana", "Dan", 9), Transfer("Ben", "Dan", 8), Transfer("Cleo", "Dan", 4)]


def test_no_forfeit_where_chips_were_at_stake(night: Table) -> None:
    assert forfeits(night) == ()


# -- the middle, rounds cut short, names


def test_carried_chips_are_owed_to_the_middle() -> None:
    table = played("game blackstone,6,10,4,10,take 1,9,take 1,10")
    owed = balances(table)
    assert owed == {"Ana": 2, "Ben": 2, "Cleo": 2, "Dan": -8, IN_THE_MIDDLE: 2}
    assert Transfer("Dan", IN_THE_MIDDLE, 2) in settle(owed)


def test_antes_of_a_round_under_way_are_in_the_middle() -> None:
    assert balances(played("game blackstone,6")) == {"Ana": -5, "Ben": -5, "Cleo": -5, "Dan": -5, IN_THE_MIDDLE: 20}


def test_a_round_cut_short_is_refunded_in_its_own_game() -> None:
    """The antes of a game that is cut short by another do not belong to the other."""
    table = played("game starboard,4,9,8,game rocket")
    first, second = by_game(table)
    assert first.change == second.change == dict.fromkeys(NAMES, 0)
    lines = list(newest_payments(table))[::-1]
    assert [line.game for line in lines] == [1] * 10  # four antes and a card, there and back


def test_one_game_is_shown_round_by_round() -> None:
    # Dan: −8 as above. Then Ana 6, Ben 8, Cleo 4, Dan 7: Cleo passes at once, at four white stones:
    # ante 5 + 2; so do Dan and Ana. Ben keeps the ante and takes 3 x 7 and the 2 carried: 23.
    table = played("game blackstone,6,10,4,10,take 1,9,take 1,10,6,8,4,7,pass,pass,pass")
    course = chips_by_round(GamesPlayed(table))
    assert course.steps == 2
    assert course.lines == {"Ana": (0, 2, -5), "Ben": (0, 2, 25), "Cleo": (0, 2, -5), "Dan": (0, -8, -15)}
    assert sum(line[-1] for line in course.lines.values()) == 0
    assert chips_by_round(GamesPlayed(table.enter(["7"]))) == course, "the antes of a round under way are not lost yet"


def test_figures_follow_a_new_name() -> None:
    table = played("game pairs cards=no stakes=forfeit limit=10 forfeit=song,score Ben 4,rename ben Bo,score Bo 6")
    assert forfeits(table) == (Forfeit(1, "Bo", "song"),)
    assert forfeits(table.enter(["rename Bo Bob"])) == (Forfeit(1, "Bob", "song"),)
    (course,) = points_by_round(table.enter(["rename Bo Bob", "rename Ana Ben"]))
    assert course.lines == {"Ben": (0, 0, 0), "Bob": (0, 4, 10), "Cleo": (0, 0, 0), "Dan": (0, 0, 0)}


def test_a_player_has_figures_only_while_at_the_table() -> None:
    table = played("game pairs cards=no,score Ben 4,sit Eve,score Eve 3,leave Ben,score Ana 1,game port cards=no")
    pairs, port = points_by_round(table)
    assert pairs.lines["Eve"] == (None, None, 3, 3)
    assert pairs.lines["Ben"] == (0, 4, 4, None)
    assert list(port.lines) == ["Ana", "Cleo", "Dan", "Eve"]
    assert port.steps == 0


def test_a_correction_does_not_count_as_a_round() -> None:
    (course,) = points_by_round(played("game pairs,7,10,3,9,9,6,5,8,fold,points Cleo 5,points Ana 2"))
    assert course.steps == 1
    assert course.lines == {"Ana": (0, 2), "Ben": (0, 0), "Cleo": (0, 5), "Dan": (0, 0)}


def test_every_game_lost_for_a_forfeit_is_owed_once() -> None:
    lost = "game pairs cards=no limit=5,score Dan 7"
    table = played(f"{lost},buy Ana 3,{lost},game pairs cards=no limit=5 stakes=norland,score Ana 9,{lost[:-1]}4")
    assert forfeits(table) == (Forfeit(1, "Dan", ""), Forfeit(2, "Dan", ""))


# -- the fewest payments


def fewest_by_trying(owed: list[int]) -> int:
    """Try every set of pairs of payers: they can settle if each connected part adds up to 0."""
    pairs = list(combinations(range(len(owed)), 2))
    for count in range(len(owed)):
        for chosen in combinations(pairs, count):
            part = list(range(len(owed)))
            for a, b in chosen:
                part = [part[a] if p == part[b] else p for p in part]
            if all(sum(o for o, p in zip(owed, part, strict=True) if p == which) == 0 for which in set(part)):
                return count
    raise AssertionError("one payment fewer than people is always enough")


def check_settles(owed: dict[str, int]) -> list[Transfer]:
    transfers = settle(owed)
    left = dict(owed)
    for transfer in transfers:
        assert transfer.amount > 0
        assert owed[transfer.who] < 0 < owed[transfer.whom]
        left[transfer.who] += transfer.amount
        left[transfer.whom] -= transfer.amount
    assert not any(left.values())
    return transfers


def closed(amounts: list[int]) -> dict[str, int]:
    """Balances that add up to 0."""
    return {f"p{i}": amount for i, amount in enumerate([*amounts, -sum(amounts)])}


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=5))
@settings(max_examples=150)
def test_settle_is_exact_and_the_true_minimum(amounts: list[int]) -> None:
    owed = closed(amounts)
    assert len(check_settles(owed)) == fewest_by_trying(list(owed.values()))


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=30))
@settings(max_examples=50)
def test_settle_is_exact_for_any_number_of_people(amounts: list[int]) -> None:
    owed = closed(amounts)
    people = sum(1 for amount in owed.values() if amount)
    assert len(check_settles(owed)) <= max(0, people - 1)


def test_eight_people_in_three_groups_need_five_payments() -> None:
    # 7−4−3, 5+1−6 and 9−9: paying the largest creditor first would need more.
    owed = {"A": 7, "B": 5, "C": 1, "D": 9, "E": -4, "F": -3, "G": -6, "H": -9}
    assert len(check_settles(owed)) == 5


def test_beyond_the_exact_limit_opposites_still_cancel() -> None:
    # Six that cancel with six others, and 10−7−3: largest to largest would pay −9 to 10 first.
    owed = {f"{sign}{n}": amount for n in (2, 4, 5, 6, 8, 9) for sign, amount in (("+", n), ("-", -n))}
    owed |= {"A": 10, "B": -7, "C": -3}
    assert len(owed) > MOST_EXACT
    assert len(check_settles(owed)) == 6 + 2


def test_settling_needs_balances_that_add_up_to_zero() -> None:
    assert settle({}) == settle({"Ana": 0, "Ben": 0}) == []
    with pytest.raises(ValueError, match="0 in all"):
        settle({"Ana": 5, "Ben": -4})


def test_names_do_not_pile_up_with_every_rename() -> None:
    table = Table.open(GAMES, ["Ana", "Ben"], ["game pairs", "rename Ben B0"])
    table = table.enter([f"rename B{number} B{number + 1}" for number in range(500)])
    found = [dict(names) for _step, names in steps_back(table)]
    assert max(map(len, found)) == 1
    assert found[-1] == {"ben": "B500"}


def test_the_sums_are_those_of_the_payments(night: Table) -> None:
    """The running sums equal those added up from the ledger, with renamed people and bought chips."""
    table = night.enter(["rename Ben Bea", "buy Bea -4", "game rocket", "buy Ana 7", "pay Ana Bea 3", "rename Ana Abe"])
    sums = dict.fromkeys(("Abe", "Bea", "Cleo", "Dan"), 0)
    for line in newest_payments(table):
        if ":bank" not in (line.who, line.whom):
            sums[line.whom] = sums.get(line.whom, 0) + line.amount
            sums[line.who] = sums.get(line.who, 0) - line.amount
    assert {name: sums[name] for name in ("Abe", "Bea", "Cleo", "Dan")} == balances(table)
    assert balances(table) == {"Abe": 12, "Bea": -14, "Cleo": -20, "Dan": 22}
    assert by_game(table)[-1].change == {"Abe": -3, "Bea": 3, "Cleo": 0, "Dan": 0}
    assert cash(table).cashed["Bea"] == 3 + 4


def test_payments_before_an_entry_newest_first(night: Table) -> None:
    every = list(newest_payments(night))[::-1]
    third = [line for line in every if line.game == 3]
    assert list(newest_payments(night, third[-1].number + 1))[: len(third)] == third[::-1]
    assert list(newest_payments(night)) == every[::-1]


def test_a_long_course_shows_some_of_its_steps() -> None:
    """Ana loses 1 in each of 1,000 games: the figures shown are right, and the last one is among them."""
    entries = ["game rocket", *(["pay Ana Ben 1", "game rocket"] * 999), "pay Ana Ben 1"]
    games = GamesPlayed(Table.open(GAMES, NAMES, entries))
    course = chips_by_game(games)
    assert len(course.numbers) == MOST_STEPS + 1
    assert (course.numbers[0], course.numbers[-1]) == (0, 1_000)
    assert course.lines["Ana"] == tuple(-number for number in course.numbers)
    assert games.played(700).change == {"Ana": -1, "Ben": 1, "Cleo": 0, "Dan": 0}
    (points,) = points_by_round(Table.open(GAMES, NAMES, ["game pairs cards=no limit=999", *["score Ana 1"] * 900]))
    assert points.lines["Ana"] == points.numbers
    assert (len(points.numbers), points.numbers[-1]) == (MOST_STEPS + 1, 900)


# -- everything is settled


def test_what_is_owed_counts_from_the_last_settlement(night: Table) -> None:
    """The night of five games, settled before its Starboard: only Starboard and Hawthorn are still owed."""
    starboard = next(step.number for step in night.steps() if step.entry.args[:1] == ("starboard",))
    table = night.insert(starboard, "settled")
    games = GamesPlayed(table)
    # +2 −9, −1 −8, −2 −4, +3 +21; the carried 2 were settled with the rest, and Starboard has paid them out.
    assert games.owed() == {"Ana": -7, "Ben": -9, "Cleo": -6, "Dan": 24, IN_THE_MIDDLE: -2}
    assert games.settled_before() == {"Ana": 22, "Ben": -8, "Cleo": -14, "Dan": -2, IN_THE_MIDDLE: 2}
    assert [game.number for game in by_game(table)] == [4, 5]
    assert balances(table) == balances(night), "chips stay where they are"
    course = chips_by_game(games)
    assert course.numbers == (3, 4, 5)
    assert course.lines["Dan"] == (0, 3, 24)


def test_a_settlement_is_undone_redone_repeated_and_repaired(night: Table) -> None:
    settled = night.enter(["settled"])
    nothing = dict.fromkeys(NAMES, 0)
    assert GamesPlayed(settled).owed() == nothing
    assert GamesPlayed(settled.enter(["settled"])).owed() == nothing
    assert GamesPlayed(settled.undo()).owed() == balances(night)
    assert GamesPlayed(settled.undo().redo()).owed() == nothing
    assert GamesPlayed(settled.remove(settled.head.number)).owed() == balances(night)
    assert GamesPlayed(Table.from_record(GAMES, settled.record())).owed() == nothing
    assert GamesPlayed(settled.enter(["pay Ana Ben 5"])).owed() == {**nothing, "Ana": -5, "Ben": 5}


def test_a_game_that_goes_on_after_a_settlement_counts_from_there() -> None:
    # Round 1: Dan −8, the others +2 each, 2 carried. Round 2: Cleo, Dan and Ana pass: −7 each; Ben +23.
    table = played("game blackstone,6,10,4,10,take 1,9,take 1,10,settled,rename Ana Abe,6,8,4,7,pass,pass,pass")
    games = GamesPlayed(table)
    assert games.owed() == {"Abe": -7, "Ben": 23, "Cleo": -7, "Dan": -7, IN_THE_MIDDLE: -2}
    (game,) = by_game(table)
    assert (game.number, game.key, game.rounds) == (1, "blackstone", 1)
    assert chips_by_round(games).lines["Ben"] == (0, 23)


def test_a_forfeit_is_settled_too() -> None:
    lost = "game pairs cards=no limit=5 forfeit=song,score Dan 7"
    assert forfeits(played(f"{lost},settled")) == ()
    assert forfeits(played(f"{lost},settled,buy Ana 5")) == ()
    assert forfeits(played(f"{lost},settled,{lost}")) == (Forfeit(2, "Dan", "song"),)
    begun = "game pairs cards=no limit=5 forfeit=song,score Dan 3,settled,score Dan 3"
    assert forfeits(played(begun)) == (Forfeit(1, "Dan", "song"),), "it was not lost yet"


def test_a_repair_says_what_it_does_to_the_evening(night: Table) -> None:
    last = night.head.number
    assert "What was owed until then would be settled." in map(str, differences(night, night.insert(last, "settled")))
    settled = night.enter(["settled"])
    assert list(map(str, differences(settled, settled.undo()))) == ["What was owed until then would be owed again."]
    named = night.enter(['title "The Anchor"'])
    assert list(map(str, differences(night, named))) == ["The evening would be called “The Anchor”."]
    assert list(map(str, differences(named, night))) == ["The evening would have no name."]
