"""What goes out: scripts and styles without what only a reader of the source needs."""

from __future__ import annotations

from flask.testing import FlaskClient

from companion.web.assets import BUNDLES, FOR_READERS


def test_comments_and_indentation_stay_at_home() -> None:
    source = b"""// why
"use strict";
(() => {
  const address = "https://x"; // of "us"
  go(); // away
  /* a line */
})();
"""
    sent = b""""use strict";
(() => {
const address = "https://x"; // of "us"
go();
})();
"""
    assert FOR_READERS.sub(b"", source) == sent


def test_a_bundle_is_its_scripts_in_order(anybody: FlaskClient) -> None:
    for bundle, parts in BUNDLES.items():
        texts = [anybody.get(f"/static/{part}").get_data(as_text=True) for part in parts]
        assert anybody.get(f"/static/{bundle}").get_data(as_text=True) == "".join(texts)
