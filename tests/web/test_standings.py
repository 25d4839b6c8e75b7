"""Evenings in order, standings and people, over the list of one phone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.web import create_app, sums

from .api_calls import is_error
from .conftest import Json, app_at, app_on, close, waiting_room_full
from .test_phones import listed

LOST_BY = ("game pairs cards=no limit=5 stakes=norland", "score {} 5")


@pytest.fixture
def app() -> Flask:
    return create_app(MemoryStore(), {"SECRET_KEY": "a key for tests", "TABLES_PER_HOUR": 10_000})


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    return app.test_client()


def evening(phone: FlaskClient, names: str, *entries: str, at: str = "2026-03-05T21:00:00+00:00") -> str:
    """The id of a table that was played at a time."""
    record = "\n".join(("fifty-five 1", f"# played {at}", f"seats {names}", *entries))
    answer = phone.post("/import", data={"record": record, "id": f"form-{names}{entries}{at}".replace('"', "")[:190]})
    assert answer.status_code == 303, answer.text
    return next(one.table for one in my_list(phone) if one.at == at)


def my_list(phone: FlaskClient) -> list[Any]:
    from companion.web.phones import my_tables

    with phone.session_transaction() as session:
        kept = dict(session)
    with phone.application.test_request_context():
        from flask import session as here

        here.update(kept)
        return my_tables()


def lost_by(name: str) -> tuple[str, str]:
    return LOST_BY[0], LOST_BY[1].format(name)


def standings(phone: FlaskClient, query: str = "") -> list[Json]:
    answer = phone.get(f"/standings.json{query}")
    assert answer.status_code == 200, answer.text
    people: list[Json] = answer.json["people"]
    return people


def rows(phone: FlaskClient, query: str = "") -> dict[str, tuple[int, ...]]:
    """Evenings, games, lost, won, chips, by name."""
    return {
        one["name"]: tuple(one[key] for key in ("evenings", "games", "lost", "won", "chips"))
        for one in standings(phone, query)
    }


# -- the contract


def test_a_phone_without_a_list_has_no_standings(phone: FlaskClient) -> None:
    assert phone.get("/standings.json").json == {"people": []}
    assert "No finished game with names" in phone.get("/standings").text


def test_standings_of_two_evenings(phone: FlaskClient) -> None:
    """Norland: the loser pays each of those with 0 points one chip."""
    evening(phone, "Ana Ben Cleo", *lost_by("Ben"), *lost_by("Ben"), at="2026-03-05T21:00:00+00:00")
    evening(
        phone, "Ana Ben", *lost_by("Ana"), "game port cards=no goal=5", "score Ben 5", at="2026-04-02T21:00:00+00:00"
    )
    assert standings(phone) == [
        {"name": "Ana", "evenings": 2, "games": 4, "lost": 1, "won": 0, "chips": 1},
        {"name": "Ben", "evenings": 2, "games": 4, "lost": 2, "won": 1, "chips": -3},
        {"name": "Cleo", "evenings": 1, "games": 2, "lost": 0, "won": 0, "chips": 2},
    ], "both lost one game more than they won, of four; the chips decide; then who has no rank"
    assert rows(phone, "?since=2026-04-01") == {"Ben": (1, 2, 0, 1, 1), "Ana": (1, 2, 1, 0, -1)}
    assert rows(phone, "?since=2026-04-01") == rows(phone, "?since=2026-04-01T00:00:00Z")
    assert rows(phone, "?since=2026-04-01&game=pairs") == {"Ben": (1, 1, 0, 0, 1), "Ana": (1, 1, 1, 0, -1)}
    assert rows(phone, "?game=port")["Ben"] == (1, 1, 0, 1, 0)
    assert rows(phone, "?game=rocket") == {}
    assert rows(phone, "?since=2026-05-01") == {}


@pytest.mark.parametrize("query", ["since=soon", "since=2026-13-01", "game=chess"])
def test_a_filter_that_cannot_be_read_is_refused(phone: FlaskClient, query: str) -> None:
    is_error(phone.get(f"/standings.json?{query}"), 422, "invalid")
    assert phone.get(f"/standings?{query}").status_code == 422


def test_a_table_opened_over_the_api_counts_once_the_phone_joins_it(phone: FlaskClient) -> None:
    phone.get("/")
    record = "\n".join(("fifty-five 1", "seats Ana Ben", *lost_by("Ben")))
    table = phone.post("/api/tables/import", json={"record": record}).json["table"]
    assert rows(phone) == {}
    assert phone.post("/join", data={"code": table}).status_code == 303
    assert rows(phone) == {"Ana": (1, 1, 0, 0, 1), "Ben": (1, 1, 1, 0, -1)}
    assert "watched" in phone.get("/evenings").text


def test_nobody_sees_the_standings_of_another_phone(app: Flask, phone: FlaskClient) -> None:
    evening(phone, "Ana Ben", *lost_by("Ben"))
    assert app.test_client().get("/standings.json").json == {"people": []}


# -- a season of all games, against the states of the API


SHORT = {
    "pairs": "limit=6 stakes=norland",
    "continuous": "limit=6 stakes=norland",
    "port": "goal=5",
    "zombie": "goal=5",
    "lucky": "goal=12",
    "hawthorn": "decks=2",
}
ENDLESS = ("starboard", "rocket", "blackstone", "hawthorn", "inn")
LOSING = ("pairs", "continuous")  # the stakes pay the others: they have not won
PEOPLE = ("Ana", "Ben", "Cleo", "Dan", "Zoé", "Farid", "Gus", "Hana")
SPELLED = {"Zoé": ("Zoé", "ZOE", "zoe"), "Ben": ("Ben", "BEN")}
STEPS = 36


def play_evening(phone: FlaskClient, number: int, random: Random) -> list[Json]:
    """Play two games, or more if they end; the states after each entry."""
    keys = (list(GAMES)[number % len(GAMES)], random.choice(list(GAMES)))
    most = min(len(PEOPLE), *(GAMES[key].players[-1] for key in keys))
    least = max(GAMES[key].players[0] for key in keys)
    names = [random.choice(SPELLED.get(name, (name,))) for name in random.sample(PEOPLE, random.randint(least, most))]
    form = {f"name-{place}": name for place, name in enumerate(names)}
    opened = phone.post("/tables", data={"game": keys[0], "seats": str(len(names)), **form})
    assert opened.status_code == 303, opened.text
    table = opened.headers["Location"].rpartition("/")[2]
    states: list[Json] = [phone.get(f"/api/tables/{table}").json]
    for step in range(STEPS):
        key = keys[step >= STEPS // 2]
        legal = states[-1]["legal"]
        begins = step in (0, STEPS // 2) or not legal
        entry = f"game {key} {SHORT.get(key, '')}".strip() if begins else random.choice(legal)
        answer = phone.post(f"/api/tables/{table}/entries", json={"version": states[-1]["version"], "entries": [entry]})
        assert answer.status_code == 200, answer.text
        states.append(answer.json)
    return states


def games_of(states: list[Json]) -> list[list[Json]]:
    """The states of each game."""
    games: list[list[Json]] = [[]]
    for state in states:
        if state["last"].startswith("game ") and games[-1]:
            games.append([])
        games[-1].append(state)
    return games


def sums_of(states: list[Json]) -> dict[str, Counter[str]]:
    """What each person did in an evening: read from its states alone."""
    found = {seat["name"]: Counter(chips=seat["chips"]) for seat in states[-1]["seats"]}
    for game in games_of(states):
        key, outcome = game[-1]["game"], game[-1]["outcome"]
        if outcome or (key in ENDLESS and any(state["result"] for state in game)):
            for own in found.values():
                own["games"] += 1
        if outcome and outcome["loser"]:
            found[outcome["loser"]]["lost"] += 1
        for name in outcome["winners"] if outcome and key not in LOSING else ():
            found[name]["won"] += 1
    return found


def test_a_season_of_all_games_equals_the_sums_of_the_states(phone: FlaskClient) -> None:
    random = Random(24)
    expected = {name: Counter[str]() for name in PEOPLE}
    kinds = set()
    for number in range(60):
        states = play_evening(phone, number, random)
        kinds |= {state["game"] for state in states}
        for name, own in sums_of(states).items():
            person = next(
                one for one in PEOPLE if one.casefold().replace("é", "e") == name.casefold().replace("é", "e")
            )
            expected[person].update(own)
            expected[person]["evenings"] += bool(own["games"] or own["chips"])
    assert kinds == set(GAMES)
    people = standings(phone)
    found = {one["name"].casefold().replace("é", "e"): one for one in people}
    for name, own in expected.items():
        one = found.pop(name.casefold().replace("é", "e"))
        assert {key: one[key] for key in ("evenings", "games", "lost", "won", "chips")} == {
            key: own[key] for key in ("evenings", "games", "lost", "won", "chips")
        }, name
    assert found == {}
    assert sum(own["lost"] for own in expected.values()) > 10
    assert sum(own["won"] for own in expected.values()) > 5
    merits = [((one["won"] - one["lost"]) / one["games"], one["chips"]) for one in people]
    assert merits == sorted(merits, reverse=True)


def test_a_repair_in_the_third_evening_is_seen(phone: FlaskClient) -> None:
    tables = [
        evening(phone, "Ana Ben Cleo", *lost_by("Ben"), f'title "{month}"', at=f"2026-0{month}-05T21:00:00+00:00")
        for month in range(1, 6)
    ]
    assert rows(phone)["Ben"] == (5, 5, 5, 0, -10)
    repaired = phone.put(f"/api/tables/{tables[2]}/entries/1", json={"version": 1, "entry": "score Cleo 5"})
    assert repaired.status_code == 200, repaired.text
    assert rows(phone)["Ben"] == (5, 5, 4, 0, -7)
    assert rows(phone)["Cleo"] == (5, 5, 1, 0, 2)
    undone = phone.post(f"/api/tables/{tables[2]}/undo", json={"version": 2})
    assert undone.status_code == 200
    assert rows(phone)["Ben"] == (5, 5, 5, 0, -10)


# -- done, undone and repeated


def test_a_settlement_changes_nothing(phone: FlaskClient) -> None:
    table = evening(phone, "Ana Ben", *lost_by("Ben"))
    before = rows(phone)
    for path, body in (("entries", {"version": 1, "entries": ["settled"]}), ("undo", {"version": 2})):
        assert phone.post(f"/api/tables/{table}/{path}", json=body).status_code == 200
        assert rows(phone) == before


def test_out_of_sight_and_back(phone: FlaskClient) -> None:
    old = evening(phone, "Ana Ben", *lost_by("Ben"), at="2026-03-05T21:00:00+00:00")
    new = evening(phone, "Ana Ben", *lost_by("Ana"), at="2026-04-02T21:00:00+00:00")
    for _twice in range(2):
        answer = phone.post("/evenings/sight", data={"table": old, "hidden": "yes"}, follow_redirects=True)
    assert "Out of sight: Ana, Ben, 5 March 2026" in answer.text
    assert listed(phone) == [new]
    assert re.findall(r'class="tile" href="/t/([^"]+)"', phone.get("/evenings?hidden=").text) == [old]
    assert rows(phone) == {"Ana": (1, 1, 1, 0, -1), "Ben": (1, 1, 0, 0, 1)}
    page = phone.get("/standings").text
    assert "Evenings out of sight do not count." in page
    assert page.count("1 evening, 1 game") == 2
    for _twice in range(2):
        phone.post("/evenings/sight", data={"table": old, "hidden": "no"})
    assert listed(phone) == [new, old]
    assert rows(phone) == {"Ana": (2, 2, 1, 0, 0), "Ben": (2, 2, 1, 0, 0)}


def test_nothing_joins_a_list_by_being_taken_out_of_sight(app: Flask, phone: FlaskClient) -> None:
    table = evening(phone, "Ana Ben", *lost_by("Ben"))
    other = app.test_client()
    other.get("/")
    for hidden in ("yes", "no"):
        other.post("/evenings/sight", data={"table": table, "hidden": hidden})
    assert my_list(other) == []


def test_a_deleted_evening_is_gone_from_the_standings(phone: FlaskClient) -> None:
    table = evening(phone, "Ana Ben", *lost_by("Ben"))
    assert len(standings(phone)) == 2
    assert phone.delete(f"/api/tables/{table}").status_code == 204
    assert standings(phone) == []


def test_a_file_read_twice_changes_nothing(app: Flask, phone: FlaskClient) -> None:
    evening(phone, "Ana Ben", *lost_by("Ben"), at="2026-03-05T21:00:00+00:00")
    gone = evening(phone, "Ana Benoît", *lost_by("Benoît"), at="2026-04-02T21:00:00+00:00")
    phone.post("/standings/person", data={"name": "Ben", "other": "Benoît"})
    phone.post("/evenings/sight", data={"table": gone, "hidden": "yes"})
    saved, before = phone.get("/phone/tables.txt").text, standings(phone)
    other = app.test_client()
    for client in (phone, other, other):
        client.post("/import", data={"record": saved, "id": "form-0123456789abcdef"})
        assert standings(client) == before
        assert client.get("/phone/tables.txt").text == saved


# -- who is who


def test_ben_is_benoit_in_one_tap(phone: FlaskClient) -> None:
    evening(phone, "Ana Ben", *lost_by("Ben"), at="2026-03-05T21:00:00+00:00")
    evening(phone, "Ana Benoît", *lost_by("Benoît"), at="2026-04-02T21:00:00+00:00")
    apart = standings(phone)
    page = phone.get("/standings/person?name=Ben").text
    assert re.search(r'name="other" value="Benoît">\s*Ben is Benoît', page)
    answer = phone.post("/standings/person", data={"name": "Ben", "other": "Benoît"})
    assert answer.headers["Location"] == "/standings/person?name=Beno%C3%AEt"
    assert rows(phone) == {"Ana": (2, 2, 0, 0, 2), "Benoît": (2, 2, 2, 0, -2)}
    page = phone.get(answer.headers["Location"]).text
    assert "Ben is Benoît" in page
    assert phone.post("/standings/person", data={"name": "Ben", "other": "Benoît"}).status_code == 422
    assert phone.post("/standings/person", data={"name": "Benoît", "other": "Ben"}).status_code == 422, "no circle"
    assert rows(phone)["Benoît"] == (2, 2, 2, 0, -2)
    for _twice in range(2):
        phone.post("/standings/person", data={"name": "Benoît", "apart": "ben"})
        assert standings(phone) == apart


@pytest.mark.parametrize("name", ["Jean/Ben", "Ben & Co?", "Łukasz", "..", "100 %"])
def test_every_name_has_a_page(phone: FlaskClient, name: str) -> None:
    evening(phone, f'Ana "{name}"', LOST_BY[0], f'score "{name}" 5')
    (linked,) = re.findall(r'href="(/standings/person[^"]+)"><bdi>(?!Ana)', phone.get("/standings").text)
    page = phone.get(linked.replace("&amp;", "&"))
    assert page.status_code == 200
    assert "1 evening, 1 game" in page.text


def test_an_address_does_not_say_how_a_name_is_spelled(app: Flask, phone: FlaskClient) -> None:
    table = evening(phone, "Ana Ben", *lost_by("Ben"))
    friend = app.test_client()
    friend.post("/join", data={"code": table})
    struck_out = "bE\N{COMBINING LONG SOLIDUS OVERLAY}n"
    for asking in (phone, friend):
        for name in (struck_out, "Ben"):
            page = asking.get("/standings/person", query_string={"name": name}).text
            assert re.findall(r"<h1[^>]*>\s*([^<]*?)\s*<", page) == ["Ben"]


def test_a_phone_without_tables_gives_nobody_another_name(app: Flask) -> None:
    stranger = app.test_client()
    assert stranger.post("/standings/person", data={"name": "Ben", "other": "Benoît"}).status_code == 404
    assert app.extensions["tables"].store._aliases == {}


def test_nobody_has_no_page(phone: FlaskClient) -> None:
    evening(phone, "A Ben", *lost_by("Ben"))
    for name in ("A", "Zoé", "", "\0"):
        assert phone.get("/standings/person", query_string={"name": name}).status_code == 404
    for other in ("A", "", "x:y", "W" * 25):
        assert phone.post("/standings/person", data={"name": "Ben", "other": other}).status_code == 422


def test_a_person_has_games_others_nights_and_a_chart(phone: FlaskClient) -> None:
    evening(phone, "Ana Ben", *lost_by("Ben"), 'title "The Anchor"', at="2026-03-05T21:00:00+00:00")
    evening(phone, "Ana Ben Cleo", *lost_by("Ana"), at="2026-04-02T21:00:00+00:00")
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", phone.get("/standings/person?name=Ana").text))
    assert "2 evenings, 2 games" in page
    assert "Best evening +1 The Anchor 5 March 2026" in page
    assert "Worst evening −2 Ana, Ben, Cleo 2 April 2026" in page
    assert "Pairs 2 1 −1" in page
    assert "Ben 2 1 1 Cleo 1 1 0" in page, "games together, how many Ana lost, and the other"
    assert 'aria-label="Chips from evening to evening: Ana −1"' in phone.get("/standings/person?name=Ana").text
    assert "Chips from evening" not in phone.get("/standings/person?name=Cleo").text, "one evening is no course"


def test_luck_is_added_up_where_the_coach_has_judged(phone: FlaskClient) -> None:
    entries = ("game pairs limit=3", "9", "8", "8")
    first = evening(phone, "Ana Ben", *entries, at="2026-03-05T21:00:00+00:00")
    assert "what the cards did there is added up here" in phone.get("/standings/person?name=Ana").text
    while 'hx-trigger="load' in phone.get(f"/t/{first}/luck").text:
        pass
    page = phone.get("/standings/person?name=Ana").text
    assert "1 evening is analysed." in page
    assert re.search(r"Pairs: [+−]?\d+ points? from the cards, in hundredths of a lost game\.", page)


# -- the list


def test_evenings_say_where_when_and_who(phone: FlaskClient) -> None:
    evening(phone, "Ana Ben", *lost_by("Ben"), *lost_by("Ben"), 'title "The Anchor"', at="2026-03-05T21:00:00+00:00")
    evening(phone, "Cleo Dan", "game port cards=no goal=5", "score Dan 5", at="2026-04-02T21:00:00+00:00")
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", phone.get("/evenings").text))
    first, second = page.index("Cleo, Dan 2 April 2026 · Port won: Dan"), page.index("The Anchor Ana, Ben 5 March 2026")
    assert first < second, "the newest first"
    assert "Pairs ×2 up: Ana +2 · lost: Ben ×2" in page[second:]


@pytest.mark.parametrize(
    ("search", "found"), [("zoe", 1), ("ANCHOR", 1), ("benoit", 2), ("Ben", 2), ("ana", 2), ("nobody", 0), ("  ", 3)]
)
def test_evenings_are_found_by_name(phone: FlaskClient, search: str, found: int) -> None:
    evening(phone, "Ana Ben", *lost_by("Ben"), 'title "The Anchor"', at="2026-03-05T21:00:00+00:00")
    evening(phone, "Ana Benoît", *lost_by("Ana"), at="2026-03-12T21:00:00+00:00")
    evening(phone, "Zoé Dan", *lost_by("Dan"), at="2026-03-19T21:00:00+00:00")
    phone.post("/standings/person", data={"name": "Ben", "other": "Benoît"})
    page = phone.get("/evenings", query_string={"name": search}).text
    assert len(re.findall(r'class="tile" href="/t/', page)) == found
    assert ("No evening with “nobody”." in page) == (not found)


# -- files


def test_the_spreadsheet_and_the_message(phone: FlaskClient) -> None:
    evening(phone, "=Ana Ben", *lost_by("Ben"), *lost_by("Ben"), *lost_by("=Ana"))
    table = phone.get("/standings.csv")
    assert table.headers["Content-Disposition"] == 'attachment; filename="fifty-five-standings.csv"'
    assert table.text.lstrip("\ufeff").splitlines() == [
        "rank,name,evenings,games,lost,won,chips",
        "1,'=Ana,1,3,1,0,1",
        "2,Ben,1,3,2,0,-1",
    ]
    message = phone.get("/standings/share?game=pairs").text
    assert "Pairs, all evenings" in message
    assert "1. =Ana: 1 evening, 3 games, 1 lost, +1 chip" in message
    assert phone.get("/standings.csv?since=2027-01-01").text.count("\n") == 1


# -- in parts


def test_many_evenings_are_added_up_in_parts(phone: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in range(1, 5):
        evening(phone, "Ana Ben", *lost_by("Ben"), f'title "{day}"', at=f"2026-03-0{day}T21:00:00+00:00")
    monkeypatch.setattr(sums.Sums.sum_up, "__defaults__", (0,))  # no time: one evening for each request
    seen = []
    for _request in range(4):
        page = phone.get("/standings").text
        seen += re.findall(r"Adding up the evenings: (\d) of 4", page)
        assert ('hx-trigger="load"' in page) == (len(seen) == _request + 1)
    assert seen == ["1", "2", "3"]
    assert rows(phone)["Ben"] == (4, 4, 4, 0, -4)


@pytest.mark.parametrize("path", ["/evenings", "/phone", "/evenings?name=ana"])
def test_a_list_that_is_not_whole_asks_again(phone: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    for day in (1, 2):
        evening(phone, "Ana Ben", *lost_by("Ben"), f'title "{day}"', at=f"2026-03-0{day}T21:00:00+00:00")
    monkeypatch.setattr(sums.Sums.sum_up, "__defaults__", (0,))
    page = phone.get(f"{path}{'&' if '?' in path else '?'}_scheme=odd&endpoint=odd").text
    assert f'hx-get="{path}"' in page
    assert re.findall(r"<b>(\d)</b>", page) == ["2"]
    page = phone.get(path).text
    assert "hx-trigger" not in page
    assert re.findall(r"<b>(\d)</b>", page) == ["2", "1"]


def test_a_busy_server_says_so_and_taps_do_not_wait(app: Flask, phone: FlaskClient) -> None:
    table = evening(phone, "Ana Ben", *lost_by("Ben"))
    with waiting_room_full(app):
        assert 'hx-trigger="load delay:1s"' in phone.get("/standings").text
        is_error(phone.get("/standings.json"), 503, "busy")
        assert phone.post(f"/t/{table}/enter", data={"version": "1", "entry": "settled"}).status_code == 303
    assert rows(phone)["Ben"] == (1, 1, 1, 0, -1)


def test_what_is_added_up_is_kept_until_a_table_changes(phone: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [
        evening(phone, "Ana Ben", *lost_by("Ben"), f'title "{day}"', at=f"2026-03-0{day}T21:00:00+00:00")
        for day in range(1, 5)
    ]
    added: list[str] = []
    monkeypatch.setattr(sums, "sum_up", lambda table, real=sums.sum_up: added.append("") or real(table))
    assert len(standings(phone)) == 2
    assert len(added) == 4
    standings(phone)
    phone.get("/standings/person?name=Ben")
    phone.get("/evenings")
    assert len(added) == 4
    phone.post(f"/api/tables/{tables[1]}/entries", json={"version": 1, "entries": ["settled"]})
    standings(phone)
    assert len(added) == 5


def test_memory_is_bounded_and_the_page_still_ends(phone: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a list that does not fit, the newest evenings count."""
    for day in range(1, 7):
        evening(phone, "Ana Ben", *lost_by("Ben"), f'title "{day}"', at=f"2026-03-0{day}T21:00:00+00:00")
    monkeypatch.setattr(sums, "MOST_GAMES", 5)  # an evening and its game are two
    monkeypatch.setattr(sums, "KEPT_GAMES", 8)
    assert rows(phone)["Ben"] == (3, 3, 3, 0, -3)
    assert "Adding up" not in phone.get("/standings").text


# -- on each store


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    if request.param == "memory":
        yield request.getfixturevalue("app")
        return
    made = (
        app_at(request.getfixturevalue("new_postgres")(), tmp_path) if request.param == "postgres" else app_on(tmp_path)
    )
    yield made
    close(made)


def test_two_phones_of_one_owner_add_to_one_list_at_once(stored: Flask) -> None:
    """Both open evenings, take some out of sight and say who is who; both see the same in the end."""
    one, other = stored.test_client(), stored.test_client()
    one.get("/")
    cookie = one.get_cookie("fifty-five")
    assert cookie is not None
    other.set_cookie("fifty-five", cookie.value)
    met = Barrier(2)

    def add(phone: FlaskClient, name: str, alias: str) -> None:
        met.wait()
        for number in range(6):
            table = evening(
                phone,
                f"Ana {name}",
                *lost_by(name),
                f'title "{number}"',
                at=f"2026-0{len(name)}-0{number + 1}T21:00:00+00:00",
            )
            if number % 3 == 0:
                phone.post("/evenings/sight", data={"table": table, "hidden": "yes"})
            phone.post("/standings/person", data={"name": name, "other": alias})
            standings(phone)

    with ThreadPoolExecutor(2) as both:
        done = [both.submit(add, one, "Ben", "Benoît"), both.submit(add, other, "Cleo", "Clé")]
        for each in done:
            each.result()
    assert rows(one) == rows(other) == {"Ana": (8, 8, 0, 0, 8), "Benoît": (4, 4, 4, 0, -4), "Clé": (4, 4, 4, 0, -4)}
    assert len(listed(one)) == len(listed(other)) == 8


def test_what_is_done_to_evenings_is_undone_on_each_store(stored: Flask) -> None:
    phone = stored.test_client()
    first = evening(phone, "Ana Ben", *lost_by("Ben"), at="2026-03-05T21:00:00+00:00")
    second = evening(phone, "Ana Benoît", *lost_by("Benoît"), at="2026-04-02T21:00:00+00:00")
    before = rows(phone)
    assert before == {"Ana": (2, 2, 0, 0, 2), "Ben": (1, 1, 1, 0, -1), "Benoît": (1, 1, 1, 0, -1)}
    phone.post("/evenings/sight", data={"table": first, "hidden": "yes"})
    phone.post("/standings/person", data={"name": "Ben", "other": "Benoît"})
    phone.put(f"/api/tables/{second}/entries/1", json={"version": 1, "entry": "score Ana 5"})
    assert rows(phone) == {"Ana": (1, 1, 1, 0, -1), "Benoît": (1, 1, 0, 0, 1)}
    phone.post(f"/api/tables/{second}/undo", json={"version": 2})
    phone.post("/standings/person", data={"name": "Benoît", "apart": "ben"})
    phone.post("/evenings/sight", data={"table": first, "hidden": "no"})
    assert rows(phone) == before
    phone.delete(f"/api/tables/{first}")
    assert rows(phone) == {"Ana": (1, 1, 0, 0, 1), "Benoît": (1, 1, 1, 0, -1)}
