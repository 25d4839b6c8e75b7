"""The static site: a folder of files for any path of any host. The whole program runs on the phone."""

from __future__ import annotations

import base64
import hashlib
import shutil
from pathlib import Path
from typing import Any

from flask import Flask, render_template
from markupsafe import Markup

from companion import __version__
from companion.bundle import NOTE
from companion.web import pwa
from companion.web.pocket import waiting_words

from .bundle import build_app, compile_bundle, pack_bundle

# Files left out: parts of the service worker, and scripts that only pages of a server use.
LEFT_OUT = {"sw.js", "copies.js", "pocket/ask.js", "pocket/sync.js", "pocket/board.js"}
HERE = {"SCRIPT_NAME": "."}  # every address is relative to the folder of the site
# The first parts of our paths: the site's own path is what comes before one of them.
FIND_THE_SITE = (
    "const ours = /^(.*?)[/]((?:t|new|import|join|evenings|phone|lookup|rules)(?:[/].*)?)$/;"
    "const [, site, page] = ours.exec(location.pathname) || [];"
    "if (page) location.replace(`${site}/#/${page}${location.search}`);"
)
NOTICE = """Fifty-Five {version}: MIT, see its repository.

This folder contains, packed by gzip and otherwise unchanged:
- Pyodide 314.0.7 (pyodide.mjs, pyodide.asm.mjs, pyodide.asm.wasm): Mozilla Public License 2.0. Its source is the
  project pyodide/pyodide on GitHub, tag 314.0.7.
- parts of the standard library of CPython 3.14, compiled: Python Software Foundation License.
- Flask, Werkzeug, Jinja2, MarkupSafe, Click, ItsDangerous, segno (BSD-3-Clause), Blinker (MIT), compiled.
- htmx 2 (static/htmx.min.js): Zero-Clause BSD.
"""


def build_site(site: Path, work: Path) -> None:
    """Build the site in place of the old one, unless nothing has changed."""
    app = build_app()
    bundle = compile_bundle(app, work)
    fresh = work / "site"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    packs = pack_bundle(bundle, fresh / "py")
    write_static(app, fresh / "static")
    write_pages(app, fresh, packs)
    if (site / "sw.js").is_file() and (site / "sw.js").read_bytes() == (fresh / "sw.js").read_bytes():
        shutil.copy(fresh / "py" / NOTE, site / "py")  # only comments may have changed, which are compiled away
        return  # keep the old files: somebody may be reading them
    shutil.rmtree(site, ignore_errors=True)
    site.parent.mkdir(parents=True, exist_ok=True)
    fresh.rename(site)


def write_static(app: Flask, folder: Path) -> None:
    """Write the static files as the server would send them."""
    client = app.test_client()
    for name in sorted(app.extensions["static files"] - LEFT_OUT):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(client.get(f"/static/{name}").data)


def taken_along(app: Flask) -> list[str]:
    """The addresses of every script and style sheet; the system fetches the pictures by itself."""
    names = app.extensions["static files"] - LEFT_OUT
    return sorted(name for name in names if name.endswith((".css", ".js", ".svg")))


def write_pages(app: Flask, site: Path, packs: dict[str, tuple[str, int]]) -> None:
    folder = next(iter(packs)).rpartition("/")[0] + "/"
    with app.test_request_context("/", environ_overrides=HERE):
        page = render_template("pocket/site.html", bundle=folder, words=waiting_words())
        digest = base64.b64encode(hashlib.sha256(FIND_THE_SITE.encode()).digest()).decode()
        lost = render_template("pocket/lost.html", script=Markup(FIND_THE_SITE), digest=digest)
        asset: Any = app.jinja_env.globals["asset"]
        addresses = ["./", "manifest.webmanifest", *map(asset, taken_along(app))]
        where = pwa.places()
    manifest = app.test_client().get("/manifest.webmanifest", environ_overrides=HERE).get_data(as_text=True)
    (site / "manifest.webmanifest").write_text(manifest, "utf-8")
    (site / "index.html").write_text(page, "utf-8")
    (site / "404.html").write_text(lost, "utf-8")
    (site / ".nojekyll").write_text("", "utf-8")
    (site / "NOTICE.txt").write_text(NOTICE.format(version=__version__), "utf-8")
    ours = {"alone": True, "addresses": addresses, "places": where, "packs": packs, "pocket": {"host": "./"}}
    (site / "sw.js").write_text(pwa.worker(ours, pwa.ALONE, page), "utf-8")
