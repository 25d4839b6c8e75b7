"""Flask, doing for a request what that request needs and little else.

A tap is a form of three fields, sent to a name that was asked for a moment ago, and answered in one piece. Flask and
Werkzeug are ready for much more, and find out every time that it is not there. So what is as plain as a tap takes a
shorter way here; everything else goes theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask, Request, Response, session
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge
from werkzeug.routing import MapAdapter
from werkzeug.wsgi import ClosingIterator

from .forms import whole
from .templating import Templates

LARGEST_BODY = 1_000_000
MOST_FIELDS = 1_000  # of a form
FORM = "application/x-www-form-urlencoded"
HTML = "text/html; charset=utf-8"
NO_FILES: ImmutableMultiDict[str, Any] = ImmutableMultiDict()
MOST_NAMES = 100  # under which this server was asked for, in case somebody makes them up


class InMemory(Request):
    """An upload is no larger than any other body: it needs no file, which not every machine lets us write."""

    max_content_length = max_form_memory_size = LARGEST_BODY
    max_form_parts = MOST_FIELDS

    def _get_file_stream(self, *_args: Any, **_kwargs: Any) -> Any:
        return BytesIO()

    def _load_form_data(self) -> None:
        """A form whose length is known is read in one piece."""
        environ, known = self.environ, self.__dict__
        length = whole(environ.get("CONTENT_LENGTH", ""))
        plain = environ.get("CONTENT_TYPE") == FORM and "HTTP_TRANSFER_ENCODING" not in environ
        if not plain or length is None or length > LARGEST_BODY or "form" in known or "_cached_data" in known:
            super()._load_form_data()
            return
        body = environ["wsgi.input"].read(length)
        if len(body) != length:
            raise ClientDisconnected
        if body.count(b"&") >= MOST_FIELDS:
            raise RequestEntityTooLarge
        try:
            fields = parse_qsl(body.decode(), keep_blank_values=True, errors="werkzeug.url_quote")
        except ValueError:  # no text: for Werkzeug, too, such a form is empty
            fields = []
        known.update(form=ImmutableMultiDict(fields), files=NO_FILES, stream=BytesIO())


class Answer(Response):
    """An answer in one piece needs nothing more before it is sent. Werkzeug would copy its headers and look through
    them."""

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        whole = isinstance(self.response, list) and not self.direct_passthrough and "Content-Length" in self.headers
        if not whole or self.status_code != 200 or environ["REQUEST_METHOD"] == "HEAD":
            return super().__call__(environ, start_response)
        start_response(self.status, self.headers.to_wsgi_list())
        return ClosingIterator(self.iter_encoded(), self.close) if self._on_close else list(self.iter_encoded())


class Companion(Flask):
    """Flask, with what it looks up anew at every request known from the start."""

    jinja_environment = Templates
    request_class = InMemory
    response_class = Answer

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._names: dict[tuple[str, str], tuple[str, str]] = {}

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func  # nothing of ours is a coroutine

    # No blueprint of ours has functions for all of its requests, and nothing is put away after a request. A test looks
    # after that.

    def preprocess_request(self) -> ResponseReturnValue | None:
        for function in self.before_request_funcs[None]:
            answer: ResponseReturnValue | None = function()  # type: ignore[assignment]
            if answer is not None:
                return answer
        return None

    def process_response(self, response: Response) -> Response:
        for function in reversed(self.after_request_funcs[None]):
            response = function(response)
        self.session_interface.save_session(self, session, response)
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        pass

    def do_teardown_appcontext(self, exc: BaseException | None = None) -> None:
        pass

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """The name that a request was sent to is read and checked once."""
        environ = request.environ if request else {}
        if request is None or not environ.get("HTTP_HOST") or not environ.get("PATH_INFO") or "HTTP_UPGRADE" in environ:
            return super().create_url_adapter(request)
        asked = request.scheme, environ["HTTP_HOST"]
        if asked not in self._names:
            adapter = super().create_url_adapter(request)
            if adapter is not None and len(self._names) < MOST_NAMES:
                self._names[asked] = request.host, adapter.server_name
            return adapter
        request.host, name = self._names[asked]
        query = request.query_string.decode(errors="replace")
        return MapAdapter(
            self.url_map, name, request.root_path, "", request.scheme, request.path, request.method, query
        )
