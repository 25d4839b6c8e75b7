"""A ninth game with only its rulebook and one registration works on every page: no page knows a game by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.store.memory import MemoryStore
from companion.web import create_app
from tests.ninth import WinnersLantern, ninth_game

NAMES = ("Ann", "Bob", "Cy")
ROUND = ("4", "6", "9", "5", "3", "10", "7", "drop 10", "6")
LANGUAGES = ("en", "fr")
# Our own words on the board of a game that has none of its own.
FRENCH = {"en": ("draw, or choose", "Undo", "pot 6"), "fr": ("piocher, ou choisir", "Annuler", "pot 6")}


class Shown(HTMLParser):
    """The text a reader sees, the entries that can be tapped, and the fields of forms."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.entries: list[str] = []
        self.fields: list[str] = []
        self._unseen = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._unseen += tag in ("script", "style", "title")
        if tag == "button" and given.get("name") == "entry" and "disabled" not in given:
            self.entries.append(given["value"])
        if tag in ("input", "select"):
            self.fields.append(given.get("name", ""))
        if "aria-label" in given:
            self.text.append(given["aria-label"])

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in ("script", "style", "title")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


@pytest.fixture
def app() -> Iterator[Flask]:
    with ninth_game():
        yield create_app(MemoryStore(), {"SECRET_KEY": "x"})


@pytest.fixture
def dealer(app: Flask) -> FlaskClient:
    return app.test_client()


def open_table(client: FlaskClient, **options: str) -> str:
    form = {"game": "lantern", "seats": "3", **{f"name-{i}": name for i, name in enumerate(NAMES)}, **options}
    answer = client.post("/tables", data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def enter(client: FlaskClient, address: str, entry: str) -> Shown:
    version = client.get(f"/api/tables/{address[3:]}").get_json()["version"]
    form = {"entry": entry, "version": version}
    answer = client.post(f"{address}/enter", data=form, headers={"HX-Request": "true"})
    assert answer.status_code == 200, answer.text
    return Shown(answer.text)


def pages_of(app: Flask, table_id: str) -> list[str]:
    """The addresses of every page of the table, and of all others that need only the name of the game."""
    values = {"table_id": table_id, "game": "lantern", "tab": "lantern"}
    found = []
    for rule in app.url_map.iter_rules():
        asks_for_more = rule.arguments - {"table_id", "game", "tab"} or rule.endpoint.startswith(
            ("api.lookup", "person", "pocket")  # a person needs a name, and this application has no bundle
        )
        if "GET" not in (rule.methods or ()) or asks_for_more:
            continue
        found.append(re.sub(r"<(?:\w+:)?(\w+)>", lambda name: values[name[1]], rule.rule))
    return found


def test_its_options_are_on_the_set_up_page(dealer: FlaskClient) -> None:
    page = dealer.get("/new").text
    assert "Lantern" in page
    assert "Meet the light" in page
    chosen = Shown(dealer.get("/new?game=lantern").text)
    assert {"o-light", "o-ante", "o-burn", "o-odds"} <= set(chosen.fields)
    assert "Light" in chosen.words
    assert "o-light" not in Shown(dealer.get("/new?game=pairs").text).fields
    refused = dealer.post("/tables", data={"game": "lantern", "seats": "3", "o-light": "7"})
    assert refused.status_code == 422


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_answers_at_every_stage(app: Flask, dealer: FlaskClient, language: str) -> None:
    address = open_table(dealer, **{"o-light": "15", "o-ante": "2"})
    watcher = app.test_client()
    dealer.environ_base["HTTP_ACCEPT_LANGUAGE"] = watcher.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    watcher.post(f"{address}/me", data={"me": "Ann"})
    for entry in ROUND:
        enter(dealer, address, entry)
        for path in pages_of(app, address[3:]):
            for client in (dealer, watcher):
                answer = client.get(path, follow_redirects=True)
                assert answer.status_code in (200, 204), path  # 204: nothing new
                if answer.mimetype == "text/html":
                    words = Shown(answer.text).words
                    assert not re.search(r"\bNone\b|[{}]|lantern|drop \d", words), (path, words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_offers_every_legal_entry(dealer: FlaskClient, language: str) -> None:
    """A whole evening can be played by taps alone: every legal entry is a key, a button, or behind "Choose"."""
    dealer.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    address, random = open_table(dealer), Random(9)
    for _ in range(120):
        shown = Shown(dealer.get(address).text)
        legal = dealer.get(f"/api/tables/{address[3:]}").get_json()["legal"]
        offered = set(shown.entries) | set(Shown(dealer.get(f"{address}?choose=1").text).entries)
        assert set(legal) - {"shuffle"} <= offered
        enter(dealer, address, random.choice([entry for entry in legal if entry != "shuffle"] or ["shuffle"]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_is_in_the_language_of_the_reader(dealer: FlaskClient, language: str) -> None:
    dealer.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    address = open_table(dealer, **{"o-ante": "2", "o-light": "15"})
    for entry in ROUND[:6]:
        shown = enter(dealer, address, entry)
    for words in FRENCH[language]:
        assert words in shown.words
    choices = Shown(dealer.get(f"{address}?choose=1").text).words
    assert "Drop the 3" in choices
    assert "Drop the 6" in choices


def test_one_or_two_choices_are_buttons_and_more_are_behind_one(dealer: FlaskClient) -> None:
    """Cy may drop two cards or pass. After the drop only the pass is left. No choice has a better place than another."""
    address = open_table(dealer, **{"o-ante": "2", "o-light": "15"})
    for entry in ROUND[:7]:
        enter(dealer, address, entry)
    closed = dealer.get(address).text
    assert "3 choices" in Shown(closed).words
    assert {entry for entry in Shown(closed).entries if not entry.isdigit()} == set()
    opened = dealer.get(f"{address}?choose=1").text
    assert Shown(opened).entries == ["drop 9", "drop 10", "pass"]
    assert "aria-keyshortcuts" not in opened.split('class="chips')[1]
    assert re.search(r'<a class="btn main" href="[^"?]*" aria-label="Do not choose"', opened)
    enter(dealer, address, "drop 10")
    alone = enter(dealer, address, "2")  # Ann draws, and Cy has dropped a card already
    assert [entry for entry in alone.entries if not entry.isdigit()] == ["pass"]


def test_the_board_names_who_is_next(dealer: FlaskClient) -> None:
    """In play the large name. After a round that nobody won alone, the round, and who gets the first card."""
    address = open_table(dealer, **{"o-ante": "2", "o-light": "15"})
    for entry in (*ROUND[:7], "drop 10"):
        enter(dealer, address, entry)
    large = re.compile(r'<p class="who[^>]*><bdi>([^<]*)')
    assert large.findall(dealer.get(address).text) == ["Ann"]
    enter(dealer, address, "pass")
    assert large.findall(dealer.get(address).text) == ["Cy"]
    over = enter(dealer, address, "pass")  # both have 9, and Bob is beyond the light
    assert large.findall(dealer.get(address).text) == ["Round 1 over"]
    assert "nearest to the light" in over.words
    assert "Card for Ann" in over.words


def test_kept_cards_are_shown() -> None:
    with ninth_game(WinnersLantern):
        dealer = create_app(MemoryStore(), {"SECRET_KEY": "x"}).test_client()
        address = open_table(dealer, **{"o-ante": "2", "o-light": "15"})
        for entry in ROUND[:-1]:
            shown = enter(dealer, address, entry)
        assert "Cykept 10" in shown.words.replace("Cy kept", "Cykept")


def test_a_card_may_be_feared_or_welcome(dealer: FlaskClient) -> None:
    """Ann has 4 and 5: a 6 meets the light of 15, and a 7, 8, 9 or 10 goes beyond. 31 of the 48 unseen cards do."""
    address = open_table(dealer, **{"o-light": "15", "o-ante": "2"})
    for entry in ROUND[:-1]:
        enter(dealer, address, entry)
    page = dealer.get(address).text
    keys = re.findall(r'<button class="key([^"]*)"[^>]*value="(\d+)".*?</button>', page, re.S)
    assert [value for style, value in keys if "pair" in style.split()] == ["7", "8", "9", "10"]
    words = dict(re.findall(r'data-card="(\d+)".*?<span class="p">[^<]*(?:<small>([^<]*)</small>)?', page, re.S))
    assert words == dict.fromkeys("12345", "") | {"6": "light: 8"} | dict.fromkeys(("7", "8", "9", "10"), "dark")
    assert "65% into the dark" in Shown(page).words.replace("65%into", "65% into")


def test_the_end_of_a_round_and_undo_use_the_words_of_the_game(dealer: FlaskClient) -> None:
    address = open_table(dealer, **{"o-light": "15", "o-ante": "2"})
    for entry in ROUND[:-1]:
        shown = enter(dealer, address, entry)
    assert "Undo: Cy drops the 10" in shown.words
    shown = enter(dealer, address, ROUND[-1])
    assert "met the light with a 6" in shown.words
    assert "Ann +6" in shown.words


def test_a_game_without_a_coach_offers_none(dealer: FlaskClient) -> None:
    """Neither when it is set up, nor during the game, nor at its end."""
    assert "o-coach" in Shown(dealer.get("/new?game=pairs").text).fields
    setup = Shown(dealer.get("/new?game=lantern").text)
    assert "o-coach" not in setup.fields
    address = open_table(dealer, **{"o-light": "15", "o-ante": "2", "o-coach": "all"})
    for entry in ROUND:
        enter(dealer, address, entry)
        for page in ("", "/menu", "/evening", "/history", "/game"):
            assert not re.search("[Cc]oach|Luck and skill", Shown(dealer.get(address + page).text).words), page
    assert "Coach" not in Shown(dealer.get("/rules/lantern").text).words
    told = dealer.get(f"/api/tables/{address[3:]}/coach").get_json()
    assert told["coach"] is None


def test_history_and_repair(dealer: FlaskClient) -> None:
    address = open_table(dealer, **{"o-light": "15", "o-ante": "2"})
    for entry in ROUND:
        enter(dealer, address, entry)
    history = Shown(dealer.get(f"{address}/history").text)
    assert "Cy drops the 10" in history.words
    # Entry 8 is the drop: it can be changed to another card of the same seat.
    picked = Shown(dealer.get(f"{address}/history?n=8").text)
    assert "9" in picked.words
    preview = Shown(dealer.get(f"{address}/history?n=9&entry=5").text)
    assert "Round 1 would not be over." in preview.words
    version = dealer.get(f"/api/tables/{address[3:]}").get_json()["version"]
    form = {"n": "9", "kind": "amend", "entry": "5", "version": version}
    assert dealer.post(f"{address}/repair", data=form).status_code == 303
    assert dealer.get(f"/api/tables/{address[3:]}").get_json()["phase"] == "play"


def test_the_game_works_in_the_api_and_in_records(dealer: FlaskClient) -> None:
    made = dealer.post(
        "/api/tables", json={"seats": list(NAMES), "game": "lantern", "options": {"light": 15, "ante": 2}}
    )
    assert made.status_code == 201
    given = made.get_json()
    secret = {"Authorization": f"Bearer {given['dealer']}"}
    body = {"version": 1, "entries": list(ROUND)}
    state = dealer.post(f"/api/tables/{given['table']}/entries", json=body, headers=secret).get_json()
    assert [seat["chips"] for seat in state["seats"]] == [6, -4, -2]
    assert state["light"] == 15
    record = dealer.get(f"/t/{given['table']}/record").text
    assert "drop 10" in record
    again = dealer.post("/import", data={"record": record})
    assert again.status_code == 303
    assert "Lantern" in dealer.get("/").text
