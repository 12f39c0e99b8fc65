"""Which lines stand out: said by few, late, and about trouble."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log2
from statistics import median

from logtui.diagnosis.odd_lines.census import Census, Said, Standing, Template
from logtui.diagnosis.odd_lines.taking import file_of
from logtui.parsers.case import Case

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
_SEVERE = re.compile(
    r"\b(?:err(?:or|no)?s?|errored|fail(?:ed|s|ure|ing)?|fatal|exception|abort(?:ed|ing)?|cannot|can't|could not"
    r"|unable|refus(?:ed|ing)|denied|corrupt(?:ed|ion)?|invalid|illegal|lost|timed? ?out|timeout|stuck|stalled|panic"
    r"|killed|dead|missing|not found|no such|unexpected|mismatch(?:ed)?|exceed(?:ed|s)|exhausted|unreachable|broken"
    r"|crash(?:ed)?|disconnected|overflow|underflow|unhandled|critical|hang|hung|giving up|full|bad|nan|stale|evicted"
    r"|degraded|uncorrectable|truncated|incomplete|inconsistent|diverged|rejected)\b"
    r"|[a-z](?:Error|Exception|Failure)\b",
    re.I,
)
_WORD = re.compile(r"[A-Za-z]{3,}")


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
