"""Refuses writes from other sites, and sets the cookie's name and the security headers."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from flask.sessions import SecureCookieSessionInterface

from .addresses import API, TABLE, top_path
from .pages import wants_fragment

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
LONGEST_HOST = 260  # a name of 253 characters, and a port

# Every header of the request that an answer depends on.
VARY = "Accept-Encoding, Accept-Language, Cookie, HX-Request"
OF_EVERYTHING = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
OF_A_FRAGMENT = {**OF_EVERYTHING, "Vary": VARY, "Cache-Control": "no-store"}
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
SCANS = "lobby.join"  # the only page that may use the camera
HOST_PAGE = "pocket.host"  # the only page with a frame, which shows our own pages
# Stylesheets and scripts are not documents: page-isolation headers mean nothing there, and cost bytes.
FILES = ("text/css", "text/javascript")
OF_A_FILE = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
# But a worker has its own policy: this one may compile WebAssembly, which no page may.
STARTS_PYTHON = {"filename": "pocket/python.js"}
OF_PYTHON = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"


class Forbidden(Exception):
    """The request comes from another site."""


class Sessions(SecureCookieSessionInterface):
    """Flask's signed cookie. Over https its name has a prefix that browsers accept only from this site, over https."""

    def get_cookie_name(self, app: Flask) -> str:
        plain = super().get_cookie_name(app)
        if not request.is_secure:
            return plain
        return f"__Secure-{plain}" if request.root_path else f"__Host-{plain}"

    def get_cookie_path(self, app: Flask) -> str:
        return top_path()

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure


def init_app(app: Flask) -> None:
    app.session_interface = Sessions()
    app.before_request(refuse_bad_requests)
    app.after_request(add_headers)


def refuse_bad_requests() -> None:
    """Reject requests without a usable Host header, and writes that a browser sends from another site."""
    headers = request.headers
    if not 0 < len(headers.get("Host", "")) <= LONGEST_HOST:  # a redirect would lead nowhere
        abort(400)
    if request.method in SAFE_METHODS:
        return
    site = headers.get("Sec-Fetch-Site")
    if site is not None:
        if site not in ("same-origin", "none"):
            raise Forbidden
        return
    # Browsers send no Sec-Fetch-Site over plain http, as on a local network.
    origin = headers.get("Origin")
    if origin is not None and host_of(origin) != request.host:
        raise Forbidden


def host_of(origin: str) -> str | None:
    """Host and port of an origin, or None."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def add_headers(answer: Response) -> Response:
    """Add headers for security and caching."""
    if wants_fragment() and request.path.startswith(TABLE):
        # A fragment becomes part of a page that has the other headers: they would cost half a kilobyte per poll.
        set_missing(answer, OF_A_FRAGMENT)
        return answer
    set_missing(answer, OF_A_FILE if request.endpoint == "static" and answer.mimetype in FILES else OF_A_PAGE)
    if request.endpoint == "static" and request.view_args == STARTS_PYTHON:
        answer.headers["Content-Security-Policy"] = OF_PYTHON
    if request.endpoint == SCANS:
        answer.headers["Permissions-Policy"] = "camera=(self), geolocation=(), microphone=()"
    if request.endpoint == HOST_PAGE:
        answer.headers["Content-Security-Policy"] += "; frame-src 'self'"
    # Pages of a table are not cached, so that Back never shows an old board.
    fresh = "no-store" if request.path.startswith((API, TABLE)) else "no-cache"
    set_missing(answer, {"Vary": VARY, "Cache-Control": fresh})
    return answer


def set_missing(answer: Response, headers: Mapping[str, str]) -> None:
    """Set the headers that the view has not set itself."""
    for name, value in headers.items():
        answer.headers.setdefault(name, value)
