"""The audit of our dependencies reports what it found, and what it could not check."""

from __future__ import annotations

import subprocess

import pytest

from tests import audit

FINE = {"name": "flask", "version": "3.1", "vulns": []}
HOLE = {"name": "jinja2", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.0"], "description": "bad"}]}
UNKNOWN = {"name": "waitress", "skip_reason": "not found"}


def test_a_vulnerability_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([FINE, HOLE, UNKNOWN]) == 1
    assert "jinja2 1.0: PYSEC-1, mended in 2.0" in capsys.readouterr().out


def test_a_clean_audit_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([FINE]) == 0
    assert "no known hole in 1 packages" in capsys.readouterr().out


def test_packages_that_could_not_be_looked_up_are_not_called_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([FINE, UNKNOWN]) == 0
    printed = capsys.readouterr()
    assert "1 of 2 packages could not be looked up" in printed.err
    assert "no known hole" not in printed.out


@pytest.mark.parametrize("says", ["", "Traceback: no connection", "[]"])
def test_without_a_connection_the_audit_says_so_and_passes(
    says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_a, **_k: subprocess.CompletedProcess((), 1, says, ""))
    assert audit.main() == 0
    assert "NOT DONE" in capsys.readouterr().err
