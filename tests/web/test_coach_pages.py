"""The coach on the pages: its line on the board, the sheet that says why."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, current_thread, main_thread
from time import monotonic, sleep

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.coach import Advice, advise, judging, report
from companion.engine.game import AnyGame
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.table.table import Table
from companion.web import coaching, create_app, lane
from companion.web.games import board
from companion.web.screens.coach import coach_sheet
from tests.coach.walks import evening
from tests.markup import on_one_line

SEATS = ("Ana", "Ben", "Cleo")
ENTRIES = ("5", "8", "9")  # Ana is to act
FRAGMENT = {"HX-Request": "true"}
FRENCH = {**FRAGMENT, "Accept-Language": "fr"}


@pytest.fixture
def app() -> Flask:
    return create_app(MemoryStore(), {"SECRET_KEY": "x"})


class Phones:
    """A table with its dealer's phone, and phones that watch."""

    def __init__(self, app: Flask, record: str) -> None:
        self.app = app
        self.dealer = app.test_client()
        self.at = self.dealer.post("/import", data={"record": record}).headers["Location"]

    def watcher(self, me: str = "") -> FlaskClient:
        phone = self.app.test_client()
        if me:
            assert phone.post(f"{self.at}/me", data={"me": me}).status_code == 303
        return phone

    def board(self, phone: FlaskClient | None = None) -> str:
        return (phone or self.dealer).get(self.at, headers=FRAGMENT).text

    def line(
        self, phone: FlaskClient | None = None, version: str = "", headers: dict[str, str] = FRAGMENT
    ) -> TestResponse:
        asked = version or self.version()
        return (phone or self.dealer).get(f"{self.at}/coach?version={asked}", headers=headers)

    def version(self) -> str:
        found = re.search(r'data-version="(\d+)"', self.board())
        assert found
        return found[1]


def open_at(
    app: Flask, options: str = "", entries: tuple[str, ...] = ENTRIES, seats: tuple[str, ...] = SEATS
) -> Phones:
    lines = ("fifty-five 1", f"seats {' '.join(seats)}", options or "game pairs", *entries)
    return Phones(app, "\n".join(lines) + "\n")


def asks(board: str) -> str:
    """How a board asks the coach."""
    by_itself = re.search(r'<p class="do" hx-get="[^"]*/coach\?version=\d+" hx-trigger="load', board)
    return "all" if by_itself else "ask" if 'class="btn bare ask"' in board else ""


# -- the line on the board


def test_a_button_asks_for_the_line(app: Flask) -> None:
    table = open_at(app)
    assert asks(table.board()) == "ask"
    line = table.line()
    assert line.status_code == 200
    assert f'data-version="{table.version()}"' in line.text
    assert '<b class="better">Draw</b>: 32% to lose the game. Fold: 47%.' in line.text
    assert f'hx-get="{table.at}/coach/why"' in line.text


@pytest.mark.parametrize("option", ["ask", "all"])
def test_it_may_take_longer_than_a_tap(app: Flask, option: str) -> None:
    """The board gives up after five seconds; three players of Blackstone take the coach longer on a slow machine."""
    asking = re.search(r'hx-get="[^"]*/coach[?"].*', open_at(app, f"game pairs coach={option}").board())
    assert asking
    assert "hx-request='\"timeout\":50000'" in asking[0]


def test_it_comes_by_itself_where_the_game_shows_it_to_all(app: Flask) -> None:
    table = open_at(app, "game pairs coach=all")
    assert asks(table.board()) == "all"
    assert "Fold: 47%" in table.line().text


def test_an_answer_for_an_old_board_is_dropped(app: Flask) -> None:
    table = open_at(app)
    old = table.version()
    assert table.dealer.post(f"{table.at}/enter", data={"entry": "7", "version": old}).status_code == 303
    answer = table.line(version=old)
    assert (answer.status_code, answer.data) == (204, b"")
    assert table.line().status_code == 200


def test_about_equal_choices_have_no_frame(app: Flask) -> None:
    entries = ["points Ana 6", "points Ben 8", "2", "9", "5", "10", "7", "8", "6", "4", "3", "9", "6", "10"]
    table = open_at(app, "game pairs", tuple(entries), ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay"))
    line = table.line().text
    assert "About equal: 34%." in line
    assert "better" not in line


@pytest.mark.parametrize("options", ["coach=off", "odds=off", "odds=after", "calamities=yes", "eights=yes", "cards=no"])
def test_there_is_nothing_where_the_table_hides_it_or_nobody_can_tell(app: Flask, options: str) -> None:
    entries = () if options == "cards=no" else ENTRIES
    table = open_at(app, f"game pairs {options}", entries)
    assert asks(table.board()) == ""
    assert table.line().status_code == 204
    assert "Nothing to say now" in table.dealer.get(f"{table.at}/coach/why").text


def test_a_slow_answer_is_worked_out_only_when_asked_for(app: Flask) -> None:
    dealt = ("4", "7", "9")
    assert asks(open_at(app, "game blackstone coach=all", dealt).board()) == "ask"
    assert asks(open_at(app, "game blackstone coach=all", dealt[:2], SEATS[:2]).board()) == "all"


@pytest.mark.parametrize("game", GAMES)
def test_a_board_asks_exactly_where_there_is_an_answer(app: Flask, game: str) -> None:
    """Whoever presses the button gets a line, and no position with an answer is without the button."""
    table = evening(game, 3, 60, seed=1)
    before = Table.open(GAMES, SEATS, [f"game {game}"])
    answers = set()
    with app.test_request_context():
        for step in table.steps()[1:]:
            before = before.enter([step.entry])
            has_answer = advise(GAMES[before.state.game], before.state) is not None
            assert bool(board(before, "x", dealer=True).coach) == has_answer, before.record()
            answers.add(has_answer)
    assert answers == {True, False}


# -- who sees it


def test_a_watcher_sees_only_his_own(app: Flask) -> None:
    table = open_at(app)
    ana, ben = table.watcher("Ana"), table.watcher("Ben")
    assert asks(table.board(ana)) == "ask"
    assert "Fold: 47%" in table.line(ana).text
    assert asks(table.board(ben)) == ""
    assert table.line(ben).status_code == 204
    assert "Nothing to say now" in ben.get(f"{table.at}/coach/why").text


def test_a_watcher_without_a_seat_sees_nothing_unless_it_is_shown_to_all(app: Flask) -> None:
    table = open_at(app)
    assert asks(table.board(table.watcher())) == ""
    assert table.line(table.watcher()).status_code == 204
    shown = open_at(app, "game pairs coach=all")
    assert asks(shown.board(shown.watcher())) == "all"
    assert shown.line(shown.watcher()).status_code == 200
    assert asks(shown.board(shown.watcher("Ben"))) == ""


# -- why


def test_the_sheet_has_the_numbers_and_where_they_come_from(app: Flask) -> None:
    table = open_at(app, "game blackstone", ("4", "7"), SEATS[:2])
    sheet = on_one_line(table.dealer.get(f"{table.at}/coach/why", headers=FRAGMENT).text)
    assert sheet.startswith("<main")
    rows = re.findall(
        r'<th scope="row">\s*(?:<b class="better">)?([^<]*?)(?:</b>)?\s*</th>.*?<b class="k">([^<]*)<', sheet
    )
    assert [name for name, _value in rows] == [*(f"Take {count}" for count in range(1, 10)), "Pass"]
    assert dict(rows)["Take 1"] == "−0.7"
    assert dict(rows)["Pass"] == "−6"
    assert sheet.count('<tr class="here">') == 1
    assert "Worked out exactly, assuming that everyone plays as well as possible." in sheet
    assert "0% risk of a second black" in sheet
    assert "A larger take can be worth more: the next player must then take at least as many." in sheet
    assert "your ante included" in sheet, "the pass costs it, too"
    assert f'/rules?table={table.at.split("/")[-1]}#coach"' in sheet
    assert 'id="coach"' in table.dealer.get("/rules").text


def test_with_four_in_the_sheet_says_what_it_does_not_judge(app: Flask) -> None:
    table = open_at(app, "game blackstone", ("4", "7", "8", "9"), (*SEATS, "Dan"))
    sheet = table.dealer.get(f"{table.at}/coach/why", headers=FRAGMENT).text
    assert "With four players in or more, larger takes are not judged." in sheet
    assert "A larger take can be worth more" not in sheet


def test_the_sheet_says_why_the_board_has_another_figure(app: Flask) -> None:
    beside = "On the board, ≈ is the next card alone."
    pairs = open_at(app)
    assert beside in pairs.dealer.get(f"{pairs.at}/coach/why", headers=FRAGMENT).text
    stones = open_at(app, "game blackstone", ("4", "7"), SEATS[:2])
    assert beside not in stones.dealer.get(f"{stones.at}/coach/why", headers=FRAGMENT).text


def test_without_javascript_the_button_leads_to_the_same_numbers(app: Flask) -> None:
    table = open_at(app)
    assert f'class="btn bare ask" href="{table.at}/coach/why"' in table.board()
    page = table.dealer.get(f"{table.at}/coach", follow_redirects=True)
    assert "<html" in page.text
    assert "Estimate, give or take 2 percentage points" in page.text


def test_in_rocket_it_speaks_of_chips() -> None:
    """Ben, bet 50, holds 7 against a dealer's 1: folding costs 5 x 1 of the chips that lie beside it."""
    table = Table.open(GAMES, ("Ana", "Ben"), ["game rocket bet=50", "7", "1"])
    advice = advise(table.games["rocket"], table.state)
    assert advice is not None
    sheet = coach_sheet(table, "x", True, advice)
    assert sheet.line is not None
    assert sheet.line.better + sheet.line.rest == "Fold: −5 chips. Draw: −6.5."
    assert [(row.name, row.value) for row in sheet.rows] == [("Draw", "−6.5"), ("Fold", "−5")]


def test_it_speaks_french(app: Flask) -> None:
    table = open_at(app)
    line = table.line(headers=FRENCH).text
    assert '<b class="better">Piocher</b>\u202f: 32\u202f% de risque de perdre la partie.' in line
    sheet = table.dealer.get(f"{table.at}/coach/why", headers=FRENCH).text
    assert "Le risque de perdre toute la partie" in sheet


# -- what it costs


def test_a_board_grows_by_no_more_than_256_bytes(app: Flask) -> None:
    plain = len(open_at(app, "game pairs coach=off").board())
    for option in ("ask", "all"):
        assert len(open_at(app, f"game pairs coach={option}").board()) - plain <= 256


def test_a_tap_never_asks_the_coach(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_at(app, "game pairs coach=all")

    def refuse(*_args: object) -> None:
        raise AssertionError("a tap waited for the coach")

    monkeypatch.setattr("companion.web.coaching.advise", refuse)
    answer = table.dealer.post(f"{table.at}/enter", data={"entry": "7", "version": table.version()}, headers=FRAGMENT)
    assert answer.status_code == 200
    assert asks(answer.text) == "all"


# -- luck and skill


def played(app: Flask, game: str, entries: int, seed: int = 3, options: str = "") -> Phones:
    return Phones(app, evening(game, 3, entries, seed, options).record())


def judged(table: Phones, headers: dict[str, str] = FRAGMENT) -> str:
    """The page of luck, asked for until it is finished."""
    for _request in range(400):
        page = table.dealer.get(f"{table.at}/luck", headers=headers).text
        if "hx-trigger" not in page:
            return page
    raise AssertionError("it is never finished")


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock takes ten milliseconds."""
    ticks = itertools.count()
    monkeypatch.setattr(coaching, "process_time", lambda: next(ticks) / 100)


@pytest.mark.usefixtures("slow_clock")
def test_each_request_judges_a_little_more(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = played(app, "pairs", 150, seed=7)
    asked: list[int] = []
    reckon = judging.reckon
    monkeypatch.setattr(judging, "reckon", lambda *position: asked.append(1) or reckon(*position))
    first = on_one_line(table.dealer.get(f"{table.at}/luck").text)
    assert 0 < len(asked) <= 6, "no request waits for a whole game"
    total = int(first.split(" max=")[1].split('"')[1])
    assert f"Judging the games: 0 of {total}" in first
    assert f'hx-get="{table.at}/luck" hx-trigger="load"' in first
    assert f'href="{table.at}/luck">Go on</a>' in first
    assert f'<progress class="bar-to" aria-label="Judging the games" value="0" max="{total}">' in first
    last = judged(table)
    assert last.startswith("<main")
    assert "<progress" not in last
    decisions = len(asked)
    assert "<progress" not in table.dealer.get(f"{table.at}/luck").text
    assert len(asked) == decisions, "nothing is judged twice"


@pytest.mark.usefixtures("slow_clock")
def test_the_api_says_how_much_of_a_long_table_is_judged(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = played(app, "pairs", 150, seed=8)
    address = f"/api/tables/{table.at.split('/')[-1]}/luck"
    monkeypatch.setattr(coaching, "AT_ONCE", 0.4)
    first = table.dealer.get(address)
    assert first.json["judged"] == len(first.json["games"]) < first.json["total"]
    assert "ETag" not in first.headers, "the next answer says more"
    for _request in range(9):
        last = table.dealer.get(address)
    assert "judged" not in last.json
    assert len(last.json["games"]) == first.json["total"]
    assert "ETag" in last.headers


def test_one_request_at_a_time_judges_and_lets_others_breathe(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any number of visitors who ask for luck take one thread's share of the processor, and taps come between."""
    table = played(app, "pairs", 60, seed=7)
    address = f"/api/tables/{table.at.split('/')[-1]}/luck"
    watcher = app.test_client()
    breaths: list[int] = []

    def breathe() -> None:
        breaths.append(1)
        if len(breaths) > 1:
            return
        page = on_one_line(watcher.get(f"{table.at}/luck").text)
        assert f'hx-get="{table.at}/luck" hx-trigger="load delay:1s"' in page
        other = watcher.get(address).json
        assert (other["judged"], other["games"], other["total"]) == (0, [], 1)
        assert len(breaths) == 1, "somebody else was judging"

    monkeypatch.setattr(coaching, "breathe", breathe)
    found = table.dealer.get(address).json
    assert len(found["games"]) == 1
    (log,) = judging.game_logs(Table.from_record(GAMES, table.dealer.get(f"{table.at}/record").text))
    assert len(breaths) == len(log.entries) - 1, "after every entry that is judged"
    assert 'hx-trigger="load' not in watcher.get(f"{table.at}/luck").text


@pytest.mark.parametrize(("game", "entries", "scale"), [("pairs", 150, 100), ("blackstone", 60, 1), ("rocket", 40, 1)])
def test_the_figures_are_those_of_the_api_and_add_up(app: Flask, game: str, entries: int, scale: int) -> None:
    table = played(app, game, entries)
    page = judged(table)
    told = table.dealer.get(f"/api/tables/{table.at.split('/')[-1]}/luck").json["games"]
    results: dict[str, float] = {}
    for each in told:
        for name, account in each["seats"].items():
            results[name] = results.get(name, 0.0) + scale * account["result"]
    people = re.findall(r'<div class="causes.*?</div>', page, re.DOTALL)
    assert len(people) == 3
    for person, (name, result) in zip(people, results.items(), strict=True):
        assert f"<bdi>{name}</bdi>" in person
        *causes, last = (float(text.replace("−", "-")) for text in re.findall(r"<td>([−+.\d]+)</td>", person))
        assert last == pytest.approx(result, abs=0.5 if scale == 100 else 0.05)
        assert sum(causes) == pytest.approx(last, abs=1e-6)


def test_what_stood_out_leads_to_its_place_in_the_history(app: Flask) -> None:
    table = played(app, "pairs", 150)
    page = judged(table)
    told = table.dealer.get(f"/api/tables/{table.at.split('/')[-1]}/luck").json
    for moment in (told["dearest"]["lose"], told["luckiest"]["lose"], told["unluckiest"]["lose"], *told["beats"]):
        line = f"{table.at}/history?at={moment['n']}#e{moment['n']}"
        assert f'href="{line}"' in page
        place = table.dealer.get(line).text
        assert re.search(rf'<li id="e{moment["n"]}" class="[^"]*shown', place)
        assert 'class="panel repair"' not in place, "who wants to look is not asked to repair"
    assert "Costliest decision" in page


def test_each_game_tells_what_stood_out_in_it(app: Flask) -> None:
    table = played(app, "pairs", 150)
    games = re.findall(r'<details class="account told">.*?</details>', judged(table), re.DOTALL)
    logs = list(judging.game_logs(Table.from_record(GAMES, table.dealer.get(f"{table.at}/record").text)))
    assert len(games) == len(logs) == 2
    for shown, log in zip(games, logs, strict=True):
        told = report([(log, log.judge())])
        moments = (told["luckiest"]["lose"], told["unluckiest"]["lose"])
        for moment in moments:
            assert f'href="{table.at}/history?at={moment["n"]}#e{moment["n"]}"' in shown
        numbers = {int(number) for number in re.findall(r"history\?at=(\d+)", shown)}
        assert numbers <= set(range(log.first, log.first + len(log.entries)))


def test_a_round_that_ends_without_a_card_names_no_card(app: Flask) -> None:
    """Ana takes a white stone, Ben and Cleo pass: the pot goes to Ana."""
    table = open_at(app, "game blackstone", ("4", "7", "9", "take 1", "white", "pass", "pass"))
    page = judged(table)
    assert "Luckiest round" in page
    assert "Luckiest card" not in page


def test_it_says_how_little_an_evening_proves(app: Flask) -> None:
    """Two games of three: 0.43 times the root of 2 is 0.61."""
    assert "in 2 games luck alone moves a player by about 61 points" in judged(played(app, "pairs", 150))


def test_luck_is_linked_from_the_evening_and_the_end_of_a_game(app: Flask) -> None:
    over = open_at(app, "game pairs limit=5", ("4", "9", "8", "7", "fold", "2", "6", "8", "9", "6"))
    link = f'href="{over.at}/luck"'
    assert link in over.board()
    assert link in over.dealer.get(f"{over.at}/evening").text
    hidden = open_at(app, "game pairs limit=5 coach=off", ("4", "9", "8", "7", "fold", "2", "6", "8", "9", "6"))
    assert "/luck" not in hidden.board()
    assert "/luck" not in hidden.dealer.get(f"{hidden.at}/evening").text
    assert "This table hides" in hidden.dealer.get(f"{hidden.at}/luck").text


def test_with_no_finished_game_it_says_so(app: Flask) -> None:
    table = open_at(app)
    assert "No finished game to judge yet" in table.dealer.get(f"{table.at}/luck").text


def test_luck_speaks_french(app: Flask) -> None:
    page = judged(played(app, "pairs", 150), FRENCH)
    assert "Chance et choix" in page
    assert "Erreurs des autres" in page
    assert "Une soirée prouve peu" in page


# -- many ask at once


def test_who_asks_the_coach_leaves_threads_for_others(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is worked for and one waits; whoever comes then is asked to come again, and everything else goes on."""
    table, other = open_at(app), open_at(app)
    begun, go_on = Event(), Event()

    def think(game: AnyGame, state: AnyState) -> Advice | None:
        begun.set()
        assert go_on.wait(60)
        return advise(game, state)

    def wait(seconds: float) -> None:
        assert current_thread() is not main_thread(), "whoever waits now holds one thread more"
        sleep(seconds)

    monkeypatch.setattr(coaching, "advise", think)
    monkeypatch.setattr(lane, "sleep", wait)
    with ThreadPoolExecutor(coaching.MOST_ASKING) as pool:
        try:
            asked = [pool.submit(table.line) for _ in range(coaching.MOST_ASKING)]
            assert begun.wait(60)
            wait_until(lambda: len(app.extensions["coaching"].asking.inside) == coaching.MOST_ASKING)
            later = other.line()
            assert f'hx-get="{other.at}/coach?version={other.version()}" hx-trigger="load delay:1s"' in on_one_line(
                later.text
            )
            sheet = on_one_line(other.dealer.get(f"{other.at}/coach/why", headers=FRENCH).text)
            assert "On calcule des conseils pour d’autres tables" in sheet
            assert f'hx-get="{other.at}/coach/why" hx-trigger="load delay:1s"' in sheet
            told = app.test_client().get(f"/api{other.at.replace('/t/', '/tables/')}/coach")
            assert (told.status_code, told.json["error"], told.headers["Retry-After"]) == (503, "busy", "1")
            assert told.json["message"] == "The coach is busy with other tables: ask again in a moment."
            luck = other.dealer.get(f"{other.at}/luck")
            assert luck.status_code == 200
            tap = {"entry": "fold", "version": other.version(), "id": "a tap"}
            assert other.dealer.post(f"{other.at}/enter", data=tap, headers=FRAGMENT).status_code == 200
        finally:
            go_on.set()
        assert {one.result().text for one in asked} == {table.line().text}
    assert "Draw" in table.line().text


def wait_until(true: Callable[[], bool]) -> None:
    ends = monotonic() + 60
    while not true():
        assert monotonic() < ends, "it did not happen"
        sleep(0.01)


# -- best play on a card


def test_the_cards_are_in_the_page(app: Flask) -> None:
    """They cost next to nothing, and are read without a signal, too."""
    phone = app.test_client()
    rocket = on_one_line(phone.get("/lookup/rocket").text)
    assert '<td><b class="k">1</b></td><td>7, 8, 9 and 10</td>' in rocket
    assert '<td><b class="k">2</b></td><td>8, 9 and 10</td>' in rocket
    assert '<tr><td><b class="k">1</b></td><td>2.08%</td><td>4.21%</td></tr>' in rocket
    assert "<td>3.38%</td><td>5.31%</td>" in rocket
    stones = on_one_line(phone.get("/lookup/blackstone").text)
    assert '<td>0–3</td><td><b class="k">9</b></td>' in stones
    assert '<td>38–45</td><td><b class="k">pass</b></td>' in stones
    pairs = on_one_line(phone.get("/lookup/pairs").text)
    assert "<td>7–10</td><td>8</td><td>10</td><td>17</td><td>18</td><td>23</td>" in pairs
    assert pairs.count(" players</h3>") == 7
