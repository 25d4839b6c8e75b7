"""What the README promises."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_the_example_prints_what_the_readme_says() -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    promised = re.search(r"prints `([^`]+)`", README)
    assert code
    assert promised
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code[1], {})
    assert printed.getvalue().strip() == promised[1]
