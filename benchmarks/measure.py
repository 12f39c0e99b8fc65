"""Whole processes timed in turn with a reference, so that a machine's moods cancel out."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from logtui.parsers.generator import JobSpec, generate
from logtui.parsers.generator.stage.spec import Fault
from logtui.parsers.registry import registry

Command = Sequence[str]


@dataclass(frozen=True)
class Timing:
    """Medians over the runs of one command."""

    wall_s: float
    cpu_s: float
    peak_mib: float
    """Of the largest single process."""


@dataclass(frozen=True)
class Paired:
    """Two commands run in turn; ratios are medians of the ratios pair by pair."""

    ours: Timing
    reference: Timing
    wall_ratio: float
    cpu_ratio: float


def usual_environment() -> dict[str, str]:
    """As an installed program has it: with compiled modules kept, whatever the machine that measures says."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run_once(command: Command) -> Timing:
    """Run a command to its end, output discarded; exit status is not looked at."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=usual_environment()
    ) as process:
        assert process.stdout is not None, "asked for a pipe"
        while process.stdout.read(1 << 16):
            pass
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    wall = time.perf_counter() - start
    return Timing(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def paired(ours: Command, reference: Command, runs: int) -> Paired:
    """Run both in turn, once each to warm up and then `runs` times."""
    run_once(ours)
    run_once(reference)
    pairs = [(run_once(ours), run_once(reference)) for _ in range(runs)]
    return Paired(
        _median([a for a, _ in pairs]),
        _median([b for _, b in pairs]),
        median(a.wall_s / b.wall_s for a, b in pairs),
        median(a.cpu_s / b.cpu_s for a, b in pairs),
    )


def _median(runs: Sequence[Timing]) -> Timing:
    return Timing(median(r.wall_s for r in runs), median(r.cpu_s for r in runs), median(r.peak_mib for r in runs))


def write_job(directory: Path, size_bytes: int, ranks: int = 128) -> Path:
    """A generated hang of about this size, written once."""
    target = directory / f"job-{ranks}-{size_bytes >> 20}"
    if not target.exists():
        generate(JobSpec(fault=Fault.DATA_STALL, world_size=ranks, size_bytes=size_bytes), target)
    return target


def write_anchors(directory: Path) -> Path:
    """All literals that logtui scans for, one a line, for `rg -f` and `grep -f`."""
    target = directory / "anchors.txt"
    target.write_bytes(b"\n".join(registry().anchors) + b"\n")
    return target


def logtui(*arguments: str) -> Command:
    """This checkout's command line, headless."""
    return (sys.executable, "-m", "logtui", *arguments, "--json")


def literals(anchors: Path, job: Path) -> Command | None:
    """The fastest multi-literal counter at hand: ripgrep, else grep, else None."""
    if shutil.which("rg"):
        return ("rg", "-c", "-F", "-f", str(anchors), str(job))
    if shutil.which("grep"):
        return ("grep", "-r", "-c", "-F", "-f", str(anchors), str(job))
    return None


def pss_mib(pid: int) -> float:
    """The proportional share of memory of a process and all below it; Linux only."""
    return sum(map(_own_pss_mib, _tree(pid)))


def _tree(pid: int) -> Iterator[int]:
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            below = children.read_text().split()
        except OSError:
            continue
        for child in below:
            yield from _tree(int(child))


def _own_pss_mib(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:  # it has ended
        return 0.0
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.M)
    return int(found[1]) / 1024 if found else 0.0
