"""The rules pages: one for every game, and every number on them comes from the engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games import GAMES
from companion.games.blackstone import bust_fine, pass_fine
from companion.games.rocket import payout
from companion.store.memory import MemoryStore
from companion.table import lookup
from companion.table.ledger import payments
from companion.table.table import Table
from companion.web import create_app
from companion.web.games import room_of
from tests.known import KNOWN

TEMPLATES = Path(__file__).parents[2] / "templates" / "rules"


@dataclass
class Drawn:
    """A seat of the example, as the page shows it."""

    cards: list[int] = field(default_factory=list)
    looks: list[str] = field(default_factory=list)
    stones: int = 0
    words: str = ""

    @property
    def figure(self) -> int | None:
        found = re.search(r"[+−]?\d+$", self.words.strip())
        return int(found[0].replace("−", "-")) if found else None


class RulesPage(HTMLParser):
    """The parts of a page that a reader sees: the text, the tables, and the rows and caption of the example."""

    EMPTY = ("meta", "link", "br", "circle", "path", "input")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = self.caption = ""
        self.rows: dict[str, Drawn] = {}
        self.middle: list[int] = []
        self.tables: list[list[list[str]]] = []
        self.white = 0
        self.ids: list[str] = []
        self._open: list[tuple[str, list[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = given.get("class", "").split()
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag == "svg" and "black" in classes:
            list(self.rows.values())[-1].stones += 1
        if tag == "circle" and any("stones" in above for _tag, above in self._open):
            self.white += 1
        if tag not in self.EMPTY:
            self._open.append((tag, classes))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _classes in self._open]
        classes = [name for _tag, names in self._open for name in names]
        if "head" in tags:
            return
        self.text += data
        if "figcaption" in tags:
            self.caption += data
        elif "card" in classes and "common" in classes:
            self.middle.append(int(data))
        elif "td" in tags or "th" in tags:
            self.tables[-1][-1][-1] += data
        elif "name" in classes:
            self.rows[data] = Drawn()
        elif "card" in classes and "shown" in classes:
            row = list(self.rows.values())[-1]
            row.cards.append(int(data))
            row.looks.append(" ".join(name for name in self._open[-1][1] if name != "card"))
        elif "pts" in classes:
            list(self.rows.values())[-1].words += data


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(MemoryStore(), {"SECRET_KEY": "x"})


@pytest.fixture
def client(app: Flask) -> Iterator[FlaskClient]:
    with app.test_client() as client:
        yield client


def read(client: FlaskClient, game: str) -> RulesPage:
    answer = client.get(f"/rules/{game}")
    assert answer.status_code == 200, game
    return RulesPage(answer.text)


# -- every game has a page


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_with_an_example(client: FlaskClient, game: str) -> None:
    page = read(client, game)
    assert str(GAMES[game].title) in page.text
    assert page.rows, "no example is drawn"
    assert page.caption.strip()


@pytest.mark.parametrize("game", GAMES)
def test_a_page_has_the_words_people_look_for(client: FlaskClient, game: str) -> None:
    text = read(client, game).text.casefold()
    plain, *phrases = KNOWN[game].words.split(",")
    assert [word for word in (*plain.split(), *phrases) if word.casefold() not in text] == []
    assert KNOWN[game].fact in read(client, game).text


@pytest.mark.parametrize("game", GAMES)
def test_strangers_learn_the_aim_then_the_deck_then_their_turn(client: FlaskClient, game: str) -> None:
    text = read(client, game).text
    places = [text.find(words) for words in ("The aim: ", "The deck has 55 cards", "Your turn: ")]
    assert places == sorted(places)
    assert -1 not in places
    assert re.search(r"\b[Ss]huffle", text)
    if KNOWN[game].pairs:
        assert re.search(r"[Tt]wo cards of the\s+same\s+value", text)


@pytest.mark.parametrize("path", ["", *(f"/{game}" for game in GAMES)])
def test_every_page_has_the_credits_and_says_it_is_unofficial(client: FlaskClient, path: str) -> None:
    text = RulesPage(client.get(f"/rules{path}").text).text
    for name in ("James Ernest & Paul Peterson", "Cheapass Games", "Origames", "Unofficial companion"):
        assert name in text


@pytest.mark.parametrize("path", ["", *(f"/{game}" for game in GAMES)])
def test_no_page_has_anything_its_security_policy_forbids(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/rules{path}")
    assert not re.search(r"<style|<script(?! src=)|\sstyle=|\son[a-z]+=", answer.text)
    assert "'unsafe" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["", *(f"/{game}" for game in GAMES)])
def test_a_page_can_be_read_in_french(client: FlaskClient, path: str) -> None:
    """A translation with a missing or extra placeholder would break the page."""
    answer = client.get(f"/rules{path}", headers={"Accept-Language": "fr"})
    assert answer.status_code == 200
    assert not re.search(r"%\(\w+\)s|\{\w+\}", answer.text)


@pytest.mark.parametrize("path", ["nope", "Pairs", "_page", "_stakes", "pairs.html", "pairs/", "..%2fhome"])
def test_any_other_page_is_404(client: FlaskClient, path: str) -> None:
    assert client.get(f"/rules/{path}").status_code == 404


def test_the_index_links_to_every_game_and_every_word(client: FlaskClient) -> None:
    links = re.findall(r'href="/rules/([a-z]+)(?:#([a-z]+))?"', client.get("/rules").text)
    assert [game for game, place in links if not place] == list(GAMES)
    places = [(game, place) for game, place in links if place]
    assert len(places) >= 10
    assert [(game, place) for game, place in places if place not in read(client, game).ids] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_ids_on_a_page_are_unique(client: FlaskClient, game: str) -> None:
    ids = read(client, game).ids
    assert len(ids) == len(set(ids))


# -- the numbers


@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_are_those_worked_out_by_hand(client: FlaskClient, game: str) -> None:
    page = read(client, game)
    assert [int(number) for number in re.findall(r"\d+", page.caption)] == list(KNOWN[game].caption)
    assert {name: row.figure for name, row in page.rows.items()} == KNOWN[game].rows


@pytest.mark.parametrize("game", GAMES)
def test_no_number_of_an_example_is_typed_into_its_template(game: str) -> None:
    source = (TEMPLATES / f"{game}.html").read_text()
    (caption,) = re.findall(r"<figcaption>(.*?)</figcaption>", source, re.DOTALL)
    assert not re.search(r"\d", caption)
    words = "two|three|four|five|six|seven|eight|nine|ten|eleven"
    assert not re.search(rf"\b({words})\b", caption)


def final(game: str) -> Table:
    """The table after the record of the example."""
    record = room_of(game).record
    assert record is not None
    names, entries = record.names, record.entries
    return Table.from_record(GAMES, f"fifty-five 1\nseats {names}\n" + entries.replace(", ", "\n"))


@pytest.mark.parametrize("game", GAMES)
def test_the_record_of_an_example_ends_its_round(game: str) -> None:
    """The numbers at the ends of the rows are the result of the round."""
    table = final(game)
    result = table.state.result
    assert result is not None
    if table.state.phase == "play":  # an endless round: the rows are the points so far
        assert {seat.name: seat.points or None for seat in table.state.seats} == KNOWN[game].rows
        return
    changes = result.points if GAMES[game].scores_points else result.chips
    assert {name: figure for name, figure in KNOWN[game].rows.items() if figure} == {
        n: c for n, c in changes.items() if c
    }


def pairs(page: RulesPage) -> list[int]:
    stacks = {name: row.cards for name, row in page.rows.items()}
    *held, drawn = stacks["Cleo"]
    assert page.rows["Cleo"].looks == ["low", "", "hit"]
    assert drawn in held
    before = [*stacks["Ana"], *stacks["Ben"], *held, *stacks["Dan"]]
    chance = Fraction(lookup.odds(held, before)["pair"])
    return [lookup.fold([before]), round(100 * chance), drawn, drawn]


def continuous(page: RulesPage) -> list[int]:
    cards = {name: row.cards for name, row in page.rows.items()}
    assert page.rows["Cleo"].looks == ["kept"]
    (kept,) = cards["Cleo"]
    lowest = lookup.fold([cards["Ana"], cards["Ben"]])
    rest = [card for card in cards["Ana"] if card != lowest]
    ben = next(seat for seat in final("continuous").state.seats if seat.name == "Ben")
    assert (ben.stack, ben.kept) == ((), (lowest,))
    return [kept, kept, lowest, ben.points, *rest]


def port(page: RulesPage) -> list[int]:
    sums = {name: sum(row.cards) for name, row in page.rows.items()}
    assert page.rows["Eve"].looks[-1] == "hit"
    assert sums["Ben"] == sums["Cleo"]
    assert all(row.words.split()[0] == str(sums[name]) for name, row in page.rows.items() if name != "Eve")
    awards = final("port").state.result.points  # type: ignore[union-attr]
    return [len(sums), awards["Ana"], sums["Ben"], awards["Ben"], awards["Ben"] - 1, awards["Dan"]]


def starboard(page: RulesPage) -> list[int]:
    table = final("starboard")
    paid = [line for line in payments(table) if line.who in page.rows]
    pot = sum(line.amount for line in paid)
    result = table.state.result
    assert result is not None
    assert [name for name, row in page.rows.items() if "locked" in row.words] == list(result.winners) == ["Ana", "Cleo"]
    locks = [step for step in table.steps() if str(step.entry) == "lock"]
    assert [step.seat for step in locks] == ["Ben", "Cleo", "Ana"]
    drawn = [step.entry.args[0] for step in table.steps() if step.entry.verb == "card"]
    (pair,) = {value for value in drawn if drawn.count(value) == 2}
    assert page.middle == [value for value in drawn if value != pair]
    early = sum(step.entry.verb == "card" for step in table.steps() if step.number < locks[0].number)
    return [early, pair, pair, len(page.middle), len(page.middle), pot, pot // 2]


def rocket(page: RulesPage) -> list[int]:
    cards = {name: row.cards for name, row in page.rows.items()}
    bets = {name: int(row.words.split()[1]) for name, row in page.rows.items() if name != "Ana"}
    values = {name: lookup.rocket(bet) for name, bet in bets.items()}
    pair, low, death = cards["Ben"][1], min(cards["Cleo"] + cards["Ana"][:1]), cards["Ana"][1]
    assert cards["Ben"] == [pair, pair]
    return [
        *(pair, pair, payout(bets["Ben"], 1), values["Ben"]["value"][str(pair)]),
        *(low, low, payout(bets["Cleo"], 1), values["Cleo"]["value"][str(low)]),
        *(death, death, payout(bets["Dan"], 1), values["Dan"]["death"]),
    ]


def blackstone(page: RulesPage) -> list[int]:
    assert {name: row.stones for name, row in page.rows.items()} == {"Ana": 0, "Ben": 2, "Cleo": 0}
    taken = [str(step.entry) for step in final("blackstone").steps()]
    new = taken.count("white")
    before = page.white - new
    fines = lookup.blackstone(before, 1, 45 - before, 8)
    assert fines["pass"] == pass_fine(before)
    bust = bust_fine(page.white)
    return [before, 5, pass_fine(before, 0), fines["pass"], 5, new, 5, page.white, bust, bust // 2]


def hawthorn(page: RulesPage) -> list[int]:
    table = final("hawthorn")
    fold = lookup.fold([row.cards[:2] for row in page.rows.values()])
    assert page.rows["Ben"].looks == ["", "low"]
    *held, pair = page.rows["Ana"].cards
    assert pair in held
    pot = sum(line.amount for line in payments(table) if line.who in page.rows)
    return [len(page.rows), fold, fold, pair, pair, pot]


def zombie(page: RulesPage) -> list[int]:
    others = len(page.rows) - 1
    *held, card = page.rows["Ben"].cards
    assert card in held
    assert card in page.middle
    looks = page.rows["Ana"].looks
    assert looks.count("down") == others - 1
    return [others, others, card, len(looks) - looks.count("down"), len(page.rows["Cleo"].cards)]


def lucky(page: RulesPage) -> list[int]:
    ana, ben, cleo = page.rows.values()
    assert (ana.looks, ben.looks, cleo.looks) == (["", ""], ["kept", ""], [""])
    state = final("lucky").state
    assert [seat.stack for seat in state.seats] == [tuple(ana.cards), tuple(ben.cards[1:]), ()]
    assert state.seats[2].kept == (ben.cards[0],)
    return [ben.cards[0], state.seats[2].points, *cleo.cards, *ben.cards[1:]]


def inn(page: RulesPage) -> list[int]:
    table = final("inn")
    low, attack = page.rows["Ben"].cards[0], page.rows["Ana"].cards[-1]
    assert low == min(row.cards[0] for row in page.rows.values())
    turned = [step.entry.args[0] for step in table.steps() if step.entry.verb == "card"]
    assert set(turned) <= set(page.rows["Cleo"].cards)
    result = table.state.result
    assert result is not None
    return [low, attack, *turned, result.points["Cleo"]]


ENGINE: dict[str, Callable[[RulesPage], list[int]]] = {
    "pairs": pairs,
    "continuous": continuous,
    "port": port,
    "starboard": starboard,
    "rocket": rocket,
    "blackstone": blackstone,
    "hawthorn": hawthorn,
    "zombie": zombie,
    "lucky": lucky,
    "inn": inn,
}


@pytest.mark.parametrize("game", ENGINE)
def test_caption_and_cards_agree_with_the_engine(client: FlaskClient, game: str) -> None:
    """The engine computes the numbers in the caption from the cards drawn on the page."""
    page = read(client, game)
    assert [int(number) for number in re.findall(r"\d+", page.caption)] == ENGINE[game](page)


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_drawn_are_those_of_the_record(client: FlaskClient, game: str) -> None:
    table, page = final(game), read(client, game)
    turned = sorted(step.entry.args[0] for step in table.steps() if step.entry.verb in ("card", "play", "attack"))
    if game == "blackstone":  # the page shows stones, not values; the white stones of the deal are in the middle
        assert (page.white, sum(row.stones for row in page.rows.values())) == (15, turned.count(10))
        return
    shown = [card for row in page.rows.values() for card in row.cards] + page.middle
    assert sorted([*shown, *KNOWN[game].discarded]) == turned


@pytest.mark.parametrize("game", ["pairs", "continuous"])
def test_limits_and_stakes(client: FlaskClient, game: str) -> None:
    limits, stakes = read(client, game).tables
    assert [cell.strip() for cell in limits[0][1:]] == ["2", "3", "4", "5", "6–8"]
    assert [int(cell) for cell in limits[1][1:]] == [31, 21, 16, 13, 11]
    assert int(limits[1][-1]) == lookup.limit(6)["limit"] == lookup.limit(8)["limit"]
    points = {"A": 17, "B": 10, "C": 8, "D": 7, "E": 2}
    lost = {row[0]: row[2].strip() for row in stakes[1:]}
    assert lost == {
        "Forfeit": "–",
        "Downspear, Seattle": "4",
        "Norland": "1",
        "Cutchfeld": "17",
        "Tacoma": "6",
        "Olympia": "15",
        "Portland": "41",
    }
    for title, chips in lost.items():
        for key in title.casefold().split(", "):
            assert -lookup.stakes(key, points)["chips"]["A"] == (int(chips) if chips != "–" else 0)


# -- the pictures


@pytest.mark.parametrize("path", ["", "/pairs"])
def test_the_deck_is_drawn_card_by_card(client: FlaskClient, path: str) -> None:
    (drawn,) = re.findall(r'<ol class="pyramid".*?</ol>', client.get(f"/rules{path}").text, re.DOTALL)
    rows = [re.findall(r">(\d+)<", row) for row in drawn.split("</li>")[:-1]]
    assert rows == [[str(value)] * value for value in range(1, 11)]


WITH_PICTURES = [path.stem for path in sorted(TEMPLATES.glob("[a-z]*.html")) if "strip" in path.read_text()]


def pictures(client: FlaskClient, game: str) -> list[str]:
    (strip,) = re.findall(r'<ol class="strip">.*?</ol>', client.get(f"/rules/{game}").text, re.DOTALL)
    return strip.split("</li>")[:-1]


@pytest.mark.parametrize("game", WITH_PICTURES)
def test_a_turn_is_drawn_in_three_pictures_with_captions(client: FlaskClient, game: str) -> None:
    for picture in pictures(client, game):
        assert re.search(r'aria-hidden="true">.*(?:class="card|<circle)', picture)
        assert re.search(r"<b>[^<]+</b>\s*<small>[^<]+</small>", picture)
    assert len(pictures(client, game)) == 3


def test_the_pictures_of_rocket_show_what_a_bet_of_twenty_pays(client: FlaskClient) -> None:
    """Each point is worth a tenth of 20: the player pays 8 and 5 points, and receives 3 for the dealer’s 3."""
    sums = [re.findall(r"(\d+)\u202f×\u202f(\d+)\u202f=\u202f(\d+)", picture) for picture in pictures(client, "rocket")]
    assert sums == [[("8", "2", "16")], [("5", "2", "10")], [("3", "2", "6")]]


def test_locks_are_drawn_under_the_last_card_before_them(client: FlaskClient) -> None:
    """Ben locked at three cards, Ana and Cleo at four."""
    (hand,) = re.findall(r'<table class="common locks">.*?</table>', client.get("/rules/starboard").text, re.DOTALL)
    cards, locks = (re.findall(r"<td>(.*?)</td>", line) for line in hand.split("</tr>")[:2])
    assert [re.findall(r">(\d+)<", card) for card in cards] == [["4"], ["8"], ["7"], ["10"]]
    assert [re.findall(r">([A-D])<", marks) for marks in locks] == [[], [], ["B"], ["A", "C"]]
