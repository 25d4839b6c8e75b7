"""Static files are served unchanged and compressed, and stay in the browser's cache until they change."""

from __future__ import annotations

import gzip
import re
from functools import partial

import pytest
from flask.testing import FlaskClient

from companion.bundle import home_of
from companion.store.memory import MemoryStore
from companion.web import create_app
from companion.web.assets import kept_answer
from tests.browser.table import record

LARGEST_FIRST_LOAD = 45_000  # bytes of a board page, its style, its script and htmx, compressed
EIGHT = "Ana,Ben,Cleo,Dan,Eve,Finn,Gus,Hana"
ENTRIES = "game pairs,5,9,10,7,6,10,3,8,10,9,fold,10,4,8,10,9,6,7,2,6,5,10,8,9,7,6,10,8,9,4,5,7,10,8,9,7,9"
PACKED = {"Accept-Encoding": "gzip"}


def files_of(page: str) -> list[str]:
    """The files a browser fetches before it draws the page."""
    return re.findall(r'<(?:link rel="stylesheet" href|script src)="([^"]+)"', page)


@pytest.mark.parametrize("name", ["app.css", "app.js"])
def test_a_file_is_served_unchanged(anybody: FlaskClient, name: str) -> None:
    source = (home_of("static") / name).read_bytes()
    assert anybody.get(f"/static/{name}").data == source
    assert gzip.decompress(anybody.get(f"/static/{name}", headers=PACKED).data) == source


@pytest.mark.parametrize("path", ["/", "/new", "/lookup", "/rules/pairs", "/offline", "/nowhere"])
def test_every_page_has_the_same_three_files(anybody: FlaskClient, path: str) -> None:
    names = [address.partition("?v=")[0] for address in files_of(anybody.get(path).text)]
    assert names == ["/static/app.css", "/static/htmx.min.js", "/static/app.js"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_first_load_of_a_board_is_at_most_45_000_bytes(anybody: FlaskClient, language: str) -> None:
    asked = {**PACKED, "Accept-Language": language}
    address = anybody.post("/import", data={"record": record(EIGHT, ENTRIES)}).headers["Location"]
    page = anybody.get(address, headers=asked).data
    sizes = {address: len(page)}
    for name in files_of(gzip.decompress(page).decode()):
        answer = anybody.get(name, headers=asked)
        assert "immutable" in answer.headers["Cache-Control"]
        sizes[name] = len(answer.data)
    assert len(sizes) == 4
    assert sum(sizes.values()) <= LARGEST_FIRST_LOAD, sizes


def test_applications_in_one_process_keep_their_own_boards() -> None:
    """A board is kept for all who watch it, but not for a table with the same id in another application."""
    for words in ("first", "second"):
        app = create_app(MemoryStore(), {"SECRET_KEY": "key"})
        for drawing in (words, "never drawn"):
            with app.test_request_context():
                assert kept_answer("a board", partial(str, drawing)).get_data(as_text=True) == words
