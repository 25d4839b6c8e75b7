"""The program served under a path prefix: no address it sends is outside that path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from companion.games import GAMES
from companion.store.memory import MemoryStore
from companion.web import create_app
from tests.known import KNOWN

PREFIX = "/pairs"
HOST = "http://localhost"
ADDRESSES = ("href", "src", "action", "formaction", "hx-get", "hx-post")
# Routes that no page of a table of Pairs links to. The first is for entries that a server refused, the second for games
# with hidden cards, the third for tables that only keep the score; the others are requested by programs.
UNLINKED = {
    "importing.fork",
    "hand.show",
    "table.score",
    "handover.connection",
    "standings.as_json",
    "pwa.offline",
    "health.healthz",
    "pocket.host",
    "pocket.pack",
}


@dataclass
class HtmlForm:
    method: str
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[dict[str, str]] = field(default_factory=list)

    def requests(self) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
        """Method, address and fields, once for each button."""
        for button in self.buttons:
            pressed = [(button["name"], button.get("value", ""))] if "name" in button else []
            yield self.method, button.get("formaction", self.action), self.fields + pressed


class PrefixedPage(HTMLParser):
    """The addresses and the forms of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.forms: list[HtmlForm] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        linked = [value for name, value in given.items() if name in ADDRESSES or name.startswith("data-")]
        self.addresses += [value for value in linked if value.startswith(("/", HOST))]
        if tag == "form":
            self.forms.append(HtmlForm(given.get("method", "get"), given.get("action", "")))
        elif self.forms and tag == "button" and given.get("type") != "button":
            self.forms[-1].buttons.append(given)
        elif self.forms and tag in ("input", "select", "textarea") and "name" in given:
            self.forms[-1].fields.append((given["name"], given.get("value", "")))


class Walker:
    """Follow every link and press every button once; fail if an address is outside the prefix."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.routes = app.url_map.bind("localhost")
        self.seen: set[tuple[str, str]] = set()
        self.endpoints: set[str] = set()

    def open(self, address: str, method: str = "get", form: list[tuple[str, str]] | None = None) -> TestResponse:
        path = address.removeprefix(HOST).removeprefix(PREFIX).partition("#")[0]
        body = {"data": urlencode(form), "content_type": "application/x-www-form-urlencoded"} if form else {}
        answer = self.client.open(path, method=method.upper(), base_url=f"{HOST}{PREFIX}/", **body)
        assert answer.status_code < 500, (address, form)
        self.endpoints.add(self.endpoint(path, method))
        for cookie in answer.headers.getlist("Set-Cookie"):
            assert f"Path={PREFIX};" in f"{cookie};"
        if "Location" in answer.headers:
            inside(answer.headers["Location"], address)
        return answer

    def endpoint(self, path: str, method: str) -> str:
        try:
            endpoint: str = self.routes.match(path.partition("?")[0], method.upper())[0]
        except HTTPException:
            return ""
        return endpoint

    def walk(self, *addresses: str) -> None:
        """Visit these pages, then all that can be reached from them."""
        waiting = [one for address in addresses for one in self.found(self.open(address), address)]
        while waiting:
            method, address, form = waiting.pop()
            if is_the_end(method, address) and not all(is_the_end(*one[:2]) for one in waiting):
                waiting.insert(0, (method, address, form))  # last, as nothing is dealt at a table that is gone
                continue
            key = (method, address.partition("#")[0] + str(sorted({name for name, value in form})))
            if key in self.seen:
                continue
            self.seen.add(key)
            get = method == "get"
            answer = self.open(
                f"{address}?{urlencode(form)}" if get and form else address, method, None if get else form
            )
            waiting += self.found(answer, address)

    def found(self, answer: TestResponse, address: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
        """All requests that this answer offers."""
        if "Location" in answer.headers:
            return [("get", answer.headers["Location"], [])]
        if answer.mimetype != "text/html":
            return []
        page = PrefixedPage(answer.text)
        for linked in page.addresses:
            inside(linked, address)
        links: list[tuple[str, str, list[tuple[str, str]]]] = [
            ("get", linked, []) for linked in page.addresses if "/static/" not in linked
        ]
        return links + [request for form in page.forms for request in form.requests() if request[1]]


def is_the_end(method: str, address: str) -> bool:
    """True if afterwards this phone or this table is gone."""
    return method == "post" and address.endswith(("/forget", "/delete"))


def inside(address: str, found_at: str) -> None:
    path = address.removeprefix(HOST)
    assert path == PREFIX or path.startswith(f"{PREFIX}/"), f"{address} on {found_at}"


@pytest.fixture
def app() -> Flask:
    return create_app(MemoryStore(), {"SECRET_KEY": "a key for tests", "TABLES_PER_HOUR": 10_000})


def test_no_page_form_redirect_or_cookie_leaves_the_prefix(app: Flask) -> None:
    dealer, watcher = Walker(app), Walker(app)
    opened = dealer.open(
        "/tables", "post", [("game", "pairs"), ("seats", "3"), ("o-stakes", "tacoma"), ("o-coach", "all")]
    )
    table = opened.headers["Location"]
    # Seats are changed between rounds only: the second player moves up.
    moves = [form for form in dealer.found(dealer.open(f"{table}/seats"), table) if ("what", "up") in form[2]]
    dealer.open(moves[0][1], *moves[0][::2])
    for version, entry in enumerate(("pay A B 5", "7", "3", "9"), 2):
        dealer.open(f"{table}/enter", "post", [("entry", entry), ("version", str(version))])
    # Now, while there is a payment: a button may take it back later.
    for method, address, form in dealer.found(dealer.open(f"{table}/evening"), table):
        if "payments" in address or address.endswith(".csv") or "worth" in dict(form):
            dealer.open(address, method, form if method == "post" else None)
    dealer.open(f"{table}/handover", "post")
    watcher.walk(table)
    # First the pages that need a choice or chips: a button may end the round later, or undo the payment.
    linked = dealer.found(dealer.open(table), table)
    coach = [address for method, address, _form in linked if method == "get" and "/coach" in address]
    names = [("game", "rocket"), ("seats", "2"), ("name-0", "Ana"), ("name-1", "Bo")]
    paid = dealer.open("/tables", "post", names).headers["Location"]
    dealer.open(f"{paid}/enter", "post", [("entry", "pay Ana Bo 5"), ("version", "1")])
    standings = (f"{paid}/evening", f"{PREFIX}/standings", f"{PREFIX}/standings/person?name=Ana")
    dealer.walk(f"{PREFIX}/", *standings, *coach)
    rules = {rule.endpoint for rule in app.url_map.iter_rules() if not rule.endpoint.startswith(("api.", "sync."))}
    assert rules - dealer.endpoints - watcher.endpoints - {"static"} <= UNLINKED
    for path in ("/offline", "/healthz"):
        dealer.walk(PREFIX + path)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "pairs"])
def test_the_boards_of_other_games_stay_under_the_prefix(app: Flask, game: str) -> None:
    walker = Walker(app)
    table = walker.open("/tables", "post", [("game", game), ("seats", "3")]).headers["Location"]
    for version, value in enumerate((4, 9, 7), 1):
        entry = KNOWN[game].first.format(value=value)
        walker.open(f"{table}/enter", "post", [("entry", entry), ("version", str(version))])
    page = PrefixedPage(walker.open(table).text)
    for address in page.addresses:
        inside(address, table)


def test_files_are_found_under_the_prefix(app: Flask) -> None:
    walker = Walker(app)
    files = [address for address in PrefixedPage(walker.open("/").text).addresses if "/static/" in address]
    assert files
    for address in files:
        assert walker.open(address).status_code == 200


def strings(thing: Any) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from strings(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from strings(value)


def test_the_installed_app_stays_under_the_prefix(app: Flask) -> None:
    walker = Walker(app)
    manifest = json.loads(walker.open("/manifest.webmanifest").text)
    assert (manifest["id"], manifest["start_url"], manifest["scope"]) == (f"{PREFIX}/",) * 3
    worker = walker.open("/sw.js").text.splitlines()[0]
    ours = json.loads(worker.removeprefix("const OURS = ").removesuffix(";"))
    for linked in (manifest, ours):
        for text in strings(linked):
            if text.startswith("/"):
                inside(text, "the installed app")
    for address in ours["addresses"]:
        assert walker.open(address).status_code == 200


def test_the_code_to_scan_has_the_prefix(app: Flask) -> None:
    walker = Walker(app)
    table = walker.open("/tables", "post", [("game", "pairs"), ("seats", "3")]).headers["Location"]
    assert f"{HOST}{PREFIX}/t/" in walker.open(f"{table}/code").text
    walker.open(f"{table}/handover", "post")
    assert f'{HOST}{table}/take"' in walker.open(f"{table}/handover").text


def test_two_prefixes_in_one_process_do_not_mix(app: Flask) -> None:
    """A board is drawn once for all watchers, but separately for each prefix."""
    client = app.test_client()
    table = client.post("/tables", data={"game": "pairs", "seats": "3"}).headers["Location"]
    watcher = app.test_client()
    for prefix in ("", "/a", "/b"):
        board = watcher.get(table, base_url=f"{HOST}{prefix}/", headers={"HX-Request": "true"}).text
        assert f'href="{prefix}{table}/menu"' in board
        assert 'href="/a' not in board or prefix == "/a"


def test_errors_under_the_prefix_have_the_usual_form(app: Flask) -> None:
    walker = Walker(app)
    assert walker.open("/api/nothing").mimetype == "application/json"
    missing = walker.open("/nothing")
    assert missing.mimetype == "text/html"
    for address in PrefixedPage(missing.text).addresses:
        inside(address, "the page that says so")
