"""`logtui report PATH...`: a line for each of many jobs, and the culprits that recur."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from logtui.tui.subcommand import Subcommand

if TYPE_CHECKING:
    from logtui.diagnosis.fleet.job_line import JobLine
    from logtui.diagnosis.fleet.recurring import Recurrence

HEALTHY, FAILED, UNREADABLE = 0, 1, 2


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    from logtui.tui.arguments import add_reading

    add = parser.add_argument
    add(
        "paths",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="a job each: a directory, a file, a case file, or a JSON report",
    )
    out = parser.add_mutually_exclusive_group()
    out.add_argument(
        "--json-lines", action="store_true", help="a JSON object a line, then one for each recurring culprit"
    )
    out.add_argument("--screen", action="store_true", help="the same as a screen; enter opens a job")
    add("-o", "--output", type=Path, metavar="FILE", help="write to FILE")
    add_reading(parser.add_argument_group("how to read"))


def _run(args: argparse.Namespace) -> int:
    from logtui.diagnosis.fleet.job_line import UNREAD
    from logtui.diagnosis.fleet.recurring import recurring
    from logtui.diagnosis.fleet.words import job_text, recurrence_text

    lines: list[JobLine] = []
    with ExitStack() as stack:
        read = _lines(args, stack)
        if args.screen:
            return _show(read, args)
        out = stack.enter_context(args.output.open("w", encoding="utf-8")) if args.output else sys.stdout
        width = max(len(str(path)) for path in args.paths)
        for line in read:
            lines.append(line)
            _put(out, _as_json(line) if args.json_lines else job_text(line, width))
        for found in recurring(lines):
            _put(out, _as_json(found) if args.json_lines else recurrence_text(found))
    if any(line.cls == UNREAD for line in lines):
        return UNREADABLE
    return FAILED if any(line.cls != "healthy" for line in lines) else HEALTHY


def _show(read: Iterator[JobLine], args: argparse.Namespace) -> int:
    from logtui.tui.app import run_app
    from logtui.tui.fleet import run_fleet

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        args.refuse("--screen needs a terminal for input and output")
    return run_fleet(read, len(args.paths), lambda job: run_app([job]))


def _lines(args: argparse.Namespace, stack: ExitStack) -> Iterator[JobLine]:
    from logtui.diagnosis.fleet.job_line import job_lines
    from logtui.tui.cli import run_options

    return job_lines(args.paths, stack.enter_context(run_options(args)))


def _as_json(value: JobLine | Recurrence) -> str:
    import json

    from logtui.diagnosis.report.codec import plain

    found: dict[str, Any] = plain(value)
    renamed = {{"cls": "class", "proof": "first_evidence"}.get(key, key): inner for key, inner in found.items()}
    return json.dumps(renamed if "job" in found else {"recurring": renamed})


def _put(out: TextIO, line: str) -> None:
    print(line, file=out, flush=True)


COMMAND = Subcommand(
    "report",
    "Diagnose many jobs: a line for each, then the hosts, disks and devices that are to blame in several.",
    "0 all jobs look healthy, 1 a failure is named, 2 a job could not be read.",
    _add_arguments,
    _run,
    examples=(
        "logtui report runs/*/",
        "logtui report runs/*/ --json-lines | jq -r 'select(.class == \"gpu-hardware\") | .job'",
        "logtui report reports/2026-*.json       # saved by `logtui logs/ --json -o …`: weeks in a second",
        "logtui report runs/*/ --screen",
    ),
)
