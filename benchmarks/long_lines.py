"""Logs of very long lines beside `wc -l` and `grep -c -F -f`: one line of 100 MB, and 2,000 lines of a megabyte each.

python benchmarks/long_lines.py [--lines 2000] [--folder DIR]        needs as many megabytes of disk as lines
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Timing, logtui, run_once, write_anchors

MEGABYTE = 1 << 20
ONE_LINE = 100
"""Megabytes of the line that is alone."""
FILLINGS = {
    "one letter": b"x",
    "words and numbers": b"tensor 17 of layer 4 holds 3072 x 1024 values, mean 0.0173; ",
    "a bar redrawn": b"\rTrain:  17%|##        | 400/2353 [10:00<48:38,  1.49s/it]",
    "brackets": b"[2026-03-15 15:42:03] [rank7]: (",
}
"""What a line is full of."""


def main() -> int:
    """Print a markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--folder", type=Path, help="where the logs are written")
    parser.add_argument("--only", choices=FILLINGS)
    args = parser.parse_args()
    print(
        "| log | full of | wall s | CPU s | peak MiB | CPU ratio to `wc -l` | to `grep -c -F -f` |\n"
        "|---|---|---|---|---|---|---|"
    )
    for name, filling in FILLINGS.items():
        for lines, length in ((1, ONE_LINE), (args.lines, 1)) if args.only in (None, name) else ():
            with TemporaryDirectory(dir=args.folder) as folder:
                log = _written(Path(folder), filling, lines, length * MEGABYTE)
                print(_row(f"{lines:,} × {length} MB", name, log), flush=True)
    return 0


def _written(folder: Path, filling: bytes, lines: int, length: int) -> Path:
    """A log of a rank whose lines begin as its lines do."""
    head, tail = b"[rank7]: 2026-03-15 15:42:03 step ", b" loss 2.31\n"
    line = head + filling * ((length - len(head) - len(tail)) // len(filling)) + tail
    path = folder / "job.log"
    with path.open("wb") as out:
        for _ in range(lines):
            out.write(line)
    return path


def _row(size: str, filling: str, log: Path) -> str:
    anchors = str(write_anchors(log.parent.parent))
    ours, wc, grep = map(
        run_once,
        (logtui(str(log), "--no-cache"), ("wc", "-l", str(log)), ("grep", "-c", "-F", "-f", anchors, str(log))),
    )
    ratios = (f"{_ratio(ours, reference):.1f}" for reference in (wc, grep))
    return f"| {size} | {filling} | {ours.wall_s:.1f} | {ours.cpu_s:.1f} | {ours.peak_mib:.0f} | {' | '.join(ratios)} |"


def _ratio(ours: Timing, reference: Timing) -> float:
    return ours.cpu_s / max(reference.cpu_s, 0.01)


if __name__ == "__main__":
    sys.exit(main())
