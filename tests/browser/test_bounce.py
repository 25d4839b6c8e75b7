"""A finger that touches twice enters one thing, even if the board has changed under it in between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.engine.sentence import EntryError
from companion.games import GAMES
from companion.table.change import Change
from companion.table.table import Table
from companion.web.games import board_screen as board
from tests.ninth import Lantern, LosersLantern, WinnersLantern, ninth_game

from .boards import app
from .conftest import NewPhone
from .table import log, new_table, open_record, play, version

BOUNCE = 150  # ms between two touches of a bouncing finger
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve")
STEPS = 25  # per walk
WALKS = [*((game, "") for game in GAMES), ("pairs", "limit=5"), ("pairs", "cards=no"), ("rocket", "cards=no")]

BUTTON = re.compile(r'<button[^>]* name="(entry|undo|points|amount)" value="([^"]*)"[^>]*>')
LINK = re.compile(r'<a [^>]*href="[^"]*\?choose=(\d+)"')


@pytest.fixture
def phone(new_phone: NewPhone) -> Page:
    return new_phone(guarded=True)


# -- every board: after a tap, the spot under the finger has the same control as before, or cannot be touched

# Answer a tap at once, without a server; then see what a second touch of the same spot would hit.
ANSWER_AT_ONCE = """() => {
  document.getElementById("deals").remove(); // it asks by itself now and then
  XMLHttpRequest.prototype.send = function () {
    for (const [key, value] of Object.entries({ status: 200, response: window.after, responseText: window.after, responseURL: location.href }))
      Object.defineProperty(this, key, { value });
    this.getAllResponseHeaders = () => "";
    this.getResponseHeader = () => null;
    window.took += 1;
    queueMicrotask(() => this.onload());
  };
}"""
TOUCH_ALL = """async (pairs) => {
  const wrong = [];
  let changed = 0;
  let clock = performance.now();
  const CONTROLS = "a[href], button, summary, label";
  const board = () => document.getElementById("board");
  const settle = () => board().getAnimations({ subtree: true }).forEach((one) => one.finish());
  const meaning = (at) => at && [at.getAttribute("formaction"), at.name, at.value, at.pathname].join("|");
  for (const { before, after, touched, step_name } of pairs) {
    window.after = after;
    window.took = 0;
    board().outerHTML = before;
    htmx.process(board());
    board().querySelectorAll("details").forEach((more) => { more.open = true; });
    board().querySelectorAll("input[type=radio]").forEach((pick) => { pick.checked = true; });
    settle();
    const box = board().querySelector(touched).getBoundingClientRect();
    const at = [box.x + box.width / 2, box.y + box.height / 2];
    const under = () => document.elementFromPoint(...at)?.closest(CONTROLS);
    const was = under();
    if (!was) continue; // beyond the edge no finger gets there
    // The spot as the next touch would find it: now, and when it is no longer new.
    const found = new Promise((go) => document.addEventListener("htmx:afterSwap", () => {
      const now = under();
      settle();
      go([now, under()]);
    }, { once: true }));
    // The next case begins when nothing waits any more.
    const idle = was.matches("a") ? null : new Promise((go) => {
      const look = ({ detail }) => {
        if (detail.waiting.length) return;
        document.body.removeEventListener("taps:wait", look);
        go();
      };
      document.body.addEventListener("taps:wait", look);
    });
    clock += 1000; // a second after the case before: the same key is meant again
    for (const kind of was.matches("a") ? ["click"] : ["pointerdown", "pointerup"]) {
      const event = new PointerEvent(kind, { bubbles: true, cancelable: true, isPrimary: true, clientX: at[0], clientY: at[1] });
      Object.defineProperty(event, "timeStamp", { value: clock });
      was.dispatchEvent(event);
    }
    const [now, then] = await Promise.race([found, new Promise((go) => setTimeout(go, 30000, []))]);
    await Promise.race([idle, new Promise((go) => setTimeout(go, 30000))]);
    if (window.took !== 1) wrong.push(`${step_name}: ${window.took} sent`);
    if (now && meaning(now) !== meaning(was)) wrong.push(`${step_name}: then ${now.outerHTML.slice(0, 90)}`);
    if (then && meaning(then) !== meaning(was)) changed += 1;
  }
  return { wrong, changed };
}"""


def after(table: Table, name: str, value: str) -> Table | None:
    """The table after pressing a button; None if that is refused."""
    first, second = (seat.name for seat in table.state.seats[:2])
    entry = {"points": f"score {first} {value}", "amount": f"pay {first} {second} {value}"}.get(name, value)
    change = Change("undo") if name == "undo" else Change("enter", (entry,), shuffles=True)
    try:
        return table.change(change, None)
    except EntryError:
        return None


def pairs_of_boards(game: str, options: str) -> Iterator[dict[str, str]]:
    """A random walk: the boards before and after each possible tap, with each combination of buttons once."""
    random = Random(f"{game} {options}")
    seen = set()

    def draw(table: Table, choosing: int = 0) -> str:
        screen = board(table, "walk", True, choosing)
        return app().jinja_env.get_template("board/_board.html").render(screen=screen)

    with app().test_request_context("/t/x"):
        table = Table.open(GAMES, NAMES[: max(3, min(GAMES[game].players))], [f"game {game} {options}"])
        for step in range(STEPS):
            links = LINK.findall(draw(table))
            choosing = int(random.choice(links)) if links and step % 2 == 1 else 0
            before = draw(table, choosing)
            step_name = f"{game} {options} {step}"
            for link in [] if choosing else links:
                touched = f'a[href$="?choose={link}"]'
                yield {"before": before, "after": draw(table, int(link)), "touched": touched, "step_name": step_name}
            offered = BUTTON.findall(before)
            found = [(name, unescape(value)) for name, value in offered]
            ways = [(name, value, then) for name, value in found if (then := after(table, name, value))]
            for name, value, then in ways:
                drawn = draw(then)
                case = (name, value, tuple(offered), tuple(BUTTON.findall(drawn)))
                if case not in seen:
                    touched = f'button[name={name}][value="{value}"]:not(:disabled)'
                    yield {"before": before, "after": drawn, "touched": touched, "step_name": f"{step_name} {value}"}
                seen.add(case)
            table = random.choice([way for way in ways if way[0] != "undo"])[2]


def walks() -> Iterator[list[dict[str, str]]]:
    """The walks through every game, and through those that only the tests have."""
    for game, options in WALKS:
        yield list(pairs_of_boards(game, options))
    for kind in (Lantern, LosersLantern, WinnersLantern):
        with ninth_game(kind):
            yield list(pairs_of_boards(kind.key, "light=15"))


def test_a_new_control_under_the_finger_cannot_be_touched(phone: Page) -> None:
    new_table(phone, 3)
    phone.evaluate(ANSWER_AT_ONCE)
    changed = 0
    for pairs in walks():
        found: dict[str, Any] = phone.evaluate(TOUCH_ALL, pairs)
        assert found["wrong"] == []
        changed += found["changed"]
    assert changed > 100, "walks that bring nothing new under the finger show nothing"


# -- real touches, in cases where a second one once did harm

CASES = {
    "the take, then all white": ("game blackstone,6,10,4", "take 2"),
    "a take of many, then white": ("game blackstone,6,10,4", "take 6"),
    "a take of ten, then black": ("game blackstone,6,10,4", "take 10"),
    "a card, then the Refuge": ("game zombie,3,5,7", "10"),
    "a card, then Undo": ("game zombie,3,5,7", "9"),
    "the card that ends the game, then what is in its place": ("game pairs limit=9,7,3,9,10,4", "10"),
    "the card before the last one": ("game pairs limit=9,7,3,9,8,4", "9"),
    "the card that pairs, then the next one": ("game lucky,4,7,9", "4"),
    "a fold, then the deal": ("game pairs,7,3,9,8", "fold"),
    "a fold, then the next player's": ("game rocket,8,5,7,6", "fold"),
}


TOUCHES = (
    "() => { window.touches = []; addEventListener('pointerup', (event) => touches.push(event.timeStamp), true); }"
)
ONE_TOUCH = 300  # ms; two touches of a key within this time count as one tap


@pytest.mark.parametrize("case", CASES)
def test_two_touches_at_one_spot_enter_one_thing(phone: Page, case: str) -> None:
    """On a busy machine the second touch may come too late for a bounce; then try both again."""
    before, entry = CASES[case]
    for _attempt in range(10):
        address = open_record(phone, "Ana,Ben,Cleo", before)
        entered, drawn = len(log(phone)), version(phone)
        box = phone.locator(f"#board button[value='{entry}']").bounding_box()
        assert box
        expect(phone.locator("body")).to_have_css("pointer-events", "auto")
        phone.evaluate(TOUCHES)
        for pause in (BOUNCE, 0):
            phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            phone.wait_for_timeout(pause)
        first, *more = phone.evaluate("() => window.touches")
        if not more or more[0] - first < ONE_TOUCH:
            break
    expect(phone.locator("#board")).to_have_attribute("data-version", str(drawn + 1))
    expect(phone.locator("#board .ghost")).to_have_count(0)  # nothing waits
    assert phone.url == address
    assert log(phone)[entered:] == [entry]


def test_a_new_control_can_be_touched_after_a_moment(phone: Page) -> None:
    open_record(phone, "Ana,Ben,Cleo", "game blackstone,6,10,4")
    play(phone, "take 2,white,10")
    assert log(phone)[-3:] == ["take 2", "white", "10"]


def test_a_page_that_was_just_opened_cannot_be_touched(phone: Page) -> None:
    """The second touch of the finger that opened it must do nothing."""
    address = new_table(phone, 3)
    link = phone.locator("#board a.head").bounding_box()
    assert link
    expect(phone.locator("body")).to_have_css("pointer-events", "auto")
    phone.touchscreen.tap(link["x"] + 20, link["y"] + 20)
    phone.wait_for_url("**/history")
    assert phone.evaluate("getComputedStyle(document.body).pointerEvents") == "none"
    expect(phone.locator("body")).to_have_css("pointer-events", "auto")
    phone.get_by_role("link", name="Back to the table").tap()
    phone.wait_for_url(address)


def test_neither_a_sheet_nor_the_board_under_it_takes_a_second_touch(phone: Page) -> None:
    open_record(phone, "Ana,Ben,Cleo", "game pairs,7,5,9,8")
    phone.get_by_role("link", name="Menu").tap()
    sheet = phone.locator("dialog#sheet")
    expect(sheet).to_be_visible()
    expect(sheet).to_have_css("pointer-events", "auto")  # after a moment
    back = sheet.get_by_role("link", name="Back to the table")
    back.dispatch_event("click")
    phone.wait_for_function("() => !document.getElementById('sheet').open")
    assert phone.evaluate("getComputedStyle(document.querySelector('.key')).pointerEvents") == "none"
    expect(phone.locator(".key").first).to_have_css("pointer-events", "auto")
