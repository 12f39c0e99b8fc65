"""A healthy run to compare with: which kinds of lines it says, and which of this job's it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from logtui.diagnosis.odd_lines.census import Census, Said, Template
from logtui.diagnosis.odd_lines.comparing import Candidate, Peers, is_severe
from logtui.diagnosis.odd_lines.taking import take
from logtui.parsers.discover import discover
from logtui.parsers.sweep import Sweep

BUDGET = 64 << 20
"""Bytes of the healthy run that are looked at: a kind of line that is not seen there counts as new."""


@dataclass(frozen=True)
class Baseline:
    """Templates of a healthy run."""

    name: str
    templates: frozenset[str]
    files: int


def read_baseline(paths: Sequence[Path]) -> Baseline:
    """Read excerpts of the logs below some paths.

    Raises:
        SourceError: if a path is missing or nothing there can be read.
    """
    with closing(Sweep(discover(paths)).case()) as case:
        taken = take(case, budget=BUDGET)
    names = " ".join(str(p) for p in paths)
    return Baseline(names, frozenset(taken.census.templates), taken.files)


def new_templates(census: Census, peers: Peers, baseline: Baseline, before: dict[int, int]) -> list[Candidate]:
    """Templates that the healthy run does not have: the rarest first, then in the order of the files.

    `before` gives for some files the byte at which the failure shows: what is first said later is its echo.
    """
    found = [c for t in census.worth_telling() for c in _new(t, census, peers, baseline, before)]
    return sorted(found, key=lambda c: (len(c.template.said), not c.severe, c.first.file, c.first.offset))


def _new(
    template: Template, census: Census, peers: Peers, baseline: Baseline, before: dict[int, int]
) -> Iterator[Candidate]:
    kept = [(w, s) for w, s in template.said.items() if s is not None]
    if template.text in baseline.templates or template.aftermath or not kept:
        return
    writer, first = min(kept, key=lambda ws: (ws[1].file, ws[1].offset))
    if all(_is_echo(s, before) for _, s in kept):
        return
    lines = census.writers[writer].lines
    score = 1.0 / len(template.said)
    writers = tuple(sorted(template.said))
    yield Candidate(
        template, writers, peers.of(writer), first, is_severe(template.text), first.first * 2 > lines, score
    )


def _is_echo(said: Said, before: dict[int, int]) -> bool:
    return said.file in before and said.offset > before[said.file]
