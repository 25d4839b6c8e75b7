"""What a board shows on a small phone: headings, pots and laps, whole names, and cards that look like cards."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from companion.games import GAMES
from companion.table.table import Table

from .boards import draw, style
from .conftest import NewPhone
from .table import record

SMALLEST, SMALL, LARGE = (360, 553), (360, 640), (390, 844)
NAMES = "Ana, Ben, Cleo, Dan, Eve, Finn, Gus"
HANDS = {
    "two common cards": (4, "game starboard, 4, 9"),
    "five common cards": (5, "game starboard, 4, 9, 8, 7, 10"),
    "nine common cards": (7, "game starboard, 4, 9, 8, 7, 10, 2, 6, 3, 1"),
    "ten common cards": (5, "game starboard, 8, 2, 10, 3, 4, 6, 5, 1, 9, 7"),
    "a Horde of three": (4, "game zombie, 4, 6, 7, 5, 10, horde, 9, horde, 8, horde, 3"),
    "a Horde of four": (6, "game zombie, 4, 6, 7, 5, 9, 8, 10, horde, 9, horde, 8, horde, 7, horde"),
}
SHAPES = """() => [...document.querySelectorAll(".mid .card")].map((card) => {
  const box = card.getBoundingClientRect();
  return box.width / box.height;
})"""
CUT = """(what) => [...document.querySelectorAll(what)]
  .filter((one) => one.getClientRects().length && (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight))
  .map((one) => one.textContent)"""
# Cards that stick out of their row, or of the middle.
CUT_CARDS = """() => [...document.querySelectorAll(".seat .card, .mid .card")].filter((card) => {
  const box = card.getBoundingClientRect();
  const home = card.closest(".seat, .mid").getBoundingClientRect();
  return box.top < home.top || box.bottom > home.bottom || box.left < home.left || box.right > home.right;
}).length"""
# How far the value of each card is from the middle of its card.
OFF_CENTRE = """() => [...document.querySelectorAll(".seat .card:not(.hit), .mid .card")].map((card) => {
  const range = document.createRange();
  range.selectNodeContents(card.firstChild);
  const [value, face] = [range.getBoundingClientRect(), card.getBoundingClientRect()];
  return Math.abs(value.left + value.right - face.left - face.right) / 2;
})"""
FIRST_CARDS = """() => [...document.querySelectorAll(".stack")].map((row) => row.firstElementChild.getBoundingClientRect().left)"""
FIGURES = """() => [...document.querySelectorAll(".seat .card, .mid .card")].map((card) => parseFloat(getComputedStyle(card).fontSize))"""


def show(phone: Page, size: tuple[int, int], seats: int, entries: str, language: str = "en") -> None:
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    names = ", ".join(NAMES.split(", ")[:seats])
    board = draw(Table.from_record(GAMES, record(names, entries)), language)
    phone.set_content(f"<!doctype html><html lang={language}>{style()}<body>{board}")


@pytest.mark.parametrize("hand", HANDS)
def test_the_middle_has_its_heading_and_cards_in_their_own_proportions(new_phone: NewPhone, hand: str) -> None:
    phone = new_phone()
    for size in (SMALLEST, SMALL, LARGE):
        for language in ("en", "fr"):
            show(phone, size, *HANDS[hand], language)
            heading = phone.locator(".mid header")
            assert heading.is_visible()
            words = heading.inner_text()
            assert str(len(phone.locator(".mid .card").all())) in words
            assert ("pot" in words) == ("starboard" in HANDS[hand][1])
            for shape in phone.evaluate(SHAPES):
                assert 0.48 < shape < 0.85, f"{hand} at {size}: a card as wide as {shape:.2f} of its height"
            assert phone.evaluate(CUT_CARDS) == 0, size
            assert phone.evaluate(CUT, ".seat bdi") == [], size


@pytest.mark.parametrize("size", [SMALLEST, SMALL, LARGE], ids=lambda size: f"{size[0]}x{size[1]}")
def test_pot_and_lap_are_whole_in_the_bar_and_titles_keep_their_descenders(
    new_phone: NewPhone, size: tuple[int, int]
) -> None:
    phone = new_phone()
    said = {
        "game starboard, 4, 9, 8": "pot 5",  # four antes and a card
        "game blackstone, 6, 10, 4, 8": "pot 0",
        "game hawthorn, play 4, play 7, play 9, play 6, 8": "lap 1",
        "game pairs, 7, 9, 8, 10": "limit 16",
    }
    for language in ("en", "fr"):
        for entries, words in said.items():
            show(phone, size, 4, entries, language)
            assert phone.evaluate(CUT, ".bar p, .bar h1") == []
            seen = phone.locator(".bar p > span:last-child").inner_text()
            assert words.split()[-1] in seen.replace("\N{NO-BREAK SPACE}", " ").split(",")[0]
            assert "odds" not in seen
            live = phone.locator("#link").bounding_box()
            assert live
            assert live["width"] < 16, "only the dot"


STACKS = {
    "two lines": (2, "game pairs, 7, 9, 1, 2, 3, 10"),
    "four lines": (4, "game pairs, 7, 10, 3, 9, 9, 6, 5, 8, 10, 1"),
    "two columns": (6, "game pairs, 7, 10, 3, 9, 9, 6, 5, 8, 10"),
}


@pytest.mark.parametrize("kind", STACKS)
def test_values_are_centred_and_stacks_begin_one_below_the_other(new_phone: NewPhone, kind: str) -> None:
    phone = new_phone()
    sizes: list[Any] = []
    for size in (SMALLEST, SMALL, LARGE):
        show(phone, size, *STACKS[kind])
        assert max(phone.evaluate(OFF_CENTRE)) <= 1, size
        columns = {round(left) for left in phone.evaluate(FIRST_CARDS)}
        assert len(columns) == (2 if kind == "two columns" else 1), columns
        sizes.append(phone.evaluate(FIGURES))
    assert all(large > small for small, large in zip(sizes[1], sizes[2], strict=True)), sizes


NOTES = {
    "kept cards": (
        5,
        "game lucky, 1, 9, 8, 10, 7, 10, bank 9, bank 8, bank 10, bank 7, bank 10, 3, 4, 5, 6, 2, bank 3",
    ),
    "the button": (5, "game hawthorn, play 1, play 9, play 8, play 10, play 7, 2"),
}


@pytest.mark.parametrize("kind", NOTES)
def test_a_short_name_is_whole_whatever_stands_beside_it(new_phone: NewPhone, kind: str) -> None:
    phone = new_phone()
    for size in (SMALLEST, SMALL, LARGE):
        for language in ("en", "fr"):
            show(phone, size, *NOTES[kind], language)
            assert phone.locator(".seat .name small").count() > 0
            assert phone.evaluate(CUT, ".seat bdi") == [], size


OVER = {
    "a pair": ((3, "game pairs limit=9 stakes=tacoma, 4, 9, 8, 9, 9"), "Ben"),
    "a race": ((4, "game port goal=4, 10, 9, 8, 7, lock, lock, lock, lock"), "Ana"),
    "seven players": ((7, "game port goal=7, 10, 9, 8, 7, 6, 5, 4, lock, lock, lock, lock, lock, lock, lock"), "Ana"),
}


@pytest.mark.parametrize("kind", OVER)
def test_the_end_of_a_game_fills_the_screen(new_phone: NewPhone, kind: str) -> None:
    """The name is whole, who owes whom is in sight, and the buttons reach the lower edge."""
    phone = new_phone()
    position, name = OVER[kind]
    for size in (SMALLEST, SMALL, LARGE):
        for language in ("en", "fr"):
            show(phone, size, *position, language)
            who = phone.locator(".turn .who")
            assert who.inner_text().startswith(name)
            assert phone.evaluate(CUT, ".turn .who") == [], size
            assert phone.locator(".pay").count() == (kind == "a pair")
            places = [
                phone.locator(what).bounding_box() for what in (".act", ".again .main", ".again > .row .btn >> nth=-1")
            ]
            act, again, last = [(box["y"], box["y"] + box["height"]) for box in places if box]
            assert last[1] <= size[1], "in sight"
            assert size[1] - last[1] < 20, "no empty space below"
            assert again[0] - act[1] < (size[1] * 0.3 if kind == "a pair" else size[1] * 0.14), "nor above"
            if kind == "a pair":
                arrow = phone.locator(".pay").bounding_box()
                assert arrow
                assert act[1] < arrow["y"] < again[0]


def test_a_horde_of_ten_fits_a_phone_on_its_side(new_phone: NewPhone) -> None:
    phone = new_phone()
    entries = (
        "10, 2, 8, 5, 1, horde, 2, horde, 5, 10, 8, horde, 8, 3, horde, 7, horde, 10, 6, horde, 9, horde, 4, horde"
    )
    for size in ((640, 360), (740, 360), (844, 390)):
        show(phone, size, 4, f"game zombie, {entries}")
        assert phone.locator(".mid .card").count() == 10
        assert phone.evaluate(CUT_CARDS) == 0, size
        middle, keys = phone.locator(".mid").bounding_box(), phone.locator(".keys").bounding_box()
        assert middle
        assert keys
        assert middle["x"] + middle["width"] <= keys["x"], size


def test_a_television_shows_who_lost_in_whole(new_phone: NewPhone) -> None:
    """The name is the largest text, in as many lines as it needs, with the cards that did it and the arrow."""
    phone = new_phone()
    for size in ((1280, 720), (1920, 1080)):
        phone.set_viewport_size({"width": size[0], "height": size[1]})
        lost = record("Ana, Ben, Cleo", "game pairs limit=9 stakes=tacoma, 8, 10, 9, 4, 3, 9")
        table = Table.from_record(GAMES, lost)
        phone.set_content(f"<!doctype html>{style()}<body>{draw(table, 'en', dealer=False)}")
        assert phone.locator(".turn .who").inner_text() == "Cleo loses"
        assert phone.evaluate(CUT, ".turn .who") == [], size
        assert phone.locator(".pay").is_visible()
