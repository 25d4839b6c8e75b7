"""The style sheets: one place for each thing, and no game by name."""

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
    """Every rule: the media it is for, its selector, what it says."""
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
def test_a_rule_is_not_mended_further_down(sheet: Path) -> None:
    said = Counter((media, selector) for media, selector, _body in rules(sheet))
    assert [rule for rule, count in said.items() if count > 1] == []


@each_sheet
def test_a_rule_has_a_line_of_its_own(sheet: Path) -> None:
    assert [line for line in sheet.read_text().splitlines() if line.count("{") > 1] == []
    assert [selector for _media, selector, _body in rules(sheet) if len(selector) > LONGEST_SELECTOR] == []


def test_a_colour_of_a_theme_is_said_once() -> None:
    tokens: Counter[str] = Counter()
    for sheet in SHEETS:
        for media, selector, body in rules(sheet):
            if selector.startswith(":root") and "height" not in media and "width" not in media:
                tokens.update(set(re.findall(r"(--[\w-]+):", body)) - {"--light", "--dark"})  # which theme counts
    assert tokens
    assert [token for token, count in tokens.items() if count > 1] == []
