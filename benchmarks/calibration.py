"""How often a verdict is right at each confidence, over folders of cases whose truth is known.

python benchmarks/calibration.py [--generated] DIR...

A case is a folder with its logs and a `truth.json` that gives the class, and other classes to accept. With
`--generated` the generator's own faults are judged as well, over two releases and layouts. A confidence that is right
less often than it promises is printed with `!`; the promises are high 99.5 %, medium 92 %, low 75 %.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import JobSpec, Layout, generate
from logtui.parsers.generator.stage.spec import Fault

PROMISED = {"high": 0.995, "medium": 0.92, "low": 0.75}
VERSIONS, LAYOUTS = ("2.1", "2.6"), (Layout.PER_NODE, Layout.MERGED)
Judged = tuple[str, str, bool, bool]
"""Case, confidence, whether it decided, whether it was right."""


def main(argv: list[str]) -> int:
    """Print the table; 1 if a promise is broken."""
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("cases", nargs="*", type=Path)
    ap.add_argument("--generated", action="store_true")
    ap.add_argument("--list", action="store_true", help="every wrong one")
    a = ap.parse_args(argv)
    judged = [row for folder in a.cases for row in _labelled(folder)] + (list(_generated()) if a.generated else [])
    if a.list:
        for name, confidence, _, right in judged:
            if not right:
                print(f"{confidence:6} {name}")
    return _table(judged)


def _table(judged: list[Judged]) -> int:
    print("| confidence | verdicts | right | share | promised |\n|---|---|---|---|---|")
    broken = False
    for confidence, promised in PROMISED.items():
        mine = [row for row in judged if row[1] == confidence and row[2]]
        right = sum(row[3] for row in mine)
        share = right / len(mine) if mine else 1.0
        broken |= share < promised
        print(
            f"| {confidence} | {len(mine)} | {right} | {share:.1%}{' !' if share < promised else ''} | {promised:.1%} |"
        )
    undecided = [row for row in judged if not row[2]]
    print(f"| undecided | {len(undecided)} | {sum(row[3] for row in undecided)} | | |")
    return int(broken)


def _labelled(root: Path) -> Iterator[Judged]:
    for file in sorted(root.rglob("truth.json")):
        truth = json.loads(file.read_text())
        accepted = {truth["class"], *(truth.get("class_accept") or ()), *(truth.get("class_alternatives") or ())}
        if truth["class"] == "unknown":
            continue  # nothing would be wrong, or everything
        with TemporaryDirectory() as folder:
            logs = Path(folder) / "logs"
            logs.mkdir()
            for path in file.parent.iterdir():
                if path.name != file.name:
                    (logs / path.name).symlink_to(path.resolve())
            yield _judge(file.parent.name, logs, accepted)


def _generated() -> Iterator[Judged]:
    for fault, version, layout in product(Fault, VERSIONS, LAYOUTS):
        with TemporaryDirectory() as folder:
            truth = generate(
                JobSpec(
                    fault=fault,
                    pytorch=version,
                    layout=layout,
                    world_size=16,
                    gpus_per_node=8,
                    tensor_parallel=2 if fault is Fault.CHAIN else 1,
                ),
                Path(folder),
            )
            yield _judge(f"{fault} {version} {layout}", Path(folder), {truth.cls, *truth.accept})


def _judge(name: str, logs: Path, accepted: set[str]) -> Judged:
    verdict = analyse_whole([logs]).report.verdict
    return name, verdict.confidence, verdict.cls != "unknown", verdict.cls in accepted


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
