"""How long the phone edition takes when it is opened again: `python -m tests.bench.opening [SITE ...]`.

Each SITE is a folder that `make site` made, for example of an older commit; without any, this tree is built. A table is
played until the phone has all that it keeps; then its board is opened again, RUNS times at each speed, and a key is pressed
as soon as the board is in sight. Seconds: the median, and the least and the most.

For a slower CPU all processes of the browser that run pages and workers are stopped most of the time, in slices of a few
milliseconds: DevTools' own throttle does not reach workers. Run it on a quiet machine, on Linux.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread

from playwright.sync_api import BrowserContext, sync_playwright

from tests.browser.conftest import FLAGS, find_browser
from tests.browser.phones import PHONE
from tests.pocket.site import Host, built_site

SPEEDS = (1, 4, 6)
RUNS = int(os.environ.get("FIFTY_FIVE_RUNS", "5"))
SLICE = 0.002  # seconds that a slowed process runs at a time
PATIENCE = 180_000  # ms
SETTLED = 45_000  # ms until everything is kept, which some versions do ten seconds after the last tap
# The page presses the key itself, so that nothing but the program is in the figures.
WATCH = """addEventListener("DOMContentLoaded", () => {
    const board = () => document.getElementById("board");
    const since = () => Date.now() - top.performance.timeOrigin;
    if (!board() || top.inSight) return;
    requestAnimationFrame(() => requestAnimationFrame(() => {
        top.inSight = since();
        const before = board().dataset.version;
        const keys = [...board().querySelectorAll("button[name=entry]:enabled:not(.none)")].filter((key) => key.offsetParent);
        keys[Number(before) % keys.length].click();
        const watch = new MutationObserver(() => { if (Number(board().dataset.version) > Number(before)) top.answered ??= since(); });
        watch.observe(document.body, { childList: true, subtree: true });
    }));
});"""


def renderers(folder: Path) -> list[int]:
    """The processes that run pages and workers of the browser with this profile."""
    found: dict[int, tuple[int, bytes]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(place.name)] = parent, (place / "cmdline").read_bytes()
    family = {pid for pid, (_parent, command) in found.items() if f"--user-data-dir={folder}".encode() in command}
    while more := {pid for pid, (parent, _command) in found.items() if parent in family} - family:
        family |= more
    return [pid for pid in family if b"--type=renderer" in found[pid][1]]


def slow_down(folder: Path, times: int, done: Event) -> None:
    """Let the renderers run only one part of `times` of the time."""
    looked, pids = 0.0, list[int]()
    while not done.is_set():
        if time.monotonic() - looked > 0.2:
            looked, pids = time.monotonic(), renderers(folder)
        began = time.monotonic()
        time.sleep(SLICE)
        ran = time.monotonic() - began  # on a busy machine more than was meant
        send(pids, signal.SIGSTOP)
        time.sleep(ran * (times - 1))
        send(pids, signal.SIGCONT)


def send(pids: list[int], what: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, what)


def open_again(phone: BrowserContext, folder: Path, board: str, times: int) -> tuple[float, float]:
    """Seconds until the board is in sight, and until the first tap is answered."""
    done = Event()
    slower = Thread(target=slow_down, args=(folder, times, done))
    page = phone.new_page()
    page.add_init_script(WATCH)
    if times > 1:
        slower.start()
    try:
        page.goto(board, wait_until="commit")
        page.wait_for_function("() => window.answered", timeout=PATIENCE)
    finally:
        done.set()
        if times > 1:
            slower.join()
    seconds = page.evaluate("() => [window.inSight / 1000, window.answered / 1000]")
    page.wait_for_timeout(3000)  # for what is kept of the new board
    page.close()
    return seconds[0], seconds[1]


def play(phone: BrowserContext, address: str) -> str:
    """Play a table until the phone has all that it keeps; the address of its board."""
    page = phone.new_page()
    page.goto(address)
    frame = page.frame_locator("iframe")
    frame.get_by_role("link", name="New table").click()
    frame.locator("button[name=seats][value='4']").click()
    for number, card in enumerate("738"):
        frame.locator(f"#board button[name=entry][value='{card}']").first.click()
        frame.locator(f"#board[data-version='{number + 2}']").wait_for()
    page.wait_for_timeout(SETTLED)
    board = page.url
    page.close()
    return board


def measure(site: Path) -> dict[int, list[tuple[float, float]]]:
    host = Host(site)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        phone = playwright.chromium.launch_persistent_context(
            folder, executable_path=find_browser(windows=True), args=list(FLAGS), viewport=PHONE
        )  # type: ignore[arg-type]
        phone.set_default_timeout(PATIENCE)
        phone.new_page()  # so that the browser stays while the others are closed
        board = play(phone, host.address)
        found = {times: [open_again(phone, Path(folder), board, times) for _ in range(RUNS)] for times in SPEEDS}
        phone.close()
    host.leave()
    return found


def told(seconds: list[float]) -> str:
    return f"{median(seconds):5.1f} ({min(seconds):.1f} to {max(seconds):.1f})"


def main() -> None:
    sites = [Path(name) for name in sys.argv[1:]] or [built_site()]
    print(f"{'opened again, seconds':32}{'CPU slowed':>10}  {'board in sight':20}  first tap answered")
    for site in sites:
        for times, runs in measure(site).items():
            board, tap = ([run[part] for run in runs] for part in (0, 1))
            print(f"{str(site)[-32:]:32}{times:9}x  {told(board):20}  {told(tap)}", flush=True)


if __name__ == "__main__":
    main()
