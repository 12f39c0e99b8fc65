"""Judge a command on a round of labelled logs that it has not seen, and keep what it said.

python benchmarks/first_look.py [--tool TOOL] [--keep DIR] ROUND...

A round is a folder of cases, a case a folder with its logs and a `truth.json` as [LABELS.md](LABELS.md) describes. Each
case is copied without its truth, and `TOOL FOLDER --json` is run on it. Printed are the cases in which something is
not as labelled, then the figures; `--keep` takes the reports, so that they need no second run to be read.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

from dateutil.parser import isoparse

LIMIT_S = 120
NEAR_LINES = 2
"""How far from the labelled line the first evidence may stand."""
NEAR_S = 60.0
"""How far from the labelled time the start or the end may lie."""
SEVERAL = 2
"""Ranks that a case has at least where ranks seen are counted."""
Json = dict[str, Any]
Row = dict[str, bool | None]
"""What was asked of a case -> whether it is right; None where its label does not say."""


def main(argv: list[str]) -> int:
    """Print what is wrong and the figures of all rounds together."""
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tool", default="logtui")
    ap.add_argument("--keep", type=Path)
    ap.add_argument("rounds", nargs="+", type=Path)
    a = ap.parse_args(argv)
    figures: Counter[tuple[str, bool]] = Counter()
    for case in _cases(a.rounds):
        truth = json.loads((case / "truth.json").read_text())
        report = _report(a.tool, case)
        if a.keep:
            a.keep.mkdir(parents=True, exist_ok=True)
            (a.keep / f"{case.parent.name}-{case.name}.json").write_text(json.dumps(report))
        row = judge(truth, report)
        figures.update((what, right) for what, right in row.items() if right is not None)
        _print_wrong(f"{case.parent.name}/{case.name}", truth, report, row)
    print("  ".join(_figures(figures)))
    return 0


def judge(truth: Json, report: Json) -> Row:
    """What of the report is as labelled."""
    verdict, job = report["verdict"], report["job"]
    accepted = {truth["class"], *(truth.get("class_accept") or ())}
    healthy = truth["class"] == "healthy"
    known = truth["class"] != "unknown"
    right = verdict["class"] in accepted
    return {
        "class": right if known else None,
        "evidence": _at(truth.get("first_bad_line"), verdict["first_evidence"]),
        "no false alarm": verdict["class"] in accepted | {"unknown"} if healthy else None,
        "not wrong at high": right or verdict["confidence"] != "high" if known else None,
        "blamed": _same_ranks(truth.get("culprit_ranks"), verdict["culprit_ranks"]),
        "last step": _is_step(truth, job["last_step"]),
        "ranks seen": _sees(truth.get("ranks_seen"), report["coverage"]["ranks_seen"]),
        "started": _near(truth.get("started"), job["started"]),
        "ended": _near(truth.get("ended"), job["ended"]),
    }


def _at(label: Json | None, said: Json | None) -> bool | None:
    if not label:
        return None
    if not said:
        return False
    also = (line if isinstance(line, dict) else {**label, "line": line} for line in label.get("also") or ())
    return any(_is_near(place, said) for place in (label, *also))


def _is_near(place: Json, said: Json) -> bool:
    same = Path(str(said["file"])).name == Path(str(place["file"])).name
    return same and abs(int(said["line"] or 0) - int(place["line"])) <= NEAR_LINES


def _same_ranks(label: list[int] | None, said: list[int]) -> bool | None:
    return None if label is None else sorted(label) == sorted(said)


def _is_step(truth: Json, said: int | None) -> bool | None:
    label = truth.get("last_step")
    return None if label is None else said in (label, *(truth.get("last_step_accept") or ()))


def _sees(label: int | None, said: int) -> bool | None:
    return None if label is None or label < SEVERAL else said == label


def _near(label: str | None, said: str | None) -> bool | None:
    if label is None:
        return None
    if said is None:
        return False
    one, other = isoparse(label), isoparse(said)
    clocks = abs((one.replace(tzinfo=None) - other.replace(tzinfo=None)).total_seconds())
    return min(clocks, abs((_utc(one) - _utc(other)).total_seconds())) <= NEAR_S


def _utc(time: datetime) -> datetime:
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


def _cases(rounds: list[Path]) -> Iterator[Path]:
    for folder in rounds:
        yield from sorted(found.parent for found in folder.glob("*/truth.json"))


def _report(tool: str, case: Path) -> Json:
    with TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        copytree(case, logs, ignore=lambda _, names: [name for name in names if name == "truth.json"])
        command = [*shlex.split(tool), str(logs), "--json"]
        done = subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=False)
        report: Json = json.loads(done.stdout)
        return report


def _print_wrong(name: str, truth: Json, report: Json, row: Row) -> None:
    wrong = [what for what, right in row.items() if right is False]
    if not wrong:
        return
    verdict, job = report["verdict"], report["job"]
    first = verdict["first_evidence"] or {}
    label = truth.get("first_bad_line") or {}
    print(f"{name}: {', '.join(wrong)}")
    print(f"    said  {verdict['class']} ({verdict['confidence']}) {verdict['title'][:100]}")
    print(f"    truth {truth['class']} {truth.get('class_accept') or ''} {str(truth.get('why'))[:160]}")
    print(f"    line {first.get('file')}:{first.get('line')}, labelled {label.get('file')}:{label.get('line')}")
    print(f"    step {job['last_step']}, labelled {truth.get('last_step')} {truth.get('last_step_accept') or ''}")
    print(f"    seen {report['coverage']['ranks_seen']}, labelled {truth.get('ranks_seen')}")
    print(f"    {job['started']} to {job['ended']}, labelled {truth.get('started')} to {truth.get('ended')}")


def _figures(figures: Counter[tuple[str, bool]]) -> Iterator[str]:
    for what in dict.fromkeys(what for what, _ in figures):
        right, all_of = figures[what, True], figures[what, True] + figures[what, False]
        yield f"{what} {right}/{all_of}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
