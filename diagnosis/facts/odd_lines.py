"""Lines that single ranks said, stopped saying, or said last; and those that a healthy run does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from math import log2
from pathlib import Path
from statistics import median

from logtui.diagnosis.facts.census import BUDGET, Census, Dating, Said, Standing, Template, file_of, take
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.model.analyses import LastWords, OddLine, OddLines, Unsaid
from logtui.parsers.files.case import Case
from logtui.parsers.files.discover import discover
from logtui.parsers.pattern import Role
from logtui.parsers.regex import regex
from logtui.parsers.scan.sweep import Sweep

# -- Said by few, late, and about trouble

FEW = 0.05
"""The share of the writers that may say an odd line."""
LEAST_PEERS = 3
LEAST_LINES = 3
"""A writer of fewer lines is nobody's peer."""
LATE = 0.75
"""A line is late if this share of its writer's lines came before it."""
EARLY = 0.2
"""Lines of the first part alone belong to setting up."""
LEAST_SCORE = 2.0
TALKER = 3
"""A rank with so many times the usual number of kinds of its own speaks for all: rank 0, as a rule."""
_SEVERE = regex(
    r"\b(?:err(?:or|no)?s?|errored|fail(?:ed|s|ure|ing)?|fatal|exception|abort(?:ed|ing)?|cannot|can't|could not"
    r"|unable|refus(?:ed|ing)|denied|corrupt(?:ed|ion)?|invalid|illegal|lost|timed? ?out|timeout|stuck|stalled|panic"
    r"|killed|dead|missing|not found|no such|unexpected|mismatch(?:ed)?|exceed(?:ed|s)|exhausted|unreachable|broken"
    r"|crash(?:ed)?|disconnected|overflow|underflow|unhandled|critical|hang|hung|giving up|full|bad|nan|stale|evicted"
    r"|degraded|uncorrectable|truncated|incomplete|inconsistent|diverged|rejected)\b"
    r"|[a-z](?:Error|Exception|Failure)\b",
    re.I,
)
_WORD = regex(r"[A-Za-z]{3,}")


@dataclass(frozen=True)
class Candidate:
    """A template that few say."""

    template: Template
    writers: tuple[int, ...]
    peers: int
    first: Said
    severe: bool
    late: bool
    score: float


def is_severe(text: str) -> bool:
    """Whether a line speaks of trouble."""
    return _SEVERE.search(text) is not None


class Peers:
    """Who is compared with whom: ranks with ranks, files without ranks with files of their kind and stream."""

    def __init__(self, case: Case, census: Census) -> None:
        self._case = case
        self._sizes: dict[object, int] = {}
        for writer, state in census.writers.items():
            if state.lines >= LEAST_LINES:
                self._sizes[self._circle(writer)] = self._sizes.get(self._circle(writer), 0) + 1

    def _circle(self, writer: int) -> object:
        file = file_of(writer)
        if file is None:
            return "ranks"
        log = self._case.files[file]
        return log.kind, log.hints.stream, log.hints.rank is None

    def of(self, writer: int) -> int:
        """How many there are with whom this one compares, itself included."""
        return self._sizes.get(self._circle(writer), 1)


def odd_templates(census: Census, peers: Peers) -> list[Candidate]:
    """Templates that stand out, those that do most first."""
    rare = [t for t in census.worth_telling() if t.standing is not Standing.ROUTINE and not t.aftermath]
    few = [t for t in rare if _is_said_by_few(t, peers)]
    talkers = _talkers(few)
    found = (c for t in few if (c := _judge(t, census, peers, talkers)).score >= LEAST_SCORE)
    return sorted(found, key=lambda c: (-c.score, c.first.file, c.first.offset))


def _is_said_by_few(found: Template, peers: Peers) -> bool:
    others = max(peers.of(w) for w in found.said)
    return len(found.said) <= max(1, int(others * FEW)) and all(s is not None for s in found.said.values())


def _talkers(few: Iterable[Template]) -> set[int]:
    kinds: dict[int, int] = {}
    for found in few:
        for writer in found.said:
            kinds[writer] = kinds.get(writer, 0) + 1
    usual = median(kinds.values()) if len(kinds) >= LEAST_PEERS else 1
    return {w for w, n in kinds.items() if n > max(TALKER * usual, TALKER)}


def _judge(found: Template, census: Census, peers: Peers, talkers: set[int]) -> Candidate:
    writers = tuple(sorted(found.said))
    first = min((s for s in found.said.values() if s is not None), key=lambda s: (s.file, s.offset))
    writer = next(w for w, s in found.said.items() if s is first)
    lines = census.writers[writer].lines
    circle = peers.of(writer)
    severe, late = is_severe(found.text), first.first >= LATE * lines and lines >= LEAST_LINES
    score = min(4.0, log2(circle / len(writers))) if circle >= LEAST_PEERS else 0.0
    score += 3.0 * severe + 2.0 * late
    score -= 2.0 * (len(_WORD.findall(found.text)) < 2) + 3.0 * _is_routine(first, lines) * (not severe)
    score -= 2.0 * (writer in talkers and not severe) + 1.0 * (found.standing is Standing.DECLARED)
    score -= 2.0 * (circle < LEAST_PEERS and not late) + 1.0 * (first.last < EARLY * lines)
    return Candidate(found, writers, circle, first, severe, late, score)


def _is_routine(said: Said, lines: int) -> bool:
    """Whether a writer says it all along."""
    return said.count >= 3 and said.first < lines / 2 < said.last


NEAR_BYTES = 4096
"""Odd lines this near each other in a file belong to one event: a traceback, a block."""


def blocks(candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, int]]:
    """The candidate that stands out most of each event, with the number of the others."""
    taken: dict[tuple[int, tuple[int, ...]], list[list[Candidate]]] = {}
    order: list[list[Candidate]] = []
    for one in candidates:
        events = taken.setdefault((one.first.file, one.writers), [])
        near = next((e for e in events if abs(e[0].first.offset - one.first.offset) <= NEAR_BYTES), None)
        if near is None:
            events.append([one])
            order.append(events[-1])
        else:
            near.append(one)
    return ((event[0], len(event) - 1) for event in order)


# -- Who fell silent first, and what a rank stopped saying, or never said

USUAL = 0.8
"""A kind of line is usual if this share of the ranks says it."""
EARLY_S, PERIODS = 30.0, 3.0
"""Stopped early: by more than this, and by more than so many of the intervals at which the others say it."""
SILENT_LISTED = 4096
MOST_UNSAID = 40
NEAR_LINES = 3
MISSING_IN = 3
"""Of a line that many ranks lack, none is to be told."""


def last_words_by_silence(census: Census, dating: Dating) -> tuple[LastWords, ...]:
    """The last line of every rank, who fell silent first coming first; ranks without a time come last."""
    last = {rank: w.last for rank, w in census.writers.items() if rank >= 0 and w.last is not None}
    stamps = {rank: dating.time(place[0], place[3]) for rank, place in last.items()}
    times = {rank: stamp.epoch for rank, stamp in stamps.items() if stamp is not None}
    end = max(times.values(), default=0.0)
    ordered = sorted(last, key=lambda rank: (times.get(rank, float("inf")), rank))
    return tuple(
        LastWords(rank, dating.evidence(*last[rank], rank), end - times[rank] if rank in times else None)
        for rank in ordered[:SILENT_LISTED]
    )


def unsaid(census: Census, dating: Dating, whole: bool) -> tuple[Unsaid, ...]:
    """What single ranks stopped saying or never said. `whole`: all text was looked at, so absence means something."""
    ranks = [r for r in census.writers if r >= 0]
    if len(ranks) < LEAST_PEERS:
        return ()
    found: list[Unsaid] = []
    for template in census.worth_telling():
        by = {r: s for r, s in template.said.items() if r >= 0 and s is not None}
        if template.aftermath or len(by) != sum(r >= 0 for r in template.said) or len(by) < USUAL * len(ranks):
            continue
        found += _stopped(template, by, dating)
        if whole and 0 < len(ranks) - len(by) <= MISSING_IN:
            found += _never(template, by, [r for r in ranks if r not in by], dating)
    found.sort(key=lambda u: (u.early_s is None, -(u.early_s or 0.0), u.rank, u.evidence.file, u.evidence.line))
    return tuple(_one_of_each(found))[:MOST_UNSAID]


def _one_of_each(found: list[Unsaid]) -> Iterator[Unsaid]:
    """The first of those that stand next to each other: the lines of one block go missing together."""
    told: set[tuple[int, str, int]] = set()
    for one in found:
        near = range(one.evidence.line - NEAR_LINES, one.evidence.line + NEAR_LINES + 1)
        if not any((one.rank, one.evidence.file, line) in told for line in near):
            yield one
        told.add((one.rank, one.evidence.file, one.evidence.line))


def _never(template: Template, by: dict[int, Said], absent: list[int], dating: Dating) -> Iterator[Unsaid]:
    rank, said = next(iter(by.items()))
    evidence = dating.evidence(said.file, said.offset, said.raw, said.stamped, rank)
    yield from (Unsaid(r, template.text, evidence, None, len(by)) for r in absent)


def _stopped(template: Template, by: dict[int, Said], dating: Dating) -> Iterator[Unsaid]:
    if min(s.count for s in by.values()) < 2 or len(by) < LEAST_PEERS:
        return
    lasts = {r: t.epoch for r, s in by.items() if (t := dating.time(s.file, s.last_stamped)) is not None}
    if len(lasts) < len(by):
        return
    usual = median(lasts.values())
    firsts = ((s, dating.time(s.file, s.stamped)) for s in by.values())
    periods = [(usual - t.epoch) / max(s.count - 1, 1) for s, t in firsts if t is not None]
    if not periods:
        return
    period = median(periods)
    for rank, last in lasts.items():
        if usual - last > max(EARLY_S, PERIODS * period):
            said = by[rank]
            evidence = dating.evidence(said.file, said.last_offset, said.last_raw, said.last_stamped, rank)
            yield Unsaid(rank, template.text, evidence, usual - last, len(by) - 1)


# -- A healthy run to compare with

BASELINE_BUDGET = 64 << 20
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
        taken = take(case, budget=BASELINE_BUDGET)
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
