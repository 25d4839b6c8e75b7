"""A game without a board of its own, played by taps on a small phone: with no end, with a loser, with an early winner."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect
from werkzeug.serving import make_server

from companion.store.memory import MemoryStore
from companion.web import create_app
from tests.ninth import Lantern, LosersLantern, WinnersLantern, ninth_game

from .phones import BrowserPhones
from .table import new_table, state, version

SMALL = {"width": 360, "height": 640}
MOST_TAPS = 120
SITTINGS = [
    *((Lantern, seats) for seats in Lantern.players),
    *((kind, seats) for kind in (LosersLantern, WinnersLantern) for seats in (2, 5, 8)),
]
# Where every key and the undo button are, whether each can be touched there, and how high the page is.
PLACES = """() => {
  const rounded = (box) => [box.x, box.y, box.right, box.bottom].map(Math.round);
  const places = {};
  for (const control of document.querySelectorAll("#board .key, #board [name=undo]")) {
    const box = control.getBoundingClientRect();
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("button");
    places[control.value] = [...rounded(box), there === control];
  }
  return [places, document.documentElement.scrollHeight];
}"""


@pytest.fixture
def lantern_phone(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A small phone at a server that has the ninth game."""
    with ninth_game(request.param):
        server = make_server("127.0.0.1", 0, create_app(MemoryStore(), {"SECRET_KEY": "x"}), threaded=True)
        serving = Thread(target=server.serve_forever)
        serving.start()
        phones = BrowserPhones(browser, f"http://127.0.0.1:{server.server_port}")
        try:
            yield phones.take(False, {"viewport": SMALL})
            assert phones.give_back() == []
        finally:
            server.shutdown()
            serving.join()


def tap_entry(phone: Page, entry: str) -> None:
    """Tap the button of an entry; if it is not on the board, open the choices first."""
    button = phone.locator(f"#board button[name=entry][value='{entry}']")
    before = version(phone)
    if not button.count():
        phone.locator("#board a.btn.main").tap()
        expect(phone.locator("#board .choices")).to_be_visible()
    button.tap()
    expect(phone.locator(f"#board:not([data-version='{before}'])")).to_be_attached()


def all_keys_in_their_place(phone: Page, places: dict[str, list[int]]) -> None:
    """Ten keys, none of them covered, beyond the edge or elsewhere than before. Undo comes with the first entry."""
    now, high = phone.evaluate(PLACES)
    assert high == SMALL["height"]
    assert {*map(str, range(1, 11))} == {*now} - {"undo"}
    assert [control for control, (_x, _y, _right, bottom, there) in now.items() if bottom > high or not there] == []
    for control, place in now.items():
        assert places.setdefault(control, place) == place, control


@pytest.mark.parametrize(("lantern_phone", "seats"), SITTINGS, indirect=["lantern_phone"])
def test_a_round_is_played_by_taps(lantern_phone: Page, seats: int) -> None:
    phone, random, places = lantern_phone, Random(seats), dict[str, list[int]]()
    new_table(phone, seats, "lantern", light="15")
    last, opened = "", 0
    for _ in range(MOST_TAPS):
        now = state(phone)
        if now["result"]:
            break
        all_keys_in_their_place(phone, places)
        if now["turn"]:
            expect(phone.locator(".who")).to_have_text(now["turn"])
        others = [entry for entry in now["legal"] if not entry.isdigit()]
        # The same button twice at once counts as one tap.
        wanted = others if others and random.random() < 0.5 else now["legal"]
        last = random.choice(
            [entry for entry in wanted if entry != last] or [entry for entry in now["legal"] if entry != last]
        )
        opened += len(others) > 2 and last in others
        tap_entry(phone, last)
    assert opened, "no choice was behind the main button"
    end = state(phone)
    assert end["result"], "the round did not end"
    if end["phase"] == "game over":
        decided = end["outcome"]["winners"] or [end["outcome"]["loser"]]
        expect(phone.locator(".who")).to_contain_text(decided[0])
        phone.get_by_role("button", name="Play again").tap()
        expect(phone.locator("h1")).to_have_text("Lantern · round 1")
    expect(phone.locator(".act")).to_contain_text("Card for A")
    all_keys_in_their_place(phone, places)
