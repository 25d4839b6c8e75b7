"""The installed app: offline it shows what it has kept, and never an old board as if it were new."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from companion.games import GAMES
from companion.web.games import lookups

from .conftest import FLAGS, NewPhone, Server, find_browser
from .phones import PATIENCE, PHONE
from .table import log, new_table, open_record, play, tap, version


@pytest.fixture(scope="module")
def second_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("second"), start=False) as server:
        yield server


@pytest.fixture
def own_server(second_server: Server) -> Server:
    """A server that tests may stop."""
    if not second_server.running():
        second_server.start()
    return second_server


@pytest.fixture
def installed(browser: Browser, own_server: Server) -> Iterator[BrowserContext]:
    """An empty browser context that allows service workers."""
    context = browser.new_context(base_url=own_server.address, viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def installer(browser: Browser, own_server: Server, tmp_path: Path) -> Iterator[BrowserContext]:
    """A browser with its own profile, since nothing can be installed in a private window."""
    context = browser.browser_type.launch_persistent_context(
        tmp_path / "phone", executable_path=find_browser(), args=list(FLAGS), base_url=own_server.address
    )
    yield context
    context.close()


def ready(page: Page) -> None:
    """Wait until the worker has cached everything and controls this page."""
    page.evaluate(
        """async () => {
            const { serviceWorker } = navigator;
            if (!serviceWorker.controller) await new Promise((go) => serviceWorker.addEventListener('controllerchange', go));
            await serviceWorker.ready;
        }"""
    )


def kept_version(page: Page) -> str:
    """The version of the board in the copy on this phone."""
    text: str = page.evaluate(
        "async () => { const copy = await caches.match(location.pathname, {cacheName: 'seen'}); return copy ? copy.text() : ''; }"
    )
    return text.partition('data-version="')[2].partition('"')[0]


def wait_kept(page: Page) -> None:
    now = str(version(page))
    for _ in range(200):
        if kept_version(page) == now:
            return
        page.wait_for_timeout(100)
    raise AssertionError("the board was not kept")


def test_the_browser_finds_no_obstacle_to_an_installation(installer: BrowserContext) -> None:
    page = installer.new_page()
    page.goto("/")
    ready(page)
    client = installer.new_cdp_session(page)
    assert client.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    manifest = client.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")


def test_the_app_works_offline_after_one_visit(installed: BrowserContext, own_server: Server) -> None:
    page = installed.new_page()
    address = new_table(page, 3)
    play(page, "7,3,9")
    ready(page)
    tap(page, "5")
    wait_kept(page)
    seen = version(page)
    own_server.stop()

    for tab in ("", *(f"/{tab}" for tab in lookups())):
        page.goto(f"/lookup{tab}")
        expect(page.locator("main.page h1")).to_be_visible()
        expect(page.locator("[data-kept]")).to_have_count(0)
    page.goto("/lookup/odds?table=any")
    expect(page.locator("[data-kept]")).to_have_count(0)
    for game in ("", *(f"/{game}" for game in GAMES)):
        page.goto(f"/rules{game}")
        expect(page.locator("main h1")).to_be_visible()
        expect(page.locator("[data-kept]")).to_have_count(0)
    assert page.evaluate("document.styleSheets[0].cssRules.length") > 50

    # For a page that was not kept there is an explanation, under the same address.
    page.goto("/new")
    expect(page.get_by_role("alert")).to_contain_text("No connection")

    page.goto("/")
    expect(page.locator("main.page h1")).to_have_text("Fifty-Five")
    expect(page.locator("[data-kept] time")).to_contain_text("minute")
    expect(page.locator("button:enabled")).to_have_count(0)

    page.goto(address)
    banner = page.locator("[data-kept]")
    expect(banner).to_be_visible()
    expect(banner.locator("time")).to_have_text("0 minutes ago")
    assert version(page) == seen
    assert page.locator("#board button").count() > 10
    expect(page.locator("#board button:enabled")).to_have_count(0)
    expect(page.locator("#board button.key").first).to_have_css(
        "border-style", "dashed"
    )  # no key looks as if it could be tapped
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#link")).to_have_text("no connection")
    page.locator("#board button[name=entry][value='8']").tap(force=True)
    page.wait_for_timeout(300)
    assert version(page) == seen

    # Only a navigation is ever answered from a copy.
    for options in ("{method: 'POST'}", "{headers: {'HX-Request': 'true'}}", "{}"):
        lost = page.evaluate(f"fetch(location.pathname, {options}).then(() => 'answered', () => 'lost')")
        assert lost == "lost", options
    assert page.evaluate("fetch('/api/games').then(() => 'answered', () => 'lost')") == "lost"
    other = installed.new_page()
    other.goto("/lookup")
    other.evaluate(
        "document.body.append(Object.assign(document.createElement('form'), {id: 'f', method: 'post', action: '/language'}))"
    )
    with pytest.raises(Error, match="ERR_"), other.expect_navigation():
        other.evaluate("document.getElementById('f').submit()")

    # When the server is back, the board comes back by itself and can be played on.
    page.goto(address)
    expect(banner).to_be_visible()
    own_server.start()
    expect(banner).to_have_count(0)
    tap(page, "8")
    assert version(page) == seen + 1


def test_the_kept_board_shows_its_true_age(installed: BrowserContext, own_server: Server) -> None:
    page = installed.new_page()
    address = new_table(page, 3)
    ready(page)
    wait_kept(page)
    page.evaluate(
        """async () => {
            const seen = await caches.open('seen');
            const copy = await seen.match(location.pathname);
            const when = new Date(Date.now() - 7 * 60000).toISOString();
            const text = (await copy.text()).replace(/data-kept="[^"]*"/, `data-kept="${when}"`);
            await seen.put(location.pathname, new Response(text));
        }"""
    )
    own_server.stop()
    page.goto(address)
    expect(page.locator("[data-kept] time")).to_have_text("7 minutes ago")
    assert page.evaluate("Date.now() - Date.parse(document.querySelector('[data-kept]').dataset.kept)") >= 7 * 60_000
    # Loading an old board again does not make it younger.
    page.reload()
    expect(page.locator("[data-kept] time")).to_have_text("7 minutes ago")
    own_server.start()


def test_a_watchers_kept_board_does_not_claim_to_be_up_to_date(installed: BrowserContext, own_server: Server) -> None:
    dealer = installed.new_page()
    address = new_table(dealer, 3)
    dealer.close()
    installed.clear_cookies()
    watcher = installed.new_page()
    watcher.goto(address)
    ready(watcher)
    expect(watcher.locator("#age")).to_contain_text("up to date")
    wait_kept(watcher)
    own_server.stop()
    watcher.goto(address)
    expect(watcher.locator("[data-kept]")).to_be_visible()
    watcher.wait_for_timeout(1_500)
    expect(watcher.locator("#age")).to_have_text("")
    expect(watcher.locator("button:enabled")).to_have_count(0)
    own_server.start()


def test_pages_are_kept_in_a_newly_chosen_language_too(installed: BrowserContext, own_server: Server) -> None:
    page = installed.new_page()
    page.goto("/")
    ready(page)
    page.locator(".settings summary").tap()
    page.locator("button[name=language][value=fr]").tap()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    for _ in range(200):
        text = page.evaluate("caches.match('/rules/pairs', {ignoreVary: true}).then(copy => copy ? copy.text() : '')")
        if 'lang="fr"' in text:
            break
        page.wait_for_timeout(100)
    own_server.stop()
    page.goto("/rules/pairs")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    own_server.start()


def test_a_new_version_takes_over_during_a_game_without_disturbing_it(installed: BrowserContext) -> None:
    page = installed.new_page()
    new_table(page, 3)
    ready(page)
    play(page, "7,3")
    page.evaluate("window.same = true")
    # The first line of the worker depends on the language, so another language is a new version for the browser.
    page.request.post("/settings", form={"language": "fr"})
    page.evaluate(
        """async () => {
            const taken = new Promise((go) => navigator.serviceWorker.addEventListener('controllerchange', go));
            await (await navigator.serviceWorker.getRegistration()).update();
            await taken;
        }"""
    )
    play(page, "9,5")
    assert page.evaluate("window.same") is True
    for _ in range(200):
        names = page.evaluate("caches.keys()")
        if len(names) == 2:
            break
        page.wait_for_timeout(100)
    assert len(names) == 2
    assert "seen" in names


def test_the_install_hint_appears_only_after_the_first_finished_game(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.add_init_script(
        """addEventListener('load', () => {
            const offer = new Event('beforeinstallprompt', {cancelable: true});
            offer.prompt = () => { window.prompted = true; };
            window.dispatchEvent(offer);
        });"""
    )
    new_table(phone, 2)
    expect(phone.locator("#install")).to_have_count(0)
    # Ben folds, takes the 9 and loses.
    open_record(phone, "Ana,Ben", "game pairs limit=5,10,9")
    expect(phone.locator("#install")).to_have_count(0)
    tap(phone, "fold")
    expect(phone.locator("#install button")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    phone.locator("#install button").tap()
    assert phone.evaluate("window.prompted") is True
    expect(phone.locator("#install")).to_be_hidden()
    tap(phone, phone.get_attribute("#board .again button[name=entry]", "value") or "")
    play(phone, "10,9,fold")
    expect(phone.locator("#board .again")).to_be_visible()
    expect(phone.locator("#install")).to_be_hidden()


LOCKS = """
window.asked = 0;
Object.defineProperty(navigator, 'wakeLock', {value: {request: async () => {
    window.asked += 1;
    if (window.refuse) throw new DOMException('no', 'NotAllowedError');
    return new EventTarget();
}}});
"""


def test_over_plain_http_a_video_keeps_the_screen_on(new_phone: NewPhone) -> None:
    """Plain HTTP has no wake lock. A silent video plays instead, out of the way, and again after a pause."""
    phone = new_phone()
    phone.add_init_script("Object.defineProperty(navigator, 'wakeLock', {value: undefined})")
    new_table(phone, 3)
    expect(phone.locator("#film")).to_have_count(0)
    tap(phone, "7")
    phone.wait_for_function("() => document.getElementById('film') && !document.getElementById('film').paused")
    assert phone.evaluate("document.getElementById('film').muted")
    expect(phone.locator("#sleeps")).to_have_count(0)
    tap(phone, "3")
    expect(phone.locator("#film")).to_have_count(1)
    phone.evaluate("document.getElementById('film').pause()")  # as a phone does in a pocket
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait_for_function("() => !document.getElementById('film').paused")


def test_a_wake_lock_keeps_the_screen_on(new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.add_init_script(LOCKS)
    new_table(phone, 3)
    assert phone.evaluate("window.asked") == 0
    play(phone, "7,3,9")
    assert phone.evaluate("window.asked") == 1
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert phone.evaluate("window.asked") == 2
    expect(phone.locator("#sleeps")).to_have_count(0)
    icon = phone.get_by_role("button", name="Screen may sleep")
    expect(icon).to_be_hidden()
    phone.evaluate("window.refuse = true; document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator("#sleeps")).to_have_text("Screen may sleep")
    assert phone.locator("#sleeps").bounding_box()["width"] <= 1  # type: ignore[index]
    tap(phone, "5")
    # The warning is an icon in the bar, which explains itself.
    expect(phone.locator("#board .bar p")).not_to_contain_text("sleep")
    icon.tap()
    expect(phone.get_by_role("dialog")).to_contain_text("This browser does not keep the screen on.")
    phone.get_by_role("button", name="OK").tap()
    expect(phone.get_by_role("dialog")).to_have_count(0)
    assert log(phone)[-1] == "5"
    phone.evaluate("window.refuse = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator("#sleeps")).to_have_count(0)
    expect(icon).to_be_hidden()


def test_the_home_page_says_what_plain_http_lacks(new_phone: NewPhone) -> None:
    phone = new_phone(service_workers="allow")
    phone.goto("/")
    expect(phone.locator("#plain")).to_be_hidden()
    phone.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    phone.goto("/")
    expect(phone.locator("#plain")).to_be_visible()
    phone.wait_for_timeout(2_500)
    assert phone.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
