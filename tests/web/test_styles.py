"""The style sheets: each thing is styled in one place, and no game is named."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from companion.games import GAMES

SHEETS = sorted((Path(__file__).parents[2] / "static").glob("*.css"))
each_sheet = pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
LONGEST_SELECTOR = 200


def rules(sheet: Path) -> list[tuple[str, str, str]]:
    """The media query, selector and body of every rule."""
    found, media = [], ""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    for opening, selector, body, _closing in re.findall(r"(@[^{]+)\{|([^{}]+)\{([^{}]*)\}|(\})", text):
        media = opening.strip() if not selector else media
        if selector:
            found.append((media, " ".join(selector.split()), body.strip()))
    return found


@each_sheet
def test_a_style_sheet_names_no_game(sheet: Path) -> None:
    assert not set(re.findall(r"[a-z]+", sheet.read_text().casefold())) & GAMES.keys()


@each_sheet
def test_no_selector_has_two_rules(sheet: Path) -> None:
    said = Counter((media, selector) for media, selector, _body in rules(sheet))
    assert [rule for rule, count in said.items() if count > 1] == []


@each_sheet
def test_every_rule_has_its_own_line(sheet: Path) -> None:
    assert [line for line in sheet.read_text().splitlines() if line.count("{") > 1] == []
    assert [selector for _media, selector, _body in rules(sheet) if len(selector) > LONGEST_SELECTOR] == []


def test_a_colour_of_a_theme_is_set_once() -> None:
    tokens: Counter[str] = Counter()
    for sheet in SHEETS:
        for media, selector, body in rules(sheet):
            if selector.startswith(":root") and "height" not in media and "width" not in media:
                tokens.update(set(re.findall(r"(--[\w-]+):", body)) - {"--light", "--dark"})  # these switch the theme
    assert tokens
    assert [token for token, count in tokens.items() if count > 1] == []
