"""Helpers to open and play a table in the browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect


def record(names: str, entries: str) -> str:
    """A record from names and entries, both separated by commas."""
    quoted = " ".join(f'"{name.strip()}"' for name in names.split(","))
    lines = "\n".join(entry.strip() for entry in entries.split(","))
    return f"fifty-five 1\nseats {quoted}\n{lines}\n"


def open_record(page: Page, names: str, entries: str) -> str:
    """Open a table from a record; return its address."""
    return _open(page, "/import", record=record(names, entries))


def new_table(page: Page, seats: int, game: str = "pairs", **options: str) -> str:
    """Open a table as the set-up page does; return its address. The page itself is tested in test_setup.py."""
    return _open(page, "/tables", game=game, seats=str(seats), **{f"o-{key}": value for key, value in options.items()})


def _open(page: Page, address: str, **form: str) -> str:
    """Send the form from this phone without loading its page, which would take half of the tests' time."""
    answer = page.request.post(address, form=form, max_redirects=0)
    assert answer.status == 303, answer.text()
    page.goto(answer.headers["location"])
    return page.url


def version(page: Page) -> int:
    return int(page.get_attribute("#board", "data-version") or 0)


def tap(page: Page, entry: str) -> None:
    """Tap one button, and wait until the board has changed."""
    before = version(page)
    page.locator(f"#board button[name=entry][value='{entry}']").tap()
    expect(page.locator(f"#board:not([data-version='{before}'])")).to_be_attached()


def play(page: Page, entries: str) -> int:
    """Tap each entry; return how many there were."""
    words = [entry.strip() for entry in entries.split(",")]
    before = ""
    for entry in words:
        if entry == before:
            page.wait_for_timeout(320)  # the same key twice within 300 ms counts as one tap
        tap(page, entry)
        before = entry
    return len(words)


def state(page: Page) -> dict[str, Any]:
    """The server's state of the table on the screen."""
    table = page.url.split("/t/")[1].split("/")[0].split("?")[0]
    answer = page.request.get(f"/api/tables/{table}")
    found: dict[str, Any] = answer.json()
    return found


def log(page: Page) -> list[str]:
    table = page.url.split("/t/")[1].split("/")[0].split("?")[0]
    return [line["entry"] for line in page.request.get(f"/api/tables/{table}/log").json()["entries"]]


def points(page: Page) -> dict[str, int]:
    return {seat["name"]: seat["points"] for seat in state(page)["seats"]}


def chips(page: Page) -> dict[str, int]:
    return {seat["name"]: seat["chips"] for seat in state(page)["seats"]}
