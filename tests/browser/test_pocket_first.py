"""The first visit to the phone edition, and the first start of the installed app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.pocket.site import Host, built_site

from .pocket import PATIENT, PhoneInHand

# Every value that the progress bar had, and whether it was in sight.
NOTE_PROGRESS = """addEventListener("DOMContentLoaded", () => {
    const bar = document.querySelector("progress");
    window.progress = [];
    if (bar) new MutationObserver(() => progress.push([bar.value, bar.hidden])).observe(bar, { attributes: true });
});"""
IOS = "Object.defineProperty(navigator, 'standalone', { get: () => STANDALONE });"


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    running = Host(built_site())
    yield running
    running.leave()


@pytest.fixture
def phone(browser: Browser, tmp_path: Path) -> Iterator[PhoneInHand]:
    made = PhoneInHand(browser, tmp_path / "phone", color_scheme="dark")
    yield made
    made.context.close()
    assert made.problems == []


def test_the_first_visit_shows_its_progress_and_says_what_comes_before_the_first_table(
    phone: PhoneInHand, host: Host
) -> None:
    phone.context.add_init_script(NOTE_PROGRESS)
    phone.context.add_init_script(
        IOS.replace("STANDALONE", "new URLSearchParams(top.location.search).has('installed')")
    )
    tab = phone.open(host.address)
    seen = [(value, hidden) for value, hidden in tab.page.evaluate("() => window.progress")]
    values = [value for value, hidden in seen if not hidden]
    assert len(values) > 10, "the bar moves with the bytes"
    assert values == sorted(values)
    assert values[-1] == 1
    assert seen[-1][1], "it goes when there is nothing more to fetch"

    # In Safari on an iPhone: install first. In the installed app, which has an empty storage: bring the tables over.
    expect(tab.frame.locator("#install")).to_contain_text("Add to Home Screen")
    expect(tab.frame.locator("#install")).to_contain_text("before the first table")
    expect(tab.frame.locator("#bring")).to_be_hidden()
    installed = phone.open(f"{host.address}?installed")
    expect(installed.frame.locator("#bring")).to_contain_text("played in the browser")
    expect(installed.frame.locator("#install")).to_be_hidden()
    installed.frame.get_by_role("link", name="Open a file or link").tap()
    expect(installed.frame.get_by_role("button", name="Open the table")).to_be_visible(timeout=PATIENT)
    installed.page.close()

    # With a table neither is offered; and the host page has the colours that were chosen, not the phone's.
    tab.new_table(2)
    tab.show(host.address)
    expect(tab.frame.get_by_text("Resume")).to_be_visible()
    expect(tab.frame.locator("#install, #bring")).to_have_count(0)
    tab.frame.locator("details.settings summary").tap()
    tab.frame.locator("button[name=theme][value=light]").tap()
    expect(tab.frame.locator("html[data-theme=light]")).to_be_attached(timeout=PATIENT)
    tab.page.reload(wait_until="commit")
    expect(tab.page.locator("html[data-theme=light]")).to_be_attached()
    expect(tab.page.locator("body")).to_have_css("background-color", "rgb(244, 241, 234)")
