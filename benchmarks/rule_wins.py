"""Which rule wins in which case, and with how much confidence: `python benchmarks/rule_wins.py 'corpus/*' 'jobs/*/*'`.

Each pattern gives a family of cases, named after its first part without a star; `--each` lists the cases as well.
A rule that wins nowhere is shown to work by a test, is experimental, or goes. Exit status 1 if a case cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.diagnosis.verdict.engine import all_rules, gather
from logtui.parsers.errors import LogtuiError

UNDECIDED = "(undecided)"
UNREADABLE = "(unreadable)"
SHARED = frozenset({"README.md", "truth.json"})
"""Files beside cases that are none."""


@dataclass(frozen=True)
class Outcome:
    """What one case came to."""

    family: str
    case: str
    winner: str
    confidence: str
    stands: frozenset[str]
    """Rules with a claim that nothing refutes, whether it won or not."""


def main(argv: Sequence[str]) -> int:
    """Print the table of all rules."""
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("patterns", nargs="+")
    ap.add_argument("--each", action="store_true")
    ap.add_argument("--jobs", type=int, default=2)
    a = ap.parse_args(argv)
    cases = [(family_of(p), c) for p in a.patterns for c in cases_of(p)]
    with ProcessPoolExecutor(a.jobs) as pool:
        found = list(pool.map(outcome, *zip(*cases, strict=True), chunksize=4)) if cases else []
    if a.each:
        print("\n".join(f"{o.family}/{o.case}: {o.winner}, {o.confidence}" for o in found))
    print("\n".join(table(found)))
    return int(any(o.winner == UNREADABLE for o in found))


def cases_of(pattern: str) -> list[str]:
    """What a pattern names, in order."""
    fixed = Path(pattern.split("*", 1)[0] + "x").parent
    return sorted(str(p) for p in fixed.glob(str(Path(pattern).relative_to(fixed))) if p.name not in SHARED)


def family_of(pattern: str) -> str:
    """The last folder before the first star."""
    fixed = [part for part in Path(pattern.split("*", 1)[0] + "x").parts[:-1] if part != "/"]
    return fixed[-1] if fixed else "."


def outcome(family: str, case: str) -> Outcome:
    """The verdict on one case. Reads it whole, without a cache."""
    named = partial(Outcome, family, Path(case).name)
    try:
        found = analyse_whole([Path(case)], Options(no_cache=True, jobs=1))
    except LogtuiError:
        return named(UNREADABLE, "", frozenset())
    verdict = found.report.verdict
    assert found.facts is not None, "a final analysis keeps its facts"
    standing = gather(found.facts.last, all_rules())
    ids = frozenset(s.rule.id for s in standing if not s.claim.refuted)
    return named(verdict.rule or UNDECIDED, verdict.confidence, ids)


def table(found: Sequence[Outcome]) -> Iterator[str]:
    """A row for each rule: wins by family, in how many cases it stands, and its verdicts by confidence."""
    families = list(dict.fromkeys(o.family for o in found))
    wins = Counter((o.winner, o.family) for o in found)
    stands = Counter(rule for o in found for rule in o.stands)
    sure: dict[str, Counter[str]] = defaultdict(Counter)
    for o in found:
        sure[o.winner][o.confidence] += 1
    yield f"| rule | maturity | {' | '.join(families)} | wins | stands | high/medium/low |"
    yield "|" + " --- |" * (len(families) + 5)
    rows = [(r.id, r.maturity) for r in all_rules()] + [(UNDECIDED, ""), (UNREADABLE, "")]
    for rule, maturity in rows:
        by_family = [wins[rule, family] for family in families]
        words = "/".join(str(sure[rule][word]) for word in ("high", "medium", "low"))
        cells = " | ".join(str(n) if n else "" for n in by_family)
        yield f"| {rule} | {maturity} | {cells} | {sum(by_family)} | {stands[rule]} | {words} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
