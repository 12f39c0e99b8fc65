"""`logtui mcp PATH...`: answers to programs and agents."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from logtui.tui.subcommand import Subcommand

MISSING = "the protocol's SDK is not installed: pip install 'logtui[mcp]'"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("paths", nargs="+", type=Path, metavar="PATH", help="what may be read, and nothing else: directories and files")
    add("--jobs", type=int, metavar="N", help="processes that scan (default: one per core)")


def _run(args: argparse.Namespace) -> int:
    try:
        from logtui.tui.answers.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types", "pydantic"):
            raise
        print(f"logtui: {MISSING}", file=sys.stderr)
        return 2
    serve(args.paths, args.jobs)
    return 0


COMMAND = Subcommand(
    "mcp",
    "Answer questions about logs over stdin and stdout, by the Model Context Protocol.",
    "0 the client has gone, 2 a path is missing or the extra logtui[mcp] is not installed.",
    _add_arguments,
    _run,
    examples=("logtui mcp /scratch/logs",),
)
