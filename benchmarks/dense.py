"""CPU time per line of logs in which most lines, or many, match: step lines, storms, near misses.

python benchmarks/dense.py [MiB] [engine]        size of each log, default 32; hyperscan or numpy
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

from logtui.parsers.files.discover import discover
from logtui.parsers.scan.sweep import Sweep

Line = Callable[[Random, int], str]


def _stamp(number: int) -> str:
    second = number // 20
    return f"2026-02-{1 + second // 86400:02d} {second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


def _boring(random: Random, number: int) -> str:
    return (
        f"[rank{number % 64}]: {_stamp(number)} INFO data: fetched shard-{random.randint(0, 99999):05d}.tar "
        f"in {random.uniform(0, 1):.3f} s from cache, {random.randint(1, 9999)} samples"
    )


def _step(random: Random, number: int) -> str:
    return (
        f"[rank{number % 64}]: {_stamp(number)} INFO step {number // 64}: loss {random.uniform(1, 2):.4f} "
        f"lr 0.0001 step_time {random.uniform(300, 320):.1f} ms"
    )


def _nccl(random: Random, number: int) -> str:
    at = number % 128
    return (
        f"node{at // 8:03d}:{4000 + at}:{4500 + at} [{at % 8}] NCCL INFO Channel {number % 32:02d}/0 : "
        f"{at}[{at % 8}] -> {(at + 1) % 128}[{(at + 1) % 8}] via P2P/CUMEM"
    )


def _third(text: str) -> Line:
    """A log of which a third of the lines are these."""

    def line(random: Random, number: int) -> str:
        if number % 3:
            return _boring(random, number)
        shard, attempt = random.randint(0, 99999), random.randint(1, 5)
        said = text.format(shard=shard, attempt=attempt, s=random.uniform(0, 9))
        return f"[rank{number % 64}]: {_stamp(number)} WARNING {said}"

    return line


KINDS: dict[str, Line] = {
    "step lines": _step,
    "NCCL INFO": _nccl,
    "retries": _third("Error while reading 'shards/shard-{shard:05d}.tar', retrying {attempt}/5"),
    "resets": _third("('Connection aborted.', ConnectionResetError(104, 'Connection reset by peer')) {shard}"),
    "near misses": _third("Attempt to fetch shard-{shard:05d}.tar, retrying slowly in {s:.3f} s; iteration pending"),
}


def main(mib: int, engine: str) -> int:
    """Print a markdown table."""
    print("| log | lines | records | MB/s of one core | µs a line |\n|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        for name, line in KINDS.items():
            path = Path(folder) / "job.log"
            _write(path, line, mib << 20)
            print(_row(name, path, engine), flush=True)
    return 0


def _write(path: Path, line: Line, size: int) -> None:
    random, number = Random(1), 0
    with path.open("w", encoding="ascii") as out:
        while out.tell() < size:
            out.writelines(f"{line(random, number + i)}\n" for i in range(5000))
            number += 5000


def _row(name: str, path: Path, engine: str) -> str:
    sweep = Sweep(discover([path]), engine=engine, jobs=1)
    begun = process_time()
    for _ in sweep.run():
        pass
    case = sweep.case()
    took, lines = process_time() - begun, sum(index.lines for index in case.indexes.values())
    case.close()
    rate = path.stat().st_size / 1e6 / took
    return f"| {name} | {lines} | {len(case.records)} | {rate:.0f} | {took / lines * 1e6:.2f} |"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 32, sys.argv[2] if len(sys.argv) > 2 else "auto"))
