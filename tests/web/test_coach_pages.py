"""The coach on the pages: its line on the board, and the sheet that explains it."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.coach import advise, has_coach, judging, report
from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.table.table import Table
from companion.web import coaching, create_app
from companion.web.coach import coach_sheet
from companion.web.games import board_screen as board
from tests.coach.walks import evening
from tests.markup import on_one_line

from .conftest import waiting_room_full

SEATS = ("Ana", "Ben", "Cleo")
ENTRIES = ("5", "8", "9")  # it is Ana's turn
FRAGMENT = {"HX-Request": "true"}
FRENCH = {**FRAGMENT, "Accept-Language": "fr"}


@pytest.fixture
def app() -> Flask:
    return create_app(MemoryStore(), {"SECRET_KEY": "x"})


class CoachPhones:
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
) -> CoachPhones:
    lines = ("fifty-five 1", f"seats {' '.join(seats)}", options or "game pairs", *entries)
    return CoachPhones(app, "\n".join(lines) + "\n")


def asks(board: str) -> str:
    """How a board asks the coach: "all" by itself, "ask" by a button, "" not at all."""
    by_itself = re.search(r'<p class="do" hx-get="[^"]*/coach\?version=\d+" hx-trigger="load', board)
    return "all" if by_itself else "ask" if 'class="btn bare ask"' in board else ""


# -- the line on the board


def test_a_button_asks_for_the_line(app: Flask) -> None:
    table = open_at(app)
    assert asks(table.board()) == "ask"
    line = table.line()
    assert line.status_code == 200
    assert f'data-version="{table.version()}"' in line.text
    assert '<b class="better">Draw</b>: 32% risk of losing the game. Fold: 47%.' in line.text
    assert f'hx-get="{table.at}/coach/why"' in line.text


@pytest.mark.parametrize("option", ["ask", "all"])
def test_the_coach_may_take_longer_than_a_tap(app: Flask, option: str) -> None:
    """A tap times out after five seconds, but with three players of Blackstone a slow machine needs longer."""
    asking = re.search(
        r'hx-get="[^"]*/coach[?"].*?hx-request=\S+', open_at(app, f"game pairs coach={option}").board(), re.DOTALL
    )
    assert asking
    assert "hx-request='\"timeout\":50000'" in asking[0]


def test_the_line_loads_by_itself_if_the_game_shows_it_to_all(app: Flask) -> None:
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
def test_there_is_no_line_if_it_is_hidden_or_unknown(app: Flask, options: str) -> None:
    entries = () if options == "cards=no" else ENTRIES
    table = open_at(app, f"game pairs {options}", entries)
    assert asks(table.board()) == ""
    assert table.line().status_code == 204
    assert "No advice now" in table.dealer.get(f"{table.at}/coach/why").text


def test_a_slow_answer_is_worked_out_only_when_asked_for(app: Flask) -> None:
    dealt = ("4", "7", "9")
    assert asks(open_at(app, "game blackstone coach=all", dealt).board()) == "ask"
    assert asks(open_at(app, "game blackstone coach=all", dealt[:2], SEATS[:2]).board()) == "all"


@pytest.mark.parametrize("game", GAMES)
def test_a_board_asks_exactly_when_there_is_an_answer(app: Flask, game: str) -> None:
    """The button always brings a line, and every position with an answer has the button."""
    table = evening(game, 3, 60, seed=1)
    before = Table.open(GAMES, SEATS, [f"game {game}"])
    answers = set()
    with app.test_request_context("/t/x"):
        for step in table.steps()[1:]:
            before = before.enter([step.entry])
            has_answer = advise(GAMES[before.state.game], before.state) is not None
            assert bool(board(before, "x", dealer=True).coach) == has_answer, before.record()
            answers.add(has_answer)
    assert answers == ({True, False} if has_coach(game) else {False})


# -- which phones see the line


def test_a_watcher_sees_only_the_line_of_their_own_seat(app: Flask) -> None:
    table = open_at(app)
    ana, ben = table.watcher("Ana"), table.watcher("Ben")
    assert asks(table.board(ana)) == "ask"
    assert "Fold: 47%" in table.line(ana).text
    assert asks(table.board(ben)) == ""
    assert table.line(ben).status_code == 204
    assert "No advice now" in ben.get(f"{table.at}/coach/why").text


def test_a_watcher_without_a_seat_sees_the_line_only_if_shown_to_all(app: Flask) -> None:
    table = open_at(app)
    assert asks(table.board(table.watcher())) == ""
    assert table.line(table.watcher()).status_code == 204
    shown = open_at(app, "game pairs coach=all")
    assert asks(shown.board(shown.watcher())) == "all"
    assert shown.line(shown.watcher()).status_code == 200
    assert asks(shown.board(shown.watcher("Ben"))) == ""


# -- the sheet that explains the line


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


def test_with_four_players_the_sheet_says_what_it_does_not_judge(app: Flask) -> None:
    table = open_at(app, "game blackstone", ("4", "7", "8", "9"), (*SEATS, "Dan"))
    sheet = table.dealer.get(f"{table.at}/coach/why", headers=FRAGMENT).text
    assert "With four players in or more, larger takes are not analysed." in sheet
    assert "A larger take can be worth more" not in sheet


def test_the_sheet_says_why_the_board_shows_a_different_number(app: Flask) -> None:
    beside = "On the board, ≈ is the next card alone."
    pairs = open_at(app)
    assert beside in pairs.dealer.get(f"{pairs.at}/coach/why", headers=FRAGMENT).text
    stones = open_at(app, "game blackstone", ("4", "7"), SEATS[:2])
    assert beside not in stones.dealer.get(f"{stones.at}/coach/why", headers=FRAGMENT).text


def test_without_javascript_the_button_leads_to_the_same_numbers(app: Flask) -> None:
    table = open_at(app)
    assert f'class="btn bare ask" href="{table.at}/coach"' in table.board()
    page = table.dealer.get(f"{table.at}/coach", follow_redirects=True)
    assert "<html" in page.text
    assert "Estimate, give or take 2 percentage points" in page.text


def test_in_rocket_the_coach_counts_in_chips() -> None:
    """Ben bets 50 and holds a 7 against a dealer's 1: folding costs 5 chips, a tenth of the bet times 1."""
    table = Table.open(GAMES, ("Ana", "Ben"), ["game rocket bet=50", "7", "1"])
    advice = advise(table.games["rocket"], table.state)
    assert advice is not None
    sheet = coach_sheet(table, "x", True, advice)
    assert sheet.line is not None
    assert sheet.line.better + sheet.line.rest == "Fold: −5 chips. Draw: −6.5."
    assert [(row.name, row.value) for row in sheet.rows] == [("Draw", "−6.5"), ("Fold", "−5")]


def test_the_coach_is_translated_into_french(app: Flask) -> None:
    table = open_at(app)
    line = table.line(headers=FRENCH).text
    assert '<b class="better">Piocher</b>\u202f: 32\u202f% de risque de perdre la partie.' in line
    sheet = table.dealer.get(f"{table.at}/coach/why", headers=FRENCH).text
    assert "Le risque de perdre toute la partie" in sheet


# -- its cost in bytes and time


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


def played(app: Flask, game: str, entries: int, seed: int = 3, options: str = "") -> CoachPhones:
    return CoachPhones(app, evening(game, 3, entries, seed, options).record())


def judged(table: CoachPhones, headers: dict[str, str] = FRAGMENT) -> str:
    """The luck page, requested until it is finished."""
    for _request in range(400):
        page = table.dealer.get(f"{table.at}/luck", headers=headers).text
        if "hx-trigger" not in page:
            return page
    raise AssertionError("it is never finished")


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that advances ten milliseconds each time it is read."""
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
    assert f"Analysing the games: 0 of {total}" in first
    assert f'hx-get="{table.at}/luck" hx-trigger="load"' in first
    assert f'href="{table.at}/luck">Check again</a>' in first
    assert f'<progress class="bar-to" aria-label="Analysing the games" value="0" max="{total}">' in first
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


@pytest.mark.usefixtures("slow_clock")
def test_other_slow_work_goes_on_while_the_api_judges_an_evening(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is complete, but no turn judges the whole evening."""
    table = played(app, "pairs", 150, seed=8)
    turns: list[int] = []
    reckon, turn = judging.reckon, app.extensions["slow work"].turn

    def count(*position: Any) -> Any:
        turns[-1] += 1
        return reckon(*position)

    monkeypatch.setattr(judging, "reckon", count)
    monkeypatch.setattr(app.extensions["slow work"], "turn", lambda: turns.append(0) or turn())
    answer = table.dealer.get(f"/api/tables/{table.at.split('/')[-1]}/luck").json
    assert "judged" not in answer
    assert sum(turns) > 100
    assert max(turns) < 60


@pytest.mark.parametrize(("game", "entries", "scale"), [("pairs", 150, 100), ("blackstone", 60, 1), ("rocket", 40, 1)])
def test_the_figures_are_those_of_the_api_and_add_up(app: Flask, game: str, entries: int, scale: int) -> None:
    table = played(app, game, entries)
    page = judged(table)
    luck = table.dealer.get(f"/api/tables/{table.at.split('/')[-1]}/luck").json["games"]
    results: dict[str, float] = {}
    for each in luck:
        for name, account in each["seats"].items():
            results[name] = results.get(name, 0.0) + scale * account["result"]
    people = re.findall(r'<div class="causes.*?</div>', page, re.DOTALL)
    assert len(people) == 3
    for person, (name, result) in zip(people, results.items(), strict=True):
        assert f"<bdi>{name}</bdi>" in person
        *causes, last = (float(text.replace("−", "-")) for text in re.findall(r"<td>([−+.\d]+)</td>", person))
        assert last == pytest.approx(result, abs=0.5 if scale == 100 else 0.05)
        assert sum(causes) == pytest.approx(last, abs=1e-6)


def test_luck_begins_with_three_sentences(app: Flask) -> None:
    """They say what the bars below show: who has the largest and the smallest figure of luck."""
    page = judged(played(app, "blackstone", 60))
    said = re.findall(r"<li>(.*?)</li>", page.partition('<ul class="in-short">')[2].partition("</ul>")[0])
    people = re.findall(r'<div class="causes.*?</div>', page, re.DOTALL)
    luck = {}
    for person in people:
        name, figure = re.search(r"<bdi>(.*?)</bdi>.*?<td>([−+.\d]+)</td>", person, re.DOTALL).groups()  # type: ignore[union-attr]
        luck[name] = float(figure.replace("−", "-"))
    best, worst = max(luck, key=luck.__getitem__), min(luck, key=luck.__getitem__)
    assert said[0].startswith(f"Luckiest: {best}, {luck[best]:+g} ".replace("-", "−"))
    assert said[1].startswith(f"Unluckiest: {worst}, {luck[worst]:+g} ".replace("-", "−"))
    assert said[2].startswith(("Costliest decision: ", "Nobody made a costly decision"))
    assert page.index("in-short") < page.index('class="causes')


def test_highlights_link_to_their_place_in_the_history(app: Flask) -> None:
    table = played(app, "pairs", 150)
    page = judged(table)
    luck = table.dealer.get(f"/api/tables/{table.at.split('/')[-1]}/luck").json
    for moment in (luck["dearest"]["lose"], luck["luckiest"]["lose"], luck["unluckiest"]["lose"], *luck["beats"]):
        line = f"{table.at}/history?at={moment['n']}#e{moment['n']}"
        assert f'href="{line}"' in page
        place = table.dealer.get(line).text
        assert re.search(rf'<li id="e{moment["n"]}"\s+class="[^"]*shown', place)
        assert 'class="panel repair"' not in place, "who wants to look is not asked to repair"
    assert "Costliest decision" in page


def test_each_game_lists_its_own_highlights(app: Flask) -> None:
    table = played(app, "pairs", 150)
    games = re.findall(r'<details class="account explained">.*?</details>', judged(table), re.DOTALL)
    logs = list(judging.game_logs(Table.from_record(GAMES, table.dealer.get(f"{table.at}/record").text)))
    assert len(games) == len(logs) == 2
    for shown, log in zip(games, logs, strict=True):
        luck = report([(log, log.judge())])
        moments = (luck["luckiest"]["lose"], luck["unluckiest"]["lose"])
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


def test_the_page_says_how_little_an_evening_proves(app: Flask) -> None:
    """Two games with three players: 0.43 times the square root of 2 is 0.61."""
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


def test_the_page_says_if_no_game_is_finished(app: Flask) -> None:
    table = open_at(app)
    assert "No finished game to analyse yet" in table.dealer.get(f"{table.at}/luck").text


def test_the_page_says_if_no_recent_game_is_finished(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coaching, "MOST_ENTRIES", 2)
    table = open_at(app)
    assert "No finished game to analyse yet" in table.dealer.get(f"{table.at}/luck").text
    assert table.dealer.get(f"/api/tables/{table.at.split('/')[-1]}/luck").json["games"] == []


def test_luck_is_translated_into_french(app: Flask) -> None:
    page = judged(played(app, "pairs", 150), FRENCH)
    assert "Chance et choix" in page
    assert "Erreurs des autres" in page
    assert "Une soirée prouve peu" in page


# -- many requests at once


def test_while_slow_requests_wait_the_coach_asks_again_and_taps_go_on(app: Flask) -> None:
    table = open_at(app)
    with waiting_room_full(app):
        later = on_one_line(table.line().text)
        assert f'hx-get="{table.at}/coach?version={table.version()}" hx-trigger="load delay:1s"' in later
        sheet = on_one_line(table.dealer.get(f"{table.at}/coach/why", headers=FRENCH).text)
        assert "Le coach est pris par d’autres tables" in sheet
        assert f'hx-get="{table.at}/coach/why" hx-trigger="load delay:1s"' in sheet
        answer = app.test_client().get(f"/api{table.at.replace('/t/', '/tables/')}/coach")
        assert (answer.status_code, answer.json["error"], answer.headers["Retry-After"]) == (503, "busy", "2")
        assert table.dealer.get(f"{table.at}/luck").status_code == 200
        tap = {"entry": "fold", "version": table.version(), "id": "a tap"}
        assert table.dealer.post(f"{table.at}/enter", data=tap, headers=FRAGMENT).status_code == 200


def test_luck_that_has_to_wait_asks_again(app: Flask) -> None:
    table = played(app, "pairs", 60, seed=7)
    with waiting_room_full(app):
        page = on_one_line(table.dealer.get(f"{table.at}/luck").text)
        assert f'hx-get="{table.at}/luck" hx-trigger="load delay:1s"' in page
        found = table.dealer.get(f"/api/tables/{table.at.split('/')[-1]}/luck").json
        assert (found["judged"], found["games"], found["total"]) == (0, [], 1)
    assert 'hx-trigger="load' not in judged(table)


# -- the tables of best play


def test_the_tables_of_best_play_are_part_of_the_page(app: Flask) -> None:
    """They cost almost nothing, and can be read offline."""
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
