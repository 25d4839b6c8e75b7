"""The application as the page's worker calls it. Arguments and results are text, so that CPython can test it.

The worker writes what `answer` returns under `written` to the journal before it lets the answer out: what is on the
screen is on the disk.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from flask import Flask, Request, Response, abort, current_app, render_template, request
from flask.sessions import SecureCookieSession, SessionInterface, SessionMixin
from flask.typing import ResponseReturnValue
from jinja2 import PackageLoader

from companion.engine.sentence import say
from companion.i18n import translate
from companion.web import create_app
from companion.web.dealing import secret_of
from companion.web.errors import answer as error_page
from companion.web.i18n import asked_for
from companion.web.i18n import translate as in_this_language
from companion.web.tables import Tables

from .store import LIST, LOCAL_SECRET, PhoneStore

# Served by the host of the files, or only useful on a server.
NOT_HERE = {
    *("static", "pwa.manifest", "pwa.service_worker", "pwa.offline"),
    *("pocket.host", "pocket.pack", "health.healthz"),
}
NEEDS_A_SERVER = {
    "handover.code",
    "handover.code_picture",
    "handover.offer",
    "handover.hand_over",
    "handover.take",
    "api.hand_over",
    "another_phone.show",
    "another_phone.invite",
    "another_phone.add",
    "another_phone.be_alone",
}
DELETES = {"deleting.delete", "api.delete"}  # on the server too, where the table is there
NO_SERVER = say("This needs a connection to a server. The table goes on here without it.")
# Headers that would keep a page out of our frame, or that a service worker may not set.
LEFT_OUT = {"X-Frame-Options", "Content-Length", "Set-Cookie"}


class PhoneSessions(SessionInterface):
    """Keeps the session in the journal instead of a cookie: there is only one user, so nothing is signed."""

    def __init__(self, store: PhoneStore) -> None:
        self.kept: dict[str, Any] = {}
        self._store = store

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        return SecureCookieSession({**self.kept, "phone": LOCAL_SECRET})

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if session.modified:
            self.kept = {key: value for key, value in session.items() if key not in ("phone", "_permanent")}
            self._store.written.append(("session", "put", {"id": "here", **self.kept}))


class Phone:
    """Answers requests from memory, and returns the rows they wrote."""

    def __init__(self, root: str, origin: str, assets: Mapping[str, str]) -> None:
        """`root` is the path of the program, with or without a slash at its end."""
        self._root = root.rstrip("/")
        self._origin = urlsplit(origin)
        self.store = PhoneStore()
        self.app = create_app(self.store)
        self.app.session_interface = self._sessions = PhoneSessions(self.store)
        self.app.jinja_env.globals["asset"] = lambda name: f"{self._root}/static/{name}?v={assets[name]}"
        self.app.jinja_env.globals["has_server"] = False
        self.app.extensions["refused"] = self.store.refused
        self.app.before_request(_leave_to_others)
        self.app.after_request(self._drop_what_was_forked)
        self._tables: Tables = self.app.extensions["tables"]
        self._tables.dealing.secret_for = lambda table, _phone: secret_of(LOCAL_SECRET, table)
        self._tables.dealing.recovery_code = lambda _table: ""  # only a server has the key it is made with

    def restore(self, journal: str) -> None:
        """Replace everything in memory with the journal."""
        for table in self.store.tables():
            self.store.forget(table)
            self._tables.forget(table)
        self.catch_up(journal)

    def catch_up(self, journal: str) -> None:
        """Add the rows of the journal that are not yet in memory."""
        found = json.loads(journal)
        # Settings chosen on this phone override those from the server.
        parts = {part["id"]: part for part in found["session"]}
        elsewhere, here = parts.get("elsewhere", {}), parts.get("here", {})
        own = ("id", "me")
        self._sessions.kept = {key: value for key, value in {**elsewhere, **here}.items() if key not in own}
        for table in self.store.catch_up(found["tables"], found["rows"]):
            self._tables.forget(table)
        for seats in (elsewhere.get("me", {}), here.get("me", {})):  # the second: until 0.1.0
            self.store.read_seats(seats)
        if LIST in parts:
            self.store.read_list(parts[LIST])

    def version(self, table: str, copy: int) -> int:
        """The number of rows in memory of this copy of a table."""
        return self.store.version(table, copy)

    def answer(self, method: str, target: str, headers: str, body: Any) -> str:
        """Answer one request; `written` is what must be in the journal before the answer is shown."""
        self.store.written = []
        content = body if isinstance(body, bytes) else body.to_bytes()
        environ = self._environ(method, target, json.loads(headers), content)
        given = Response.from_app(self.app.wsgi_app, environ)
        head = [(name, _for_a_frame(value)) for name, value in given.headers if name not in LEFT_OUT]
        text = given.get_data(as_text=True)
        return json.dumps({"status": given.status_code, "headers": head, "body": text, "written": self.store.written})

    def no_room(self, headers: str) -> str:
        """The answer when the journal could not be written: the tap may be sent again."""
        sent = {name.casefold(): value for name, value in json.loads(headers)}
        language = self._sessions.kept.get("language") or asked_for(sent.get("accept-language", ""))
        text = translate(say("There is no room left on this phone, so nothing was entered. Make some room."), language)
        head = [("Content-Type", "text/plain; charset=utf-8")]
        return json.dumps({"status": 503, "headers": head, "body": text, "written": []})

    def _environ(self, method: str, target: str, headers: list[tuple[str, str]], content: bytes) -> dict[str, Any]:
        path, _, query = target.partition("?")
        inside = path.removeprefix(self._root)
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": self._root,
            "PATH_INFO": unquote_to_bytes(inside or "/").decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": self._origin.hostname or "phone",
            "SERVER_PORT": str(self._origin.port or 443),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "CONTENT_LENGTH": str(len(content)),
            "HTTP_HOST": self._origin.netloc,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": self._origin.scheme,
            "wsgi.input": BytesIO(content),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, value in headers:
            key = name.upper().replace("-", "_")
            environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
        return environ

    def warm(self, language: str) -> None:
        """Render the most used pages before a picture of the memory is taken, then remove their table."""
        head = json.dumps([["Accept-Language", language], ["Content-Type", "application/x-www-form-urlencoded"]])
        for page in ("/", "/new"):
            self.answer("GET", self._root + page, head, b"")
        self.answer("POST", f"{self._root}/tables", head, b"seats=3&game=pairs")
        (table,) = self.store.tables()
        self.answer("POST", f"{self._root}/t/{table}/enter", head, b"entry=7&version=1&id=warm")
        for page in ("", "/menu", "/history", "/evening"):
            self.answer("GET", f"{self._root}/t/{table}{page}", head, b"")
        self.restore('{"tables": [], "rows": [], "session": []}')
        self.store.written = []

    def wake(self) -> None:
        """Seed the random numbers after a start from a picture: otherwise all starts would share them."""
        random.seed()

    def _drop_what_was_forked(self, answer: Response) -> Response:
        """Drop the old table when its refused rows have become a new one: the server's version is fetched again."""
        if request.endpoint == "importing.fork" and answer.status_code == 303 and request.view_args:
            table = request.view_args["table_id"]
            self.store.drop(table)
            self._tables.forget(table)
        return answer


def _leave_to_others() -> ResponseReturnValue | None:
    if request.endpoint in NOT_HERE or request.path.endswith("/rows"):
        abort(404)
    shared = current_app.jinja_env.globals["has_server"]
    if request.endpoint in NEEDS_A_SERVER or (shared and request.endpoint in DELETES):
        return _no_server()
    if request.endpoint == "lobby.forget":
        return error_page(
            405,
            say("The tables are on this phone only. To delete them, clear this site’s data in the browser’s settings."),
        )
    return None


def _no_server() -> ResponseReturnValue:
    """A page that offers what works without a server: back to the table, or the whole table in a QR code."""
    if request.endpoint in ("api.hand_over", "api.delete") or not request.view_args:
        return error_page(503, NO_SERVER)
    return render_template("pocket/needs_server.html", message=in_this_language(NO_SERVER)), 503


def _for_a_frame(value: str) -> str:
    """Allow our own frame to show the page."""
    return value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")


def start(root: str, origin: str, assets: str, served: bool = False) -> Phone:
    """Start the program for the worker; `assets` has the versions of the static files as JSON."""
    phone = Phone(root, origin, json.loads(assets))
    phone.app.jinja_env.globals["has_server"] = served
    phone.app.jinja_env.loader = PackageLoader("companion")
    return phone
