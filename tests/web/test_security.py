"""Other sites cannot write, every answer has its security headers, and only the dealer gets the secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from companion.store.opening import DATABASE
from companion.web import logs

from .conftest import Dealt, DealTable, Json, app_on, close, deal_at

WRITES = [
    ("POST", "/entries", {"version": 3, "entries": ["9"]}),
    ("POST", "/undo", {"version": 3}),
    ("PUT", "/entries/1", {"version": 3, "entry": "5"}),
    ("POST", "/entries/1", {"version": 3, "entry": "buy Ana 5"}),
    ("DELETE", "/entries/2", {"version": 3}),
    ("POST", "/handover", None),
    ("DELETE", "", None),
]
FROM_ELSEWHERE = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:8000"},
    {"Origin": "http://evil.example"},
    {"Origin": "https://evil.example"},
    {"Origin": "http://localhost.evil.example"},
    {"Origin": "http://evil.example/localhost"},
    {"Origin": "http://localhost@evil.example"},
    {"Origin": "http://localhost:8000"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "localhost"},
]
FROM_US = [
    {},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
    {"Origin": "http://localhost"},
]


@pytest.fixture
def under_way(dealt: Dealt) -> Dealt:
    dealt.play("4", "6")
    return dealt


# -- other sites


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_another_site_cannot_write(anybody: FlaskClient, method: str, path: str, body: Json) -> None:
    dealt = deal_at(anybody)
    dealt.play("4", "6")
    before = dealt.everything()
    for headers in FROM_ELSEWHERE:
        answer = dealt.call(method, path, body, headers=headers)
        assert answer.status_code == 403, (headers, answer.text)
        assert answer.json["error"]
        assert answer.json["message"]
    assert dealt.everything() == before


def test_no_form_and_no_call_takes_anything_from_another_site(app_in_memory: Flask, under_way: Dealt) -> None:
    """Every route that writes, with the cookie of the phone that deals."""
    phone = app_in_memory.test_client()
    phone.get("/new")
    cookie, tried = phone.get_cookie("fifty-five"), 0
    for rule in app_in_memory.url_map.iter_rules():
        address = rule.rule.replace("<table_id>", under_way.table).replace("<int:number>", "1")
        for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}:
            tried += 1
            for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
                answer = phone.open(address, method=method, headers=headers, data={"sure": "yes"})
                assert answer.status_code == 403, (method, address, headers)
    assert tried > 30
    assert phone.get_cookie("fifty-five") == cookie


@pytest.mark.parametrize("headers", FROM_ELSEWHERE, ids=str)
def test_another_site_cannot_open_a_table(anybody: FlaskClient, headers: dict[str, str]) -> None:
    table = {"seats": ["Ana", "Ben"], "game": "pairs"}
    assert anybody.post("/api/tables", json=table, headers=headers).status_code == 403
    record = {"record": "fifty-five 1\nseats Ana Ben\ngame pairs\n"}
    assert anybody.post("/api/tables/import", json=record, headers=headers).status_code == 403


@pytest.mark.parametrize("origin", ["http://[nonsense", "http://[::1", "http://]"])
def test_an_unreadable_origin_is_refused(under_way: Dealt, origin: str) -> None:
    answer = under_way.call("POST", "/entries", {"version": 3, "entries": ["9"]}, headers={"Origin": origin})
    assert answer.status_code == 403, answer.text
    assert under_way.state()["version"] == 3


def test_another_site_cannot_write_with_the_dealers_cookie(app: Flask, under_way: Dealt) -> None:
    phone = app.test_client()
    with phone.session_transaction() as session:
        session["dealer"] = {under_way.table: under_way.secret}
    address, body = f"/api/tables/{under_way.table}/entries", {"version": 3, "entries": ["9"]}
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert phone.post(address, json=body, headers=headers).status_code == 403
    assert under_way.state()["version"] == 3
    assert phone.post(address, json=body, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("headers", FROM_US, ids=str)
def test_our_own_pages_and_programs_can_write(under_way: Dealt, headers: dict[str, str]) -> None:
    answer = under_way.call("POST", "/entries", {"version": 3, "entries": ["9"]}, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.json["version"] == 4


def test_our_origin_is_the_address_of_the_request(client: FlaskClient) -> None:
    def write(origin: str) -> int:
        return client.post(
            "/api/tables",
            json={"seats": ["Ana", "Ben"], "game": "pairs"},
            base_url="http://192.168.1.5:5555",
            headers={"Origin": origin},
        ).status_code

    assert write("http://192.168.1.5:5555") == 201
    for other in ("http://192.168.1.5", "http://192.168.1.5:5556", "http://192.168.1.50:5555", "http://localhost"):
        assert write(other) == 403


def test_another_site_may_link_to_our_pages(under_way: Dealt) -> None:
    for headers in FROM_ELSEWHERE:
        assert under_way.call("GET", secret=None, headers=headers).status_code == 200, headers


# -- headers


def answers(dealt: Dealt) -> Iterator[tuple[str, TestResponse]]:
    """An answer of every kind, both successes and errors."""
    client, etag = dealt.client, dealt.client.get(f"/api/tables/{dealt.table}").headers["ETag"]
    yield "200", dealt.call("GET")
    yield "200 log", dealt.call("GET", "/log")
    yield "200 look-up", client.get("/api/lookup/limit?players=4")
    yield "201", client.post("/api/tables", json={"seats": ["Ana", "Ben"], "game": "pairs"})
    yield "304", dealt.call("GET", headers={"If-None-Match": etag})
    yield "308", client.get("/api//lookup/limit")
    yield "400", dealt.call("POST", "/entries", data="[]")
    yield "401", dealt.call("POST", "/undo", {"version": 3}, secret=None)
    yield "403", dealt.call("POST", "/undo", {"version": 3}, secret="wrong")
    yield "403 other site", dealt.call("POST", "/undo", {"version": 3}, headers={"Sec-Fetch-Site": "cross-site"})
    yield "404", client.get("/api/nothing")
    yield "404 page", client.get("/no/such/page")
    yield "404 file", client.get("/static/no-such-file")
    yield "405", client.delete("/api/tables")
    yield "409", dealt.call("POST", "/undo", {"version": 1})
    yield "413", dealt.call("POST", "/undo", data="x" * 2_000_000)
    yield "422", dealt.call("POST", "/redo", {"version": 3})
    yield "page", client.get("/")
    yield "table's page", client.get(f"/t/{dealt.table}")
    yield "head", client.head(f"/api/tables/{dealt.table}")
    yield "options", client.options("/api/tables")


def keeps_to_itself(answer: TestResponse) -> None:
    """Assert that the headers allow nothing inline, nothing from other sites, no framing and no referrer."""
    rules = {
        name: set(sources)
        for name, *sources in (rule.split() for rule in answer.headers["Content-Security-Policy"].split(";"))
    }
    allowed = {source for sources in rules.values() for source in sources}
    assert rules["default-src"] <= {"'none'", "'self'"}
    assert rules["frame-ancestors"] == {"'none'"}
    assert rules["base-uri"] <= {"'none'", "'self'"}
    assert rules["form-action"] <= {"'none'", "'self'"}
    assert not {source for source in allowed if source.startswith("'unsafe") or "*" in source}
    assert not {source for source in allowed if source.startswith(("http", "//", "blob:"))}
    assert "data:" not in rules.get("script-src", set()) | rules["default-src"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] in ("no-referrer", "same-origin")
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy"):
        assert len(answer.headers.getlist(name)) == 1


def test_every_answer_has_the_security_headers(under_way: Dealt) -> None:
    seen = set()
    for kind, answer in answers(under_way):
        if kind[:3].isdigit():
            assert str(answer.status_code) == kind[:3], (kind, answer.text)
        try:
            keeps_to_itself(answer)
        except (AssertionError, KeyError) as failure:
            raise AssertionError(f"{kind}: {dict(answer.headers)}") from failure
        seen.add(answer.status_code)
    assert {200, 201, 304, 308, 400, 401, 403, 404, 405, 409, 413, 422} <= seen


def test_only_the_worker_that_starts_python_may_compile_it(client: FlaskClient) -> None:
    policy = client.get("/static/pocket/python.js").headers["Content-Security-Policy"]
    assert policy == "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    assert "Content-Security-Policy" not in client.get("/static/pocket/lend.js").headers
    assert "wasm" not in client.get("/").headers["Content-Security-Policy"]


def test_an_unexpected_error_has_the_security_headers_too(
    app: Flask, under_way: Dealt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(app.extensions["tables"].store, "standing", broken)
    answer = under_way.call("GET")
    assert answer.status_code == 500
    keeps_to_itself(answer)


def test_no_answer_allows_another_origin(under_way: Dealt) -> None:
    for _, answer in answers(under_way):
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_the_state_of_a_table_is_not_cached(under_way: Dealt) -> None:
    for path in ("", "/log"):
        control = under_way.call("GET", path).headers["Cache-Control"]
        assert "no-cache" in control or "no-store" in control
        assert "public" not in control


def test_an_answer_with_the_secret_is_not_stored_in_a_cache(client: FlaskClient, under_way: Dealt) -> None:
    opened = client.post("/api/tables", json={"seats": ["Ana", "Ben"], "game": "pairs"})
    for answer in (opened, under_way.call("POST", "/handover")):
        assert "no-store" in answer.headers["Cache-Control"]


# -- the secret


def addresses(app: Flask, table: str) -> Iterator[str]:
    """Every address for GET, with this table and the number 1 where it needs them."""
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()):
            yield adapter.build(rule.endpoint, {**(rule.defaults or {}), **filled(rule, table)}, method="GET")


def filled(rule: Rule, table: str) -> Json:
    def value(name: str) -> Any:
        if name.startswith("table"):
            return table
        if type(rule._converters[name]).__name__ in ("IntegerConverter", "FloatConverter"):
            return 1
        return "pairs"

    return {name: value(name) for name in rule.arguments if name not in (rule.defaults or {})}


def text_of(answer: TestResponse) -> str:
    """The headers and the body; only the first piece of an endless answer."""
    sent = next(answer.iter_encoded(), b"") if answer.mimetype == "text/event-stream" else answer.data
    answer.close()
    return f"{answer.headers}\n{sent.decode('utf-8', 'replace')}"


def test_no_reader_gets_the_secret(app: Flask, under_way: Dealt) -> None:
    stored = app.extensions["tables"].store.standing(under_way.table).secret
    read = list(addresses(app, under_way.table))
    assert f"/api/tables/{under_way.table}" in read
    assert f"/api/tables/{under_way.table}/log" in read
    for address in read:
        sent = text_of(app.test_client().get(address))
        assert under_way.secret not in sent, address
        assert stored not in sent, address


def test_even_the_dealer_reads_the_state_without_the_secret(under_way: Dealt) -> None:
    for path in ("", "/log"):
        assert under_way.secret not in text_of(under_way.call("GET", path))


def test_only_creation_and_handover_return_a_secret(under_way: Dealt) -> None:
    for method, path, body in (
        ("POST", "/entries", {"version": 3, "entries": ["9"]}),
        ("POST", "/entries", {"version": 3, "entries": ["9"]}),
        ("PUT", "/entries/1?preview=1", {"version": 4, "entry": "5"}),
        ("POST", "/undo", {"version": 4}),
        ("POST", "/undo", {"version": 9}),
        ("POST", "/entries", {"version": 5, "entries": [under_way.secret[:3]]}),
    ):
        assert under_way.secret not in text_of(under_way.call(method, path, body))
    new = under_way.call("POST", "/handover").json["dealer"]
    sent = text_of(under_way.call("GET"))
    assert new not in sent
    assert under_way.secret not in sent


def test_the_stored_secret_is_a_hash(app: Flask, deal: DealTable) -> None:
    store = app.extensions["tables"].store
    first, second = deal(), deal()
    hashes = [store.standing(dealt.table).secret for dealt in (first, second)]
    assert len(set(hashes)) == 2
    for dealt, stored in zip((first, second), hashes, strict=True):
        assert len(stored) >= 32
        assert dealt.secret not in stored
        assert stored not in dealt.secret
    new = first.call("POST", "/handover").json["dealer"]
    changed = store.standing(first.table).secret
    assert changed not in (hashes[0], new)
    assert new not in changed


def test_the_secret_is_nowhere_in_the_database(tmp_path: Path) -> None:
    app = app_on(tmp_path)
    dealt = deal_at(app.test_client())
    dealt.enter("4", version=1, id="tap")
    new = dealt.call("POST", "/handover").json["dealer"]
    kept = b"".join(file.read_bytes() for file in tmp_path.glob(f"{DATABASE}*"))
    close(app)
    assert dealt.table.encode() in kept
    assert dealt.secret.encode() not in kept
    assert new.encode() not in kept


@pytest.mark.parametrize("path", ["/", "/nowhere", "/t/x", "/api/tables/x", "/static/app.css"])
def test_an_impossible_host_is_refused_with_a_message(anybody: FlaskClient, path: str) -> None:
    answer = anybody.get(path, headers={"Host": "a..b"})
    assert answer.status_code == 400
    assert "The request could not be read." in answer.text


def test_an_over_long_host_is_refused(in_memory: Dealt) -> None:
    """The address would not fit into a code to scan."""
    for path in ("/code", "/take", ""):
        answer = in_memory.client.get(f"/t/{in_memory.table}{path}", headers={"Host": ".".join(["a" * 59] * 40)})
        assert answer.status_code == 400
        assert "The request could not be read." in answer.text
    longest = ".".join(["a" * 62] * 4)  # and a port
    assert in_memory.client.get(f"/t/{in_memory.table}/code", headers={"Host": f"{longest}:65535"}).status_code == 200


@pytest.mark.parametrize(
    ("address", "prefix", "name"),
    [
        ("http://pub.example", "", "fifty-five"),
        ("https://pub.example", "", "__Host-fifty-five"),
        ("https://pub.example", "/cards", "__Secure-fifty-five"),
    ],
)
def test_the_name_of_the_cookie_keeps_it_to_this_site(
    anybody: FlaskClient, address: str, prefix: str, name: str
) -> None:
    """Browsers accept `__Host-` only if the cookie is secure and for the whole site, and never from another subdomain."""
    site = {"base_url": address + prefix}
    opened = anybody.post("/tables", data={"seats": "2", "game": "pairs"}, **site)
    cookie = opened.headers["Set-Cookie"]
    assert cookie.startswith(f"{name}=")
    assert ("; Secure" in cookie) == address.startswith("https")
    assert f"; Path={prefix or '/'}" in cookie
    assert "Domain" not in cookie
    table = opened.headers["Location"].removeprefix(prefix)
    assert anybody.post(f"{table}/enter", data={"entry": "7", "version": "1"}, **site).status_code == 303
    value = cookie.partition("=")[2].partition(";")[0]
    stranger = anybody.application.test_client(use_cookies=False)
    plain = {"Cookie": f"fifty-five={value}"}  # as another subdomain could set it
    entered = stranger.post(f"{table}/enter", data={"entry": "9", "version": "2"}, headers=plain, **site)
    assert (entered.status_code == 303) == (name == "fifty-five")


def test_refused_secrets_and_codes_are_always_logged(
    app_in_memory: Flask, in_memory: Dealt, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.init_app(app_in_memory)  # to where this test can read it
    assert in_memory.call("POST", "/undo", {"version": 1}, secret="somebody-elses").status_code == 403
    taken = in_memory.client.post(f"/t/{in_memory.table}/take", data={"recovery": "000000"})
    assert taken.status_code in (403, 409)
    logged = capsys.readouterr().err
    lines = [json.loads(line) for line in logged.splitlines()]
    assert [line["event"] for line in lines] == ["a secret was refused", "a recovery code was refused"]
    assert {line["level"] for line in lines} == {"warning"}
    assert len({line["table"] for line in lines}) == 1
    for secret in ("somebody-elses", "000000", in_memory.table):
        assert secret not in logged
