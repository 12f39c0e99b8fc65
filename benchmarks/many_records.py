"""Memory and time of a file in which every line is a record: step lines of 64 ranks.

python benchmarks/many_records.py [MILLIONS] [--folder DIR]        default 10; needs 90 MB of disk for each
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from dense import KINDS
from measure import logtui, pss_mib, usual_environment

DATA = Path(__file__).parent / "data"


def main() -> int:
    """Print a markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("millions", nargs="?", type=int, default=10)
    parser.add_argument("--folder", type=Path, default=DATA, help="where the log is kept")
    args = parser.parse_args()
    log = _written(args.folder, args.millions * 1_000_000)
    print("| step lines | wall s | CPU s | peak MiB, one process | peak MiB, all together |\n|---|---|---|---|---|")
    print(_row(log, args.millions))
    return 0


def _written(folder: Path, lines: int) -> Path:
    path = folder / f"steps-{lines}" / "job.log"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        random, line = Random(7), KINDS["step lines"]
        with path.open("w") as out:
            out.writelines(line(random, n) + "\n" for n in range(lines))
    return path


def _row(log: Path, millions: int) -> str:
    begun, together = time.perf_counter(), 0.0
    command = logtui(str(log), "--no-cache")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=usual_environment())
    while True:
        pid, _, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        together = max(together, pss_mib(process.pid))
        time.sleep(0.1)
    process.returncode = 0
    wall, cpu = time.perf_counter() - begun, usage.ru_utime + usage.ru_stime
    return f"| {millions} million | {wall:.1f} | {cpu:.1f} | {usage.ru_maxrss / 1024:.0f} | {together:.0f} |"


if __name__ == "__main__":
    sys.exit(main())
