"""The JSON API: which keys the state of a table has, and which it leaves out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from companion.games import GAMES
from tests.known import KNOWN

from .api_calls import chips, fractions, is_error, points, stacks, without
from .conftest import Dealt, DealTable


def test_the_state_of_a_deal(deal: DealTable) -> None:
    state = deal("Ana", "Ben", "Cleo").opening
    assert (state["phase"], state["turn"], state["round"], state["limit"]) == ("deal", None, 1, 21)
    assert state["waiting"] == ["Ana", "Ben", "Cleo"]
    assert set(state["legal"]) == {str(value) for value in range(1, 11)}
    assert state["shuffle"] is None
    deck = state["deck"]
    assert without(deck, "unseen") == {"decks": 1, "left": 50, "burned": 5, "discards": 0, "lost": 0, "total": 55}
    assert deck["unseen"] == {str(value): value for value in range(1, 11)}
    assert fractions(state["odds"]) == {str(value): Fraction(value, 55) for value in range(1, 11)}
    for seat in state["seats"]:
        assert without(seat, "name") == {"points": 0, "chips": 0, "state": "in", "stack": [], "kept": []}


def test_the_state_of_play(dealt: Dealt) -> None:
    """53 cards are unseen: three 4s would pair Ana, five 6s would pair Ben."""
    state = dealt.play("4", "6")
    assert (state["phase"], state["turn"], state["waiting"]) == ("play", "Ana", [])
    assert set(state["legal"]) == {*map(str, range(1, 11)), "fold"}
    assert state["prices"] == {"fold": 4}
    assert fractions(state["risk"]) == {"Ana": Fraction(3, 53), "Ben": Fraction(5, 53)}
    assert fractions(state["expected"]) == {"Ana": Fraction(12, 53), "Ben": Fraction(30, 53)}
    assert Fraction(state["odds"]["4"]) == Fraction(3, 53)
    assert all("/" in value for value in state["risk"].values())


def test_the_state_between_rounds(dealt: Dealt) -> None:
    state = dealt.play("4", "6", "9", "fold")
    assert (state["phase"], state["turn"], state["waiting"]) == ("round over", None, ["Ana", "Ben"])
    assert stacks(state) == {"Ana": [], "Ben": []}
    assert state["seats"][1]["kept"] == [4]
    assert state["deck"]["discards"] == 2
    result = state["result"]
    assert (result["how"], result["who"], result["value"]) == ("fold", "Ben", 4)
    assert result["points"] == {"Ana": 0, "Ben": 4}
    assert result["stacks"] == {"Ana": [4, 9], "Ben": [6]}
    state = dealt.play("8")
    assert state["round"] == 2
    assert not state.get("result")


def test_the_state_of_a_game_that_is_over(deal: DealTable) -> None:
    """The limit is four points: Ben reaches it by folding, and pays six chips."""
    dealt = deal(stakes="tacoma", sum=6, limit=4)
    assert not dealt.opening.get("outcome")
    state = dealt.play("4", "6", "9", "fold")
    assert (state["phase"], state["turn"], state["legal"], state["waiting"]) == ("game over", None, [], [])
    outcome = state["outcome"]
    assert (outcome["loser"], outcome["winners"]) == ("Ben", ["Ana"])
    assert outcome["chips"] == {"Ana": 6, "Ben": -6}
    assert outcome["reason"].strip()
    assert chips(state) == {"Ana": 6, "Ben": -6}
    is_error(dealt.enter("8"), 422, "illegal")
    state = dealt.play("game rocket decks=2 bet=20")
    assert (state["game"], state["deck"]["total"]) == ("rocket", 110)
    assert chips(state) == {"Ana": 6, "Ben": -6}


def test_keys_of_other_games_are_absent(deal: DealTable) -> None:
    pairs = deal().play("4", "6")
    for key in ("goal", "pot", "button", "dealer", "common", "white", "horde", "drawn", "lap", "source", "second"):
        assert key not in pairs
    starboard = deal(game="starboard").play("4", "9")
    assert {"pot", "button", "common"} <= set(starboard)
    for key in ("limit", "goal", "dealer", "white", "horde", "lap", "second"):
        assert key not in starboard


def test_antes_are_paid_with_the_first_card_and_no_chip_is_lost(deal: DealTable) -> None:
    dealt = deal("Ana", "Ben", "Cleo", game="starboard", buyin=20)
    assert chips(dealt.opening) == {"Ana": 20, "Ben": 20, "Cleo": 20}
    assert dealt.opening["pot"] == 0
    state = dealt.play("4")
    assert (state["pot"], chips(state)) == (3, {"Ana": 19, "Ben": 19, "Cleo": 19})
    state = dealt.play("9", "8", "lock", "lock", "buy Ben 15", "pay Cleo Ana 4")
    assert sum(chips(state).values()) + state["pot"] + state["carried"] == 75


@pytest.mark.parametrize("game", GAMES)
def test_hidden_odds_are_absent_for_everybody(deal: DealTable, game: str) -> None:
    hidden = {"odds", "risk", "expected", "second"}
    dealt = deal(game=game, odds="off")
    entries = [KNOWN[game].first.format(value=value) for value in (4, 6)]
    for state in (dealt.opening, dealt.play(*entries)):
        assert not hidden & set(state)
        assert "unseen" not in state["deck"]
        assert "left" in state["deck"]


def test_odds_may_be_shown_between_rounds_only(deal: DealTable) -> None:
    dealt = deal(odds="after")
    for entry in ("4", "6", "9"):
        state = dealt.play(entry)
        assert "odds" not in state
        assert "unseen" not in state["deck"]
    state = dealt.play("fold")
    assert "odds" in state
    assert "unseen" in state["deck"]


def test_a_score_only_table_takes_points_and_no_cards(deal: DealTable) -> None:
    dealt = deal(cards="no")
    assert dealt.opening["legal"] == dealt.opening["waiting"] == []
    for entry in ("8", "fold", "Ana: 8"):
        assert is_error(dealt.enter(entry), 422, "illegal")["at"] == 0
    state = dealt.play("score Ana 8", "score Ben 3", "points Ben 5")
    assert points(state) == {"Ana": 8, "Ben": 5}


def test_blackstone_has_the_chances_of_a_second_black_stone(deal: DealTable) -> None:
    """Two white stones are seen; of the 53 unseen, ten are black. Nobody holds a black one."""
    state = deal(game="blackstone").play("4", "6")
    assert state["deck"]["unseen"] == {"white": 43, "10": 10}
    assert fractions(state["odds"]) == {"white": Fraction(43, 53), "10": Fraction(10, 53)}
    assert Fraction(state["second"]["1"]) == 0
    assert Fraction(state["second"]["2"]) == Fraction(10 * 9, 53 * 52)
    assert (state["turn"], state["white"], state["take"]["min"]) == ("Ana", 2, 1)
    assert state["prices"] == {"pass": 6, "bust": 7}
    assert "risk" not in state
