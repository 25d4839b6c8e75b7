"""Who may write: no other site, and only the dealer. And the headers that keep a page to itself."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from time import time
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature

from .addresses import API, TABLE, top_path

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
LONGEST_HOST = 260  # a name of 253 characters, and a port
DEALT_TABLES = 24  # how many tables a phone remembers
WATCHED_TABLES = 12
COOKIES_KNOWN = 2_000
LARGEST_COOKIE = 3_800  # of the 4,093 characters a browser takes, name and attributes included
TRUSTED = 3_600  # seconds until a signature, and its age, is looked at again

# What an answer depends on besides its address.
VARY = "Accept-Encoding, Accept-Language, Cookie, HX-Request"
OF_EVERYTHING = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
OF_A_FRAGMENT = [*OF_EVERYTHING.items(), ("Vary", VARY), ("Cache-Control", "no-store")]
OF_A_PAGE = {
    **OF_EVERYTHING,
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SCANS = "lobby.join"  # the one page that may ask for the camera
STAYS = "pocket.staying"  # the one page with a frame, which shows our own pages
# A style or a script is no document: what keeps a page to itself says nothing of it, and costs as much as it does.
FILES = ("text/css", "text/javascript")
OF_A_FILE = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
# But a worker has a policy of its own: the one that starts Python for the phone compiles it, which no page of ours may.
STARTS_PYTHON = {"name": "python.js"}
OF_PYTHON = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"


class Forbidden(Exception):
    """The request comes from another site."""


class Sessions(SecureCookieSessionInterface):
    """Flask's signed cookie. It is marked secure exactly when it travels over https, and its signature is looked at
    once: a phone sends the same cookie with every tap and every poll."""

    def __init__(self) -> None:
        self._opened: OrderedDict[str, tuple[float, dict[str, Any]]] = OrderedDict()

    def get_cookie_name(self, app: Flask) -> str:
        """Over https a name with which a browser takes the cookie from this very site only, and only over https."""
        plain = super().get_cookie_name(app)
        if not request.is_secure:
            return plain
        return f"__Secure-{plain}" if request.root_path else f"__Host-{plain}"

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure

    def get_cookie_path(self, app: Flask) -> str:
        """The cookie stays under the path the program lives at."""
        return top_path()

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        sent = request.environ["wsgi.url_scheme"] + request.environ.get("HTTP_COOKIE", "")
        known = self._opened.get(sent)
        if known is None or known[0] < time():
            session = super().open_session(app, request)
            if session is not None and not session:
                session = self._signed_later(app, request) or session
            if session and len(sent) <= LARGEST_COOKIE + 1_000:  # neither empty, forged nor stuffed with other things
                self._opened[sent] = time() + TRUSTED, dict(session)
                while len(self._opened) > COOKIES_KNOWN:
                    self._opened.popitem(last=False)
            return session
        # Nobody changes what lies in a session: it is replaced, or the cookie would not be sent again.
        return self.session_class(known[1])

    def _signed_later(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """A cookie that was signed before the clock went back: Flask takes none from the future."""
        sent = request.cookies.get(self.get_cookie_name(app))
        serializer = self.get_signing_serializer(app)
        if not sent or serializer is None:
            return None
        try:
            told, signed = serializer.loads(sent, return_timestamp=True)
        except BadSignature:
            return None
        return self.session_class(told) if signed.timestamp() > time() else None

    def _fit(self, app: Flask, session: SessionMixin) -> None:
        """A browser drops a cookie that is too large, and the right to deal with it: first goes what is only handy."""
        serializer = self.get_signing_serializer(app)
        for handy in ("demo", "setup", "people", "me"):
            if serializer is None or len(serializer.dumps(dict(session))) <= LARGEST_COOKIE:
                return
            session.pop(handy, None)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if session.modified:  # else nothing is to be said, and that answers vary by cookie is said always
            self._fit(app, session)
            super().save_session(app, session, response)


def init_app(app: Flask) -> None:
    app.session_interface = Sessions()


def refuse_bad_hosts(environ: Mapping[str, Any]) -> None:
    """Reject a request without a Host header, or with an empty or over-long one: a redirect would lead nowhere."""
    if not 0 < len(environ.get("HTTP_HOST", "")) <= LONGEST_HOST:
        abort(400)


def refuse_other_sites(environ: Mapping[str, Any]) -> None:
    """A write must come from our own pages, or from no browser at all."""
    if environ["REQUEST_METHOD"] in SAFE_METHODS:
        return
    site = environ.get("HTTP_SEC_FETCH_SITE")
    if site is not None:
        if site not in ("same-origin", "none"):
            raise Forbidden
        return
    # Browsers leave Sec-Fetch-Site out on plain http, which is what a local network has.
    origin = environ.get("HTTP_ORIGIN")
    if origin is not None and host_of(origin) != request.host:
        raise Forbidden


def host_of(origin: str) -> str | None:
    """Host and port an origin names; None if it cannot be read."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def add_headers(environ: Mapping[str, Any], answer: Response) -> Response:
    if environ.get("HTTP_HX_REQUEST") == "true" and environ["PATH_INFO"].startswith(TABLE):
        # A fragment becomes a part of a page, and the page has said the rest: half a kilobyte a poll.
        for name, value in OF_A_FRAGMENT:
            answer.headers.add(name, value)
        return answer
    answer.headers.extend(OF_A_FILE if request.endpoint == "static" and answer.mimetype in FILES else OF_A_PAGE)
    if request.endpoint == "static" and request.view_args == STARTS_PYTHON:
        answer.headers["Content-Security-Policy"] = OF_PYTHON
    if request.endpoint == SCANS:
        answer.headers["Permissions-Policy"] = "camera=(self), geolocation=(), microphone=()"
    if request.endpoint == STAYS:
        answer.headers["Content-Security-Policy"] += "; frame-src 'self'"
    if "Vary" not in answer.headers:
        answer.headers.add("Vary", VARY)
    if "Cache-Control" not in answer.headers:
        # Back must not show an old board: what belongs to a table is never kept by the browser.
        kept = environ["PATH_INFO"].startswith((API, TABLE))
        answer.headers.add("Cache-Control", "no-store" if kept else "no-cache")
    return answer


def bearer() -> str | None:
    """The secret a program sends."""
    kind, _, secret = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return secret.strip() if kind.casefold() == "bearer" and secret.strip() else None


def dealers_secret(table_id: str) -> str | None:
    """The secret this phone has for a table, from the header or the signed cookie."""
    secret: str | None = bearer() or session.get("dealer", {}).get(table_id) or session.get("demo", {}).get(table_id)
    return secret


def remember_demo(table_id: str, secret: str) -> None:
    """The newest demonstration of this phone; it is no evening."""
    session["demo"] = {table_id: secret}


def remember_dealer(table_id: str, secret: str) -> None:
    """This phone deals at a table. The newest table stands last."""
    dealt = {table: known for table, known in session.get("dealer", {}).items() if table != table_id}
    dealt[table_id] = secret
    session["dealer"] = dict(list(dealt.items())[-DEALT_TABLES:])
    session.permanent = True


def remember_watched(table_id: str, me: str = "") -> None:
    """This phone watches a table; it may have said whose it is."""
    watched = {table: who for table, who in session.get("me", {}).items() if table != table_id}
    session["me"] = dict(list({**watched, table_id: me}.items())[-WATCHED_TABLES:])
    session.permanent = True


def tables_of_this_phone() -> list[str]:
    """Where it dealt, newest first, then where it watched."""
    dealt, watched = list(session.get("dealer", {})), list(session.get("me", {}))
    return list(dict.fromkeys([*reversed(dealt), *reversed(watched)]))
