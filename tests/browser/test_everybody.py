"""The board works with a keyboard, a screen reader and large letters."""

from __future__ import annotations

from html import unescape

from playwright.sync_api import Page, expect

from .table import log, new_table, open_record, play, tap

NAMES = "Ana,Ben,Cleo"
# Controls smaller than 44 pixels. An input inside a label is touched through the label.
TOO_SMALL = """() => [...document.querySelectorAll("a[href], button, summary, label, select, input:not([type=hidden])")]
  .filter((one) => one.checkVisibility() && !one.matches(":is(label *)"))
  .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 44 || box.height < 44))
  .map(([what, box]) => `${what} ${box.width} x ${box.height}`)"""
# Visible texts that overlap. The cards of a stack overlap on purpose.
OVERLAPS = """() => {
  const seen = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].map(({ left, top, right, bottom }) => {
      for (let at = node.parentElement; at.id !== "board"; at = at.parentElement) {
        if (getComputedStyle(at).overflowX === "visible") continue;
        const box = at.getBoundingClientRect();
        [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
      }
      return { left, top, right, bottom };
    });
  };
  const texts = [];
  const walker = document.createTreeWalker(document.getElementById("board"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { data, parentElement: home } = node;
    if (!data.trim() || !home.checkVisibility() || home.closest(".hide, .stack, datalist")) continue;
    for (const box of seen(node)) texts.push([node, data.trim(), box]);
  }
  return texts.flatMap(([node, one, a], index) => texts.slice(index + 1).filter(([other, , b]) => other !== node
    && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 8
  ).map(([, two]) => `${one} | ${two}`));
}"""
STATES = {
    "pairs": "game pairs,7,3,9,8",
    "round over": "game pairs,7,3,9,fold",
    "game over": "game pairs limit=3,7,3,9,fold",
    "continuous": "game continuous,2,7,9,10",
    "starboard": "game starboard,4,9,8",
    "rocket": "game rocket,8,5,7",
    "blackstone": "game blackstone,6,10,4",
    "zombie": "game zombie,3,5,7,9,horde",
    "lucky": "game lucky,4,7,9,8,bank 7",
    "points only": "game pairs cards=no",
}
BEHIND = ("menu", "history", "history?n=2", "seats", "chips", "evening", "deck", "game", "code", "handover")
ELSEWHERE = ("/", "/new", "/import", "/evenings", "/standings", "/rules", "/rules/pairs", "/lookup")


def announced(page: Page, sentence: str) -> None:
    expect(page.get_by_role("status").and_(page.locator("#announced"))).to_have_text(sentence)


def test_digits_and_letters_enter_cards_and_backspace_undoes(phone: Page) -> None:
    new_table(phone, 3)
    for number, key in enumerate(("7", "0", "Numpad3", "8", "f", "Backspace"), 2):
        phone.keyboard.press(key)
        expect(phone.locator("#board")).to_have_attribute("data-version", str(number))
    # A has a 7, B a 10 and C a 3: C starts and draws the 8, then A folds; the fold is undone.
    assert log(phone) == ["game pairs", "7", "10", "3", "8"]


def test_letters_are_keys_for_the_words_of_a_game(phone: Page) -> None:
    open_record(phone, NAMES, "game blackstone,6,10,4")
    for number, key in enumerate(("2", "w", "b"), 2):
        phone.keyboard.press(key)
        expect(phone.locator("#board")).to_have_attribute("data-version", str(number))
    assert log(phone)[-3:] == ["take 2", "white", "10"]


def test_the_focus_stays_where_it_was(phone: Page) -> None:
    new_table(phone, 3)
    phone.locator("#board button[value='8']").focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#board")).to_have_attribute("data-version", "2")
    expect(phone.locator("#board button[value='8']")).to_be_focused()
    play(phone, "3,9")
    phone.locator("#board button[value=fold]").focus()  # this button will disappear
    phone.keyboard.press("Enter")
    expect(phone.locator("#board")).to_have_attribute("data-version", "5")
    expect(phone.locator("#board")).to_be_focused()


def test_a_permanent_status_element_says_what_was_entered(phone: Page) -> None:
    open_record(phone, NAMES, "game pairs,7,3,9")
    phone.evaluate("window.place = document.getElementById('announced')")
    tap(phone, "8")
    announced(phone, "Ben 8, no pair. Cleo: draw or fold.")
    phone.locator("#board button[name=undo]").tap()
    announced(phone, "Undone. Ben: draw or fold.")
    tap(phone, "3")
    announced(phone, "Ben 3. Ben +3: pair of 3s, now 3 of 21.")
    assert phone.evaluate("window.place === document.getElementById('announced')")


def test_every_target_is_at_least_44_pixels(phone: Page) -> None:
    small = {}
    for name, entries in STATES.items():
        address = open_record(phone, NAMES, entries)
        small[name] = phone.evaluate(TOO_SMALL)
        if name == "pairs":
            for page in BEHIND:
                phone.goto(f"{address}/{page}")
                small[page] = phone.evaluate(TOO_SMALL)
    # The link to the repair inside a message.
    new_table(phone, 2)
    play(phone, "1,9,2")
    phone.locator("#board button[value='1']").tap()
    expect(phone.get_by_role("alert").get_by_role("link")).to_be_visible()
    small["alert"] = phone.evaluate(TOO_SMALL)
    for page in ELSEWHERE:
        phone.goto(page)
        small[page] = phone.evaluate(TOO_SMALL)
    assert {page: found for page, found in small.items() if found} == {}


def test_text_of_twice_the_size_does_not_overlap(phone: Page) -> None:
    phone.context.new_cdp_session(phone).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    overlaps = {}
    for name, entries in STATES.items():
        open_record(phone, NAMES, entries)
        assert phone.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        overlaps[name] = [unescape(pair) for pair in phone.evaluate(OVERLAPS)]
    assert {name: found for name, found in overlaps.items() if found} == {}
