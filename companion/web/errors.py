"""Error answers, each with a sentence: JSON under /api, a page elsewhere."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.engine.record import RecordError
from companion.engine.sentence import EntryError, Sentence, say
from companion.store import DamagedTable, StoreAway
from companion.table.log import BeyondLimits, NothingThere, Refused
from companion.web.addresses import is_for_programs
from companion.web.dealing import NoSecret, UnknownTable, WrongSecret
from companion.web.i18n import translate
from companion.web.logs import log_damage, request_fields
from companion.web.rate import TooManyTables
from companion.web.rows import state_of
from companion.web.security import Forbidden
from companion.web.slow import Busy
from companion.web.tables import Stale

SENTENCES = {
    400: say("The request could not be read."),
    404: say("There is nothing here. The address may be mistyped, or the table has gone."),
    405: say("That is not possible here."),
    408: say("The request took too long to arrive: send it again."),
    411: say("The request could not be read."),
    413: say("What was sent is too large."),
    415: say("The request could not be read."),
    500: say("Something went wrong on our side. Everything entered so far is safe."),
}
BUSY = say("The server is busy opening other long evenings: try again in a moment.")
SOON = 2  # seconds after which a browser tries again
NOT_THE_DEALER = say("This phone does not deal at this table any more.")
CODES = {
    400: "invalid",
    401: "unauthorized",
    403: "forbidden",
    404: "missing",
    405: "method",
    408: "slow",
    409: "stale",
    411: "invalid",
    413: "large",
    415: "invalid",
}


def answer(status: int, sentence: Sentence | str, code: str | None = None, **more: Any) -> ResponseReturnValue:
    """An error as JSON or as a page, depending on the address."""
    message = translate(sentence)
    if is_for_programs(request.path):
        return jsonify({"error": code or CODES.get(status, "error"), "message": message, **more}), status
    template = "error.html" if request_ctx.url_adapter else "error_bare.html"
    return render_template(template, status=status, message=message), status


def try_again(sentence: Sentence, code: str) -> Response:
    """A 503. A board shows the sentence and sends the tap again; a page reloads itself."""
    for_board = request.headers.get("HX-Request") == "true" and not is_for_programs(request.path)
    plain = Response(translate(sentence), 503, mimetype="text/plain") if for_board else None
    found = plain or make_response(answer(503, sentence, code))
    found.headers["Retry-After"] = str(SOON)
    if request.method == "GET" and not is_for_programs(request.path):
        found.headers["Refresh"] = str(SOON)
    return found


def refusal(error: EntryError) -> tuple[str, dict[str, Any]]:
    """The error code of a refused entry, and further fields of the answer."""
    if isinstance(error, NothingThere):
        return "nothing", {}
    if isinstance(error, RecordError):
        return "invalid", {"line": error.line}
    if isinstance(error, Refused):
        return ("invalid" if error.invalid else "illegal"), {"at": error.at}
    return ("illegal" if isinstance(error, BeyondLimits) else "invalid"), {}


def code_of(error: StoreAway) -> str:
    """The database's error code, which holds no personal data."""
    cause = getattr(error.__cause__, "orig", None) or error.__cause__
    code = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None)
    return f"{type(cause).__name__} {code}" if code else type(cause).__name__


def init_app(app: Flask) -> None:
    @app.errorhandler(EntryError)
    def refused(error: EntryError) -> ResponseReturnValue:
        code, more = refusal(error)
        return answer(422, error.sentence, code, **more)

    @app.errorhandler(Stale)
    def stale(error: Stale) -> ResponseReturnValue:
        sentence = say("The table has moved on: look at it again.")
        return answer(409, sentence, "stale", state=state_of(error.table))

    @app.errorhandler(UnknownTable)
    def unknown(error: UnknownTable) -> ResponseReturnValue:
        return answer(404, SENTENCES[404])

    @app.errorhandler(NoSecret)
    def no_secret(error: NoSecret) -> ResponseReturnValue:
        return answer(401, say("Only the dealer’s phone can enter anything here."))

    @app.errorhandler(WrongSecret)
    def wrong_secret(error: WrongSecret) -> ResponseReturnValue:
        return answer(403, NOT_THE_DEALER)

    @app.errorhandler(Forbidden)
    def other_site(error: Forbidden) -> ResponseReturnValue:
        return answer(403, say("The request came from another site."))

    @app.errorhandler(UnicodeDecodeError)
    def no_text(error: UnicodeDecodeError) -> ResponseReturnValue:
        """The query of the address is not UTF-8."""
        return answer(400, SENTENCES[400])

    @app.errorhandler(TooManyTables)
    def too_many(error: TooManyTables) -> ResponseReturnValue:
        return answer(429, say("Too many tables have been opened from here. Try again later."), "busy")

    @app.errorhandler(Busy)
    def busy(error: Busy) -> ResponseReturnValue:
        return try_again(BUSY, "busy")

    @app.errorhandler(StoreAway)
    def away(error: StoreAway) -> ResponseReturnValue:
        app.logger.error("the store is away", extra={"fields": {**request_fields(), "cause": code_of(error)}})
        return try_again(error.sentence, "away")

    @app.errorhandler(DamagedTable)
    def damaged(error: DamagedTable) -> ResponseReturnValue:
        log_damage((request.view_args or {}).get("table_id", ""))
        return answer(500, say("The saved entries of this table are damaged. A backup can be restored."), "broken")

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        if status < 400:
            return error
        return answer(status, SENTENCES.get(status) or error.description or error.name)

    def broken(error: Exception) -> ResponseReturnValue:
        app.logger.exception("a request failed", extra={"fields": request_fields()})
        return answer(500, SENTENCES[500], "broken")

    if not (app.debug or app.testing):  # else the error is for Flask's debugger, or for the test
        app.register_error_handler(Exception, broken)
