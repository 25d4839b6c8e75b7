"""Templates have short lines, so that they are easy to read."""

from __future__ import annotations

from companion.bundle import home_of

LONGEST = 120


def test_no_line_of_a_template_is_longer_than_120_characters() -> None:
    home = home_of("templates")
    files = [path for path in sorted(home.rglob("*")) if path.is_file()]
    assert len(files) > 60
    long = [
        f"{path.relative_to(home)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert long == []
