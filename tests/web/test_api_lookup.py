"""The JSON API: the lookups, which need no table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flask.testing import FlaskClient

from .api_calls import fractions, is_error


@pytest.mark.parametrize(("players", "limit"), [(2, 31), (3, 21), (4, 16), (5, 13), (6, 11), (7, 11), (8, 11)])
def test_the_limit_can_be_looked_up(anybody: FlaskClient, players: int, limit: int) -> None:
    answer = anybody.get(f"/api/lookup/limit?players={players}")
    assert answer.status_code == 200
    assert answer.json == {"limit": limit}


@pytest.mark.parametrize(
    ("query", "chips", "carried"),
    [
        ("stakes=cutchfeld&points=Ana:17,Ben:10&carried=0&sum=6", {"Ana": -17, "Ben": 17}, 0),
        ("stakes=tacoma&points=Ana:17,Ben:10", {"Ana": -6, "Ben": 6}, 0),
        ("stakes=tacoma&points=Ana:17,Ben:10&sum=9&carried=2", {"Ana": -9, "Ben": 11}, 0),
        # 17 and the 2 carried make 19: 6 for each of three, 1 is carried on.
        ("stakes=cutchfeld&points=Ana:17,Ben:3,Cleo:3,Dan:3&carried=2", {"Ana": -17, "Ben": 6, "Cleo": 6, "Dan": 6}, 1),
        # The loser need not be the first. 17 - 2 is 15: 7 for each of two, 1 is carried on.
        ("stakes=olympia&points=Ben:2,Ana:17,Cleo:2", {"Ben": 7, "Ana": -15, "Cleo": 7}, 1),
        ("stakes=portland&points=A:17,B:10,C:8,D:7,E:2", {"A": -41, "B": 7, "C": 9, "D": 10, "E": 15}, 0),
        ("stakes=seattle&points=A:17,B:10,C:8&carried=3", {"A": -2, "B": 1, "C": 1}, 3),
        ("stakes=downspear&points=A:17,B:10,C:8", {"A": -2, "B": 1, "C": 1}, 0),
        ("stakes=norland&points=A:17,B:8,C:8", {"A": -2, "B": 1, "C": 1}, 0),
        ("stakes=forfeit&points=A:17,B:8", {"A": 0, "B": 0}, 0),
        ("stakes=tacoma&points=Zo%C3%AB:17,Anna%20Maria:0", {"Zoë": -6, "Anna Maria": 6}, 0),
    ],
)
def test_stakes_can_be_looked_up(anybody: FlaskClient, query: str, chips: dict[str, int], carried: int) -> None:
    answer = anybody.get(f"/api/lookup/stakes?{query}")
    assert answer.status_code == 200, answer.text
    assert answer.json == {"chips": chips, "carried": carried}


def test_blackstone_can_be_looked_up(anybody: FlaskClient) -> None:
    """Pass: 5 + 8. Bust: 5 + 15. A player who holds one black stone is out with one more, and 9 of 39 are black."""
    answer = anybody.get("/api/lookup/blackstone?white=15&held=1&unseen_white=30&unseen_black=9")
    assert answer.status_code == 200
    assert set(answer.json) == {"pass", "bust", "second"}
    assert (answer.json["pass"], answer.json["bust"]) == (13, 20)
    second = fractions(answer.json["second"])
    assert list(second) == [str(count) for count in range(1, 40)]
    assert second["1"] == Fraction(9, 39)
    assert second["2"] == 1 - Fraction(30 * 29, 39 * 38)
    assert second["3"] == 1 - Fraction(30 * 29 * 28, 39 * 38 * 37)
    assert second["30"] < 1
    assert second["31"] == second["39"] == 1


def test_blackstone_can_be_looked_up_with_no_stone_held(anybody: FlaskClient) -> None:
    """Of 39*38*37 ways to take three cards, 30*29*28 have no black stone and 3*9*30*29 have one."""
    answer = anybody.get("/api/lookup/blackstone?white=11&held=0&unseen_white=30&unseen_black=9")
    assert (answer.json["pass"], answer.json["bust"]) == (11, 16)
    second = fractions(answer.json["second"])
    assert second["1"] == 0
    assert second["2"] == Fraction(9 * 8, 39 * 38)
    assert second["3"] == 1 - Fraction(30 * 29 * 28 + 3 * 9 * 30 * 29, 39 * 38 * 37)
    assert second["31"] < 1
    assert second["32"] == 1


def test_blackstone_with_nothing_unseen_has_no_chances(anybody: FlaskClient) -> None:
    answer = anybody.get("/api/lookup/blackstone?white=0&held=0&unseen_white=0&unseen_black=0")
    assert answer.json == {"pass": 5, "bust": 5, "second": {}}


def test_stakes_can_be_looked_up_for_100_players_at_most(anybody: FlaskClient) -> None:
    def asked(people: int) -> tuple[int, Any]:
        points = ",".join(f"P{number}:{number}" for number in range(people))
        answer = anybody.get(f"/api/lookup/stakes?stakes=cutchfeld&points={points}")
        return answer.status_code, answer.json.get("message")

    assert asked(100) == (200, None)
    assert asked(101) == (422, "Enter points for 100 players at most.")


@pytest.mark.parametrize(("bet", "each"), [(10, 1), (20, 2), (50, 5), (1000, 100)])
def test_rocket_can_be_looked_up(anybody: FlaskClient, bet: int, each: int) -> None:
    answer = anybody.get(f"/api/lookup/rocket?bet={bet}")
    assert answer.status_code == 200
    assert answer.json == {"value": {str(v): v * each for v in range(1, 11)}, "death": 3 * each}


def test_odds_can_be_looked_up(anybody: FlaskClient) -> None:
    """52 cards are unseen, among them six 7s and four 5s: (42 + 20) / 52 points."""
    answer = anybody.get("/api/lookup/odds?stack=7,5&seen=7,5,10")
    assert answer.status_code == 200
    assert set(answer.json) == {"pair", "expected", "odds"}
    assert Fraction(answer.json["pair"]) == Fraction(10, 52)
    assert Fraction(answer.json["expected"]) == Fraction(62, 52)
    unseen = {**{str(value): value for value in range(1, 11)}, "5": 4, "7": 6, "10": 9}
    assert fractions(answer.json["odds"]) == {value: Fraction(count, 52) for value, count in unseen.items()}


def test_an_empty_stack_cannot_pair(anybody: FlaskClient) -> None:
    answer = anybody.get("/api/lookup/odds?stack=&seen=7")
    assert Fraction(answer.json["pair"]) == Fraction(answer.json["expected"]) == 0
    assert Fraction(answer.json["odds"]["7"]) == Fraction(6, 54)


ALL_CARDS = ",".join(str(value) for value in range(1, 11) for _ in range(value))


@pytest.mark.parametrize(
    "query",
    [
        "limit",
        "limit?players=",
        "limit?players=1",
        "limit?players=9",
        "limit?players=0",
        "limit?players=-4",
        "limit?players=--4",
        "limit?players=4.0",
        "limit?players=four",
        "limit?players=%C2%B2",
        f"limit?players={'9' * 5000}",
        "stakes",
        "stakes?stakes=vegas&points=Ana:17,Ben:10",
        "stakes?points=Ana:17,Ben:10",
        "stakes?stakes=tacoma",
        "stakes?stakes=tacoma&points=Ana:17",
        "stakes?stakes=tacoma&points=Ana:17,Ben",
        "stakes?stakes=tacoma&points=Ana:17,Ben:",
        "stakes?stakes=tacoma&points=Ana:17,:10",
        "stakes?stakes=tacoma&points=Ana:17,Ben:ten",
        "stakes?stakes=tacoma&points=Ana:17,Ben:-1",
        "stakes?stakes=tacoma&points=Ana:17,Ana:10",
        f"stakes?stakes=tacoma&points=Ana:{'9' * 5000},Ben:10",
        "stakes?stakes=tacoma&points=Ana:17,Ben:10&sum=six",
        "stakes?stakes=tacoma&points=Ana:17,Ben:10&sum=--6",
        "stakes?stakes=tacoma&points=Ana:17,Ben:10&carried=-1",
        "blackstone",
        "blackstone?white=15&held=1&unseen_white=30",
        "blackstone?white=x&held=1&unseen_white=30&unseen_black=9",
        "blackstone?white=-1&held=1&unseen_white=30&unseen_black=9",
        "blackstone?white=46&held=1&unseen_white=30&unseen_black=9",
        "blackstone?white=15&held=2&unseen_white=30&unseen_black=8",
        "blackstone?white=15&held=1&unseen_white=30&unseen_black=10",
        "blackstone?white=0&held=1&unseen_white=999999&unseen_black=9",
        "rocket",
        "rocket?bet=25",
        "rocket?bet=1",
        "rocket?bet=ten",
        "rocket?bet=10.0",
        "rocket?bet=--10",
        "odds?stack=7",
        "odds?stack=7&seen=5",
        "odds?stack=11&seen=11",
        "odds?stack=0&seen=0",
        "odds?stack=x&seen=7",
        "odds?stack=&seen=1,1",
        f"odds?stack=&seen={'9' * 5000}",
        f"odds?stack=&seen={ALL_CARDS}",
        f"odds?stack=&seen={ALL_CARDS},10",
    ],
    ids=lambda query: query[:70],
)
def test_a_lookup_of_anything_impossible_is_invalid(anybody: FlaskClient, query: str) -> None:
    is_error(anybody.get(f"/api/lookup/{query}"), 422, "invalid")
