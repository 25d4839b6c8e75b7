"""The audit of our dependencies says what it found, and does not call silence good news."""

from __future__ import annotations

import subprocess

import pytest

from tests import audit

FINE = {"name": "flask", "version": "3.1", "vulns": []}
HOLE = {"name": "jinja2", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.0"], "description": "bad"}]}
UNKNOWN = {"name": "waitress", "skip_reason": "not found"}


def test_a_hole_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([FINE, HOLE, UNKNOWN]) == 1
    assert "jinja2 1.0: PYSEC-1, mended in 2.0" in capsys.readouterr().out


def test_no_hole_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([FINE]) == 0
    assert "no known hole in 1 packages" in capsys.readouterr().out


def test_what_could_not_be_looked_up_is_told_and_not_praised(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([FINE, UNKNOWN]) == 0
    told = capsys.readouterr()
    assert "1 of 2 packages could not be looked up" in told.err
    assert "no known hole" not in told.out


@pytest.mark.parametrize("says", ["", "Traceback: no connection", "[]"])
def test_without_a_connection_it_says_so_and_goes_on(
    says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_a, **_k: subprocess.CompletedProcess((), 1, says, ""))
    assert audit.main() == 0
    assert "NOT DONE" in capsys.readouterr().err
