"""The `companion` command, as a shell sees it."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main, new_parser

RECORD = """fifty-five 1
seats Ana Ben   # two of us
game pairs

7      # Ana
3
Ben: 9
fold
"""


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the shell has set must not reach a test."""
    for name in ("FIFTY_FIVE_DATA", "FIFTY_FIVE_PROXIES", "FIFTY_FIVE_PREFIX", "FIFTY_FIVE_LOG"):
        monkeypatch.setenv(name, "")


def companion(*arguments: str, given: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    data = given.encode() if isinstance(given, str) else given
    command = [sys.executable, "-m", "companion.cli", *arguments]
    return subprocess.run(command, input=data, capture_output=True, check=False)


@pytest.mark.parametrize("module", ["companion", "companion.cli"])
@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("fr_FR.UTF-8", ["usage\u202f: companion", "afficher cette aide", "rejouer toutes les tables"]),
        ("en_GB.UTF-8", ["usage: companion", "show this help message", "replay every table"]),
    ],
)
def test_help_is_in_the_language_of_the_terminal(
    module: str, language: str, sentences: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", language)
    monkeypatch.delenv("LANGUAGE", raising=False)
    run = subprocess.run([sys.executable, "-m", module, "--help"], capture_output=True, check=True)
    output = run.stdout.decode()
    assert [sentence for sentence in sentences if sentence not in output] == []


def test_a_refused_option_is_explained_in_the_language_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)
    run = companion("run", "--port", "x")
    assert run.returncode == 2
    assert "argument --port\u202f: x n’est pas un port" in run.stderr.decode()


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
        (RECORD.replace("seats Ana Ben", "seats Ana"), 2),
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


def test_an_invalid_port_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("99999", "-1", "http", "9" * 5_000):
        with pytest.raises(SystemExit) as ended:
            main(["run", "--port", wrong])
        assert ended.value.code == 2
        assert "is not a port" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "environment", "sentence"),
    [
        (["--host", "no.such.host.invalid"], {}, "Cannot listen on no.such.host.invalid"),
        ([], {"FIFTY_FIVE_TABLES_PER_HOUR": "lots"}, "FIFTY_FIVE_TABLES_PER_HOUR must be a number, not “lots”."),
        ([], {"FIFTY_FIVE_SECRET_KEY": "short"}, "FIFTY_FIVE_SECRET_KEY is too short"),
        *(
            (
                ["--prefix", wrong],
                {},
                f"A prefix is a path such as /pairs, without a slash at its end, not “{wrong[:40]}”.",
            )
            for wrong in (
                "pairs",
                "/",
                "/pairs/",
                "/a//b",
                "/..",
                "/a/.",
                "//host",
                "/é",
                "/a?b",
                "/a b",
                "/" + "a" * 100,
            )
        ),
        ([], {"FIFTY_FIVE_PREFIX": "pairs"}, "A prefix is a path such as /pairs"),
    ],
)
def test_a_failed_start_is_explained_in_a_sentence(
    arguments: list[str],
    environment: dict[str, str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main(["run", "--data", str(tmp_path), "--port", "0", *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_without_psycopg_postgresql_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://127.0.0.1/tables")
    monkeypatch.setattr("companion.store.opening.find_spec", lambda _name: None)
    assert main(["migrate", "--data", str(tmp_path)]) == 2
    assert "PostgreSQL needs psycopg" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["check"], ["backup", "copy"]])
def test_a_command_that_only_reads_makes_no_file(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main([*command, "--data", str(tmp_path)]) == 2
    assert "There is no database in" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_only_its_owner_can_read_the_database_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(["migrate", "--data", str(tmp_path)]) == 0
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {
        "fifty-five.sqlite3": 0o600,
        "secret.key": 0o600,
    }


@pytest.mark.parametrize("key", [b"", b"short"])
@pytest.mark.parametrize("command", ["run", "migrate"])
def test_a_guessable_key_is_refused(
    command: str, key: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DATABASE_URL", "FIFTY_FIVE_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "secret.key").write_bytes(key)
    # An invalid host, so that the server also ends if it does not refuse the key.
    host = ["--host", "no.such.host.invalid"] if command == "run" else []
    assert main([command, "--data", str(tmp_path), *host]) == 2
    assert f"{tmp_path / 'secret.key'} is too short for a secret key" in capsys.readouterr().err
    assert (tmp_path / "secret.key").read_bytes() == key


def test_an_invalid_number_of_proxies_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("-1", "many", "999"):
        with pytest.raises(SystemExit) as ended:
            main(["run", "--proxies", wrong])
        assert ended.value.code == 2
        assert "is not a number of proxies" in capsys.readouterr().err


@pytest.mark.parametrize(("said", "meant"), [("0", False), ("", False), ("1", True)])
def test_the_log_is_asked_for_with_a_variable_too(said: str, meant: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIFTY_FIVE_LOG", said)
    monkeypatch.setenv("FIFTY_FIVE_PROXIES", "2")
    options = new_parser().parse_args(["run"])
    assert (options.log, options.proxies) == (meant, 2)


@pytest.mark.parametrize("option", ["--tls-cert", "--tls-key"])
def test_a_certificate_is_the_proxys(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", option, "file.pem"])
    assert "unrecognized arguments" in capsys.readouterr().err
