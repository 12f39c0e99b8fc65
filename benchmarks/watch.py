"""How soon a hang is seen while a job still runs, and how often a healthy one alarms: logs replayed in time.

python benchmarks/watch.py [--healthy DIR]... [--faults a,b]

Of each generated hang the lines from the stall on are cut off, and the clock is put forward by half minutes until
something is said: the delay, and who is named. The watchdog's own delay is what the same job's log says later. Of each
healthy case (a folder with a `truth.json` of class healthy) the longest pauses between two stamps are replayed to their
very end: nothing may be said there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.overdue import Alarm, alarms
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import JobSpec, generate
from logtui.parsers.generator.stage.spec import Fault
from logtui.parsers.prefix.stamp import find_stamp

HANGS = (
    Fault.DATA_STALL,
    Fault.STRAGGLER_USER_CODE,
    Fault.STORAGE_STALL,
    Fault.FABRIC,
    Fault.STRAGGLER_BEHIND,
    Fault.MISMATCH,
    Fault.WATCHDOG_STUCK,
)
STEP_S, MOST_S = 30.0, 3600.0
PAUSES = 6
LARGEST = 20_000_000
"""Bytes of a healthy case that is replayed."""


@dataclass(frozen=True)
class Lines:
    """The lines of one file with the time of each: its own, or that of the one above."""

    name: str
    texts: list[str]
    times: list[float]


def main(argv: list[str]) -> int:
    """Print both tables; 1 if a healthy job alarms."""
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--healthy", action="append", type=Path, default=[])
    ap.add_argument("--faults", default=",".join(HANGS))
    a = ap.parse_args(argv)
    print("| hang | seen after | watchdog after | named | truth |\n|---|---|---|---|---|")
    for fault in a.faults.split(","):
        _hang(Fault(fault))
    moments = false = cases = 0
    for case in (c for root in a.healthy for c in _healthy(root)):
        cases += 1
        for found in _replayed(case):
            moments += 1
            false += bool(found)
            if found:
                print(f"false alarm: {case.name}: {found[0].kind}: {found[0].what}")
    if cases:
        print(f"\n{cases} healthy jobs, {moments} pauses replayed, {false} false alarms")
    return int(bool(false))


def _hang(fault: Fault) -> None:
    with TemporaryDirectory() as folder:
        truth = generate(JobSpec(fault=fault, pytorch="2.6", world_size=16, gpus_per_node=8), Path(folder))
        whole = Facts(analyse_whole([Path(folder)]).case)
        began, spoke = whole.collectives.stall_start, whole.collectives.first_timeout
        if began is None or spoke is None:
            print(f"| {fault} | no stall in its log | | | |")
            return
        cut = _before([_lines(p) for p in sorted(Path(folder).rglob("*")) if p.is_file()], began)
        after, found = _first_alarm(cut, began)
        watchdog = (spoke.record.time or began) - began
        named = ", ".join(map(str, found.ranks)) if found else ""
        print(f"| {fault} | {after:.0f} s | {watchdog:.0f} s | {named} | {truth.culprit_ranks} |")


def _first_alarm(files: list[Lines], began: float) -> tuple[float, Alarm | None]:
    with _written(files) as folder:
        facts = Facts(analyse_whole([Path(folder)]).case)
        after = 0.0
        while after < MOST_S:
            after += STEP_S
            if found := alarms(facts, began + after):
                return after, found[0]
    return MOST_S, None


def _lines(path: Path) -> Lines:
    texts = path.read_text(errors="replace").splitlines(keepends=True)
    year = datetime.fromtimestamp(path.stat().st_mtime, UTC).year
    times, now = [], 0.0
    for text in texts:
        stamp = find_stamp(text, 0, year)
        now = stamp.epoch if stamp is not None else now
        times.append(now)
    return Lines(path.name, texts, times)


def _before(files: list[Lines], end: float) -> list[Lines]:
    """What had been written by then: up to the first line of each file that is later."""
    cut = [next((i for i, t in enumerate(f.times) if t > end), len(f.texts)) for f in files]
    return [Lines(f.name, f.texts[:n], f.times[:n]) for f, n in zip(files, cut, strict=True)]


def _written(files: list[Lines]) -> TemporaryDirectory[str]:
    folder = TemporaryDirectory()
    for file in files:
        Path(folder.name, file.name).write_text("".join(file.texts))
    return folder


def _healthy(root: Path) -> Iterator[Path]:
    for truth in sorted(root.rglob("truth.json")):
        logs = [p for p in truth.parent.iterdir() if p.is_file() and p != truth]
        if json.loads(truth.read_text())["class"] == "healthy" and sum(p.stat().st_size for p in logs) < LARGEST:
            yield truth.parent


def _replayed(case: Path) -> Iterator[list[Alarm]]:
    """What is said at the end of each of the longest pauses."""
    files = [_lines(p) for p in sorted(case.iterdir()) if p.is_file() and p.name != "truth.json"]
    times = sorted({t for f in files for t in f.times if t})
    pauses = sorted(pairwise(times), key=lambda p: p[0] - p[1])[:PAUSES]
    for begin, end in pauses:
        with _written(_before(files, begin)) as folder:
            yield alarms(Facts(analyse_whole([Path(folder)]).case).last, end)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
