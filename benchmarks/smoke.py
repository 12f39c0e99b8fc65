"""A short benchmark that fails only on gross regressions, by ratio to a reference run beside it."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import literals, logtui, paired, write_anchors, write_job

SIZE = 192 << 20
RUNS = 3
WORST_RATIO = 6.0
"""Times the reference's CPU seconds; 1.1 is usual. Start-up weighs more here than on real jobs."""
WORST_MIB = 400.0


def main() -> int:
    """0 fine or nothing to compare with, 1 grossly slower or larger than it should be."""
    with TemporaryDirectory() as folder:
        job = write_job(Path(folder), SIZE)
        reference = literals(write_anchors(Path(folder)), job)
        if reference is None:
            print("neither rg nor grep here: nothing to compare with")
            return 0
        result = paired(logtui(str(job), "--no-cache"), reference, RUNS)
    print(
        f"{SIZE >> 20} MiB: logtui {result.ours.wall_s:.2f} s wall, {result.ours.cpu_s:.2f} s CPU, "
        f"{result.ours.peak_mib:.0f} MiB; {reference[0]} {result.reference.wall_s:.2f} s wall, "
        f"{result.reference.cpu_s:.2f} s CPU; CPU ratio {result.cpu_ratio:.2f} (at most {WORST_RATIO})"
    )
    return int(result.cpu_ratio > WORST_RATIO or result.ours.peak_mib > WORST_MIB)


if __name__ == "__main__":
    sys.exit(main())
