"""Every number on the look-up pages comes from the engine."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.engine.notation import parse
from companion.store.memory import MemoryStore
from companion.table import lookup
from companion.web import create_app
from companion.web.games import lookups
from companion.web.games.blackstone_lookup import second_table
from companion.web.tables import Tables


@pytest.fixture
def client() -> FlaskClient:
    return create_app(MemoryStore(), {"SECRET_KEY": "x"}).test_client()


def page(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return unescape(answer.get_data(as_text=True))


def cells(text: str, table: str = "<table") -> list[list[str]]:
    """The body rows of the first table whose HTML begins with `table`."""
    start = text.index(table)
    body = text[start : text.index("</table>", start)]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body.split("<tbody>")[1], re.DOTALL)
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        for row in rows
    ]


@pytest.mark.parametrize("tab", lookups())
def test_every_tab_answers(client: FlaskClient, tab: str) -> None:
    text = page(client, f"/lookup/{tab}")
    assert 'aria-current="page"' in text
    assert "style=" not in text


def test_an_unknown_tab_is_404(client: FlaskClient) -> None:
    assert client.get("/lookup/whist").status_code == 404
    assert client.get("/lookup/continuous").status_code == 200


def test_limits(client: FlaskClient) -> None:
    rows = cells(page(client, "/lookup/pairs"))
    assert rows == [[str(n), str(lookup.limit(n)["limit"])] for n in range(2, 9)]


def test_fines_for_every_number_of_white_stones(client: FlaskClient) -> None:
    rows = cells(page(client, "/lookup/blackstone"), '<table data-table="fines"')
    assert len(rows) == 46
    for white, fine, bust in rows:
        answer = lookup.blackstone(int(white), 0, 45 - int(white), 10)
        assert (int(fine), int(bust)) == (answer["pass"], answer["bust"])


def test_second_black_for_every_position_the_steppers_reach() -> None:
    marks = second_table()
    assert len(marks) == 46 * 2 * 11 * 10
    for white in range(46):
        for held in (0, 1):
            for black in range(11 - held):
                start = ((white * 2 + held) * 11 + black) * 10
                second = lookup.blackstone(white, held, 45 - white, black)["second"]
                for taken in range(1, 11):
                    mark = marks[start + taken - 1]
                    if str(taken) not in second:
                        assert mark == " "
                    else:
                        assert ord(mark) - 35 == round(Fraction(second[str(taken)]) * 100)


@pytest.mark.parametrize(("white", "held", "black"), [(15, 1, 6), (0, 0, 10), (44, 1, 2), (45, 0, 3)])
def test_second_black_in_the_page(client: FlaskClient, white: int, held: int, black: int) -> None:
    text = page(client, f"/lookup/blackstone?white={white}&held={held}&black={black}")
    second = lookup.blackstone(white, held, 45 - white, black)["second"]
    rows = cells(text, "<table data-second")
    assert [row[0] for row in rows] == [str(k) for k in range(1, min(10, 45 - white + black) + 1)]
    for taken, _bar, chance in rows:
        exact = 100 * Fraction(second[taken])
        assert chance == (">99%" if 99 < exact < 100 else f"{round(exact)}%")


def test_rocket_for_every_bet(client: FlaskClient) -> None:
    rows = cells(page(client, "/lookup/rocket"), '<table data-table="bets"')
    assert [int(row[0]) for row in rows] == list(range(10, 210, 10))
    for bet, *worths in rows:
        assert list(map(int, worths)) == list(lookup.rocket(int(bet))["value"].values())


def test_a_bet_that_is_not_a_multiple_of_ten_has_a_warning(client: FlaskClient) -> None:
    assert "25 is not a multiple of 10" in page(client, "/lookup/rocket?bet=25")
    assert "not a multiple" not in page(client, "/lookup/rocket?bet=30")


def test_all_stakes_on_any_scores(client: FlaskClient) -> None:
    rows = cells(page(client, "/lookup/stakes?p0=17&p1=10&p2=8&p3=7&p4=2"))
    points = {"A": 17, "B": 10, "C": 8, "D": 7, "E": 2}
    assert len(rows) == 7
    for title, *chips, carried in rows:
        answer = lookup.stakes(title.lower(), points)
        assert [int(chip.replace("−", "-")) for chip in chips] == list(answer["chips"].values())
        assert int(carried) == answer["carried"]


def test_a_tie_for_most_points_asks_who_lost(client: FlaskClient) -> None:
    answer = client.get("/lookup/stakes?p0=17&p1=17")
    assert answer.status_code == 422
    assert "who lost?" in answer.get_data(as_text=True)


def test_odds_for_any_stack(client: FlaskClient) -> None:
    """The stack is a 7 and a 5, and a 10 has been seen too: ten of 52 cards pair."""
    text = page(client, "/lookup/odds?ask=1&s7=1&s5=1&n10=1")
    assert re.search(r'class="huge">19%<', text)
    # Nine of the 52 are 10s, six are 7s.
    assert re.search(r'id="next-10">17%<', text)
    assert re.search(r'id="next-7">12%<', text)


def test_ports_awards_and_zombies_cards(client: FlaskClient) -> None:
    awards = cells(page(client, "/lookup/port"))
    assert awards[3][:6] == ["5", "5", "4", "3", "2", "1"]
    cards = cells(page(client, "/lookup/zombie"))
    # Four cards with three others in: three are turned down, which leaves one point. Two cards with five others: 0.
    assert cards[3][1 + 3] == "1"
    assert cards[1][1 + 5] == "0"


def opened(client: FlaskClient, names: list[str], entries: str) -> str:
    tables: Tables = client.application.extensions["tables"]
    return tables.create(names, [parse(entry) for entry in entries.split(",")])[0]


def test_a_link_from_a_table_fills_in_its_numbers(client: FlaskClient) -> None:
    blackstone = "game blackstone,6,10,4,10,take 2,whites,take 2,whites,take 3,white,10,white,take 3,whites,take 3,white,white,10,pass"
    table = opened(client, ["Ana", "Ben", "Cleo", "Dan"], blackstone)
    text = page(client, f"/lookup/blackstone?table={table}")
    assert '<p class="huge" data-out="fines:1">12</p>' in text
    assert f'href="/t/{table}"' in text
    board = page(client, f"/t/{table}")
    assert f'href="/lookup/blackstone?table={table}"' in board
    rocket = opened(client, ["Ana", "Ben", "Cleo"], "game rocket bet=30,bet Ben 50,8,5,6")
    assert '<output aria-labelledby="l-bet">50</output>' in page(client, f"/lookup/rocket?table={rocket}")
    pairs = opened(client, ["Ana", "Ben", "Cleo"], "game pairs,7,5,9")
    assert '<b class="huge">5</b>' in page(client, f"/lookup/pairs?table={pairs}")


def test_hidden_odds_stay_hidden(client: FlaskClient) -> None:
    table = opened(client, ["Ana", "Ben"], "game pairs odds=off,7,5")
    assert "checked" not in page(client, f"/lookup/odds?table={table}")
