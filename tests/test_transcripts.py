"""The rules, as games somebody played."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.stakes import STAKES

from .transcript import FOLDER, Runner, parametrized


@parametrized
def test_transcript_holds(path: Path) -> None:
    assert Runner(path).run() > 0, "a transcript without a check shows nothing"


@pytest.mark.parametrize("stakes", sorted(set(STAKES) - {"seattle"}))
def test_every_stake_has_transcripts(stakes: str) -> None:
    assert len(list((FOLDER / f"stakes-{stakes}").glob("*.txt"))) >= 3


@pytest.mark.parametrize("add_on", ["calamities", "eights"])
def test_every_add_on_has_transcripts(add_on: str) -> None:
    assert len(list((FOLDER / add_on).glob("*.txt"))) >= 3


@parametrized
def test_transcript_says_its_rule_once(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "fifty-five 1"
    assert sum(line.startswith("rule ") for line in lines) == 1
