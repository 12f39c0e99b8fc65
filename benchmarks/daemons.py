"""Read a large set of storage daemon logs beside `rg` with the same literals on the same bytes.

python benchmarks/daemons.py [TARGETS [DAYS]]        default 20 10: 2 GB in 200 files and more
"""

from __future__ import annotations

import re
import sys
from calendar import timegm
from pathlib import Path
from tempfile import TemporaryDirectory
from time import gmtime, strftime

from measure import literals, logtui, paired

from logtui.parsers.generator.aistore.daemons import write_daemons
from logtui.parsers.generator.aistore.spec import AisFault, AisSpec
from logtui.parsers.pattern import Scope
from logtui.parsers.registry import registry

DATA = Path(__file__).parent / "data"
RUNS = 3
DAY_S = 86400
FIRST = timegm((2026, 3, 2, 0, 0, 0))
DISKS = 24
_MARKER = re.compile(rb"02 Mar 26 (?=\d\d:\d\d UTC =)")
_HEADER = re.compile(rb"Started up at 2026/03/02 \d\d:\d\d:\d\d")


def main(targets: int = 20, days: int = 10) -> int:
    """Print one row; the logs stay in `benchmarks/data` for the next run."""
    DATA.mkdir(exist_ok=True)
    logs = DATA / f"daemons-{targets}-{days}"
    if not logs.exists():
        write_cluster(logs, targets, days)
    anchors = DATA / "daemon-anchors.txt"
    anchors.write_bytes(b"\n".join(registry(Scope.DAEMONS).anchors) + b"\n")
    reference = literals(anchors, logs)
    if reference is None:
        print("neither rg nor grep here: nothing to compare with")
        return 0
    files = [p for p in logs.rglob("*") if p.is_file()]
    size = sum(p.stat().st_size for p in files)
    print(f"{size / 1e9:.2f} GB in {len(files)} files")
    print("| engine | wall s | CPU s | peak MiB | rg wall s | rg CPU s | wall ratio | CPU ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for engine in ("auto", "numpy"):
        p = paired(logtui(str(logs), "--no-cache", "--engine", engine), reference, RUNS)
        ours = f"{p.ours.wall_s:.2f} | {p.ours.cpu_s:.2f} | {p.ours.peak_mib:.0f}"
        theirs = f"{p.reference.wall_s:.2f} | {p.reference.cpu_s:.2f}"
        print(f"| {engine} | {ours} | {theirs} | {p.wall_ratio:.2f} | {p.cpu_ratio:.2f} |", flush=True)
    return 0


def write_cluster(directory: Path, targets: int, days: int) -> None:
    """Daemons that log busy disks for days, a file a day each; records carry no date, so one written day serves all."""
    failure = FIRST + DAY_S - 7200.0
    spec = AisSpec(
        fault=AisFault.DISK_PRESSURE, failure=failure, history_s=failure - FIRST - 60, job_s=failure - FIRST - 600,
        aftermath_s=1000.0, targets=2, disks=DISKS, decoy_restart=False,
    )  # fmt: skip
    with TemporaryDirectory() as folder:
        truth = write_daemons(spec, Path(folder))
        node = truth.assembler.encode()
        day = next(Path(folder, f.name).read_bytes() for f in truth.files if f.node == truth.assembler)
        proxy = next(Path(folder, f.name).read_bytes() for f in truth.files if "proxy" in f.name)
    for target in range(targets):
        own = day.replace(node, b"T%07d" % target).replace(b"ais-target-0", b"ais-target-%d" % target)
        for n in range(days):
            _write_day(directory / f"aistarget-T{target:07d}", f"aistarget.ais-target-{target}", own, n)
    for n in range(days):
        _write_day(directory / "aisproxy-Pproxy00", "aisproxy.ais-proxy-0", proxy, n)


def _write_day(folder: Path, name: str, text: bytes, day: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    at = gmtime(FIRST + day * DAY_S + 60)
    event = b"Rotated at " if day else b"Started up at "
    text = _HEADER.sub(event + strftime("%Y/%m/%d %H:%M:%S", at).encode(), text)
    text = _MARKER.sub(strftime("%d %b %y ", at).encode(), text)
    (folder / f"{name}.INFO.{strftime('%m%d-%H%M%S', at)}.1").write_bytes(text)


if __name__ == "__main__":
    sys.exit(main(*(int(a) for a in sys.argv[1:3])))
