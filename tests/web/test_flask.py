"""The application is an ordinary Flask application: whatever Flask's documentation promises works on it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from flask import Blueprint, Flask, Response, after_this_request, g, render_template_string

from companion.store.memory import MemoryStore
from companion.web import create_app

PACKAGE = Path(__file__).parents[2] / "companion"
OF_NAMED_TUPLES = ("_replace", "_asdict", "_fields")  # public in spite of the underscore


@pytest.fixture
def seen() -> list[str]:
    return []


@pytest.fixture
def app(seen: list[str]) -> Flask:
    """The application with every hook of Flask's documentation, on itself and on an extra blueprint."""
    app = create_app(MemoryStore(), {"SECRET_KEY": "a key for tests"})
    page = Blueprint("a_page", __name__, url_prefix="/a-page")

    def note(what: str) -> None:
        seen.append(what)

    def noted(answer: Response, what: str) -> Response:
        seen.append(what)
        return answer

    app.before_request(lambda: note("app before"))
    app.after_request(lambda answer: noted(answer, "app after"))
    app.teardown_request(lambda _error: note("app teardown"))
    app.teardown_appcontext(lambda _error: note("app context teardown"))
    app.context_processor(lambda: {"word": "from the app"})
    page.before_request(lambda: note("page before"))
    page.after_request(lambda answer: noted(answer, "page after"))
    page.teardown_request(lambda _error: note("page teardown"))
    page.before_app_request(lambda: note("page before app"))
    page.url_value_preprocessor(lambda _endpoint, values: note(f"values {values}"))

    @page.url_defaults
    def add_number(_endpoint: str, values: dict[str, object]) -> None:
        values.setdefault("number", 7)

    @page.errorhandler(ZeroDivisionError)
    def divided(_error: ZeroDivisionError) -> tuple[str, int]:
        return "no division", 418

    @page.get("/<int:number>")
    def show(number: int) -> str:
        after_this_request(lambda answer: noted(answer, "after this request"))
        g.number = number
        return render_template_string("{{ word }} {{ g.number }} {{ url_for('a_page.show') }} {{ '<' }}")

    @page.get("/broken/<int:number>")
    def broken(number: int) -> str:
        return str(number // 0)

    app.register_blueprint(page)
    return app


def test_every_hook_of_flask_runs(app: Flask, seen: list[str]) -> None:
    answer = app.test_client().get("/a-page/3")
    assert answer.text == "from the app 3 /a-page/7 &lt;"
    assert sorted(seen) == [
        "after this request",
        "app after",
        "app before",
        "app context teardown",
        "app teardown",
        "page after",
        "page before",
        "page before app",
        "page teardown",
        "values {'number': 3}",
    ]


def test_hooks_run_around_our_own_pages_too(app: Flask, seen: list[str]) -> None:
    assert app.test_client().get("/").status_code == 200
    assert sorted(seen) == ["app after", "app before", "app context teardown", "app teardown", "page before app"]


def test_a_page_handles_its_own_errors(app: Flask) -> None:
    answer = app.test_client().get("/a-page/broken/1")
    assert (answer.status_code, answer.text) == (418, "no division")


def test_an_error_reaches_a_test_and_the_debugger() -> None:
    app = create_app(MemoryStore(), {"SECRET_KEY": "a key for tests", "TESTING": True})
    app.add_url_rule("/broken", view_func=lambda: str(1 // 0))
    with pytest.raises(ZeroDivisionError):
        app.test_client().get("/broken")


@pytest.mark.parametrize("path", ["/own", "/t/own"])
def test_a_view_may_set_headers_itself(path: str) -> None:
    """The program adds those that are missing, and sends none twice."""
    app = create_app(MemoryStore(), {"SECRET_KEY": "a key for tests"})
    own = {"Cache-Control": "max-age=60", "X-Frame-Options": "SAMEORIGIN", "Vary": "Accept"}
    app.add_url_rule(path, view_func=lambda: Response("own", headers=own))
    for asked in ({}, {"HX-Request": "true"}):
        answer = app.test_client().get(path, headers=asked)
        assert {name: answer.headers.getlist(name) for name in own} == {name: [own[name]] for name in own}
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("template", "html"),
    [
        ("{% trans name='<b>' %}Hello {{ name }}{% endtrans %}", "Hello &lt;b&gt;"),
        ("{% trans count=2 %}{{ count }} card{% pluralize %}{{ count }} cards{% endtrans %}", "2 cards"),
        ("{{ ngettext('%(num)s card', '%(num)s cards', 2) }}", "2 cards"),
        ("{{ _('%(name)s & %(figure)s', name='<b>', figure=bold(2)) }}", "&lt;b&gt; &amp; <b>2</b>"),
        ("{{ _('5 % & more') }}", "5 % &amp; more"),
        ("{{ url_for('static', filename='app.css') }}", "/static/app.css"),
    ],
)
def test_templates_work_as_jinja_and_flask_document_them(app: Flask, template: str, html: str) -> None:
    with app.test_request_context():
        assert render_template_string(template) == html


@pytest.mark.parametrize(
    ("setting", "body", "status"),
    [
        ("MAX_CONTENT_LENGTH", {"record": "x" * 2_000}, 413),
        ("MAX_FORM_PARTS", {f"field{number}": "x" for number in range(2_000)}, 413),
    ],
)
def test_flasks_limits_for_forms_apply(app: Flask, setting: str, body: dict[str, str], status: int) -> None:
    app.config[setting] = 1_000
    assert app.test_client().post("/import", data=body, content_type="multipart/form-data").status_code == status


def test_nothing_private_of_a_library_is_used() -> None:
    """A name that begins with one underscore is for the library itself."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("companion") and not node.level:
                found += [f"{path.name}: {alias.name}" for alias in node.names if is_private(alias.name)]
            elif isinstance(node, ast.Attribute) and is_private(node.attr) and not is_own(node.value):
                found.append(f"{path.name}:{node.lineno} {node.attr}")
    assert found == []


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in ("_", *OF_NAMED_TUPLES)


def is_own(owner: ast.expr) -> bool:
    return isinstance(owner, ast.Name) and owner.id in ("self", "cls")
