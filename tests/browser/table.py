"""How a dealer's hands move, for the tests."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect


def record(names: str, entries: str) -> str:
    """A record from names and entries, both separated by commas."""
    quoted = " ".join(f'"{name.strip()}"' for name in names.split(","))
    lines = "\n".join(entry.strip() for entry in entries.split(","))
    return f"fifty-five 1\nseats {quoted}\n{lines}\n"


def open_record(page: Page, names: str, entries: str) -> str:
    """Open a table from a record; its address."""
    page.goto("/import")
    page.fill("textarea", record(names, entries))
    page.click("button.main")
    page.wait_for_url("**/t/*")
    return page.url


def new_table(page: Page, seats: int, game: str = "pairs", **options: str) -> str:
    """Open a table through the set-up."""
    page.goto("/new")
    # A forced check does not wait until the page takes touches, and a guarded one takes none in its first moment.
    expect(page.locator("body")).to_have_css("pointer-events", "auto")
    page.check(f"input[name=game][value={game}]", force=True)
    if options:
        page.click("summary")
    for key, value in options.items():
        field = page.locator(f"[name=o-{key}]")
        if field.evaluate("e => e.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.click(f"button[name=seats][value='{seats}']")
    page.wait_for_url("**/t/*")
    return page.url


def bring_all(page: Page) -> None:
    """What comes a moment after the board is there."""
    page.evaluate("import(document.documentElement.dataset.later)")
    page.wait_for_function("() => document.querySelector('head link[href*=later]')?.sheet")


def version(page: Page) -> int:
    return int(page.get_attribute("#board", "data-version") or 0)


def tap(page: Page, entry: str) -> None:
    """One finger on one button, and the board has taken it."""
    before = version(page)
    page.locator(f"#board button[name=entry][value='{entry}']").tap()
    expect(page.locator(f"#board:not([data-version='{before}'])")).to_be_attached()


def play(page: Page, entries: str) -> int:
    """A tap each; how many there were."""
    words = [entry.strip() for entry in entries.split(",")]
    before = ""
    for entry in words:
        if entry == before:
            page.wait_for_timeout(320)  # the same key twice is one tap unless a third of a second lies between
        tap(page, entry)
        before = entry
    return len(words)


def state(page: Page) -> dict[str, Any]:
    """What the server knows of the table on the screen."""
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
