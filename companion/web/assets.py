"""Static files with versioned addresses, and compressed answers."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Flask, Response, abort, current_app, request, url_for

WORTH_COMPRESSING = 400
TEXT = ("text/", "application/json", "application/javascript", "image/svg+xml", "application/manifest+json")
A_YEAR = 31_536_000


@dataclass(frozen=True)
class Asset:
    body: bytes
    small: bytes
    kind: str
    version: str


def compress(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


KEPT_DRAWINGS = 256


def kept_answer(key: str, draw: Callable[[], str]) -> Response:
    """A cached answer, rendered and compressed once; the key must name everything it depends on."""
    drawings: OrderedDict[str, tuple[bytes, bytes]] = current_app.extensions["drawings"]
    drawing = drawings.get(key)
    if drawing is None:
        body = draw().encode()
        drawing = drawings[key] = (body, compress(body))
        while len(drawings) > KEPT_DRAWINGS:
            drawings.popitem(last=False)
    packed = request.accept_encodings["gzip"] > 0
    answer = Response(drawing[packed], content_type="text/html; charset=utf-8")
    if packed:
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def init_app(app: Flask, folder: Path) -> None:
    """Serve the folder. Each file is read once, at its first request."""

    @cache
    def load(name: str) -> Asset:
        body = (folder / name).read_bytes()
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        small = gzip.compress(body, 9, mtime=0) if kind.startswith(TEXT) else b""
        return Asset(body, small, kind, hashlib.sha256(body).hexdigest()[:8])

    def versions() -> dict[str, str]:
        """The version of every file, by its name."""
        return {name: load(name).version for name in sorted(known)}

    def address(name: str) -> str:
        """The address of a static file, with its version."""
        return url_for("static", filename=name, v=load(name).version)

    @app.get("/static/<path:filename>")
    def static(filename: str) -> Response:
        """A static file. With its version in the address, browsers may keep it for a year."""
        if filename not in known:
            abort(404)
        asset = load(filename)
        packed = bool(asset.small) and request.accept_encodings["gzip"] > 0
        answer = Response(asset.small if packed else asset.body, content_type=_with_charset(asset.kind))
        if packed:
            answer.headers["Content-Encoding"] = "gzip"
        answer.headers["Vary"] = "Accept-Encoding"
        if request.args.get("v") == asset.version:
            answer.headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
            return answer  # immutable: no ETag is needed
        answer.headers["Cache-Control"] = "no-cache"
        answer.set_etag(asset.version)
        return answer.make_conditional(request)  # type: ignore[return-value]

    known = {str(path.relative_to(folder).as_posix()) for path in folder.rglob("*") if path.is_file()}
    app.after_request(compress_answer)
    app.jinja_env.globals["asset"] = address
    app.extensions["drawings"] = OrderedDict()
    app.extensions["static files"] = frozenset(known)
    app.extensions["static versions"] = versions


def _with_charset(kind: str) -> str:
    return f"{kind}; charset=utf-8" if kind.startswith(TEXT) else kind


def compress_answer(answer: Response) -> Response:
    """Compress pages and JSON, so that no proxy is needed for it."""
    kind = answer.content_type or ""
    if answer.status_code in (204, 304) or not kind.startswith(TEXT):
        return answer
    if answer.direct_passthrough or "Content-Encoding" in answer.headers:
        return answer
    if request.accept_encodings["gzip"] > 0:
        body = answer.get_data()
        if len(body) >= WORTH_COMPRESSING:
            answer.set_data(compress(body))
            answer.headers["Content-Encoding"] = "gzip"
    return answer
