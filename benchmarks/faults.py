"""Every fault of the generator, over PyTorch releases and sizes of jobs: is the culprit found, and what of it?

python benchmarks/faults.py [--faults a,b] [--versions 1.13,2.10] [--sizes 8,128]     minutes for the whole table

A cell shows how the verdict compares with the truth: `✓` all right, `r` other ranks, `h` none named,
`c` another class, `u` undecided, `e` other first evidence, `s` a wrong collective state; letters add up. Exit status 1
if a culprit is wrong. Up to PyTorch 2.2 tracebacks carry no rank and stopped ranks say nothing: some are `u` or `h`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from logtui.diagnosis.report import Report
from logtui.diagnosis.session import Options, analyse_whole
from logtui.parsers.generator import JobSpec, Truth, generate
from logtui.parsers.generator.spec import Fault

VERSIONS = ("1.13", "2.1", "2.3", "2.6", "2.10")
SIZES = (8, 128, 1024)
NEAR_LINES = 2
RIGHT = "✓"
CHAIN_RANKS = 2
"""Tensor-parallel ranks of a job whose waits go through several groups."""


def main(argv: list[str]) -> int:
    """Print the table; 1 if a culprit is wrong."""
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--faults", default=",".join(Fault))
    ap.add_argument("--versions", default=",".join(VERSIONS))
    ap.add_argument("--sizes", default=",".join(map(str, SIZES)))
    a = ap.parse_args(argv)
    columns = [(v, int(s)) for v, s in product(a.versions.split(","), a.sizes.split(","))]
    print("| fault | " + " | ".join(f"{v} × {s}" for v, s in columns) + " |")
    print("|---|" + "---|" * len(columns))
    totals: Counter[str] = Counter()
    begun = monotonic()
    for fault in map(Fault, a.faults.split(",")):
        cells = [_cell(fault, version, size) for version, size in columns]
        totals.update(letter for cell in cells for letter in cell)
        print(f"| {fault.value} | " + " | ".join(cells) + " |", flush=True)
    jobs = len(columns) * len(a.faults.split(","))
    words = {
        "r": "no wrong rank",
        "h": "named",
        "c": "no wrong class",
        "u": "decided",
        "e": "first line",
        "s": "states",
    }
    print(f"\n{jobs} jobs · " + " · ".join(f"{w} {jobs - totals[x]}" for x, w in words.items()), end="")
    print(f" · {monotonic() - begun:.0f} s")
    return 1 if totals["r"] else 0


def _cell(fault: Fault, version: str, size: int) -> str:
    parallel = CHAIN_RANKS if fault is Fault.CHAIN else 1
    per_node = min(8, size // 2)  # two nodes at least: what befalls one of them leaves another
    spec = JobSpec(fault=fault, pytorch=version, world_size=size, gpus_per_node=per_node, tensor_parallel=parallel)
    with TemporaryDirectory() as folder:
        truth = generate(spec, Path(folder))
        report = analyse_whole([Path(folder)], Options(no_cache=True)).report
    return "".join(_wrong(truth, report)) or RIGHT


def _wrong(truth: Truth, report: Report) -> Iterator[str]:
    verdict = report.verdict
    if verdict.cls == "unknown" and not verdict.culprit_ranks:
        yield "u"
        return
    if sorted(verdict.culprit_ranks) != sorted(truth.culprit_ranks):
        hosts = set(verdict.culprit_hosts)
        yield "h" if not verdict.culprit_ranks and hosts <= set(truth.culprit_hosts) else "r"
    if verdict.cls not in {truth.cls, *truth.accept}:
        yield "c"
    places = [p for p in (truth.first_bad_line, *truth.also_first) if p is not None]
    said = verdict.first_evidence
    near = (said and said.file == p.file and abs(said.line - p.line) <= NEAR_LINES for p in places)
    if places and not any(near):
        yield "e"
    seen = {(r.rank, g.enqueued, g.completed) for r in report.ranks for g in r.groups}
    if not all((rank, s.enqueued, s.completed) in seen for rank, s in truth.nccl_state.items()):
        yield "s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
