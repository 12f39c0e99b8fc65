"""Scan, open and diagnose beside `rg`, `grep` and `wc`: one table of medians and ratios.

python benchmarks/bench.py [MiB ...]        sizes of the generated job, default 128 1024
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

from measure import Command, Paired, literals, logtui, paired, write_anchors, write_job

DATA = Path(__file__).parent / "data"
RUNS = 5
SLOW_BYTES = 1100 << 20
"""What `grep` is asked to read: it takes ten times as long as the others."""


def main(sizes: list[int]) -> int:
    """Print a markdown table; the data stay in `benchmarks/data` for the next run."""
    DATA.mkdir(exist_ok=True)
    anchors = write_anchors(DATA)
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    print(f"{datetime.now(UTC):%Y-%m-%d} · {machine} · Python {platform.python_version()}\n")
    print("| job | ours | against | wall s | CPU s | peak MiB | its wall s | its CPU s | wall ratio | CPU ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for mib in sizes:
        job = write_job(DATA, mib << 20)
        for name, ours, reference in _pairs(job, anchors):
            print(_row(f"{mib} MiB", name, reference, paired(ours, reference, RUNS)), flush=True)
    return 0


def _pairs(job: Path, anchors: Path) -> list[tuple[str, Command, Command]]:
    whole = logtui(str(job), "--no-cache")
    files = [str(p) for p in sorted(job.rglob("*")) if p.is_file()]
    found: list[tuple[str, Command, Command]] = []
    if (reference := literals(anchors, job)) is not None:
        found += [
            ("two cores", whole, reference),
            ("one core", (*whole, "--jobs", "1"), reference),
            ("no native engine", (*whole, "--engine", "numpy"), reference),
            ("kept index", logtui(str(job)), reference),
        ]
    if shutil.which("grep") and sum(Path(p).stat().st_size for p in files) <= SLOW_BYTES:
        found.append(("two cores", whole, ("grep", "-r", "-c", "-F", "-f", str(anchors), str(job))))
    if shutil.which("wc"):
        found.append(("two cores", whole, ("wc", "-l", *files)))
    return found


def _row(size: str, name: str, reference: Command, p: Paired) -> str:
    against = " ".join(takewhile(lambda word: not word.startswith("/"), reference))
    ours = f"{p.ours.wall_s:.2f} | {p.ours.cpu_s:.2f} | {p.ours.peak_mib:.0f}"
    theirs = f"{p.reference.wall_s:.2f} | {p.reference.cpu_s:.2f}"
    return f"| {size} | {name} | `{against}` | {ours} | {theirs} | {p.wall_ratio:.2f} | {p.cpu_ratio:.2f} |"


if __name__ == "__main__":
    sys.exit(main([int(a) for a in sys.argv[1:]] or [128, 1024]))
