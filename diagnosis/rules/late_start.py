"""A node, pod or rank started only after the others had given up waiting for it: the job never formed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from logtui.diagnosis.evidence import cite, cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.late_start import LateStart, late_start
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import LATE_START
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass

NAMED = 3
"""Files that a title names."""


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.lived or facts.outcome.completed is not None or facts.collectives.stuck_groups:
        return
    if (found := late_start(facts)) is not None:
        yield _claim(facts, found)


def _claim(facts: Facts, found: LateStart) -> Claim:
    names = [facts.case.files[s.file].name for s in found.late]
    ranks = _ranks_of(facts, [s.file for s in found.late])
    who = named_ranks(ranks) if ranks else ", ".join(names[:NAMED])
    gave_up = cite(facts.case, found.gave_up.record, found.gave_up.rank)
    begun = [cite_unknown(facts.case, s.file, s.line) for s in (*found.late, found.first)]
    return Claim(
        title=f"{who} started {found.seconds / 60:.0f} minutes after the others, who had given up waiting",
        cls=FailureClass.INIT_RENDEZVOUS,
        first=gave_up,
        order=(found.first.at, found.first.file, found.first.line),
        rung=LATE_START,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=(*begun, gave_up),
        missing=(f"why {who} started late: its node's events (image pull, mount, queue)",),
        what=f"{who} began when the others' wait had ended",
    )


def _ranks_of(facts: Facts, files: Sequence[int]) -> tuple[int, ...]:
    """Ranks that write into one of these files and into no other."""
    rows = facts.case.records.rows
    named = np.unique(rows["rank"][np.isin(rows["file"], files) & (rows["rank"] >= 0)]).tolist()
    return tuple(r for r in named if facts.identity.sole_file(r) in files)


RULE = Rule(
    id="late-start",
    title="A node started when the others had given up",
    claim="Most files begin together and give up waiting for the job to form; a few begin minutes later, after that.",
    needs="a dated line at the head of each node's or rank's file",
    refuted_by="a step, a collective: then the job had formed",
    find=_find,
    advice=(
        Advice(
            "infrastructure",
            "find out what held the late node up (image pull, mount, queue), or raise the rendezvous timeout over it",
        ),
    ),
    maturity="tried",
    references=("pytorch torch/csrc/distributed/c10d/TCPStore.cpp",),
)
