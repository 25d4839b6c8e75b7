"""Who may write: no other site, and only the dealer. And the headers that keep a page to itself."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, request, session
from flask.sessions import SecureCookieSessionInterface

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
DEALT_TABLES = 24  # how many tables a phone remembers

HEADERS = {
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
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Forbidden(Exception):
    """The request comes from another site."""


class SecureOnHttps(SecureCookieSessionInterface):
    """The cookie is marked secure exactly when it travels over https."""

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure


def init_app(app: Flask) -> None:
    app.session_interface = SecureOnHttps()
    app.before_request(refuse_other_sites)
    app.after_request(add_headers)


def refuse_other_sites() -> None:
    """A write must come from our own pages, or from no browser at all."""
    if request.method in SAFE_METHODS:
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        if site not in ("same-origin", "none"):
            raise Forbidden
        return
    # Browsers leave Sec-Fetch-Site out on plain http, which is what a local network has.
    origin = request.headers.get("Origin")
    if origin is not None and host_of(origin) != request.host:
        raise Forbidden


def host_of(origin: str) -> str | None:
    """Host and port an origin names; None if it cannot be read."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def add_headers(answer: Response) -> Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    # Back must not show an old board: what belongs to a table is never kept by the browser.
    kept = request.path.startswith(("/api", "/t/"))
    answer.headers.setdefault("Cache-Control", "no-store" if kept else "no-cache")
    return answer


def bearer() -> str | None:
    """The secret a program sends."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.casefold() == "bearer" and secret.strip() else None


def dealers_secret(table_id: str) -> str | None:
    """The secret this phone has for a table, from the header or the signed cookie."""
    secret: str | None = bearer() or session.get("dealer", {}).get(table_id)
    return secret


def remember_dealer(table_id: str, secret: str) -> None:
    """This phone deals at a table. The newest table stands last."""
    dealt = {table: known for table, known in session.get("dealer", {}).items() if table != table_id}
    dealt[table_id] = secret
    session["dealer"] = dict(list(dealt.items())[-DEALT_TABLES:])
    session.permanent = True
