"""The program under a path prefix, on a host that may serve other things."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread

import pytest
from playwright.sync_api import expect
from werkzeug.exceptions import NotFound
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.serving import make_server

from companion.store.memory import MemoryStore
from companion.web import create_app

from .conftest import NewPhone
from .table import play, tap

PREFIX = "/pairs"


@pytest.fixture
def mounted() -> Iterator[str]:
    """The address of the program under the prefix; the host answers 404 everywhere else."""
    app = create_app(MemoryStore(), {"SECRET_KEY": "a key for tests"})
    server = make_server("127.0.0.1", 0, DispatcherMiddleware(NotFound(), {PREFIX: app}), threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}{PREFIX}"
    server.shutdown()
    thread.join()


def test_a_round_is_played_and_watched_under_a_prefix(new_phone: NewPhone, mounted: str) -> None:
    dealer, watcher = new_phone(service_workers="allow"), new_phone()
    asked: list[str] = []
    for phone in (dealer, watcher):
        phone.on("request", lambda request: asked.append(request.url))
    dealer.goto(f"{mounted}/")
    dealer.get_by_role("link", name="New table").tap()
    dealer.get_by_role("button", name="2", exact=True).tap()
    dealer.wait_for_url(f"{mounted}/t/*")
    watcher.goto(dealer.url)
    play(dealer, "4,9,1,fold")
    expect(watcher.locator("#board")).to_have_attribute("data-version", "5", timeout=4_000)
    dealer.get_by_role("link", name="Menu").tap()
    dealer.get_by_role("link", name="History").tap()
    expect(dealer.locator(".log li")).to_have_count(5)
    dealer.get_by_role("link", name="Back").first.tap()
    tap(dealer, "7")
    # The worker caches everything and answers only for this path.
    dealer.wait_for_function("() => navigator.serviceWorker.controller")
    assert (
        dealer.evaluate("navigator.serviceWorker.ready.then((found) => new URL(found.scope).pathname)") == f"{PREFIX}/"
    )
    assert [address for address in asked if not address.startswith(f"{mounted}/")] == []
