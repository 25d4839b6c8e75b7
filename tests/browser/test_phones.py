"""The phones that tests share: a test finds nothing that an earlier one left."""

from __future__ import annotations

from playwright.sync_api import Browser

from .conftest import Server
from .phones import BrowserPhones
from .table import new_table

LEAVE = """async () => {
  localStorage.setItem("a", "1");
  sessionStorage.setItem("a", "1");
  await (await caches.open("seen")).put("/", new Response("1"));
}"""
FOUND = """async () => [localStorage.length, sessionStorage.length, (await caches.keys()).length, history.length]"""


def test_a_used_phone_is_emptied_and_a_changed_one_is_not_used_again(browser: Browser, server: Server) -> None:
    phones = BrowserPhones(browser, server.address)
    page = phones.take(False, {})
    new_table(page, 2)
    page.evaluate(LEAVE)
    page.context.new_page()
    phones.give_back()
    again = phones.take(False, {})
    assert again is page
    assert page.context.pages == [page]
    assert page.context.cookies() == []
    page.goto("/healthz")  # a page would leave what htmx notes of it
    assert page.evaluate(FOUND) == [0, 0, 0, 2]  # the blank page, and this one
    page.route("**/nothing", lambda route: route.abort())
    phones.give_back()
    other = phones.take(False, {})
    assert other is not page
    assert page.is_closed()
    other.context.close()
