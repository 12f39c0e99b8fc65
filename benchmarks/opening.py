"""From the command to the screen: first frame, first verdict, last verdict, in a terminal of its own.

python benchmarks/opening.py [--ranks N] [--runs N] [--folder DIR] [MiB ...]

Each job is opened cold, then without an index, then with one that an opening before it kept. Memory is the
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

from measure import pss_mib, usual_environment, write_job

DATA = Path(__file__).parent / "data"
SIZE = (50, 200)
LONGEST_S = 600.0
FRAME = re.compile(rb"1 ranks")
KEY, ANSWER = b"3", re.compile("━ 3".encode())
"""Into the findings, whose title is heavy then."""
VERDICT = re.compile(rb"never entered")
"""What the generated job's verdict says."""
WHOLE = re.compile("ranks · (\\d+)/\\1 files".encode())
"""Stands in the head line once nothing is being read any more."""


@dataclass(frozen=True)
class Opening:
    """Seconds since the process was started."""

    frame_s: float
    interactive_s: float
    """A key was answered that was pressed when the first frame came."""
    verdict_s: float
    """The first screen that is of use."""
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
    wanted = {"frame_s": FRAME, "verdict_s": VERDICT, "whole_s": WHOLE}
    seen, peak, looked, at = b"", 0.0, 0.0, dict[str, float]()
    while wanted:
        now = time.perf_counter()
        if now - start > LONGEST_S:
            raise TimeoutError(*wanted)
        if now - looked > 0.2:
            peak, looked = max(peak, pss_mib(pid)), now
        if select.select([terminal], [], [], 0.01)[0]:
            seen = seen[-4096:] + os.read(terminal, 1 << 16)
        for name in [name for name, sign in wanted.items() if sign.search(seen)]:
            del wanted[name]
            at[name] = time.perf_counter() - start
            if name == "frame_s":
                os.write(terminal, KEY)
                wanted["interactive_s"] = ANSWER
    return Opening(**at, peak_mib=peak)


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


HEAD = "| job | first frame s | a key answered s | first verdict s | whole s | peak MiB |\n|---|---|---|---|---|---|"


def row(name: str, runs: Sequence[Opening]) -> str:
    """Medians, and the largest peak."""
    fields = ("frame_s", "interactive_s", "verdict_s", "whole_s")
    cells = (median(getattr(r, field) for r in runs) for field in fields)
    return f"| {name} | " + " | ".join(f"{c:.2f}" for c in cells) + f" | {max(r.peak_mib for r in runs):.0f} |"


def rows(name: str, job: Path, runs: int) -> Iterator[str]:
    """Cold, warm, and with a kept index."""
    with tempfile.TemporaryDirectory() as cache:
        cold = []
        for _ in range(runs):
            forget(job)
            cold.append(open_once([str(job), "--no-cache"], Path(cache)))
        yield row(f"{name}, nothing in memory", cold)
        yield row(f"{name}, in memory", [open_once([str(job), "--no-cache"], Path(cache)) for _ in range(runs)])
        open_once([str(job)], Path(cache))
        yield row(f"{name}, kept index", [open_once([str(job)], Path(cache)) for _ in range(runs)])


def forget(job: Path) -> None:
    """Take the files out of the page cache."""
    os.sync()
    for path in filter(Path.is_file, job.rglob("*")):
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def main() -> int:
    """Print a markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[128, 1024], metavar="MiB")
    parser.add_argument("--ranks", type=int, default=128, help="8 to a node, two files each")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=DATA, help="where the jobs are kept")
    args = parser.parse_args()
    args.folder.mkdir(exist_ok=True)
    print(HEAD)
    for mib in args.sizes:
        job = write_job(args.folder, mib << 20, args.ranks)
        files = sum(p.is_file() for p in job.rglob("*"))
        for line in rows(f"{mib} MiB, {files} files", job, args.runs):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
