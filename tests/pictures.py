"""`make pictures`: draws the pictures of the READMEs and of the manifest anew, in Chromium.

The same program, browser and fonts give the same bytes: the clock stands still, and nothing moves.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from unittest.mock import patch

from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.web import create_app

from .browser.conftest import FLAGS, find_browser
from .browser.phones import UNGUARDED
from .browser.table import open_record, tap

HOME = Path(__file__).parents[1]
LANGUAGES = ("en", "fr")
THE_EVENING = 1_794_690_000  # 14 November 2026, 21:00 in Paris
SIZE = {"width": 360, "height": 740}
SHARPNESS = 1.5  # pixels of the picture for one of the page
QUALITY = 80
PAUSE = 300  # ms

SEATS = "Ana, Ben, Cleo, Dan"
PAIRS = "game pairs stakes=tacoma sum=20"
FIRST_ROUNDS = "7,10,3,9,9,6,5,8,fold,4,10,2,8,10,8,5,9,7,10,6,4,10,6,fold"
FOURTH_ROUND = f"{PAIRS},{FIRST_ROUNDS},7,6,10,5,9,10,4,7,2,9"
STONES = "game blackstone,6,10,4,10,take 2,whites,take 2,whites,take 3,white,10,white,take 3"
ROCKET = "game rocket max=50,bet Ben 20,bet Cleo 50,bet Dan 10,8,5,10,6,4,9,10,10"
THREE_GAMES = (
    f"{PAIRS},8,4,7,5,fold,5,6,10,4,1,6,3,6,2,4,7,fold,9,3,3,2,10,fold,9,6,9,10,4,8,5,7,fold,6,5,6,9,fold,9,5,8,9,8,fold,"
    "9,10,10,8,7,8,fold,game rocket bet=10,1,6,10,6,9,4,3,5,fold,2,2,9,5,9,8,3,7,4,8,6,7,7,4,10,fold,10,5,4,10,5,3,9,6,9,"
    "fold,8,7,10,6,8,6,10,9,7,7,fold,8,5,8,9,10,7,10,8,9,9,8,10,10,fold,shuffle,7,1,9,7,7,"
    f"{PAIRS},2,7,8,4,fold,1,3,4,10,6,8,8"
)


@dataclass(frozen=True)
class Picture:
    """A page of a table after some entries, the last of which is tapped."""

    name: str
    entries: str
    last: str
    page: str = ""
    follower: str = ""  # another phone, on which this player follows

    def file(self, language: str) -> Path:
        """The English boards are those that the manifest shows."""
        shown = language == "en" and self.name in GAMES
        folder = HOME / "static" / "screenshots" if shown else HOME / "docs" / "pictures" / language
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.name}.webp"


PICTURES = (
    Picture("pairs", FOURTH_ROUND, "9"),
    Picture("blackstone", STONES, "whites"),
    Picture("rocket", ROCKET, "9"),
    Picture("follow", FOURTH_ROUND, "9", follower="Cleo"),
    Picture("repair", f"{FOURTH_ROUND},9", "10", page="/history?n=33&entry=5"),
    Picture("evening", THREE_GAMES, "2", page="/evening"),
)


def main() -> int:
    path = find_browser()
    if path is None:
        print("Install chromium.", file=sys.stderr)
        return 1
    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        for language in LANGUAGES:
            for picture in PICTURES:
                picture.file(language).write_bytes(draw(browser, address, language, picture))
        browser.close()
    print(*(picture.file(language) for language in LANGUAGES for picture in PICTURES), sep="\n")
    return 0


@contextmanager
def server() -> Iterator[str]:
    """The address of the program, without a database; its clock stands still."""
    app = create_app(MemoryStore(), {"SECRET_KEY": "pictures"})
    running = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    with patch("companion.web.clock.time", return_value=THE_EVENING):
        Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.port}"
        running.shutdown()


class Silent(WSGIRequestHandler):
    def log(self, *_args: object) -> None:
        pass


def draw(browser: Browser, address: str, language: str, picture: Picture) -> bytes:
    page = new_phone(browser, address, language)
    table = open_record(page, SEATS, picture.entries)
    tap(page, picture.last)
    if picture.follower:
        page = new_phone(browser, address, language)
        page.request.post(f"{table}/me", form={"me": picture.follower})
    page.goto(f"{table}{picture.page}", wait_until="networkidle")  # drawn anew: what was swapped in may be a hair off
    return picture_of(page)


def new_phone(browser: Browser, address: str, language: str) -> Page:
    context = browser.new_context(
        base_url=address,
        viewport=SIZE,  # type: ignore[arg-type]
        device_scale_factor=SHARPNESS,
        has_touch=True,
        color_scheme="dark",
        locale=language,
        timezone_id="Europe/Paris",
        service_workers="block",
        permissions=["screen-wake-lock"],
    )
    context.add_init_script(UNGUARDED)  # it also ends every animation
    return context.new_page()


def picture_of(page: Page) -> bytes:
    """The screen, once it shows the same twice, as WebP: a third of the PNG that Playwright makes."""
    page.evaluate("() => document.fonts.ready")
    browser_side = page.context.new_cdp_session(page)
    clip = {"x": 0, "y": 0, **SIZE, "scale": SHARPNESS}
    before, shot = "", "not yet"
    while shot != before:
        page.wait_for_timeout(PAUSE)
        before = shot
        options = {"format": "webp", "quality": QUALITY, "clip": clip}
        shot = browser_side.send("Page.captureScreenshot", options)["data"]
    page.context.close()
    return base64.b64decode(shot)


if __name__ == "__main__":
    sys.exit(main())
