"""Every board fits every phone: all games, numbers of seats and languages, with short and long names.

The program draws the boards, and measure.js measures many of them at a time in one page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from companion.games import GAMES
from companion.table.table import Table

from .boards import Sitting, draw, sittings, style
from .conftest import NewPhone
from .table import open_record, record

LYING = ((640, 360), (740, 360), (844, 390))  # phones on their side
PHONES = ((360, 553), (360, 640), (360, 700), (360, 740), (390, 844), (412, 915))
AT_A_TIME = 200
MEASURE = (Path(__file__).parent / "measure.js").read_text()
# Draw, measure and remove the boards before the browser paints, which would take longer than all the rest.
DRAW = """([boards, measure]) => {
  document.body.innerHTML = boards;
  const found = eval(measure);
  document.body.replaceChildren();
  return found;
}"""


@pytest.fixture(scope="module")
def evenings() -> list[Sitting]:
    return list(sittings())


def measured(
    browser: Browser, size: tuple[int, int], tables: list[Sitting], dealer: bool = True
) -> list[dict[str, Any]]:
    """The results of the script for each board, in order."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="dark")
    page.set_content(f"<!doctype html>{style()}<body>")
    found: list[dict[str, Any]] = []
    boards = [(table.language, board) for table in tables for board in table.boards]
    for start in range(0, len(boards), AT_A_TIME):
        part = "".join(f"<div lang={language}>{board}</div>" for language, board in boards[start : start + AT_A_TIME])
        found += page.evaluate(DRAW, [part, MEASURE])
    page.close()
    return found


def faults(tables: list[Sitting], found: list[dict[str, Any]]) -> list[str]:
    """Everything that does not fit, and every control that moves between two states of a table."""
    said, boards = [], iter(found)
    for table in tables:
        places: dict[str, list[int]] = {}
        for number in range(len(table.boards)):
            board = next(boards)
            said += [f"{table.name}, board {number}: {fault}" for fault in board["faults"]]
            for control, place in board["places"].items() if board["dealer"] else ():
                first = places.setdefault(control, place)
                if any(abs(was - now) > 1 for was, now in zip(first, place, strict=True)):
                    said.append(f"{table.name}, board {number}: {control} moved from {first} to {place}")
    return said


@pytest.mark.parametrize("size", PHONES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_board_fits(browser: Browser, evenings: list[Sitting], size: tuple[int, int]) -> None:
    """The smallest phone measures all tables, each other size a third, different from its neighbours'."""
    turn = PHONES.index(size)
    tables = evenings if turn == 0 else evenings[(turn + turn // 3) % 3 :: 3]
    assert faults(tables, measured(browser, size, tables)) == []


@pytest.mark.parametrize("size", LYING, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_board_fits_a_phone_on_its_side(browser: Browser, evenings: list[Sitting], size: tuple[int, int]) -> None:
    """The smallest phone measures a third of the tables, each other size a sixth."""
    turn = LYING.index(size)
    tables = evenings[::3] if turn == 0 else evenings[turn::6]
    assert faults(tables, measured(browser, size, tables)) == []


@pytest.fixture(scope="module")
def watched() -> list[Sitting]:
    return list(sittings(dealer=False))[::5]


# Screens that are read across a room, and the minimum size of a seat's total on each.
SCREENS = {(1280, 720): 40, (1920, 1080): 60, (1024, 768): 38, (768, 1024): 38}


@pytest.mark.parametrize("size", SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_wide_screen_shows_the_whole_table_in_large_type(
    browser: Browser, watched: list[Sitting], size: tuple[int, int]
) -> None:
    tables = watched[list(SCREENS).index(size) % 2 :: 2]
    found = measured(browser, size, tables, dealer=False)
    assert faults(tables, found) == []
    assert min(board["total"] for board in found if board["total"]) >= SCREENS[size]


def test_a_watching_phone_on_its_side_shows_all_seats(browser: Browser, watched: list[Sitting]) -> None:
    """The parts below the watcher's own numbers may need scrolling."""
    tables = watched[::2]
    below = re.compile(r"the board is|div.side ends|a.btn wide .* beyond the edge")
    for size in LYING:
        found = faults(tables, measured(browser, size, tables, dealer=False))
        assert [fault for fault in found if not below.search(fault)] == []


def test_a_watchers_own_numbers_and_four_seats_fit_on_one_screen(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(f"<!doctype html>{style()}<body>")
    for language in ("en", "fr"):
        for entries in ("game pairs, 7, 10, 3, 9, 9, 6, 5, 8", "game rocket, 8, 5, 10, 6, 4, 9"):
            table = Table.from_record(GAMES, record("Ana, Ben, Cleo, Dan", entries))
            page.evaluate("drawn => { document.body.innerHTML = drawn }", draw(table, language, dealer=False, me="Ben"))
            assert page.evaluate("document.documentElement.scrollHeight") == 844, entries
    page.close()


# Numbers that stick out of their line, in the notes of the seats and in the bar.
CUT = r"""() => [...document.querySelectorAll('.seats .name small, .bar p > span')].flatMap((element) => {
  const text = [...element.childNodes].findLast((node) => node.nodeType === 3);
  const end = text?.data.match(/.*\d/)?.[0].length;
  if (!end) return [];
  const range = document.createRange();
  range.setStart(text, end - 1);
  range.setEnd(text, end);
  const room = element.closest('.name, .bar p').getBoundingClientRect().right - range.getBoundingClientRect().right;
  return room < -0.5 ? [[text.data, room]] : [];
})"""


@pytest.mark.parametrize(
    ("seats", "entries"),
    [
        (7, "game port, 10, 9, 8, 7, 6, 5, 4, lock, lock, 10, lock, lock"),
        (6, "game hawthorn, play 10, play 9, play 8, play 7, play 6, play 5"),
        (7, "game blackstone, 2, 3, 4, 5, 6, 7, 8, take 3, whites, pass, pass"),
        (7, "game rocket bet=50, bet Eve 200, 8, 5, 10, 7, 9, 4, 6, 4"),
    ],
)
def test_numbers_are_not_cut_off_in_french_on_a_small_phone(new_phone: NewPhone, seats: int, entries: str) -> None:
    phone = new_phone(locale="fr-FR", viewport={"width": 360, "height": 640})
    open_record(phone, ", ".join(("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus")[:seats]), entries)
    assert phone.evaluate(CUT) == []


def test_four_short_names_are_not_cut_off_after_a_round(new_phone: NewPhone) -> None:
    phone = new_phone(locale="fr-FR", viewport={"width": 360, "height": 640})
    open_record(phone, "Ana, Ben, Cleo, Dan", "game blackstone, 4, 7, 9, 8, take 1, white, pass, pass, take 2, 10, 10")
    cut = "() => [...document.querySelectorAll('.seats :is(bdi, small)')].filter((box) => box.scrollWidth > box.clientWidth)"
    assert phone.evaluate(f"({cut})().map((box) => box.textContent)") == []
