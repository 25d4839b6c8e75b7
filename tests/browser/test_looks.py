"""The size of targets, accessibility, and the weight of pages and answers."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.games import GAMES
from companion.table.table import Table
from companion.web.games import lookups
from tests.known import EIGHT, KNOWN, PAIRS_8

from .boards import app, draw, style
from .conftest import NewPhone
from .table import new_table, open_record, play, record, tap

LONG = ",".join(f"{letter}bcdefghijklmnopqrstuvwx"[:24] for letter in "ABCDEFGH")
FULL_BOARDS = {
    **{game: KNOWN[game].full for game in GAMES},
    "pairs-long-names": (LONG, PAIRS_8),
    "pairs-message": (LONG, "game pairs,1,2,2,9,9,8,8,8"),
    "continuous-long-names": (
        LONG,
        PAIRS_8.replace("fold", "fold 3 Gbcdefghijklmnopqrstuvwx").replace("pairs", "continuous")[:80],
    ),
    "blackstone-take": (EIGHT, "game blackstone,6,10,4,10,9,8,7,5,take 12,whites,take 12,whites,take 12,white,white"),
    "zombie-place": (EIGHT, "game zombie,4,6,7,5,9,8,10,3,2"),
}


def boxes(page: Page, selector: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.eval_on_selector_all(
        selector,
        "all => all.filter(e => e.getClientRects().length).map(e => { const r = e.getBoundingClientRect();"
        " return {x: r.x, y: r.y, right: r.right, bottom: r.bottom, width: r.width, height: r.height, text: e.className} })",
    )
    return found


def test_targets_are_large_enough(phone: Page) -> None:
    """Card keys are at least 104 x 60 pixels, other targets 48 x 48. The boards are drawn without a server."""
    phone.set_content(f"<!doctype html>{style()}<body>")
    for board, (names, entries) in FULL_BOARDS.items():
        drawn = draw(Table.from_record(GAMES, record(names, entries)), "en")
        phone.evaluate("drawn => { document.body.innerHTML = drawn; }", drawn)
        keys, targets = boxes(phone, "#board .key"), boxes(phone, "#board button, #board a")
        assert len(targets) > 4, board
        assert [key for key in keys if key["width"] < 104 or key["height"] < 60] == [], board
        assert [target for target in targets if target["height"] < 48 or target["width"] < 48] == [], board


def test_a_narrow_screen_and_large_text_still_work(new_phone: NewPhone) -> None:
    narrow = new_phone(viewport={"width": 320, "height": 640})
    open_record(narrow, *FULL_BOARDS["pairs"])
    assert narrow.evaluate("document.documentElement.scrollWidth") == 320
    assert all(key["width"] >= 96 for key in boxes(narrow, "#board .key"))
    large = new_phone()
    open_record(large, *FULL_BOARDS["pairs-long-names"])
    large.add_style_tag(url="/static/app.css")  # our own style sheet is allowed, inline styles are not
    large.evaluate("document.documentElement.style.fontSize = '200%'")
    assert large.evaluate("document.documentElement.scrollWidth") <= 361
    tap(large, "2")


# The second run checks only rules that depend on colours, since the page is otherwise the same.
COLOURS = ["color-contrast", "link-in-text-block"]
ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


# Only violations are returned: the full result has half a megabyte. None of these rules reads the style sheets.
VIOLATIONS = """runOnly => axe.run({ runOnly, preload: { assets: ["media"] }, resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 140)}`)))"""


def test_axe_finds_no_violation_in_dark_or_light_colours(phone: Page) -> None:
    phone.add_init_script(Axe().axe_script)

    def check(where: str) -> None:
        phone.emulate_media(color_scheme="dark", reduced_motion="reduce")  # colours change at once
        found = phone.evaluate(VIOLATIONS, {"type": "tag", "values": ALL})
        phone.emulate_media(color_scheme="light", reduced_motion="reduce")
        found += phone.evaluate(VIOLATIONS, COLOURS)
        assert found == [], where

    others = [f"/lookup/{tab}" for tab in lookups()] + [f"/rules/{game}" for game in GAMES]
    for path in ("/", "/new", "/import", "/t/nothing-here", "/offline", "/rules", *others):
        phone.goto(path)
        check(path)
    for board, (names, entries) in FULL_BOARDS.items():
        address = open_record(phone, names, entries)
        check(board)
    new_table(phone, 3, "pairs", cards="no")
    check("points only")
    address = open_record(phone, "Ana,Ben,Cleo", "game pairs stakes=tacoma limit=5,4,9,8,7,fold,2,6,8,9,6")
    check("over")
    pages = (
        "/menu",
        "/deck",
        "/seats",
        "/chips",
        "/game",
        "/code",
        "/handover",
        "/history",
        "/history?n=3&entry=2",
        "/evening",
    )
    for page in pages:
        phone.goto(address + page)
        check(page)
    for path in ("/", "/evenings", "/standings", "/standings/person?name=Ana", "/standings/share", "/phone"):
        phone.goto(path)
        check(f"{path}, with tables")


def test_no_other_file_is_fetched_to_draw_a_page(phone: Page) -> None:
    """The page names its style sheet and scripts, and the scripts load no others, on the board or on a sheet."""
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    address = open_record(phone, *FULL_BOARDS["pairs"])
    for page in (address, "/", "/new", "/lookup/odds", f"{address}/evening"):
        asked.clear()
        phone.goto(page)
        phone.wait_for_timeout(2_000)
        files = [
            url.partition("/static/")[2].partition("?")[0] for url in asked if "/static/" in url and "icon" not in url
        ]
        assert sorted(files) == ["app.css", "app.js", "htmx.min.js"]
    phone.goto(address)
    asked.clear()
    phone.locator("a.deck").tap()
    expect(phone.locator("#sheet")).to_be_visible()
    assert [url.removeprefix(address) for url in asked if not url.endswith("/deals")] == ["/deck"]


@pytest.mark.parametrize("board", FULL_BOARDS)
def test_the_answer_to_a_tap_is_at_most_3_kilobytes_and_part_of_the_page(board: str) -> None:
    """This test needs no browser."""
    dealer = app().test_client()
    address = dealer.post("/import", data={"record": record(*FULL_BOARDS[board])}).headers["Location"]
    page = dealer.get(address).data
    fragment = dealer.get(address, headers={"HX-Request": "true"}).data
    assert len(fragment) > 2_000
    assert len(gzip.compress(fragment, 6)) <= 3_000
    assert fragment.strip() in page


def test_the_answer_to_a_tap_has_the_same_bytes_as_the_page(phone: Page) -> None:
    new_table(phone, 3)
    with phone.expect_response("**/enter") as entered:
        play(phone, "7")
    answer = entered.value.body()
    assert len(answer) > 2_000
    assert answer.strip() in phone.request.get(phone.url).body()
