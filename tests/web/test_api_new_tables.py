"""The JSON API: a new table, its options and the names at it."""

from __future__ import annotations

import json
import unicodedata

import pytest
from flask.testing import FlaskClient

from .api_calls import is_error, points
from .conftest import Dealt, DealTable, Json


def test_a_new_table_begins_with_its_game(client: FlaskClient) -> None:
    body = {"seats": ["Ana", "Ben"], "game": "pairs", "options": {"stakes": "tacoma", "sum": 6}}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 201
    assert set(answer.json) == {"table", "dealer", "state"}
    assert answer.mimetype == "application/json"
    state, address = answer.json["state"], f"/api/tables/{answer.json['table']}"
    assert state["table"] == answer.json["table"]
    assert state["version"] == 1
    assert state["game"] == "pairs"
    assert state["options"]["stakes"] == "tacoma"
    assert state["options"]["sum"] == 6
    assert [seat["name"] for seat in state["seats"]] == ["Ana", "Ben"]
    assert state["last"] == "game pairs stakes=tacoma sum=6"
    assert client.get(address).json == state
    log = client.get(f"{address}/log").json["entries"]
    assert [(line["n"], line["entry"]) for line in log] == [(0, "game pairs stakes=tacoma sum=6")]


def test_options_may_be_left_out(client: FlaskClient) -> None:
    answer = client.post("/api/tables", json={"seats": ["Ana", "Ben"], "game": "pairs"})
    assert answer.status_code == 201
    assert answer.json["state"]["last"] == "game pairs"


def test_unknown_fields_in_the_body_are_ignored(client: FlaskClient) -> None:
    body = {"seats": ["Ana", "Ben"], "game": "pairs", "colour": "green", "table": "mine", "dealer": "me"}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 201
    assert answer.json["table"] != "mine"
    assert answer.json["dealer"] != "me"


@pytest.mark.parametrize(
    ("game", "options", "entry"),
    [
        (
            "rocket",
            {"decks": 2, "bet": 20, "max": 100, "button": "yes"},
            "game rocket decks=2 bet=20 max=100 button=yes",
        ),
        ("pairs", {"limit": 20, "calamities": "yes", "eights": "no"}, "game pairs limit=20 calamities=yes eights=no"),
        ("continuous", {"forfeit": "a song, loudly"}, 'game continuous forfeit="a song, loudly"'),
        ("pairs", {"forfeit": "l'addition #1"}, 'game pairs forfeit="l\'addition #1"'),
        ("port", {"goal": 30, "burn": 0}, "game port goal=30 burn=0"),
        ("starboard", {"ante": 2, "locks": "draw"}, "game starboard ante=2 locks=draw"),
        ("blackstone", {"ante": 7, "buyin": 100}, "game blackstone ante=7 buyin=100"),
        ("hawthorn", {"decks": 2, "odds": "after"}, "game hawthorn decks=2 odds=after"),
        ("zombie", {"oldest": "Ben/Ana", "goal": 15}, "game zombie oldest=Ben/Ana goal=15"),
        ("pairs", {"cards": "no"}, "game pairs cards=no"),
    ],
)
def test_options_become_the_first_entry_and_stay_numbers(deal: DealTable, game: str, options: Json, entry: str) -> None:
    dealt = deal(game=game, **options)
    assert dealt.entries() == [entry]
    options_set = dealt.opening["options"]
    assert {key: options_set[key] for key in options} == options
    assert all(type(options_set[key]) is type(value) for key, value in options.items())


def test_options_left_out_have_their_defaults(deal: DealTable) -> None:
    pairs = deal("Ana", "Ben", "Cleo").opening
    assert pairs["limit"] == 21
    expected = {"stakes": "forfeit", "sum": 6, "calamities": "no", "eights": "no", "burn": 5, "buyin": 0}
    assert expected.items() <= pairs["options"].items()
    assert {"odds": "all", "cards": "yes"}.items() <= pairs["options"].items()
    rocket = deal(game="rocket").opening
    assert {"decks": 1, "bet": 10, "button": "no", "burn": 0}.items() <= rocket["options"].items()
    for game, ante in (("starboard", 1), ("hawthorn", 1), ("blackstone", 5)):
        assert deal(game=game).opening["options"]["ante"] == ante
    for game in ("port", "zombie"):
        state = deal(game=game).opening
        assert state["goal"] == state["options"]["goal"] == 21


TWO = ["Ana", "Ben"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"game": "pairs"},
        {"seats": TWO},
        {"seats": None, "game": "pairs"},
        {"seats": "Ana", "game": "pairs"},
        {"seats": {"Ana": 1, "Ben": 2}, "game": "pairs"},
        {"seats": [], "game": "pairs"},
        {"seats": ["Ana"], "game": "pairs"},
        {"seats": list("ABCDEFGHI"), "game": "pairs"},
        {"seats": list("ABCDEFGH"), "game": "rocket"},
        {"seats": [1, 2], "game": "pairs"},
        {"seats": ["Ana", 2], "game": "pairs"},
        {"seats": ["Ana", None], "game": "pairs"},
        {"seats": ["Ana", ["Ben"]], "game": "pairs"},
        {"seats": TWO, "game": 5},
        {"seats": TWO, "game": None},
        {"seats": TWO, "game": ["pairs"]},
        {"seats": TWO, "game": ""},
        {"seats": TWO, "game": "chess"},
        {"seats": TWO, "game": "Pairs"},
        {"seats": TWO, "game": "pairs sum=6"},
        {"seats": TWO, "game": "pairs\nmisdeal"},
        {"seats": TWO, "game": "pairs", "options": []},
        {"seats": TWO, "game": "pairs", "options": [["sum", 6]]},
        {"seats": TWO, "game": "pairs", "options": "sum=6"},
        {"seats": TWO, "game": "pairs", "options": 6},
    ],
    ids=json.dumps,
)
def test_a_table_with_a_missing_or_unusable_field_is_invalid(anybody: FlaskClient, body: Json) -> None:
    is_error(anybody.post("/api/tables", json=body), 422, "invalid")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("pairs", {"speed": 3}),
        ("pairs", {"decks": 2}),
        ("pairs", {"goal": 21}),
        ("port", {"limit": 21}),
        ("pairs", {"": 1}),
        ("pairs", {"sum=6 limit": 3}),
        ("pairs", {"Sum": 6}),
        ("pairs", {"sum": True}),
        ("pairs", {"sum": 1.5}),
        ("pairs", {"sum": 6.0}),
        ("pairs", {"sum": None}),
        ("pairs", {"sum": [6]}),
        ("pairs", {"sum": {"is": 6}}),
        ("pairs", {"sum": "six"}),
        ("pairs", {"sum": ""}),
        ("pairs", {"sum": -6}),
        ("pairs", {"sum": 10**30}),
        ("pairs", {"limit": 0}),
        ("pairs", {"calamities": True}),
        ("pairs", {"calamities": False}),
        ("pairs", {"calamities": 1}),
        ("pairs", {"calamities": "true"}),
        ("pairs", {"stakes": "vegas"}),
        ("pairs", {"stakes": 6}),
        ("pairs", {"forfeit": True}),
        ("pairs", {"forfeit": None}),
        ("pairs", {"forfeit": 'a "song"'}),
        ("pairs", {"forfeit": "a\nsong"}),
        ("pairs", {"odds": "some"}),
        ("pairs", {"cards": "maybe"}),
        ("rocket", {"bet": 15}),
        ("rocket", {"max": 25}),
        ("rocket", {"decks": 9}),
        ("rocket", {"decks": 0}),
        ("hawthorn", {"decks": 3}),
        ("starboard", {"locks": "key"}),
        ("zombie", {"oldest": "Cleo/Dan"}),
    ],
    ids=str,
)
def test_an_unknown_option_or_an_impossible_value_is_refused(anybody: FlaskClient, game: str, options: Json) -> None:
    is_error(anybody.post("/api/tables", json={"seats": TWO, "game": game, "options": options}), 422, "invalid")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Cleo ", "Cleo"),
        ("Zoe\u0308", "Zoë"),
        ("\u00a0Benoi\u0302t\t", "Benoît"),
        ("Anna Maria", "Anna Maria"),
        ("O'Brien", "O'Brien"),
        ("<b>&amp;", "<b>&amp;"),
        ("名前 🂡", "名前 🂡"),
        ("x" * 24, "x" * 24),
        ("e\u0301" * 24, "é" * 24),
        (f"   {'y' * 24}   ", "y" * 24),
        ("8", "8"),
        ("fold", "fold"),
    ],
)
def test_names_are_normalised_and_trimmed(deal: DealTable, given: str, kept: str) -> None:
    dealt = deal(given, "Dan")
    assert dealt.opening["seats"][0]["name"] == kept == unicodedata.normalize("NFC", kept)
    assert dealt.opening["waiting"] == [kept, "Dan"]
    assert dealt.enter("8", "9").json["turn"] == kept
    assert [seat["name"] for seat in dealt.state()["seats"]] == [kept, "Dan"]


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 25, "e\u0301" * 25, "A:b", "A,b", "A#b", 'A"b', "A\nb", "A\x00b", "A\x7fb", "A\u2028b", "\ud800"],
)
def test_an_impossible_name_is_invalid(anybody: FlaskClient, name: str) -> None:
    is_error(anybody.post("/api/tables", json={"seats": [name, "Ben"], "game": "pairs"}), 422, "invalid")


@pytest.mark.parametrize("twin", ["Zoë", "zoë", "ZOË", "Zoe\u0308", "  zoë "])
def test_names_are_unique_without_regard_to_case(anybody: FlaskClient, twin: str) -> None:
    is_error(anybody.post("/api/tables", json={"seats": ["Zoë", twin], "game": "pairs"}), 422, "invalid")


def test_names_with_spaces_are_quoted_as_arguments_and_bare_before_the_colon(deal: DealTable) -> None:
    dealt = deal("Anna Maria", "Zoe\u0308")
    state = dealt.play(
        "Zoe\u0308: 9", "Anna Maria: 3", "Anna Maria: fold", 'points "Anna Maria" 12', "points Zoe\u0308 2"
    )
    assert points(state) == {"Anna Maria": 12, "Zoë": 2}
    assert dealt.entries()[1:] == [
        "Zoë: 9",
        "Anna Maria: 3",
        "Anna Maria: fold",
        'points "Anna Maria" 12',
        "points Zoë 2",
    ]
    is_error(dealt.enter("points Anna Maria 12"), 422, "invalid")


def test_entries_are_kept_in_their_printed_form(dealt: Dealt) -> None:
    dealt.play("  Ben:   7 ", ' buy   "Ana"  10')
    assert dealt.entries() == ["game pairs", "Ben: 7", "buy Ana 10"]
