"""One state per rank: its part in every group, its role in the alarm, its last words and its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import group_states, group_status
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.guessed_ranks import guessed_ranks
from logtui.diagnosis.facts.witnesses import dump_states, merged
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Exit, GroupState, RankState
from logtui.diagnosis.predicates.blame import is_single_process
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.predicates.hangs import Hang
from logtui.diagnosis.predicates.missed_others import missed_others
from logtui.diagnosis.predicates.shell_words import SIGNALS, shell_words
from logtui.diagnosis.rules.ranking import SPECIFIC
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.columns import distinct
from logtui.parsers.source import OF_PROGRAMS

OF_ONE_RANK = frozenset({FailureClass.GPU_HARDWARE, FailureClass.GPU_OOM, FailureClass.CUDA_SOFTWARE})
"""Failures that end the rank that reports them."""


def rank_states(facts: Facts, blamed: Iterable[int] = ()) -> tuple[RankState, ...]:
    """Every rank of the job, in order, those without any line included, and those that only the verdict names."""
    named = tuple(sorted(set(blamed) - set(facts.all_ranks)))
    raised: dict[int, ExceptionFact] = {}
    for fact in (*fatal_exceptions(facts), *missed_others(facts).values()):  # who missed another ended as well
        if fact.rank is not None:
            raised.setdefault(fact.rank, fact)
    files, last = _files_by_rank(facts), _last_rows(facts)
    errors = _errors_by_rank(facts)
    seen = set(facts.seen_ranks)
    if named and is_single_process(facts):
        _give_all(facts, raised, files, seen)
    recorded = dump_states(facts.dumps)
    dead = {e.rank for e in facts.causes if e.rank is not None and e.cls in OF_ONE_RANK and e.weight >= SPECIFIC}
    hangs = [Hang(facts, g) for g in facts.collectives.stuck_groups[:1] if g.world]
    absent = {r for hang in hangs for r in hang.never_entered}
    unsure = {r for hang in hangs for r in hang.absent} - absent - set(blamed)
    absent |= {r for hang in hangs for r in hang.absent & set(blamed)}
    guessed, ended = guessed_ranks(facts), _by_shell(facts)
    return tuple(
        _state(
            facts,
            rank,
            raised.get(rank),
            files.get(rank, ()),
            last.get(rank),
            errors.get(rank, 0),
            rank in seen and rank not in unsure,
            rank in absent,
            recorded.get(rank, ()),
            rank in dead,
            rank in guessed,
            ended.get(rank),
        )
        for rank in sorted((*facts.all_ranks, *named))
    )


def _give_all(
    facts: Facts, raised: dict[int, ExceptionFact], files: dict[int, tuple[str, ...]], seen: set[int]
) -> None:
    """What the only process of a job wrote and raised without a number is its rank 0's."""
    seen.add(0)
    files.setdefault(0, tuple(f.name for f in facts.case.files if f.kind in OF_PROGRAMS)[:8])
    if fact := next((f for f in fatal_exceptions(facts) if f.rank is None), None):
        raised.setdefault(0, fact)


def _state(
    facts: Facts,
    rank: int,
    raised: ExceptionFact | None,
    files: tuple[str, ...],
    last_row: int | None,
    errors: int,
    seen: bool,
    absent: bool,
    recorded: tuple[GroupState, ...],
    died: bool,
    guessed: bool,
    ended: Exit | None,
) -> RankState:
    cited: dict[int, Evidence] = {}
    logged = tuple(
        replace(g, evidence=_cited(facts, r.row, rank, cited)) for g, r in group_states(facts.collectives, rank)
    )
    groups = merged(logged, recorded)
    end = _exit(facts, rank) or ended
    return RankState(
        rank,
        facts.identity.hosts.get(rank),
        facts.identity.locals.get(rank),
        files,
        _status(facts, rank, raised, end, seen, absent, died),
        facts.collectives.role(rank),
        groups,
        _cited(facts, last_row, rank, cited) if last_row is not None else None,
        None,
        end,
        errors,
        raised.evidence if raised else None,
        guessed,
    )


def _status(
    facts: Facts,
    rank: int,
    raised: ExceptionFact | None,
    end: Exit | None,
    seen: bool,
    absent: bool,
    died: bool,
) -> str:
    if raised is not None or died:
        return "crashed"
    if end is not None and end.signal == "SIGKILL":
        return "killed"
    if (group := facts.collectives.waits_in.get(rank)) is not None:
        return group_status(group, rank)
    if absent and seen:
        return "never_entered"
    if end is not None and (end.code or end.signal):
        return (
            "crashed"
            if end.signal in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
            else "killed"
            if end.signal == "SIGTERM"
            else "exited"
        )
    return facts.dump_words.get(rank) or ("healthy" if seen else "silent")


def _exit(facts: Facts, rank: int) -> Exit | None:
    found = facts.exits.of_rank(rank)
    if found is None:
        return None
    ahead = found.line - found.record.line
    lines = facts.case.following(found.record, ahead)
    text = lines[ahead].strip()[:400] if ahead < len(lines) else ""
    evidence = Evidence(facts.case.file_name(found.record), found.line, text, found.time, rank=rank)
    return Exit(found.code, found.signal, evidence)


def _by_shell(facts: Facts) -> dict[int, Exit]:
    """The ends of processes whose files are a rank's, in the words of the shells that ran them."""
    told = ((facts.identity.by_file.get(file), line, word, text, file) for file, line, word, text in shell_words(facts))
    return {
        rank: Exit(None, SIGNALS[word], Evidence(facts.case.files[file].name, line, text, rank=rank))
        for rank, line, word, text, file in told
        if rank is not None
    }


def _cited(facts: Facts, row: int, rank: int, cited: dict[int, Evidence]) -> Evidence:
    """A rank's line, held once: what it says of its group is often the last that it says."""
    if row not in cited:
        cited[row] = cite(facts.case, facts.case.records[row], rank)
    return cited[row]


def _files_by_rank(facts: Facts) -> dict[int, tuple[str, ...]]:
    found: dict[int, set[int]] = defaultdict(set)
    for file, rank in facts.identity.by_file.items():
        found[rank].add(file)
    rows = facts.case.records.rows
    for rank, file in distinct(rows["rank"], rows["file"]):
        found[rank].add(file)
    return {r: tuple(facts.case.files[f].name for f in sorted(fs)[:8]) for r, fs in found.items()}


def _last_rows(facts: Facts) -> dict[int, int]:
    """rank → the last row in which it speaks by its own prefix, with text."""
    rows = facts.case.records.rows
    spoken = np.flatnonzero((rows["rank"] >= 0) & (rows["text"] >= 0))
    return dict(zip(rows["rank"][spoken].tolist(), spoken.tolist(), strict=True))


def _errors_by_rank(facts: Facts) -> dict[int, int]:
    found: dict[int, int] = defaultdict(int)
    for event in _ranked(facts):
        found[event] += 1
    return found


def _ranked(facts: Facts) -> Iterable[int]:
    return (e.rank for e in facts.causes if e.rank is not None)
