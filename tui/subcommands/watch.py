"""`logtui watch`: a job that still runs, one line for each thing that changes."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from logtui.tui.arguments import add_times
from logtui.tui.subcommand import Subcommand

if TYPE_CHECKING:
    from logtui.diagnosis.session.watching import Change

EVERY_S = 30.0
WELL, ALARMED, UNREADABLE = 0, 1, 2
COMMAND_S = 60.0
"""What is run on an alarm may take so long; the watch waits for it."""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="the logs of a job that runs")
    add_times(parser.add_argument)
    parser.add_argument("--every", type=_seconds, default=EVERY_S, metavar="SECONDS", help="between looks (default 30)")
    parser.add_argument("--once", action="store_true", help="look once and end")
    parser.add_argument("--exit-on-alarm", action="store_true", help="end at the first alarm, with status 1")
    parser.add_argument(
        "--on-alarm", metavar="COMMAND", help="run this at each alarm, without a shell; LOGTUI_* tell it what and who"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _seconds(text: str) -> float:
    """A pause between looks.

    Raises:
        argparse.ArgumentTypeError: for what is no number from 1 to 86,400.
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 1.0 <= value <= 86_400.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 1 to 86400")
    return value


def _run(args: argparse.Namespace) -> int:
    from logtui.diagnosis.options import Options
    from logtui.diagnosis.session.watching import Watch

    command = shlex.split(args.on_alarm) if args.on_alarm else []
    watch, alarmed = Watch(args.paths, Options(since=args.since or "", until=args.until or "")), False
    while True:
        for change in watch.look():
            print(_line(change, as_json=args.json), flush=True)
            alarmed |= change.is_alarm
            if change.is_alarm and command:
                _tell(command, change)
        if args.once or watch.ended or (alarmed and args.exit_on_alarm):
            return ALARMED if alarmed else WELL
        time.sleep(args.every)


def _line(change: Change, *, as_json: bool) -> str:
    if as_json:
        return json.dumps({"seen": _now(), **_facts(change)})
    from logtui.tui.shared.wording import printable

    place = f"  ({change.evidence.place})" if change.evidence else ""
    return printable(f"{_now()} {change.kind}: {change.what}{place}")


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S")


def _facts(change: Change) -> dict[str, object]:
    cited = change.evidence
    return {
        "kind": change.kind,
        "what": change.what,
        "ranks": list(change.ranks),
        "class": change.cls or None,
        "file": cited.file if cited else None,
        "line": cited.line if cited else None,
        "text": cited.text if cited else None,
    }


def _tell(command: list[str], change: Change) -> None:
    """Run the user's command; what it is told stands in its environment, where no shell reads it."""
    told = _facts(change)
    words = {k: " ".join(map(str, v)) if isinstance(v, list) else "" if v is None else str(v) for k, v in told.items()}
    env = os.environ | {f"LOGTUI_{k.upper()}": v.replace("\0", "") for k, v in words.items()}
    import subprocess  # every command imports this module, for its arguments

    try:
        subprocess.run(command, env=env, check=False, timeout=COMMAND_S, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"logtui: --on-alarm: {error}", file=sys.stderr)


COMMAND = Subcommand(
    "watch",
    "Look at a running job's logs again and again, and say what is late by its own pace, long before a watchdog does.",
    "0 the job completed, 1 an alarm or a failure, 2 nothing could be read.",
    _add_arguments,
    _run,
    examples=(
        "logtui watch logs/",
        "logtui watch logs/ --exit-on-alarm || page-somebody",
        "logtui watch logs/ --on-alarm 'mail-me --subject hang'",
    ),
)
