"""Exact counts of patterns: in total, per file, per rank; retries that recover against retries that exhaust."""

from __future__ import annotations

from collections import defaultdict

from logtui.diagnosis.facts import Facts
from logtui.diagnosis.model import PatternCount
from logtui.parsers.pattern import Role

RANKS_LISTED = 512


def counts(facts: Facts) -> tuple[PatternCount, ...]:
    """Every pattern that matched and is not a mere job fact, most frequent first."""
    patterns = {p.name: p for p in facts.case.records.patterns}
    silent = {name for name, pattern in patterns.items() if pattern.role is Role.INFO}
    names, ranks_of_files = [file.name for file in facts.case.files], facts.identity.by_file
    by_file: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    by_rank: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for c in facts.case.records.counts:
        if c.pattern in silent:
            continue
        by_file[c.pattern][names[c.file]] += c.total
        rank = c.rank if c.rank >= 0 else ranks_of_files.get(c.file, -1)
        if rank >= 0:
            by_rank[c.pattern][rank] += c.total
    out = []
    for name, files in by_file.items():
        most, of = _retry(facts, name)
        ranks = dict(sorted(by_rank[name].items())[:RANKS_LISTED])
        out.append(
            PatternCount(name, sum(files.values()), dict(files), ranks, most, of, patterns[name].role is Role.NOISE)
        )
    return tuple(sorted(out, key=lambda c: (-c.total, c.pattern)))


def _retry(facts: Facts, name: str) -> tuple[int | None, int | None]:
    """The highest attempt and the limit, for patterns that carry `attempt` and `of`."""
    pattern = next(p for p in facts.case.records.patterns if p.name == name)
    if "attempt" not in pattern.fields:
        return None, None
    best: tuple[int | None, int | None] = (None, None)
    for record in facts.case.records.of(name):
        attempt, of = record.number("attempt"), record.number("of")
        if attempt is not None and (best[0] is None or attempt > best[0]):
            best = (attempt, of)
    return best
