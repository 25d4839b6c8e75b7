"""Boards show the true names, numbers and actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.table.table import Table
from companion.web import create_app
from companion.web.board.screen import Board
from companion.web.format import percent
from companion.web.games import board_screen as board

APP = create_app(MemoryStore(), {"SECRET_KEY": "true"})


def screen(names: str, entries: Sequence[str]) -> Board:
    table = Table.open(GAMES, names.split(), entries)
    with APP.test_request_context("/t/x"):
        return board(table, "table", True)


def test_the_result_of_rocket_marks_the_dealer_and_shows_all_winnings() -> None:
    """Ana deals and draws a 3 at once: three tenths of each bet of 20 is 6."""
    shown = screen("Ana Ben Cleo", ["game rocket bet=20", "8", "5", "3"])
    assert [(row.name, row.note) for row in shown.rows] == [("Ana", "lost 12"), ("Ben", "won 6"), ("Cleo", "won 6")]
    assert [row.name for row in shown.rows if "dealer" in row.style] == ["Ana"]


def test_rocket_shows_the_cost_of_folding_beside_the_bet() -> None:
    """A card costs its value in tenths of the bet: an 8 costs 24 of 30, a 5 costs 10 of 20."""
    shown = screen("Ana Ben Cleo", ["game rocket bet=30", "bet Cleo 20", "8", "5", "10"])
    seats = [(row.name, row.note, row.tally.figure, row.tally.unit) for row in shown.rows[1:]]
    assert seats == [("Ben", "", "24", "/30"), ("Cleo", "", "10", "/20")]


def test_cards_played_from_a_hand_show_no_odds() -> None:
    shown = screen("Ana Ben", ["game hawthorn"])
    assert {key.entry for key in shown.keys} == {f"play {value}" for value in range(1, 11)}
    assert not any(key.chance or key.copies for key in shown.keys)
    later = screen("Ana Ben", ["game hawthorn", "play 4", "play 7"])
    assert all(key.chance for key in later.keys if not key.none)


def test_the_shuffle_names_the_player_who_gets_the_next_card() -> None:
    """After 49 are burned, 6 cards are left. Ben folds when they are used up; the next card is Ana's."""
    shown = screen("Ana Ben", ["game pairs burn=49", "10", "9", "8", "7", "6", "5", "fold"])
    assert (shown.who, shown.mark.letter, shown.loud) == ("Shuffle", "A", True)
    assert shown.do == "burn 49 · then a card for Ana"


def test_a_game_that_uses_the_whole_deck_each_round_says_to_shuffle_it() -> None:
    stones = screen("Ana Ben", ["game blackstone", "4", "7", "pass"])
    assert stones.action.sentence == ("Card for Ana", "shuffle the whole deck for round 2")
    pairs = screen("Ana Ben", ["game pairs", "4", "7", "fold"])
    assert pairs.action.sentence == ("Card for Ana", "the next card starts round 2")


def test_the_card_keys_are_disabled_for_a_player_who_must_lock() -> None:
    """Ana pairs the common 9 and is out. Ben is the last player and must lock."""
    before = ["game starboard", "4", "9"]
    assert not any(key.closed for key in screen("Ana Ben", before).keys)
    shown = screen("Ana Ben", [*before, "9"])
    assert shown.do == "must lock"
    assert all(key.closed and not key.chance and not key.word for key in shown.keys)
    with APP.test_request_context("/t/x"):
        drawn = APP.jinja_env.get_template("board/_board.html").render(screen=shown)
    assert drawn.count(' disabled><span class="v">') == 10


def test_when_a_shuffle_is_due_the_keys_show_the_odds_after_it() -> None:
    """After 40 are burned, 15 cards are left; two rounds of three leave 9, which is less than 20% of 55."""
    shown = screen("Ana Ben Cleo", ["game rocket burn=40", "8", "5", "3", "8", "5", "3"])
    assert (shown.who, shown.do) == ("Shuffle", "burn 40 · then a card for Ana")
    assert {key.value: key.copies for key in shown.keys} == {value: f"×{value}" for value in range(1, 11)}
    assert shown.deck
    assert shown.deck.left == 15


def test_only_white_stones_of_this_turn_are_marked_as_new() -> None:
    """Two white stones were there before. Ana takes four: white, black, white, and one is still to come."""
    shown = screen("Ana Ben", ["game blackstone", "2", "4", "take 4", "white", "10", "white"])
    assert shown.middle
    looks = re.findall(r'<circle( class="(\w+)")? ', shown.middle.shown.circles)  # type: ignore[attr-defined]
    assert [look for _all, look in looks] == ["", "", "new", "new", "todo"]


def test_a_long_name_is_shortened_to_make_room_for_the_points() -> None:
    """Jean-Baptiste pairs a 9."""
    shown = screen("Jean-Baptiste Ben", ["game pairs", "9", "10", "9"])
    assert shown.who == "Jean-Bapt… +9"


def test_only_a_certain_chance_is_a_hundred_percent() -> None:
    with APP.test_request_context("/t/x"):
        assert [percent(Fraction(part, 1000)) for part in (0, 4, 995, 996, 1000)] == [
            "0%",
            "<1%",
            "100%",
            ">99%",
            "100%",
        ]


def test_the_board_says_if_a_card_is_replaced_in_a_tie() -> None:
    """Ana and Ben tie at 4; Ana's next card is a 4 again."""
    deal = ["game pairs", "4", "4", "9"]
    assert screen("Ana Ben Cleo", deal).do == "tie at 4, Ana and Ben: one more card"
    assert screen("Ana Ben Cleo", [*deal, "4"]).do == "the 4 pairs: set aside, one more card"
    assert screen("Ana Ben Cleo", [*deal, "4", "7"]).do == "tie at 4, Ana and Ben: one more card"


def test_starboard_says_if_the_second_common_card_is_replaced() -> None:
    """The 9 stays, the second 9 goes; a round that ends with a 4 in the hand says nothing about the next 4."""
    assert screen("Ana Ben", ["game starboard", "9"]).do == "second common card"
    assert screen("Ana Ben", ["game starboard", "9", "9"]).do == "the 9 pairs: set aside, one more card"
    assert screen("Ana Ben", ["game starboard", "9", "9", "9"]).do == "the 9 pairs: set aside, one more card"
    assert screen("Ana Ben", ["game starboard", "9", "9", "8"]).do == "draw for 1, or lock"
    ended = ["game starboard", "4", "9", "9", "lock", "4"]
    assert screen("Ana Ben", ended).do == "second common card"


def test_before_a_take_the_cost_of_a_second_black_is_a_minimum() -> None:
    """The cost is 2 for the white stones and the ante of 5, plus the stones that are taken."""
    assert screen("Ana Ben", ["game blackstone", "2", "4"]).action.figure == ("7+", "second black")


def test_a_fold_that_loses_the_game_says_so() -> None:
    shown = screen("Ana Ben", ["game pairs limit=9", "9", "8"])
    assert shown.action.main
    assert (shown.action.main.figure, shown.action.main.caption) == ("+8", "Fold")
    shown = screen("Ana Ben", ["game pairs limit=9", "9", "10"])
    assert shown.action.main
    assert (shown.action.main.figure, shown.action.main.caption) == ("+9", "Fold and lose")


def test_undo_names_a_stone_and_a_dealt_card() -> None:
    taken = ["game blackstone", "6", "10", "4", "take 2"]
    for entry, undone in (
        ("10", "black stone"),
        ("7", "white stone"),
        ("white", "white stone"),
        ("whites", "all white"),
    ):
        assert screen("Ana Ben Cleo", [*taken, entry]).undo.what == undone
    assert screen("Ana Ben Cleo", taken[:3]).undo.what == "10"


def test_rocket_says_who_deals_and_how_to_bet_while_bets_can_be_set() -> None:
    opened = screen("Ana Ben Sean", ["game rocket"])
    over = screen("Ana Ben Sean", ["game rocket", "8", "5", "3"])
    for shown, dealer in ((opened, "Ana"), (over, "Ben")):
        assert shown.action.sentence is not None
        assert shown.action.sentence[1] == f"{dealer} deals · tap a seat to change bets"
    dealt = screen("Ana Ben Sean", ["game rocket", "8"]).action.sentence
    assert dealt is not None
    assert "bet" not in dealt[1], "too late: a card lies"


def test_the_first_deal_of_a_game_says_how_many_are_burned() -> None:
    """The deck was shuffled for the game. Pairs and Port burn five cards, other games only as the option says."""
    for game, said in (
        ("pairs", "burn 5, then first card"),
        ("port", "burn 5, then first card"),
        ("pairs burn=0", "first card"),
        ("rocket", "first card"),
        ("rocket burn=2", "burn 2, then first card"),
    ):
        assert screen("Ana Ben", [f"game {game}"]).do == said
    assert screen("Ana Ben", ["game pairs", "7"]).do == "first card"
    assert "burn" not in screen("Ana Ben", ["game pairs", "7", "9", "fold"]).do


def test_stones_still_to_come_are_drawn_beside_the_white_ones() -> None:
    """Three white stones come from the deal. Cleo takes four, and the first is white: three are still to come."""
    shown = screen("Ana Ben Cleo", ["game blackstone", "6", "7", "4", "take 4", "white"])
    with APP.test_request_context("/t/x"):
        drawn = APP.jinja_env.get_template("board/_board.html").render(screen=shown)
    middle = drawn[drawn.index('class="stones"') :].split("</svg>")[0]
    assert [middle.count(what) for what in ("<circle", 'class="new"', 'class="todo"')] == [3 + 1 + 3, 1, 3]


def test_blackstone_shows_who_passed_and_the_cost() -> None:
    """Four white stones come from the deal: Cleo pays the ante of 5 and half a chip for each stone."""
    shown = screen("Ana Ben Cleo Dan", ["game blackstone", "6", "7", "4", "9", "pass"])
    assert [row.note for row in shown.rows][2:] == ["passed −7", "ante 5"]


def test_a_table_without_cards_says_once_what_to_tap() -> None:
    """Below the title at first; once somebody has scored that line says who, and the hint stands above the keys."""
    first = screen("Ana Ben Cleo", ["game pairs cards=no"])
    assert (first.do, first.action.sentence) == ("tap a player, then the points", None)
    later = screen("Ana Ben Cleo", ["game pairs cards=no", "score Ben 4"])
    assert later.action.sentence == ("Tap a player, then the points", "")
    assert "tap" not in later.do
