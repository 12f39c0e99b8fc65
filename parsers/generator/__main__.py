"""Write a job from the command line: `python -m logtui.parsers.generator OUT --fault data_stall --world-size 128`."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from logtui.parsers.generator import DEMOS, VERSIONS, Framework, JobSpec, Layout, Survivors, generate
from logtui.parsers.generator.faults import told

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 2**10, "MI": 2**20, "GI": 2**30}


def size(text: str) -> int:
    """Bytes of `500MB`, `1GB`, `2GiB` or a plain number."""
    digits = text.rstrip("BbKkMmGgIi")
    unit = text[len(digits) :].upper().removesuffix("B")
    if unit not in _UNITS:
        raise argparse.ArgumentTypeError(f"{text}: not a size")
    return int(float(digits) * _UNITS[unit])


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part)


def _choice(parser: argparse.ArgumentParser, flag: str, kind: type[StrEnum]) -> None:
    parser.add_argument(flag, type=kind, choices=list(kind), metavar="{" + ",".join(kind) + "}")


def parser() -> argparse.ArgumentParser:
    """The command line; each option that is not given stays as the spec or the demo has it."""
    made = argparse.ArgumentParser(prog="python -m logtui.parsers.generator", description=__doc__)
    made.add_argument("out", type=Path, help="directory to write below; made if needed")
    made.add_argument("--demo", choices=list(DEMOS), help="start from a demo job")
    made.add_argument("--fault", choices=list(told()))
    _choice(made, "--framework", Framework)
    _choice(made, "--layout", Layout)
    _choice(made, "--survivors", Survivors)
    made.add_argument("--pytorch", choices=VERSIONS)
    made.add_argument("--culprits", type=_numbers, metavar="R,R", help="ranks to blame")
    for flag in (
        "world-size",
        "gpus-per-node",
        "seed",
        "timeout-s",
        "seq",
        "ahead",
        "attempts",
        "tensor-parallel",
        "pipeline-parallel",
    ):
        made.add_argument(f"--{flag}", type=int)
    made.add_argument("--recurring", action="store_true", default=None, help="each attempt fails of the same rank")
    made.add_argument("--size", type=size, dest="size_bytes", metavar="1GB", help="pad with harmless lines")
    made.add_argument("--quiet-job", action="store_false", dest="noise", default=None, help="no noise at all")
    made.add_argument("--truth", type=Path, help="write the truth as JSON to this file")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Write the job, and the truth where asked for. Returns the exit status."""
    given = vars(parser().parse_args(argv))
    out, demo, truth_file = given.pop("out"), given.pop("demo"), given.pop("truth")
    started = time.monotonic()
    try:
        spec = replace(DEMOS[demo] if demo else JobSpec(), **{k: v for k, v in given.items() if v is not None})
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    truth = generate(spec, out)
    if truth_file is not None:
        truth_file.write_text(json.dumps(truth.as_dict(), indent=1) + "\n")
    took = time.monotonic() - started
    print(
        f"{out}: {len(truth.files)} files, {truth.bytes} bytes in {took:.1f} s; {truth.cls}: {truth.title}",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
