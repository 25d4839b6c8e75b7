"""The `companion` command, as a shell sees it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

RECORD = """fifty-five 1
seats Ana Ben   # two of us
game pairs

7      # Ana
3
Ben: 9
fold
"""


def companion(*arguments: str, given: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    data = given.encode() if isinstance(given, str) else given
    command = [sys.executable, "-m", "companion.cli", *arguments]
    return subprocess.run(command, input=data, capture_output=True, check=False)


def test_replay_prints_the_state() -> None:
    run = companion("replay", given=RECORD)
    assert run.returncode == 0, run.stderr
    state = json.loads(run.stdout)
    assert state["phase"] == "round over"
    assert state["version"] == 5
    assert state["last"] == state["undo"] == "fold"
    assert {seat["name"]: seat["points"] for seat in state["seats"]} == {"Ana": 3, "Ben": 0}
    assert "table" not in state


def test_replay_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    path.write_text(RECORD, "utf-8")
    assert companion("replay", str(path)).stdout == companion("replay", given=RECORD).stdout


def test_each_prints_a_line_after_every_entry() -> None:
    lines = [json.loads(line) for line in companion("replay", "--each", given=RECORD).stdout.splitlines()]
    assert [line["last"] for line in lines] == ["game pairs", "7", "3", "Ben: 9", "fold"]
    assert lines[0]["waiting"] == ["Ana", "Ben"]


def test_a_bad_line_is_named() -> None:
    for record, line in (
        (RECORD.replace("Ben: 9", "11"), 7),
        (RECORD.replace("Ben: 9", "Ana: 9"), 7),
        (RECORD.replace("game pairs", "game chess"), 3),
        (RECORD.replace("seats Ana Ben", "seats Ana"), 3),
        (RECORD.replace("seats Ana Ben", "chairs Ana Ben"), 2),
        (RECORD.replace("fifty-five 1", "fifty-six 1"), 1),
        ("", 1),
    ):
        run = companion("replay", given=record)
        assert run.returncode == 2
        assert run.stdout == b""
        assert run.stderr.decode().startswith(f"line {line}: "), run.stderr


def test_no_game_no_file_no_text() -> None:
    assert companion("replay", given="fifty-five 1\nseats Ana Ben\n").returncode == 2
    missing = companion("replay", "there-is-no-such-file")
    assert missing.returncode == 2
    assert b"there-is-no-such-file" in missing.stderr
    assert companion("replay", given=b"\xff\xfe").returncode == 2
