"""The app's times in one table: opening a demo, 1 GB and 10 GB, cold and warm; every key in every pane; bytes a key.

python benchmarks/app.py [--folder DIR] [--runs N] [--count N] [--records N] [--gb N] [MiB ...]
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from datetime import date
from pathlib import Path

import keys
import opening
from measure import write_job

from logtui.parsers.generator import demo_directory


def main() -> int:
    """Markdown, as it stands in RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[1024, 10240], metavar="MiB")
    parser.add_argument("--runs", type=int, default=3, help="openings of each kind")
    keys.add_options(parser)
    args = parser.parse_args()
    folder: Path = args.folder or opening.DATA
    folder.mkdir(exist_ok=True)
    print(f"{date.today()} · {platform.machine()}, {os.cpu_count()} cores · Python {platform.python_version()}")
    print(f"\nload before: {_load()}\n\n{opening.HEAD}")
    jobs = {"demo": demo_directory("classic", folder)}
    jobs |= {f"{mib} MiB": write_job(folder, mib << 20) for mib in args.sizes}
    for name, job in jobs.items():
        for line in opening.rows(name, job, args.runs):
            print(line, flush=True)
    print(f"\nload between: {_load()}\n")
    sessions, names = keys.run(args)
    print("\n".join([*keys.table(sessions, names), "", *keys.verdict(sessions, names)]))
    print(f"\nload after: {_load()}")
    return 0


def _load() -> str:
    return " ".join(f"{average:.1f}" for average in os.getloadavg())


if __name__ == "__main__":
    sys.exit(main())
