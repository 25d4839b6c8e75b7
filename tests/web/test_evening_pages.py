"""The evening as a page, as text and as CSV: the night of tests/table/test_ledger.py, and awkward names."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.web.charts import axis, spread
from companion.web.worth import Worth, read_worth
from tests.markup import on_one_line
from tests.table.test_ledger import NIGHT

CARRIED = "game blackstone,6,10,4,10,take 1,9,take 1,10"


class Words(HTMLParser):
    """The text of a page, with each run of white space made one space."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.feed(page)
        self.text = re.sub(r"\s+", " ", " ".join(self.said))

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def seat(client: FlaskClient, record: str) -> str:
    answer = client.post("/api/tables/import", json={"record": record})
    assert answer.status_code == 201, answer.text
    return f"/t/{answer.json['table']}"


def seated(client: FlaskClient, entries: str, seats: str = "Ana Ben Cleo Dan") -> str:
    return seat(client, "\n".join(("fifty-five 1", f"seats {seats}", *entries.split(","))))


@pytest.fixture
def night(anybody: FlaskClient) -> str:
    return seat(anybody, NIGHT)


def words(answer: TestResponse) -> str:
    assert answer.status_code == 200, answer.text
    return Words(answer.text).text


def test_the_page_says_if_a_round_is_under_way(anybody: FlaskClient) -> None:
    open_yet = "what lies in the middle is nobody’s yet"
    assert open_yet in words(anybody.get(f"{seated(anybody, CARRIED + ',6')}/evening"))
    assert open_yet not in words(anybody.get(f"{seated(anybody, CARRIED)}/evening"))


def test_the_page_shows_the_fewest_payments_with_reasons(anybody: FlaskClient, night: str) -> None:
    answer = anybody.get(f"{night}/evening")
    page = words(answer)
    assert "C Cleo pays D Dan 20 Cleo is at −20, Dan at +22" in page
    assert "B Ben pays D Dan 2 Ben is at −17, Dan at +22" in page
    assert "B Ben pays A Ana 15 Ben is at −17, Ana at +15" in page
    assert answer.text.count(">pays<") == 3


def test_the_switch_shows_the_payments_game_by_game(anybody: FlaskClient, night: str) -> None:
    answer = anybody.get(f"{night}/evening?by=game")
    page = words(answer)
    assert "1 Pairs · Tacoma C Cleo pays B Ben 6 in this game Cleo is at −6, Ben at +6" in page
    assert "D Dan puts in the middle 2" in page
    assert len(re.findall(">(?:pays|puts)<", answer.text)) == 1 + 4 + 3 + 3 + 3
    current = re.findall(r'<a [^>]*aria-current="true"[^>]*>([^<]+)', answer.text)
    assert current == ["Game by game"]
    current = re.findall(r'<a [^>]*aria-current="true"[^>]*>([^<]+)', anybody.get(f"{night}/evening").text)
    assert current == ["Fewest payments"]


def test_the_ledger_of_games_and_chips(anybody: FlaskClient, night: str) -> None:
    page = words(anybody.get(f"{night}/evening"))
    for row in (
        "1 Pairs · Tacoma 0 +6 −6 0 0",
        "2 Blackstone +2 +2 +2 −8 +2",
        "3 Rocket +20 −16 −10 +6 0",
        "4 Starboard +2 −1 −2 +3 −2",
        "5 Hawthorn −9 −8 −4 +21 0",
        "Won or lost +15 −17 −20 +22 0",
        "Bought in 20 20 20 20 0",
        "Cashed out 0 3 0 0 0",
        "Chips now 35 0 0 42 0",
    ):
        assert row in page
    assert "In the pot or carried over" not in page
    assert "+22" not in page.partition("By player")[2]  # each sum is told once: the ledger has it


def test_every_payment_has_its_reason(anybody: FlaskClient, night: str) -> None:
    page = words(anybody.get(f"{night}/payments"))
    assert "Ben → Ana a pair of 8s · game 3, round 1 16" in page
    assert "Ben → the bank bought from the bank · game 5, round 1 3" in page
    assert "Ben → Ana a pair of 8s · game 3, round 1 −16" in words(anybody.get(f"{night}/payments?who=Ben"))
    ana = words(anybody.get(f"{night}/payments?who=Ana"))
    assert "Ben → Ana a pair of 8s · game 3, round 1 +16" in ana
    assert "the bank bought" not in ana
    assert words(anybody.get(f"{night}/payments?who=Nobody")) == page
    evening = anybody.get(f"{night}/evening").text
    assert f'href="{night}/payments?who=Ana"' in evening


def test_payments_come_in_pages(anybody: FlaskClient) -> None:
    """The pages together show every payment once."""
    table = seated(anybody, ",".join(("game starboard", *(f"pay Ana Ben {number}" for number in range(1, 151)))))
    found: list[str] = []
    address: str | None = f"{table}/payments"
    while address:
        page = on_one_line(anybody.get(address).text)
        found += re.findall(r"</td><td>(\d+)</td>", page)
        older = re.search(r'href="([^"]+before=\d+)"', page)
        address = older[1] if older else None
    assert found == [str(number) for number in range(150, 0, -1)]


def test_an_evening_of_many_games_comes_in_pages(anybody: FlaskClient) -> None:
    """Ana loses 1, then 2, … up to 30 in thirty games. Every page shows the sums and payments of all games."""
    games = ",".join(f"game rocket,pay Ana Ben {number}" for number in range(1, 31))
    table = seated(anybody, games)
    newest = words(anybody.get(f"{table}/evening"))
    assert "A Ana pays B Ben 465" in newest
    assert "Games 1 to 22 −253 +253 0 0" in newest
    assert "23 Rocket −23 +23" in newest
    assert "30 Rocket −30 +30" in newest
    assert "22 Rocket" not in newest
    earlier = words(anybody.get(f"{table}/evening?before=23"))
    assert "Games 1 to 14 −105 +105 0 0 15 Rocket −15 +15" in earlier
    assert "22 Rocket −22 +22 0 0 Games 23 to 30 −212 +212 0 0 Won or lost −465 +465 0 0" in earlier
    assert "Games 1 to" not in words(anybody.get(f"{table}/evening?before=7"))
    by_game = words(anybody.get(f"{table}/evening?by=game&before=7"))
    assert "6 Rocket A Ana pays B Ben 6" in by_game
    assert "7 Rocket" not in by_game
    assert "Games 1 to 22: Ana −253, Ben +253" in anybody.get(f"{table}/evening.txt").text


def test_charts_have_labels_for_screen_readers_and_their_numbers(anybody: FlaskClient, night: str) -> None:
    answer = anybody.get(f"{night}/evening")
    labels = re.findall(r'<svg class="chart"[^>]* role="img" aria-label="([^"]+)"', answer.text)
    assert labels == [
        "Chips after each game: Ana +15, Ben −17, Cleo −20, Dan +22",
        "Points by round: 1 Pairs · Tacoma: Ana 4, Ben 0, Cleo 16, Dan 8",
    ]
    assert "style=" not in answer.text
    chips, points = (drawing.split("</svg>")[0] for drawing in on_one_line(answer.text).split('<svg class="chart"')[1:])
    for style, dashes in (("s1", ""), ("s2", "8 3"), ("s3", "2 3"), ("s4", "12 3 2 3")):
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        for drawing in (chips, points):
            (line,) = re.findall(rf'<g class="{style}"><polyline{dashed} points="([^"]+)"/>', drawing)
            assert len(line.split()) == 6
    assert "limit 16" in points
    page = Words(answer.text).text
    assert "Game Ana A Ben B Cleo C Dan D 1 0 +6 −6 0 2 +2 +8 −4 −8 3 +22 −8 −14 −2 4 +24 −9 −16 +1" in page
    assert "Round Ana A Ben B Cleo C Dan D 1 0 0 3 0 2 0 0 3 8 3 4 0 3 8 4 4 0 13 8 5 4 0 16 8" in page


def test_carried_chips_are_shown(anybody: FlaskClient) -> None:
    page = words(anybody.get(f"{seated(anybody, CARRIED)}/evening"))
    assert "D Dan puts in the middle 2 Dan is at −8, the middle at +2" in page
    assert "In the pot or carried over: 2" in page
    assert "Chips after each round" in page


def test_forfeits_owed_are_listed(anybody: FlaskClient) -> None:
    table = seated(anybody, 'game pairs cards=no limit=5 forfeit="one song",score Dan 7')
    page = words(anybody.get(f"{table}/evening"))
    assert "Nobody owes anybody chips." not in page  # no chips are played
    assert "Forfeits owed D Dan one song 1 Pairs" in page
    assert "Forfeits owed\n  Dan: one song (1 Pairs)\n" in anybody.get(f"{table}/evening.txt").text


@pytest.mark.parametrize("entries", ["game pairs", "game pairs,7", "game rocket", "game port,sit Eve,leave Ana"])
def test_an_evening_that_has_hardly_begun(anybody: FlaskClient, entries: str) -> None:
    page = words(anybody.get(f"{seated(anybody, entries)}/evening"))
    count = 0 if entries.count(",") == 0 or "sit" in entries else 1
    assert f"The evening {count} game" in page
    for nothing in ("Nobody owes", "Ledger", "By player", "What a chip is worth", "CSV"):
        assert nothing not in page


def test_eight_people_with_one_who_left(anybody: FlaskClient) -> None:
    names = "Ana Ben Cleo Dan Eve Finn Gus Hana"
    table = seated(
        anybody, "game pairs stakes=portland cards=no,score Ana 3,leave Ana,sit Ida,score Ben 10,score Ben 1", names
    )
    answer = anybody.get(f"{table}/evening")
    page = words(answer)
    assert "A Ana" in page
    assert "Ledger" not in page  # one game: the players' sums say it all
    assert len(re.findall(r"<g class=\"s[1-8]\">", answer.text)) == 2 * 9


# -- the value of a chip


def test_money_is_shown_beside_chips_and_remembered(anybody: FlaskClient, night: str) -> None:
    page = words(anybody.post(f"{night}/evening", data={"worth": "0.50", "currency": "€"}, follow_redirects=True))
    assert "5 games · a chip is worth €0.50" in page
    assert "C Cleo pays D Dan 20 €10.00" in page
    assert "B Ben pays D Dan 2 €1.00" in page
    assert "C Cleo −€10.00" in page
    # A GET changes nothing: a link from somebody else cannot set the value of a chip on this phone.
    assert "€0.50" in words(anybody.get(f"{night}/evening?worth=9&currency=$"))
    assert "€0.50" in words(anybody.get(f"{night}/evening"))
    # The session keeps it for other pages too: game by game, and as text.
    assert "C Cleo pays B Ben 6 €3.00" in words(anybody.get(f"{night}/evening?by=game"))
    assert "  Ben pays Ana 15 (€7.50)\n" in anybody.get(f"{night}/evening.txt").text
    # With an empty field, only chips are shown again.
    assert "€" not in words(anybody.post(f"{night}/evening", data={"worth": ""}, follow_redirects=True))
    assert "€" not in words(anybody.get(f"{night}/evening"))


@pytest.mark.parametrize(
    ("worth", "currency", "cents", "sign"),
    [
        ("0.50", "€", 50, "€"),
        ("0,5", "$", 50, "$"),
        (" 2 ", "CHF", 200, "CHF"),
        ("1000", "", 100_000, "€"),
        ("0.01", "kr", 1, "kr"),
        ("", "£", 0, "£"),
    ],
)
def test_worth_is_read(worth: str, currency: str, cents: int, sign: str) -> None:
    assert read_worth(worth, currency) == Worth(cents, sign)


@pytest.mark.parametrize(
    ("worth", "currency"),
    [
        ("0", "€"),
        ("0.00", "€"),
        ("-1", "€"),
        ("+1", "€"),
        ("1000.01", "€"),
        ("99999", "€"),
        ("0.505", "€"),
        ("1e2", "€"),
        ("nan", "€"),
        (".5", "€"),
        ("١", "€"),
        ("1 000", "€"),
        ("1", "<b>"),
        ("1", "EUROS"),
        ("1", "€\u202e"),
        ("1", "5"),
    ],
)
def test_worth_is_read_strictly(anybody: FlaskClient, worth: str, currency: str) -> None:
    assert read_worth(worth, currency) is None
    table = seated(anybody, CARRIED)
    answer = anybody.post(f"{table}/evening", data={"worth": worth, "currency": currency})
    assert answer.status_code == 422
    assert "at most 1000" in Words(answer.text).text
    assert "· a chip is worth" not in words(anybody.get(f"{table}/evening"))


def test_money_is_written_out() -> None:
    assert Worth(50, "€").money(5) == "€2.50"
    assert Worth(5, "CHF").money(1) == "CHF 0.05"
    assert Worth(50, "€").signed(-3) == "−€1.50"
    assert Worth(50, "€").signed(3) == "+€1.50"
    assert Worth().money(3) == Worth().signed(3) == ""


# -- files


def test_the_text_to_share(anybody: FlaskClient, night: str) -> None:
    answer = anybody.get(f"{night}/evening.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert "Content-Disposition" not in answer.headers
    title, day, rest = answer.text.split("\n", 2)
    assert title == "The evening: 5 games"
    assert re.fullmatch(r"\d+ \w+ \d{4}", day)
    assert rest == (
        "\n"
        "Who pays whom\n"
        "  Cleo pays Dan 20\n"
        "  Ben pays Dan 2\n"
        "  Ben pays Ana 15\n\n"
        "Ledger\n"
        "  1 Pairs · Tacoma: Ana 0, Ben +6, Cleo −6, Dan 0, the middle 0\n"
        "  2 Blackstone: Ana +2, Ben +2, Cleo +2, Dan −8, the middle +2\n"
        "  3 Rocket: Ana +20, Ben −16, Cleo −10, Dan +6, the middle 0\n"
        "  4 Starboard: Ana +2, Ben −1, Cleo −2, Dan +3, the middle −2\n"
        "  5 Hawthorn: Ana −9, Ben −8, Cleo −4, Dan +21, the middle 0\n"
        "  Won or lost: Ana +15, Ben −17, Cleo −20, Dan +22, the middle 0\n"
        "  Bought in: Ana 20, Ben 20, Cleo 20, Dan 20, the middle 0\n"
        "  Cashed out: Ana 0, Ben 3, Cleo 0, Dan 0, the middle 0\n"
        "  Chips now: Ana 35, Ben 0, Cleo 0, Dan 42, the middle 0\n"
    )
    assert "5 Hawthorn\n  Ana pays Dan 9\n" in anybody.get(f"{night}/evening.txt?by=game").text


def read_csv(answer: TestResponse) -> list[list[str]]:
    assert answer.status_code == 200
    assert answer.content_type == "text/csv; charset=utf-8"
    assert re.fullmatch(r'attachment; filename="fifty-five-[\w-]{6}\.csv"', answer.headers["Content-Disposition"])
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"), newline="")))


def test_the_csv_has_every_payment(anybody: FlaskClient, night: str) -> None:
    head, *rows = read_csv(anybody.get(f"{night}/evening.csv"))
    assert head == ["game", "round", "entry", "who", "whom", "chips", "why"]
    assert rows[0] == ["1", "5", "44", "Cleo", ":pot", "6", "stakes: Tacoma"]
    assert [row[3:] for row in rows if row[0] == "3"] == [
        ["Ben", "Ana", "16", "a pair of 8s"],
        ["Cleo", "Ana", "10", "folded at 5"],
        ["Ana", "Dan", "6", "the dealer’s 3"],
    ]
    sums = dict.fromkeys(("Ana", "Ben", "Cleo", "Dan"), 0)
    for _game, _round, _entry, who, whom, chips, _why in rows:
        for name, amount in ((who, -int(chips)), (whom, int(chips))):
            if name in sums:
                sums[name] += amount
    assert sums == {"Ana": 35, "Ben": 0, "Cleo": 0, "Dan": 42}


def test_the_csv_is_entirely_in_the_language_of_the_reader(anybody: FlaskClient) -> None:
    table = seated(anybody, "game blackstone,buy Ana 100,4,5,10", "Ana Ben Cleo")
    head, *rows = read_csv(anybody.get(f"{table}/evening.csv", headers={"Accept-Language": "fr"}))
    assert head == ["partie", "manche", "saisie", "qui", "à qui", "jetons", "pourquoi"]
    assert [row[3:] for row in rows] == [
        [":banque", "Ana", "100", "acheté à la banque"],
        ["Ana", ":ante", "5", "ante"],
        ["Ben", ":ante", "5", "ante"],
        ["Cleo", ":ante", "5", "ante"],
    ]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "  Ana puts 1 in the middle\n  Ben puts 1 in the middle\n"),
        ("fr", "  Ana met 1 au milieu\n  Ben met 1 au milieu\n"),
    ],
)
def test_chips_put_in_the_middle_have_their_own_sentence(anybody: FlaskClient, language: str, sentence: str) -> None:
    """In French, “paie à” plus “le milieu” would be wrong grammar."""
    table = seated(anybody, "game starboard,4,9", "Ana Ben")
    assert sentence in anybody.get(f"{table}/evening.txt", headers={"Accept-Language": language}).text


def test_a_name_never_becomes_a_formula_or_markup(anybody: FlaskClient) -> None:
    seats = '=1+1 +49 -2 @me "<b>x" "＝cmd" \'q'
    table = seated(anybody, 'game starboard,pay =1+1 +49 3,pay -2 @me 4,pay <b>x "＝cmd" 5,pay \'q =1+1 6', seats)
    rows = read_csv(anybody.get(f"{table}/evening.csv"))[1:]
    assert [row[3:6] for row in rows] == [
        ["'=1+1", "'+49", "3"],
        ["'-2", "'@me", "4"],
        ["<b>x", "'＝cmd", "5"],
        ["'q", "'=1+1", "6"],
    ]
    page = anybody.get(f"{table}/evening").text
    assert "<b>x" not in page
    assert "&lt;b&gt;x" in page
    assert "<b>x pays" in anybody.get(f"{table}/evening.txt").text


@pytest.mark.parametrize("page", ["evening", "evening.txt", "evening.csv", "payments"])
def test_the_evening_of_an_unknown_table_is_404(anybody: FlaskClient, page: str) -> None:
    assert anybody.get(f"/t/nothing-here/{page}").status_code == 404


# -- charts


def test_the_axis_covers_all_values_with_a_few_round_numbers() -> None:
    assert axis(-12, 15) == [-15, -10, -5, 0, 5, 10, 15]
    assert axis(0, 16) == [0, 5, 10, 15, 20]
    assert axis(0, 0) == [0, 1]
    assert axis(-7, 0) == [-8, -6, -4, -2, 0]
    for least, most in ((-999_999, 999_999), (-1, 1), (0, 61), (-3, 500)):
        levels = axis(least, most)
        assert 0 in levels
        assert levels[0] <= least < most <= levels[-1]
        assert 2 <= len(levels) <= 7


def test_labels_at_the_ends_do_not_cover_each_other() -> None:
    assert spread([50, 50, 50], 14, 146) == [50, 64, 78]
    assert spread([146, 20, 145], 14, 146) == [146, 20, 132]
    for heights in ([146] * 8, [14] * 8, [14, 15, 80, 81, 82, 145, 146, 146]):
        moved = sorted(spread(heights, 14, 146))
        assert all(after - before >= 14 for before, after in zip(moved, moved[1:], strict=False))
        assert moved[0] >= 14
        assert moved[-1] <= 146


def version_of(answer: TestResponse) -> dict[str, str]:
    """The version that the forms of a page carry."""
    found = re.search(r'name="version" value="(\d+)"', answer.text)
    assert found
    return {"version": found[1]}


@pytest.fixture
def dealt_night(anybody: FlaskClient) -> str:
    """The night, at which this phone deals."""
    return str(anybody.post("/import", data={"record": NIGHT}).headers["Location"])


def test_the_dealer_names_the_evening(anybody: FlaskClient, dealt_night: str) -> None:
    night = dealt_night
    form = version_of(anybody.get(f"{night}/evening"))
    answer = anybody.post(f"{night}/evening/enter", data={**form, "title": ' The "Anchor" '})
    assert answer.status_code == 422
    assert "The text cannot contain double quotes" in answer.text
    answer = anybody.post(f"{night}/evening/enter", data={**form, "title": " The Anchor "}, follow_redirects=True)
    assert words(answer).strip().startswith("The Anchor")
    assert anybody.get(f"{night}/evening.txt").text.startswith("The Anchor: 5 games")
    assert 'title "The Anchor"' in anybody.get(f"{night}/record").text


def test_the_evening_is_settled_and_it_can_be_undone(anybody: FlaskClient, dealt_night: str) -> None:
    night = dealt_night
    before = anybody.get(f"{night}/evening")
    answer = anybody.post(
        f"{night}/evening/enter", data={**version_of(before), "what": "settled"}, follow_redirects=True
    )
    assert "Nobody owes anybody chips. Settled up in game 5, round 1." in words(answer)
    assert "Won or lost 0 0 0 0" in words(answer)
    assert "Settled before +15 −17 −20 +22" in words(answer)
    assert "Nobody owes anybody chips." in anybody.get(f"{night}/evening.txt").text
    answer = anybody.post(f"{night}/evening/enter", data={**version_of(answer), "what": "undo"}, follow_redirects=True)
    assert words(answer) == words(before)


def test_a_settled_evening_of_one_game_says_what_was_won(anybody: FlaskClient) -> None:
    """Ana locks, and Ben draws a pair: the pot of 3 is hers, and she put in 1."""
    table = seated(anybody, "game starboard,4,9,lock,9", "Ana Ben")
    assert "Ben −2" in words(anybody.get(f"{table}/evening"))
    settled = seated(anybody, "game starboard,4,9,lock,9,settled", "Ana Ben")
    assert "Settled before +2 −2" in words(anybody.get(f"{settled}/evening"))


def test_forfeits_of_earlier_pages_are_still_owed(anybody: FlaskClient) -> None:
    """Ten games are lost, and a page of the evening shows eight."""
    lost = ",".join(f'game pairs limit=1 cards=no forfeit="song {number}",score Ana 1' for number in range(1, 11))
    table = seated(anybody, lost)
    for page in ("evening", "evening.txt"):
        text = anybody.get(f"{table}/{page}").text
        assert [number for number in range(1, 11) if f"song {number}" not in text] == [], page


def test_the_evening_says_who_won_each_game(anybody: FlaskClient) -> None:
    """Ana goes beyond 21 in Lucky Day; Dan has 21 in Port, and is called Dora later. Pairs has a loser only."""
    lucky = "game lucky cards=no,score Ben 8,score Cleo 8,score Ana 10,score Ana 10,score Ana 2"
    port = "game port cards=no,score Dan 21"
    table = seated(anybody, f"{lucky},{port},game pairs limit=3 cards=no,score Ben 3,rename Dan Dora")
    assert "Games won 1 Lucky Day Ben and Cleo win 2 Port Dora wins" in words(anybody.get(f"{table}/evening"))
    text = anybody.get(f"{table}/evening.txt").text
    assert "Games won\n  1 Lucky Day: Ben and Cleo win\n  2 Port: Dora wins\n\nLedger" in text


def test_an_evening_without_a_winner_does_not_speak_of_them(anybody: FlaskClient, night: str) -> None:
    unfinished = seated(anybody, "game lucky,4,7,9,8")
    for table in (night, unfinished):
        assert "Games won" not in anybody.get(f"{table}/evening").text
        assert "Games won" not in anybody.get(f"{table}/evening.txt").text
