"""`logtui schema`: the layout of the JSON report."""

from __future__ import annotations

import argparse

from logtui.tui.subcommand import Subcommand


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def _run(args: argparse.Namespace) -> int:
    import json

    from logtui.diagnosis.report.schema import schema

    print(json.dumps(schema(), indent=1))
    return 0


COMMAND = Subcommand(
    "schema",
    "Print the JSON Schema of the report.",
    "0 always.",
    _add_arguments,
    _run,
    examples=("logtui schema > report.schema.json",),
)
