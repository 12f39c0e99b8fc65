"""From the command to the screen: first frame, first verdict, last verdict, in a terminal of its own.

python benchmarks/opening.py [--ranks N] [--runs N] [--folder DIR] [MiB ...]

Each job is opened without an index, then twice with one: the first of them keeps it, the second uses it. Memory is the
proportional share of all processes together (PSS), looked at five times a second; Linux only.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from measure import usual_environment, write_job

DATA = Path(__file__).parent / "data"
SIZE = (50, 200)
LONGEST_S = 600.0
FRAME = re.compile(rb"1 ranks")
VERDICT = re.compile(rb"never entered")
"""What the generated job's verdict says."""
WHOLE = re.compile("ranks · (\\d+)/\\1 files".encode())
"""Stands in the head line once nothing is being read any more."""


@dataclass(frozen=True)
class Opening:
    """Seconds since the process was started."""

    frame_s: float
    verdict_s: float
    whole_s: float
    peak_mib: float


def open_once(arguments: Sequence[str], cache: Path) -> Opening:
    """Open the app in a terminal, wait for its last verdict, leave.

    Raises:
        TimeoutError: if that takes longer than `LONGEST_S`.
    """
    start = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        environment = usual_environment() | {"TERM": "xterm-256color"}
        environment |= {"XDG_CACHE_HOME": str(cache), "XDG_STATE_HOME": str(cache)}
        os.execve(sys.executable, [sys.executable, "-m", "logtui", *arguments], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    try:
        return _watch(pid, terminal, start)
    finally:
        os.write(terminal, b"q")
        _leave(pid, terminal)


def _watch(pid: int, terminal: int, start: float) -> Opening:
    wanted, seen, peak, looked = [FRAME, VERDICT, WHOLE], b"", 0.0, 0.0
    at: list[float] = []
    while wanted:
        now = time.perf_counter()
        if now - start > LONGEST_S:
            raise TimeoutError(wanted[0].pattern)
        if now - looked > 0.2:
            peak, looked = max(peak, sum(map(_pss_mib, _tree(pid)))), now
        if select.select([terminal], [], [], 0.01)[0]:
            seen = seen[-4096:] + os.read(terminal, 1 << 16)
        while wanted and wanted[0].search(seen):
            wanted.pop(0)
            at.append(time.perf_counter() - start)
    frame, verdict, whole = at
    return Opening(frame, verdict, whole, peak)


def _leave(pid: int, terminal: int) -> None:
    """Let it write its index and end; what it still draws is thrown away."""
    until = time.perf_counter() + 60
    while time.perf_counter() < until and os.waitpid(pid, os.WNOHANG)[0] == 0:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                os.read(terminal, 1 << 16)
            except OSError:  # the other end is closed
                os.waitpid(pid, 0)
                break
    else:
        if time.perf_counter() >= until:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    os.close(terminal)


def _tree(pid: int) -> Iterator[int]:
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            below = children.read_text().split()
        except OSError:
            continue
        for child in below:
            yield from _tree(int(child))


def _pss_mib(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:  # it has ended
        return 0.0
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.M)
    return int(found[1]) / 1024 if found else 0.0


def _row(name: str, runs: Sequence[Opening]) -> str:
    cells = (median(getattr(r, field) for r in runs) for field in ("frame_s", "verdict_s", "whole_s"))
    return f"| {name} | " + " | ".join(f"{c:.2f}" for c in cells) + f" | {max(r.peak_mib for r in runs):.0f} |"


def main() -> int:
    """Print a markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[128, 1024], metavar="MiB")
    parser.add_argument("--ranks", type=int, default=128, help="8 to a node, two files each")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=DATA, help="where the jobs are kept")
    args = parser.parse_args()
    args.folder.mkdir(exist_ok=True)
    print("| job | first frame s | first verdict s | whole s | peak MiB |\n|---|---|---|---|---|")
    for mib in args.sizes:
        job = write_job(args.folder, mib << 20, args.ranks)
        files = sum(p.is_file() for p in job.rglob("*"))
        name = f"{mib} MiB, {files} files"
        with tempfile.TemporaryDirectory() as cache:
            without = [open_once([str(job), "--no-cache"], Path(cache)) for _ in range(args.runs)]
            open_once([str(job)], Path(cache))
            again = [open_once([str(job)], Path(cache)) for _ in range(args.runs)]
        print(_row(name, without), _row(f"{name}, kept index", again), sep="\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
