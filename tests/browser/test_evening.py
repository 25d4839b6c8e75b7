"""The page of the evening on a phone."""

from __future__ import annotations

import pytest

from .conftest import NewPhone
from .table import open_record

NAMES = "Wim,Mona,Walt,Max"
GAMES = ",".join(f"game rocket,pay Wim Mona {number}000,pay Walt Max 1" for number in range(1, 12))


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_no_text_of_a_chart_is_cut_off(new_phone: NewPhone, scheme: str) -> None:
    """The lines end in the widest letters and in long numbers, in whatever font this machine has."""
    phone = new_phone(color_scheme=scheme)
    address = open_record(phone, NAMES, GAMES)
    phone.goto(f"{address}/evening")
    beyond = """() => [...document.querySelectorAll('svg.chart text')].map(text => text.getBBox())
        .filter(box => box.x < 0 || box.x + box.width > 300).length"""
    assert phone.locator("svg.chart text").count() > 10
    assert phone.evaluate(beyond) == 0
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
