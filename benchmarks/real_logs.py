"""Real logs and generated ones as dense, each repeated to the size of a job: the scan alone, and whole headless runs
beside `rg`, or `grep` where there is none.

python benchmarks/real_logs.py [MiB] [runs]        size of each job, default 150; runs of each, default 3
The real logs are the largest of a folder `../shared/corpus` beside this checkout, or of $LOGTUI_CORPUS; without it only
the generated ones are measured.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from as_dense import write
from measure import literals, logtui, paired, write_anchors

from logtui.parsers.files.discover import discover
from logtui.parsers.scan.scanner import RangeScanner
from logtui.parsers.scan.task import scanner
from logtui.parsers.source import LogFile

CORPUS = Path(os.environ.get("LOGTUI_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
LARGEST = 15
FILES = 64
NOT_LOGS = frozenset({"truth.json", "README.md"})


@dataclass(frozen=True)
class Measured:
    """One log, repeated."""

    scan_rate: float
    """Megabytes a second of one core's time."""
    matched_us: float
    """Microseconds of it for each line that matched."""
    wall_s: float
    """Of a whole headless run."""
    ratio: float | None
    """To the wall time of the reference, where there is one."""


def main(mib: int, runs: int) -> int:
    """Print a markdown table of each."""
    real = [(log.parent.name, log) for log in _largest()]
    if real:
        _print(real, mib, runs)
    else:
        print(f"no logs below {CORPUS}", file=sys.stderr)
    with TemporaryDirectory() as folder:
        _print(write(Path(folder)), mib, runs)
    return 0


def _print(logs: Sequence[tuple[str, Path]], mib: int, runs: int) -> None:
    named = (literals(Path("anchors"), Path("job")) or ("nothing",))[0]  # not every machine has the same one
    print(
        f"| log | scan MB/s a core | µs a matched line | whole s | ratio to `{named} -c -F -f` |\n|---|---|---|---|---|"
    )
    found = []
    for name, log in logs:
        with TemporaryDirectory() as folder:
            found.append(_measured(log, Path(folder), mib << 20, runs))
        print(_row(name, found[-1]), flush=True)
    ratios = [m.ratio for m in found if m.ratio is not None]
    whole = f"{_geometric(ratios):.1f}" if ratios else "–"
    print(f"| geometric mean | {_geometric([m.scan_rate for m in found]):.0f} | | | {whole} |\n")


def _largest() -> list[Path]:
    logs = [path for path in CORPUS.glob("incidents/*/*") if path.is_file() and path.name not in NOT_LOGS]
    return sorted(logs, key=lambda path: -path.stat().st_size)[:LARGEST]


def _measured(log: Path, folder: Path, size: int, runs: int) -> Measured:
    job = folder / "job"
    job.mkdir()
    _repeat(log, job, size)
    rate, matched_us = _scanned(discover([job]).files, runs)
    anchors = write_anchors(folder)
    ours = logtui(str(job), "--no-cache")
    reference = literals(anchors, job)
    timing = paired(ours, reference or ours, runs)
    return Measured(rate, matched_us, timing.ours.wall_s, timing.wall_ratio if reference else None)


def _repeat(log: Path, job: Path, size: int) -> None:
    """Cut the log, repeated, into the files of a job, at ends of lines."""
    text, share, at = log.read_bytes().removesuffix(b"\n") + b"\n", size // FILES, 0
    whole = text * (share // len(text) + 2)
    for number in range(FILES):
        end = whole.find(b"\n", at + share - 1) + 1
        (job / f"node{number:02d}{log.suffix}").write_bytes(whole[at:end])
        at = end % len(text)


def _scanned(files: tuple[LogFile, ...], runs: int) -> tuple[float, float]:
    """Megabytes a second of the files, and microseconds of each matched line."""
    mine = scanner("auto")
    _scan(mine, files[:1])
    took, matched = zip(*(_scan(mine, files) for _ in range(runs)), strict=True)
    seconds = median(took)
    return sum(file.size for file in files) / 1e6 / seconds, seconds * 1e6 / max(1, matched[0])


def _scan(mine: RangeScanner, files: tuple[LogFile, ...]) -> tuple[float, int]:
    begun = process_time()
    matched = sum(part.matched_lines for file in files for part in mine.scan(file))
    return process_time() - begun, matched


def _geometric(values: list[float]) -> float:
    return float(prod(values) ** (1 / len(values)))


def _row(name: str, m: Measured) -> str:
    ratio = "–" if m.ratio is None else f"{m.ratio:.1f}"
    return f"| {name} | {m.scan_rate:.0f} | {m.matched_us:.1f} | {m.wall_s:.2f} | {ratio} |"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 150, int(sys.argv[2]) if len(sys.argv) > 2 else 3))
