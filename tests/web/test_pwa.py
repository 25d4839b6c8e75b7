"""The files the installed app needs from the server: manifest, icons and service worker."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.bundle import home_of
from companion.games import GAMES
from companion.web.games import lookups

Json = dict[str, Any]


def manifest(client: FlaskClient, language: str = "en") -> Json:
    answer = client.get("/manifest.webmanifest", headers={"Accept-Language": language})
    assert answer.status_code == 200
    assert answer.mimetype == "application/manifest+json"
    found: Json = json.loads(answer.text)
    return found


def ours(client: FlaskClient, language: str = "en") -> Json:
    """The server's line at the top of the worker."""
    answer = client.get("/sw.js", headers={"Accept-Language": language})
    assert answer.status_code == 200
    line = answer.text.splitlines()[0]
    found: Json = json.loads(line.removeprefix("const OURS = ").removesuffix(";"))
    return found


def dimensions(image: bytes) -> str:
    """Width and height of a PNG or an extended WebP, from its first bytes."""
    if image[8:16] == b"WEBPVP8X":
        return "x".join(str(int.from_bytes(image[at : at + 3], "little") + 1) for at in (24, 27))
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    return "{}x{}".format(*struct.unpack(">II", image[16:24]))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_app_is_the_same_in_every_language(anybody: FlaskClient, language: str) -> None:
    served = manifest(anybody, language)
    assert served["lang"] == language
    assert (served["id"], served["start_url"], served["scope"]) == ("/", "/", "/")
    assert served["name"] == "Fifty-Five"
    assert served["display"] == "standalone"
    assert served["theme_color"] == served["background_color"] == "#080a09"
    assert [shortcut["url"] for shortcut in served["shortcuts"]] == ["/new", "/lookup", "/rules"]


def test_the_manifest_is_in_the_language_of_the_reader(anybody: FlaskClient) -> None:
    english, french = manifest(anybody, "en"), manifest(anybody, "fr")
    assert english["description"] != french["description"]
    assert [shortcut["name"] for shortcut in english["shortcuts"]] == ["New table", "Quick reference", "Rules"]
    assert all(a["name"] != b["name"] for a, b in zip(english["shortcuts"], french["shortcuts"], strict=True))


def test_icons_and_screenshots_have_the_sizes_they_claim(anybody: FlaskClient) -> None:
    served = manifest(anybody)
    assert {(icon["sizes"], icon["purpose"]) for icon in served["icons"]} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    assert served["screenshots"]
    assert all(shot["form_factor"] == "narrow" for shot in served["screenshots"])
    for image in [*served["icons"], *served["screenshots"]]:
        answer = anybody.get(image["src"])
        assert answer.status_code == 200
        assert answer.mimetype == image["type"] == ("image/webp" if image in served["screenshots"] else "image/png")
        assert dimensions(answer.data) == image["sizes"]
        assert "immutable" in answer.headers["Cache-Control"]


def test_every_page_links_to_the_manifest_and_an_icon(anybody: FlaskClient) -> None:
    for address in ("/", "/new", "/lookup", "/rules", "/offline"):
        page = anybody.get(address).text
        # The cookie has the language, and browsers send it for a manifest only with this attribute.
        assert '<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">' in page
        touch = page.split('rel="apple-touch-icon" href="')[1].split('"')[0]
        assert dimensions(anybody.get(touch).data) == "180x180"


def test_the_worker_is_not_cached(anybody: FlaskClient) -> None:
    answer = anybody.get("/sw.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "worker-src" in answer.headers["Content-Security-Policy"] or (
        "script-src 'self'" in answer.headers["Content-Security-Policy"]
    )


def test_every_address_the_worker_keeps_exists(anybody: FlaskClient) -> None:
    addresses = ours(anybody)["addresses"]
    assert len(addresses) == len(set(addresses))
    for address in addresses:
        assert anybody.get(address).status_code == 200, address
    wanted = {"/", "/offline", "/lookup", "/rules"}
    assert wanted | {f"/lookup/{tab}" for tab in lookups()} | {f"/rules/{game}" for game in GAMES} <= set(addresses)
    scripts = {path.name for kind in ("*.js", "*.css") for path in home_of("static").glob(kind)}
    assert scripts - {"sw.js", "copies.js"} <= {Path(address.partition("?")[0]).name for address in addresses}
    assert not any(address.startswith(("/api", "/t/")) for address in addresses)


def test_the_worker_changes_with_the_files_it_keeps(anybody: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ours(anybody)["version"]
    assert ours(anybody)["version"] == before
    assert ours(anybody, "fr")["version"] != before
    with monkeypatch.context() as patch:
        patch.setattr("companion.web.pwa.__version__", "another")
        assert ours(anybody)["version"] != before
    asset = anybody.application.jinja_env.globals["asset"]
    with monkeypatch.context() as patch:
        patch.setitem(anybody.application.jinja_env.globals, "asset", lambda name: f"{asset(name)}0")
        assert ours(anybody)["version"] != before


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_sentence_on_a_kept_page_has_room_for_its_age(anybody: FlaskClient, language: str) -> None:
    page = anybody.get("/", headers={"Accept-Language": language}).text
    sentence = page.partition('<template id="no-signal"')[2].partition("</template>")[0]
    assert sentence.count("<time></time>") == 1
