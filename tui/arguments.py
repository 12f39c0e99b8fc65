"""What may be said on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from logtui.tui.subcommand import Subcommand, epilog

OPEN, VERIFY = "open", "verify"
SUBCOMMANDS = ("report", "watch", "mcp", "schema", "completion")
"""Commands with a module of their own in `logtui.tui.subcommands`."""
OPENING = "Find the rank, node or disk that killed a distributed training job, and the line that proves it."
VERIFYING = "Read a saved report's citations again."
EXAMPLES = (
    "logtui logs/                        # the screen",
    "logtui logs/ --json | jq .verdict",
    "logtui workers/ --ais aistore/      # with the storage daemons' logs",
    "logtui logs/ --case job.tar.zst     # opens anywhere, without the logs",
    "logtui --demo",
)


def parse(words: Sequence[str]) -> argparse.Namespace:
    """What was said; `command` is what to do, and `refuse` ends the run with a message.

    The first word is a command where it is the name of one and no path is called so. Without a command, logs are
    opened: `logtui logs/` is short for `logtui open logs/`.
    """
    named = words[:1] and words[0] in (OPEN, VERIFY, *SUBCOMMANDS) and not Path(words[0]).exists()
    return build_parser().parse_args(_signed(words if named else [OPEN, *words]))


def build_parser() -> argparse.ArgumentParser:
    """All commands with all arguments."""
    parser = argparse.ArgumentParser(prog="logtui")
    commands = parser.add_subparsers(dest="command", required=True)
    known = [import_module(f"logtui.tui.subcommands.{name}").COMMAND for name in SUBCOMMANDS]
    opening = commands.add_parser(
        OPEN,
        prog="logtui",
        help=OPENING,
        usage=f"logtui [{OPEN}] [OPTIONS] PATH...\n       logtui {VERIFY} REPORT PATH...\n"
        f"       logtui {{{','.join(SUBCOMMANDS)}}} --help",
        description=OPENING,
        epilog=_commands_text(known) + epilog(EXAMPLES, "0 healthy, 1 a failure is named, 2 nothing could be read."),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_opening(opening)
    verifying = commands.add_parser(
        VERIFY,
        help=VERIFYING,
        description=VERIFYING,
        epilog=epilog(
            ("logtui verify report.md logs/",),
            "0 every line still says it, 1 a line does not, 2 nothing could be read.",
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verifying.add_argument("report", type=Path, help="markdown or JSON written by logtui")
    verifying.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="the logs, as they were given then")
    for command in (opening, verifying):
        command.set_defaults(refuse=command.error, run=None)
    for found in known:
        found.add_to(commands)
    return parser


def _commands_text(known: Sequence[Subcommand]) -> str:
    """The other commands, for the help of the first."""
    rows = [(VERIFY, VERIFYING), *((command.name, command.summary) for command in known)]
    listed = "".join(f"  {name:<10} {summary}\n" for name, summary in rows)
    return f"other commands; where there is a path called like one, that is opened instead:\n{listed}\n"


def add_opening(parser: argparse.ArgumentParser, *, paths: bool = True) -> None:
    """What to open, what to write, and how to read it; without `paths` the options alone."""
    add = parser.add_argument_group("what to read").add_argument
    if paths:
        words = "directories and files: worker logs, daemon logs, dumps; - is standard input"
        add("paths", nargs="*", type=Path, metavar="PATH", help=words)
    add("--ais", action="append", type=Path, default=[], metavar="DIR", help="AIStore daemon logs")
    add_times(add)
    add("--baseline", action="append", type=Path, default=[], metavar="DIR", help="compare with a healthy run")
    add("--offset", type=float, metavar="SECONDS", help="seconds to add to AIStore times to get the workers'")
    add("--demo", nargs="?", const="classic", metavar="NAME", help="open a built-in job; --demo list names them")
    _add_writing(parser.add_argument_group("what to write, instead of opening the screen"))
    add_reading(parser.add_argument_group("how to read"))
    add = parser.add_argument_group("about").add_argument
    add("--version", action="store_true", help="print versions and the scan engine in use")
    add("--clear-cache", action="store_true", help="remove all kept indexes and reports, then go on if paths are given")


def _add_writing(group: argparse._ArgumentGroup) -> None:
    out = group.add_mutually_exclusive_group()
    out.add_argument("--json", action="store_true", help="print the report as JSON")
    out.add_argument("--markdown", action="store_true", help="print the report as markdown")
    out.add_argument("--case", type=Path, metavar="FILE", help="write a case file, which opens without the logs")
    add = group.add_argument
    add("--pseudonymise", action="store_true", help="with --case: replace hosts, users, buckets and secrets in it")
    add("-o", "--output", type=Path, metavar="FILE", help="write the report to FILE")


def add_reading(parser: argparse._ActionsContainer) -> None:
    """How logs are read."""
    add = parser.add_argument
    add("--jobs", type=_count, metavar="N", help="processes that scan (default: one per core)")
    add(
        "--dask",
        metavar="ADDRESS",
        help="scan on a Dask cluster: its address or scheduler file (pip install logtui[dask])",
    )
    add("--follow", action="store_true", help="in the app: read by itself what a running job writes")
    add("--polite", action="store_true", help="scan at low CPU and I/O priority, for shared login nodes")
    add("--no-cache", action="store_true", help="neither use nor keep an index and a report of the logs")
    add("--engine", choices=("auto", "hyperscan", "numpy"), default="auto", help="scan engine (same records)")


def add_times(add: Callable[..., argparse.Action]) -> None:
    """Which span of time is read."""
    add("--since", type=_time, metavar="TIME", help="read lines from then on: 15:42, 24 Feb 3pm, -30m")
    add("--until", type=_time, metavar="TIME", help="read lines up to then; -30m is before the newest line")


def _time(text: str) -> str:
    """A time as it was typed; which one is meant the logs tell.

    Raises:
        argparse.ArgumentTypeError: for what can be none.
    """
    from logtui.parsers.prefix.typed_time import read_time  # not before a time is typed

    if read_time(text, 0.0) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; 15:42, 2026-02-24 15:42:03, 24 Feb 3pm, -10m are")
    return text


def _signed(words: Sequence[str]) -> list[str]:
    """The same words, with a time that begins with a sign joined to its option: it is none itself."""
    out: list[str] = []
    for word in words:
        if out and out[-1] in ("--since", "--until") and word[:1] == "-":
            out[-1] += f"={word}"
        else:
            out.append(word)
    return out


def _count(text: str) -> int:
    """A number of processes.

    Raises:
        argparse.ArgumentTypeError: for anything that is none.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes, which is at least 1")
    return int(text)
