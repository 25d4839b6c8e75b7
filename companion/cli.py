"""The `companion` command."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from gettext import bindtextdomain
from gettext import gettext as _
from pathlib import Path
from typing import Any

from . import __version__
from .engine.record import RecordError, read_record
from .engine.sentence import EntryError, Sentence, say
from .games import GAMES
from .i18n import CATALOGUES, of_environment, translate
from .table.table import Table

REFUSED = 2


# Commands for the person who runs the server.
OWNERS = {
    "migrate": say("bring the database up to date"),
    "backup": say("copy everything into a new folder, while the program runs"),
    "restore": say("put a backup into an empty database"),
    "check": say("replay every table and name those that fail"),
    "prune": say("delete tables at which nobody has played for long"),
}
ARGUMENTS = {"backup": ("folder",), "restore": ("folder",), "prune": ("older_than", "yes")}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says whether it worked."""
    bindtextdomain("messages", str(CATALOGUES))  # argparse looks its own words up in the catalogue, too
    options = new_parser().parse_args(arguments)
    if options.command == "replay":
        return replay_record(options.file, options.each)
    if options.command in COACHES:
        return replay_record(options.file, False, COACHES[options.command])
    if options.command in OWNERS:
        from .server.admin import run_command  # only here: a replay needs no database

        given = (getattr(options, name) for name in ARGUMENTS.get(options.command, ()))
        return run_command(options.command, options.data, *given)
    from .server.serve import serve  # only here: a replay needs no server

    return serve(options)


def new_parser() -> argparse.ArgumentParser:
    """The parser of commands and options, in the language of the terminal."""
    parser = argparse.ArgumentParser(prog="companion", description=_("A companion for Pairs and its family."))
    parser.add_argument(
        "--version",
        action="version",
        version=f"Fifty-Five {__version__}",
        help=_("show program's version number and exit"),
    )
    commands = parser.add_subparsers(dest="command", required=True)
    replay = commands.add_parser("replay", help=_("read a table file and print the state, as JSON"))
    replay.add_argument("--each", action="store_true", help=_("print a line after the opening and after every entry"))
    coach = commands.add_parser("coach", help=_("read a table file and print what each choice is worth, as JSON"))
    luck = commands.add_parser("luck", help=_("read a table file and print what was luck and what was skill, as JSON"))
    for command in (replay, coach, luck):
        command.add_argument("file", nargs="?", help=_("the table file; standard input if omitted"))
    add_run_options(commands.add_parser("run", help=_("start Fifty-Five for this network")))
    for name, purpose in OWNERS.items():
        command = commands.add_parser(name, help=_(purpose.template))
        if name in ("backup", "restore"):
            command.add_argument("folder", help=_("the folder of the backup"))
        if name == "prune":
            add_prune_options(command)
    for name in ("run", *OWNERS):
        commands.choices[name].add_argument(
            "--data",
            default=os.environ.get("FIFTY_FIVE_DATA") or "instance",
            help=_("folder for the database and the secret key (default: instance)"),
        )
    return parser


def add_prune_options(prune: argparse.ArgumentParser) -> None:
    prune.add_argument(
        "--older-than",
        type=a_number_of_days,
        required=True,
        metavar=_("DAYS"),
        help=_("tables without a change for more days than this"),
    )
    prune.add_argument("--yes", action="store_true", help=_("delete them; without it they are only listed"))


def add_run_options(run: argparse.ArgumentParser) -> None:
    run.add_argument("--host", default="0.0.0.0", help=_("the address to listen on (default: all)"))
    run.add_argument("--port", type=a_port, default=8000, help=_("the port (default: 8000)"))
    run.add_argument(
        "--proxies",
        type=a_count,
        default=os.environ.get("FIFTY_FIVE_PROXIES") or "0",
        help=_("how many of your own proxies are in front (default: 0)"),
    )
    run.add_argument(
        "--prefix",
        default=os.environ.get("FIFTY_FIVE_PREFIX") or "",
        help=_("the path under which everything is served, such as /pairs (default: none)"),
    )
    run.add_argument(
        "--log",
        action="store_true",
        default=os.environ.get("FIFTY_FIVE_LOG", "") not in ("", "0"),
        help=_("write one line of JSON per request"),
    )


def words_of_argparse() -> tuple[str, ...]:
    """The messages of argparse, listed here so that they get into the catalogue."""
    return (
        _("usage: "),
        _("options"),
        _("positional arguments"),
        _("show this help message and exit"),
        _("%(prog)s: error: %(message)s\n"),
        _("argument %(argument_name)s: %(message)s"),
        _("the following arguments are required: %s"),
        _("unrecognized arguments: %s"),
        _("invalid choice: %(value)r (choose from %(choices)s)"),
        _("expected one argument"),
    )


def a_port(raw: str) -> int:
    if not raw.isascii() or not raw.isdigit() or len(raw) > 5 or int(raw) > 65_535:
        raise argparse.ArgumentTypeError(_("{text} is not a port").format(text=raw))
    return int(raw)


def a_number_of_days(raw: str) -> int:
    if not raw.isascii() or not raw.isdigit() or len(raw) > 5 or int(raw) < 1:
        raise argparse.ArgumentTypeError(_("{value} is not a number of days").format(value=raw))
    return int(raw)


def a_count(raw: str) -> int:
    if not raw.isascii() or not raw.isdigit() or len(raw) > 2:
        raise argparse.ArgumentTypeError(_("{text} is not a number of proxies").format(text=raw))
    return int(raw)


def coach_of(table: Table) -> Any:
    """The coach of the state a record leads to."""
    from .coach import advise  # only here: a replay needs no coach

    advice = advise(table.games[table.state.game], table.state)
    return advice and advice.report()


def luck_of(table: Table) -> Any:
    """Luck and skill of the games that are over."""
    from .coach import luck

    return luck(table)


COACHES: dict[str, Callable[[Table], Any]] = {"coach": coach_of, "luck": luck_of}


def replay_record(file: str | None, each: bool, tell: Callable[[Table], Any] = Table.report) -> int:
    """Print the state that a record leads to, or with `each` every state on the way."""
    try:
        record = Path(file).read_bytes() if file else _standard_input()
    except OSError as error:
        return _refuse(say("{file}: {why}", file=file or "stdin", why=error.strerror))
    try:
        last = None
        for table in _tables(record.decode("utf-8")):
            last = table
            if each:
                _print(tell(table))
        if last is not None and not each:
            _print(tell(last))
    except UnicodeDecodeError:
        return _refuse(say("The file is not UTF-8 text."))
    except RecordError as error:
        return _refuse(say("line {line}: {why}", line=error.line, why=error.sentence))
    except BrokenPipeError:
        return 0  # the reader has gone away
    except OSError as error:
        return _refuse(say("{file}: {why}", file="stdout", why=error.strerror))
    return 0


def _standard_input() -> bytes:
    return sys.stdin.buffer.read() if sys.stdin else b""


def _tables(record: str) -> Iterator[Table]:
    """The table after the opening and after each entry."""
    names, entries = read_record(record)
    table: Table | None = None
    for line, entry in entries:
        try:
            table = table.enter([entry]) if table else Table.open(GAMES, names, [entry])
        except EntryError as error:
            raise RecordError(line, error.sentence) from error
        yield table
    if table is None:
        Table.from_record(GAMES, record)  # raises, with the line where the game is missing


def _print(content: Any) -> None:
    """One line of UTF-8, whatever the terminal's encoding."""
    sys.stdout.buffer.write(json.dumps(content, ensure_ascii=False).encode() + b"\n")
    sys.stdout.buffer.flush()


def _refuse(reason: Sentence) -> int:
    """Print why, in the language of the terminal."""
    print(translate(reason, of_environment(dict(os.environ))), file=sys.stderr)
    return REFUSED


def run() -> int:
    """The command as the shell calls it; Ctrl-C is no error."""
    try:
        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
