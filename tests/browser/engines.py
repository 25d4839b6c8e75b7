"""Firefox and WebKit, driven by plain WebDriver commands over a socket or over HTTP.

Debian's browsers support it without further tools: Firefox over a socket (Marionette), WebKit through its driver, under
Xvfb. Both open the page at the size of a phone, and touch it with a finger if the engine has touch.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Self, TypeVar

START_UP = 60.0  # seconds; a start takes three on an idle machine
PATIENCE = 60.0  # seconds to wait for something on a page
ENDING = 30.0  # seconds to end by itself
EVERY = 0.03  # seconds between two checks
ANSWER = 60.0  # seconds for one command
PHONE = (390, 844)

# The point where a finger would touch it; null while a touch there would miss it, or before the page is complete.
MIDDLE = """(selector) => {
  const found = document.readyState === "complete" && document.querySelector(selector);
  if (!found) return null;
  found.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = found.getBoundingClientRect();
  const at = [Math.round(x + width / 2), Math.round(y + height / 2)];
  return width && found.contains(document.elementFromPoint(...at)) ? at : null;
}"""

Found = TypeVar("Found")


class NotThere(Exception):
    """The wait for something on the page took too long."""


class CommandFailed(Exception):
    """The browser refused a command."""


def free_port() -> int:
    """A free port, for a driver that can neither choose one itself nor share one that is reserved."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(look: Callable[[], Found | None], what: str, patience: float = PATIENCE) -> Found:
    """Call `look` until it returns something true."""
    ends = time.monotonic() + patience
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > ends:
            raise NotThere(what)
        time.sleep(EVERY)


class Engine(ABC):
    """A browser with one window and an empty profile."""

    finger = "touch"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "browser.log"
        self.processes: list[subprocess.Popen[bytes]] = []
        try:
            self.begin()
            self.resize(*PHONE)
        except BaseException:
            self.close()
            raise

    @classmethod
    @abstractmethod
    def missing(cls) -> list[str]:
        """The Debian packages it needs that are not installed."""

    @abstractmethod
    def begin(self) -> None:
        """Start the browser and open a session."""

    @abstractmethod
    def command(self, name: str, **values: Any) -> Any:
        """Send a WebDriver command by name, such as ExecuteScript; return its value."""

    def start(self, *words: str, **settings: str) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "HOME": str(self.folder), "LANG": "C.UTF-8", **settings},
            )
        self.processes.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(ENDING)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # -- actions and sight of a person

    def resize(self, width: int, height: int) -> None:
        """Give the page this size, whatever the window adds around it."""
        self.command("SetWindowRect", width=width, height=height)
        inner = self.script("return [innerWidth, innerHeight]")
        self.command("SetWindowRect", width=2 * width - inner[0], height=2 * height - inner[1])

    def goto(self, address: str) -> None:
        self.command("Navigate", url=address)

    def back(self) -> None:
        self.command("Back")

    def reload(self) -> None:
        self.command("Refresh")

    def script(self, body: str, *values: Any) -> Any:
        """Run the body of a function in the page; return its value."""
        return self.command("ExecuteScript", script=body, args=list(values))

    @property
    def address(self) -> str:
        address: str = self.script("return location.href")
        return address

    def value(self, expression: str, *values: Any) -> Any:
        """The value of an expression about the document, or about the one in the frame that fills the page."""
        shown = "document.querySelector('iframe')?.contentDocument ?? document"
        return self.script(f"return ((document) => {expression})({shown})", *values)

    def text(self, selector: str) -> str:
        found: str = self.value("document.querySelector(arguments[0])?.innerText ?? ''", selector)
        return found

    def promised(self, expression: str, *values: Any) -> Any:
        """The value of a promise in the page."""
        body = f"const done = [...arguments].at(-1); ({expression}).then(done)"
        return self.command("ExecuteAsyncScript", script=body, args=list(values))

    def wait_until(self, expression: str, *values: Any, patience: float = PATIENCE) -> Any:
        """Wait until an expression is true in the page, also while another page loads."""

        def look() -> Any:
            with suppress(CommandFailed):
                return self.value(expression, *values)
            return None

        try:
            return wait_for(look, expression, patience)
        except NotThere as none:
            raise NotThere(f"{expression} {values} at {self.address}:\n{self.text('body')}") from none

    def see(self, selector: str, patience: float = PATIENCE) -> None:
        """Wait until something is in sight."""
        self.wait_until(
            "document.querySelector(arguments[0])?.getClientRects().length > 0", selector, patience=patience
        )

    def tap(self, selector: str, bounce: int = 0) -> None:
        """Touch the middle of it as soon as it can be touched; with `bounce`, again after so many milliseconds."""
        x, y = self.wait_until(f"({MIDDLE})(arguments[0])", selector)
        touch = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        finger = {
            "type": "pointer",
            "id": "finger",
            "parameters": {"pointerType": self.finger},
            "actions": [
                {"type": "pointerMove", "x": x, "y": y, "duration": 0, "origin": "viewport"},
                *touch,
                *([{"type": "pause", "duration": bounce}, *touch] if bounce else []),
            ],
        }
        self.command("PerformActions", actions=[finger])


class Firefox(Engine):
    """Marionette: each message is its length, a colon, and a list as JSON."""

    connection: socket.socket | None = None
    number = 0

    @classmethod
    def missing(cls) -> list[str]:
        return [] if shutil.which("firefox-esr") or shutil.which("firefox") else ["firefox-esr"]

    def begin(self) -> None:
        path = shutil.which("firefox-esr") or shutil.which("firefox") or ""
        profile = self.folder / "profile"
        profile.mkdir()
        wanted = {
            "marionette.port": 0,  # any free port; Firefox writes it to a file
            "dom.w3c_touch_events.enabled": 1,
            "intl.accept_languages": "en",
            "app.update.disabledForTesting": True,
            "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False,
            "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False,
            "javascript.options.wasm_optimizingjit": False,  # a test is over before it would make Python faster
        }
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in wanted.items()]
        (profile / "user.js").write_text("\n".join(lines))
        process = self.start(path, "--headless", "--no-remote", "--marionette", "--profile", str(profile))
        port_file = profile / "MarionetteActivePort"

        def port() -> int | None:
            if process.poll() is not None:
                raise NotThere(self.log.read_text("utf-8", "replace"))
            return int(port_file.read_text() or 0) if port_file.exists() else None

        self.connection = socket.create_connection(("127.0.0.1", wait_for(port, "Firefox", START_UP)), ANSWER)
        self.receive()  # its greeting
        self.command("NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})

    def command(self, name: str, **values: Any) -> Any:
        assert self.connection is not None
        self.number += 1
        message = json.dumps([0, self.number, f"WebDriver:{name}", values])
        self.connection.sendall(f"{len(message.encode())}:{message}".encode())
        _kind, _number, error, result = self.receive()
        if error:
            raise CommandFailed(f"{name}: {error['error']}: {error['message']}")
        return result.get("value") if isinstance(result, dict) and list(result) == ["value"] else result

    def receive(self) -> Any:
        assert self.connection is not None
        length = b""
        while not length.endswith(b":"):
            length += self.connection.recv(1) or self.gone()
        body = b""
        while len(body) < int(length[:-1]):
            body += self.connection.recv(int(length[:-1]) - len(body)) or self.gone()
        return json.loads(body)

    def gone(self) -> bytes:
        raise NotThere(f"Firefox is gone:\n{self.log.read_text('utf-8', 'replace')}")

    def close(self) -> None:
        if self.connection:
            self.connection.close()
        super().close()


class WebKit(Engine):
    """WebKitGTK's own small browser on a separate display; its driver uses HTTP."""

    finger = "mouse"  # its driver has no touch
    ADDRESSES = {
        "Navigate": "url",
        "Back": "back",
        "Refresh": "refresh",
        "ExecuteScript": "execute/sync",
        "ExecuteAsyncScript": "execute/async",
        "PerformActions": "actions",
        "SetWindowRect": "window/rect",
    }
    connection: HTTPConnection | None = None
    session = ""

    @classmethod
    def missing(cls) -> list[str]:
        driver = [] if shutil.which("WebKitWebDriver") and cls.browser() else ["webkit2gtk-driver"]
        return driver + ([] if shutil.which("Xvfb") else ["xvfb"])

    @staticmethod
    def browser() -> str | None:
        found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
        return str(found[-1]) if found else None

    def begin(self) -> None:
        display = self.display()
        port = free_port()
        # The last stage of its compiler is off too: a test is over before it would make Python faster.
        settings = {"DISPLAY": display, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "JSC_useOMGJIT": "false"}
        self.start("WebKitWebDriver", f"--port={port}", **settings)

        def connect() -> HTTPConnection | None:
            with suppress(OSError):
                connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER)
                connection.connect()
                return connection
            return None

        self.connection = wait_for(connect, "WebKitWebDriver", START_UP)
        options = {"binary": self.browser(), "args": ["--automation"]}
        opened = self.ask("/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        self.session = opened["sessionId"]

    def display(self) -> str:
        """Start a display for this browser alone; the X server chooses its number."""
        read, write = os.pipe()
        with self.log.open("ab") as log:
            words = ("Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
            process = subprocess.Popen(words, pass_fds=[write], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.processes.append(process)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise NotThere(self.log.read_text("utf-8", "replace"))
        return f":{number}"

    def command(self, name: str, **values: Any) -> Any:
        return self.ask(f"/session/{self.session}/{self.ADDRESSES[name]}", values)

    def ask(self, path: str, values: dict[str, Any], method: str = "POST") -> Any:
        assert self.connection is not None
        self.connection.request(method, path, json.dumps(values), {"Content-Type": "application/json"})
        answer = json.loads(self.connection.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise CommandFailed(f"{path}: {answer['error']}: {answer['message']}")
        return answer

    def close(self) -> None:
        if self.connection:
            with suppress(OSError, HTTPException, CommandFailed, ValueError):
                self.ask(f"/session/{self.session}", {}, "DELETE")  # the driver ends its browser
            self.connection.close()
        super().close()


ENGINES: dict[str, type[Engine]] = {"firefox": Firefox, "webkit": WebKit}
