"""A short benchmark that fails only on gross regressions, by ratio to a reference run beside it.

The reference is plain Python, there wherever logtui is: what else is installed decides nothing. Beside `rg` and `grep`,
which differ fivefold on such a job, `benchmarks/bench.py` measures.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import logtui, paired, write_anchors, write_job

SIZE = 192 << 20
RUNS = 3
WORST_RATIO = 5.0
"""Times the reference's CPU seconds; 1.6 to 1.9 are usual."""
WORST_MIB = 400.0
PLAIN = """
import sys
from pathlib import Path
literals = Path(sys.argv[1]).read_bytes().splitlines()[::48]
for path in Path(sys.argv[2]).rglob("*"):
    data = path.read_bytes() if path.is_file() else b""
    for literal in literals:
        data.count(literal)
"""
"""Reads the same files and counts every 48th of the literals that logtui scans for, one after the other."""


def main() -> int:
    """0 fine, 1 grossly slower or larger than it should be."""
    with TemporaryDirectory() as folder:
        job = write_job(Path(folder), SIZE)
        reference = (sys.executable, "-c", PLAIN, str(write_anchors(Path(folder))), str(job))
        result = paired(logtui(str(job), "--no-cache"), reference, RUNS)
    print(
        f"{SIZE >> 20} MiB: logtui {result.ours.wall_s:.2f} s wall, {result.ours.cpu_s:.2f} s CPU, "
        f"{result.ours.peak_mib:.0f} MiB; plain Python {result.reference.wall_s:.2f} s wall, "
        f"{result.reference.cpu_s:.2f} s CPU; CPU ratio {result.cpu_ratio:.2f} (at most {WORST_RATIO})"
    )
    return int(result.cpu_ratio > WORST_RATIO or result.ours.peak_mib > WORST_MIB)


if __name__ == "__main__":
    sys.exit(main())
