"""Sharing: the picture goes out as PNG through the phone's share sheet, or is saved and copied if there is none."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from .table import open_record

LOST = "game pairs stakes=tacoma cards=no,score Ana 2,score Cleo 10,score Cleo 6"
SHEET = """
  Object.defineProperty(navigator, "canShare", { value: () => true });
  Object.defineProperty(navigator, "share", { value: async (what) => { window.shared = what; } });
"""
NO_SHEET = """
  for (const name of ["share", "canShare", "clipboard"]) Object.defineProperty(navigator, name, { value: undefined });
"""


def test_the_picture_is_shared_as_png_with_the_text(phone: Page) -> None:
    phone.add_init_script(SHEET)
    open_record(phone, "Ana,Ben,Cleo,Dan", LOST)
    phone.get_by_role("link", name="Share").tap()
    expect(phone.locator("#save[download$='.png']")).to_be_visible()  # the picture is ready
    phone.locator("#send").tap()
    phone.wait_for_function("() => window.shared")
    kind, size, text = phone.evaluate("[shared.files[0].type, shared.files[0].size, shared.text]")
    assert (kind, size > 5_000) == ("image/png", True)
    assert "Ben 0, Dan 0, Ana 2, Cleo 16" in text
    width, height = phone.evaluate(
        "createImageBitmap(shared.files[0]).then(bitmap => [bitmap.width, bitmap.height])",
    )
    assert (width, height) == (1080, 2 * int(phone.locator(".picture").get_attribute("height") or 0))


def test_without_a_share_sheet_the_picture_is_saved_and_the_text_copied(phone: Page) -> None:
    phone.add_init_script(NO_SHEET)
    address = open_record(phone, "Ana,Ben,Cleo,Dan", LOST)
    phone.goto(f"{address}/share")
    expect(phone.locator("#send")).to_be_hidden()
    expect(phone.locator("#save[download$='.png']")).to_be_visible()
    with phone.expect_download() as saved:
        phone.locator("#save").tap()
    assert saved.value.suggested_filename == "fifty-five.png"
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    phone.locator("#copy").tap()
    expect(phone.locator("#copy")).to_have_text("Copied")


def test_no_text_of_the_picture_overflows_or_overlaps_another(phone: Page) -> None:
    """The table is full and has the longest names, in the fonts of this machine."""
    names = ",".join(f"{letter}aximilian-Konstantin B." for letter in "MWABCDEF")
    loser = '"Maximilian-Konstantin B."'
    address = open_record(phone, names, f"game pairs stakes=portland cards=no,score {loser} 6,score {loser} 6")
    for page in ("share.svg", "share.svg?of=game"):
        phone.goto(f"{address}/{page}")
        boxes = phone.evaluate(
            """() => [...document.querySelectorAll('svg > text')].map(text => text.getBBox())
                .map(box => [box.x, box.y, box.x + box.width, box.y + box.height])"""
        )
        assert len(boxes) > 16
        expect(phone.locator("svg > text").last).to_have_text(re.compile(r"Fifty-Five · \d{1,2} \w+ \d{4}"))
        for left, _top, right, _bottom in boxes:
            assert left >= 0
            assert right <= 540
        for place, (left, top, right, bottom) in enumerate(boxes):
            for other, above, end, below in boxes[place + 1 :]:
                assert right <= other or end <= left or bottom - 9 <= above or below - 9 <= top
