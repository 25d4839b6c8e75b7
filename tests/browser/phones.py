"""Empty phones. A new page takes Chromium longer than most tests take for the rest, so a used page is emptied and used
again, unless a test has changed it permanently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page

# Tests tap faster than any hand, so for most of them new elements can be touched at once. See test_bounce.py.
UNGUARDED = """
  Element.prototype.animate = () => {};
  const off = new CSSStyleSheet();
  off.replaceSync("* { animation: none !important }");
  document.adoptedStyleSheets = [off];
"""
PHONE = {"width": 360, "height": 640}
PATIENCE = 60_000  # ms to wait for anything; far more than needed, to allow for busy machines
AT_HAND = 3  # empty phones kept of each kind
# Calls that change a page permanently. A page is not used again after a test that calls one of these.
OF_A_PAGE = ("add_init_script", "emulate_media", "on", "route", "set_viewport_size")
OF_A_CONTEXT = ("add_init_script", "new_cdp_session", "route", "set_extra_http_headers", "set_offline")


class BrowserPhone:
    """A page alone in its context, and its errors."""

    def __init__(self, browser: Browser, guarded: bool, options: dict[str, Any]) -> None:
        self.context = browser.new_context(**options)
        if not guarded:
            self.context.add_init_script(UNGUARDED)
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda told: self.problems.append(told.text) if told.type == "error" else None)
        self.page.set_default_timeout(PATIENCE)
        self.origin = options["base_url"]
        self.changed = False
        self._browser_side = self.context.new_cdp_session(self.page)
        for owner, names in ((self.page, OF_A_PAGE), (self.context, OF_A_CONTEXT), (self.page.clock, ("install",))):
            for name in names:
                setattr(owner, name, self._noted(getattr(owner, name)))

    def _noted(self, lasting: Callable[..., Any]) -> Callable[..., Any]:
        def change(*given: Any, **named: Any) -> Any:
            self.changed = True
            return lasting(*given, **named)

        return change

    def empty(self) -> bool:
        """Remove everything of the last test; False if that is not possible."""
        if self.changed or self.page.is_closed():
            return False
        for other in self.context.pages:
            if other is not self.page:
                other.close()
        self.page.evaluate("() => { try { sessionStorage.clear(); } catch { } }")  # an error page has no storage
        self.page.goto("about:blank")
        self.context.clear_cookies()
        self._browser_side.send("Storage.clearDataForOrigin", {"origin": self.origin, "storageTypes": "all"})
        self._browser_side.send("Page.resetNavigationHistory")
        return True


class BrowserPhones:
    """The phones of one browser, by kind."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self._empty: defaultdict[str, list[BrowserPhone]] = defaultdict(list)
        self._taken: list[tuple[str, BrowserPhone]] = []

    def take(self, guarded: bool, options: dict[str, Any]) -> Page:
        settings = {
            "viewport": PHONE,
            "has_touch": True,
            "color_scheme": "dark",
            "base_url": self.address,
            "service_workers": "block",  # a worker would fetch fifty files on every phone; see test_installed.py
            **options,
        }
        kind = repr((guarded, sorted(settings.items())))
        waiting = self._empty[kind]
        phone = waiting.pop() if waiting else BrowserPhone(self.browser, guarded, settings)
        self._taken.append((kind, phone))
        return phone.page

    def give_back(self) -> list[str]:
        """Take back all phones of a test; return their errors."""
        problems: list[str] = []
        for kind, phone in self._taken:
            ours = phone.origin == self.address  # any other server stops after its test
            if ours and len(self._empty[kind]) < AT_HAND and phone.empty():
                self._empty[kind].append(phone)
            else:
                phone.context.close()
            problems += phone.problems
            phone.problems.clear()
        self._taken.clear()
        return problems
