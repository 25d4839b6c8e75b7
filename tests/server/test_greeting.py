"""What the terminal shows when the server starts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import new_parser
from companion.server import serve
from companion.store.opening import DATABASE, KEY
from tests.process import Server


def test_the_line_of_the_data_folder_has_the_command_that_saves_it(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        command = re.search(r"Data +(\S+) \(to save it: (.*) FOLDER\)", server.said())
        assert command
        assert Path(command[1]) == server.data
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        saved = tmp_path / "saved"
        subprocess.run([*command[2].split(), saved], env={**os.environ, "PATH": path}, check=True, capture_output=True)
    assert {DATABASE, KEY} <= {file.name for file in saved.iterdir()}


def test_the_command_is_short_where_the_folder_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/companion", "run"])
    shown = serve.greeting(new_parser().parse_args(["run"]), Path("instance").absolute())
    assert "(to save it: .venv/bin/companion backup FOLDER)" in shown
