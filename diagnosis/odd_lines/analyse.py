"""From facts to findings about odd lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from logtui.diagnosis.events import Event
from logtui.diagnosis.findings import OddLine, OddLines
from logtui.diagnosis.identity import Identity
from logtui.diagnosis.odd_lines.baseline import BUDGET as BASELINE_BUDGET
from logtui.diagnosis.odd_lines.baseline import Baseline, new_templates
from logtui.diagnosis.odd_lines.census import Standing
from logtui.diagnosis.odd_lines.comparing import Candidate, Peers, blocks, odd_templates
from logtui.diagnosis.odd_lines.dating import Dating
from logtui.diagnosis.odd_lines.silence import last_words_by_silence, unsaid
from logtui.diagnosis.odd_lines.taking import BUDGET, file_of, take
from logtui.parsers.case import Case
from logtui.parsers.pattern import Role

LISTED = 200
"""Odd lines that are kept."""
NAMED = 8
"""Writers of one line that are named."""


def analyse_odd_lines(
    identity: Identity,
    ranks: Sequence[int],
    events: Sequence[Event],
    about: float | None,
    baseline: Baseline | None = None,
) -> OddLines:
    """Compare the lines of all ranks with each other, and with those of a healthy run where there is one.

    `events` are those that may be a failure's, `about` a time of the job.
    """
    case, trouble = identity.case, _trouble(events)
    taken = take(case, identity, frozenset(ranks), trouble, BASELINE_BUDGET if baseline else BUDGET)
    census, dating = taken.census, Dating(case, about)
    peers = Peers(case, census)
    new = new_templates(census, peers, baseline, trouble) if baseline else []
    return OddLines(
        tuple(_told(case, dating, *event) for event in islice(blocks(odd_templates(census, peers)), LISTED)),
        unsaid(census, dating, taken.bytes_read >= taken.bytes_there),
        last_words_by_silence(census, dating),
        baseline.name if baseline else None,
        tuple(_told(case, dating, *event) for event in islice(blocks(new), LISTED)),
        bytes_read=taken.bytes_read,
        bytes_there=taken.bytes_there,
        files=taken.files,
        left_out=taken.left_out,
        lines=census.lines,
    )


def _trouble(events: Sequence[Event]) -> dict[int, int]:
    """By file, the byte at which its first sign of trouble begins."""
    found: dict[int, int] = {}
    for event in events:
        if event.role in (Role.CAUSE, Role.SYMPTOM):
            found[event.record.file] = min(found.get(event.record.file, event.record.offset), event.record.offset)
    return found


def _told(case: Case, dating: Dating, one: Candidate, folded: int) -> OddLine:
    first = one.first
    writer = next(w for w, s in one.template.said.items() if s is first)
    evidence = dating.evidence(first.file, first.offset, first.raw, first.stamped, writer if writer >= 0 else None)
    return OddLine(
        tuple(writer_name(case, w) for w in one.writers[:NAMED]),
        tuple(w for w in one.writers if w >= 0),
        len(one.writers),
        one.peers,
        one.template.count,
        folded,
        evidence,
        one.severe,
        one.late,
        one.template.standing is Standing.DECLARED,
        round(one.score, 2),
    )


def writer_name(case: Case, writer: int) -> str:
    """`rank 57`, or the file."""
    file = file_of(writer)
    return f"rank {writer}" if file is None else case.files[file].name
