"""The pictures of the READMEs: drawn twice, they are the same, and each shows its table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.pictures import LANGUAGES, PICTURES, Picture, draw, server


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_drawn_twice_has_the_same_bytes(browser: Browser, picture: Picture) -> None:
    with server() as address:
        first, second = (draw(browser, address, "en", picture) for _ in range(2))
        french = draw(browser, address, "fr", picture)
    assert first == second
    assert french != first


def test_the_repository_has_every_picture_and_no_other() -> None:
    known = {picture.file(language) for picture in PICTURES for language in LANGUAGES}
    assert {file for folder in {file.parent for file in known} for file in folder.iterdir()} == known
