"""The home page and the pages around the tables: join, evenings, deal again, settings, forgetting."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from companion.store.memory import MemoryStore
from companion.web import create_app

from .conftest import NewPhone
from .table import chips, new_table, open_record, state


def lost(page: Page) -> str:
    """A table whose game is over: Ana has lost and paid 6."""
    return open_record(page, "Ana, Ben", "game pairs limit=3 stakes=tacoma, 3, 10, fold")


def test_deal_again_continues_the_evening_and_a_new_evening_starts_at_zero(new_phone: NewPhone) -> None:
    phone = new_phone()
    address = lost(phone)
    assert chips(phone) == {"Ana": -6, "Ben": 6}
    phone.goto("/")
    phone.get_by_role("button", name="Play again").tap()
    phone.wait_for_url(address)
    assert state(phone)["phase"] == "deal"
    assert chips(phone) == {"Ana": -6, "Ben": 6}
    phone.goto("/")  # the game is under way, so it can only be resumed
    expect(phone.get_by_role("button", name="Play again")).to_have_count(0)
    expect(phone.get_by_role("link", name="Resume")).to_be_visible()
    phone.get_by_role("button", name="New table, same people").tap()
    phone.wait_for_url("**/t/*")
    assert phone.url != address
    assert chips(phone) == {"Ana": 0, "Ben": 0}
    assert state(phone)["options"]["limit"] == 3


def test_a_friend_types_the_code_and_finds_the_evening_again(new_phone: NewPhone) -> None:
    dealer, friend = new_phone(), new_phone()
    address = open_record(dealer, "Ana, Ben", "game pairs, 7")
    dealer.get_by_role("link", name="Show the table code").tap()
    code = dealer.locator("b.code").inner_text()
    assert re.fullmatch(r"[a-z2-9]{4}(\s[a-z2-9]{4}){3}", code)
    friend.goto("/")
    friend.get_by_role("link", name="Join").tap()
    friend.get_by_role("textbox").fill("abcd")
    friend.get_by_role("button", name="Watch this table").tap()
    expect(friend.get_by_role("alert")).to_contain_text("too short: a table code has 16 letters and digits")
    friend.get_by_role("textbox").fill("abcd efgh jkmn pqrs")
    friend.get_by_role("button", name="Watch this table").tap()
    expect(friend.get_by_role("alert")).to_contain_text("No table has this code")
    friend.get_by_role("textbox").fill(code.upper().replace("\N{NO-BREAK SPACE}", " - "))
    friend.get_by_role("button", name="Watch this table").tap()
    friend.wait_for_url(address)
    expect(friend.locator(".foot")).to_be_visible()
    friend.goto("/evenings")
    expect(friend.get_by_role("listitem")).to_contain_text("Ana, Ben")
    expect(friend.get_by_role("listitem")).to_contain_text("today · watched")
    friend.get_by_role("link", name="Pairs").tap()
    friend.wait_for_url(address)


SCANNER = """
const canvas = document.createElement("canvas");
canvas.getContext("2d").fillRect(0, 0, 9, 9);
navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(5);
window.BarcodeDetector = class {
  static getSupportedFormats() { return Promise.resolve(["qr_code"]); }
  detect() { return Promise.resolve([{ rawValue: localStorage.getItem("held up") }]); }
};
"""


def test_the_page_scans_if_the_browser_can(new_phone: NewPhone) -> None:
    dealer, friend, other = new_phone(), new_phone(), new_phone()
    address = new_table(dealer, 3)
    friend.add_init_script(SCANNER)
    answer = friend.goto("/join")
    assert answer is not None
    assert "camera=(self)" in answer.headers["permissions-policy"]
    friend.evaluate("address => localStorage.setItem('held up', address)", address)
    friend.get_by_role("button", name="Scan here").tap()
    friend.wait_for_url(address)
    other.add_init_script("delete window.BarcodeDetector")
    other.goto("/join")
    expect(other.get_by_text("camera app")).to_be_visible()
    expect(other.get_by_role("button", name="Scan here")).to_be_hidden()


def test_settings_are_behind_one_line_and_the_phone_can_forget_everything(new_phone: NewPhone) -> None:
    phone = new_phone()
    new_table(phone, 3)
    phone.goto("/")
    expect(phone.get_by_role("button", name="Français")).to_be_hidden()
    phone.get_by_text("English · same as phone · right thumb").tap()
    phone.get_by_role("button", name="left thumb").tap()
    expect(phone.get_by_text("English · same as phone · left thumb")).to_be_visible()
    phone.get_by_role("group", name="Colours").get_by_role("button", name="dark").tap()  # still open
    expect(phone.get_by_text("English · dark · left thumb")).to_be_visible()
    phone.get_by_role("link", name="Clear this phone’s data").tap()
    expect(phone.locator("main")).to_contain_text("it can no longer deal there")
    before = phone.context.cookies()[0]["value"]
    phone.get_by_role("button", name="Clear everything").tap()
    expect(phone.get_by_text("English · same as phone · right thumb")).to_be_visible()
    expect(phone.get_by_role("link", name="Resume")).to_have_count(0)
    assert phone.context.cookies()[0]["value"] != before  # another secret: that of a new phone
    phone.goto("/evenings")
    expect(phone.locator("main")).to_contain_text("No table yet")


def test_resume_says_once_that_the_round_is_over() -> None:
    """Both lock at two cards and share the pot."""
    client = create_app(MemoryStore(), {"SECRET_KEY": "x"}).test_client()
    address = client.post("/tables", data={"game": "starboard", "seats": "2"}).headers["Location"]
    for version, entry in enumerate(("4", "9", "lock", "lock"), start=1):
        client.post(f"{address}/enter", data={"entry": entry, "version": str(version)})
    line = re.search(r"Resume</b><small>(.*?)</small>", client.get("/").get_data(as_text=True))
    assert line
    assert line[1] == "Starboard · round 1 over · A and B share the pot: 1 each"


def test_the_pages_of_evenings_list_every_table() -> None:
    client = create_app(MemoryStore(), {"SECRET_KEY": "x"}).test_client()
    opened = [client.post("/tables", data={"game": "pairs", "seats": "2"}).headers["Location"] for _ in range(10)]

    def listed(address: str) -> list[str]:
        return re.findall(r'class="tile" href="(/t/[^"]+)"', client.get(address).get_data(as_text=True))

    assert listed("/evenings") + listed("/evenings?from=8") == opened[::-1]
    assert "Older ones" in client.get("/evenings").get_data(as_text=True)
    assert "Older ones" not in client.get("/evenings?from=8").get_data(as_text=True)


def test_the_arrow_of_a_tile_is_at_its_edge(phone: Page) -> None:
    new_table(phone, 3)
    phone.goto("/")
    gaps = phone.locator(".tile:has(.ic)").evaluate_all(
        "tiles => tiles.map((tile) => {"
        " const right = (one) => one.getBoundingClientRect().right;"
        " return right(tile) - right(tile.querySelector('.ic')); })"
    )
    assert len(gaps) == 2  # the table to go on with, and another for the same people
    assert max(gaps) < 16
