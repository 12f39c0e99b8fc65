"""Every fault of the generator, over PyTorch releases, sizes and layouts of jobs: is the culprit found, and what of it?

python benchmarks/faults.py [--faults a,b] [--versions 1.13,2.10] [--sizes 8,128] [--layouts merged] [--keep FILE]

A cell shows how the verdict compares with the truth: `✓` all right; `~` nobody named, which is right: the files do not
hold it, and the report says what is missing. Else `r` other ranks, `h` none named, `c` another class, `u` undecided,
`e` other first evidence, `s` a wrong collective state; letters add up. Layouts that differ are parted by `/`.

Up to PyTorch 2.2 tracebacks carry no rank, no rank hears of another's timeout, and launchers stop ranks that were about
to speak; the generator says of each job whether its files decide. With `--keep` a run that was broken off goes on where
it was. Exit status 1 if a culprit is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.generator import JobSpec, Layout, Truth, generate
from logtui.parsers.generator.stage.spec import Fault

VERSIONS = ("1.13", "2.1", "2.3", "2.6", "2.10")
SIZES = (8, 128, 1024)
LAYOUTS = (Layout.PER_NODE, Layout.MERGED)
NEAR_LINES = 2
RIGHT, RIGHTLY_UNDECIDED = "✓", "~"
CHAIN_RANKS = 2
"""Tensor-parallel ranks of a job whose waits go through several groups."""
MANY_STEPS, FEW_STEPS = 1234, 246
"""Sequence number of the fault; in large jobs some sixty steps are enough, which keeps their logs small."""
LARGE = 128
MEANINGS = {"r": "no wrong rank", "h": "named", "c": "no wrong class", "u": "decided", "e": "first line", "s": "states"}

Key = tuple[str, str, int, str]
"""Fault, release, size, layout."""


@dataclass
class Kept:
    """Cells that are done, in memory and, for a run that goes on later, in a file."""

    file: Path | None = None
    cells: dict[Key, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read what an earlier run left."""
        if self.file is not None and self.file.exists():
            for row in self.file.read_text().splitlines():
                fault, version, size, layout, cell = row.split("\t")
                self.cells[fault, version, int(size), layout] = cell

    def get(self, key: Key) -> str:
        """One cell, measured now or before."""
        if key not in self.cells:
            self.cells[key] = _cell(*key)
            if self.file is not None:
                with self.file.open("a") as out:
                    out.write("\t".join(map(str, (*key, self.cells[key]))) + "\n")
        return self.cells[key]


def main(argv: list[str]) -> int:
    """Print the table; 1 if a culprit is wrong."""
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--faults", default=",".join(Fault))
    ap.add_argument("--versions", default=",".join(VERSIONS))
    ap.add_argument("--sizes", default=",".join(map(str, SIZES)))
    ap.add_argument("--layouts", default=",".join(LAYOUTS))
    ap.add_argument("--keep", type=Path)
    a = ap.parse_args(argv)
    columns = [(v, int(s)) for s, v in product(a.sizes.split(","), a.versions.split(","))]
    layouts = a.layouts.split(",")
    kept, begun = Kept(a.keep), monotonic()
    print("| fault | " + " | ".join(f"{v} × {s}" for v, s in columns) + " |")
    print("|---|" + "---|" * len(columns))
    found: list[str] = []
    for fault in a.faults.split(","):
        cells = [[kept.get((fault, v, s, layout)) for layout in layouts] for v, s in columns]
        found += [cell for both in cells for cell in both]
        print(f"| {fault} | " + " | ".join("/".join(dict.fromkeys(both)) for both in cells) + " |", flush=True)
    print(f"\n{_summary(found)} · {monotonic() - begun:.0f} s")
    return 1 if any("r" in cell for cell in found) else 0


def _summary(cells: list[str]) -> str:
    letters = Counter(letter for cell in cells for letter in cell)
    words = [f"{what} {len(cells) - letters[letter]}" for letter, what in MEANINGS.items()]
    rightly = f"rightly undecided {letters[RIGHTLY_UNDECIDED]}"
    return " · ".join([f"{len(cells)} jobs", f"all right {letters[RIGHT]}", rightly, *words])


def _cell(fault: str, version: str, size: int, layout: str) -> str:
    spec = JobSpec(
        fault=Fault(fault),
        pytorch=version,
        world_size=size,
        gpus_per_node=min(8, size // 2),  # two nodes at least: what befalls one of them leaves another
        tensor_parallel=CHAIN_RANKS if fault == Fault.CHAIN else 1,
        layout=Layout(layout),
        seq=FEW_STEPS if size >= LARGE else MANY_STEPS,
    )
    with TemporaryDirectory() as folder:
        truth = generate(spec, Path(folder))
        report = analyse_whole([Path(folder)], Options(no_cache=True)).report
    if _rightly_undecided(truth, report):
        return RIGHTLY_UNDECIDED
    return "".join(_wrong(truth, report)) or RIGHT


def _rightly_undecided(truth: Truth, report: Report) -> bool:
    """Whether nobody is named where nobody can be: at most the node is, and what is missing is said."""
    verdict = report.verdict
    if not truth.undecidable or verdict.culprit_ranks or not verdict.missing:
        return False
    hosts = set(verdict.culprit_hosts)
    return hosts <= set(truth.culprit_hosts) and verdict.cls in {"unknown", truth.cls, *truth.accept}


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
