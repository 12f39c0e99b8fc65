"""A cause that a person declares: the report follows it, and says whose word it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from logtui.diagnosis.model.analyses import Explained
from logtui.diagnosis.model.evidence import Evidence, MarkedLine
from logtui.diagnosis.model.report import (
    ChainStep,
    Coverage,
    JobFacts,
    RankState,
    Report,
    RunnerUp,
    TimelineEvent,
    Verdict,
)
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.verdict.declared import declared

EARLY = Evidence("a.log", 5, "disk is gone", 100.0, rank=3)
WATCHDOG = Evidence("a.log", 40, "watchdog", 200.0, rank=1)
END = Evidence("a.log", 60, "srun: killed", 300.0)
OTHER = RunnerUp("network", "the link of rank 3 broke", "it is earlier", (EARLY,))


@pytest.fixture
def report() -> Report:
    verdict = Verdict("unknown", "a watchdog fired", "low", (1,), (), WATCHDOG, (), ("a dump",), "own")
    chain = (
        ChainStep(1, "a wait", 200.0, evidence=(WATCHDOG,), leads_to=2),
        ChainStep(2, "end", 300.0, evidence=(END,)),
    )
    return Report(
        "1", JobFacts(), Coverage(), verdict, chain, ranks=(RankState(3, host="node3"),),
        timeline=(TimelineEvent(200.0, "exact", "nccl", 1, "watchdog", "a.log", 40, proof=True),),
        explained=(Explained("cause", "", "watchdog", WATCHDOG),),
    )  # fmt: skip


def line(evidence: Evidence) -> MarkedLine:
    return MarkedLine(evidence.file, evidence.line, evidence.text, "", evidence.rank, evidence.time)


def test_verdict_chain_and_timeline_follow(report: Report) -> None:
    found = declared(report, line(EARLY), EARLY.text)
    assert found.verdict.title == "rank 3: disk is gone (declared by the user)"
    assert (found.verdict.culprit_ranks, found.verdict.culprit_hosts) == ((3,), ("node3",))
    assert found.verdict.runners_up[0].title == "a watchdog fired"
    assert [(s.step, s.time, s.leads_to) for s in found.chain] == [(1, 100.0, 2), (2, 200.0, 3), (3, 300.0, None)]
    assert [(e.line, e.proof) for e in found.timeline] == [(5, True), (40, True)]
    assert found.revisions[-1].was == "a watchdog fired"
    assert found.explained[0].verdict == "unexplained"


def test_what_came_before_is_no_part_of_the_chain(report: Report) -> None:
    found = declared(report, line(END), END.text)
    assert [s.evidence[0].line for s in found.chain] == [60]


def test_a_verdict_that_lost_and_rests_on_the_line_lends_its_words(report: Report) -> None:
    lost = replace(report, verdict=replace(report.verdict, runners_up=(OTHER,)))
    found = declared(lost, line(EARLY), EARLY.text)
    assert (found.verdict.cls, found.verdict.title) == ("network", f"{OTHER.title} (declared by the user)")
    assert [r.cls for r in found.verdict.runners_up] == ["unknown"]


def test_a_format_that_knows_the_line_lends_its_class(report: Report) -> None:
    text = "CUDA out of memory. Tried to allocate 2.00 GiB"
    found = declared(report, MarkedLine("a.log", 5, f"torch.OutOfMemoryError: {text}", "", 3, 100.0), text)
    assert found.verdict.cls == "gpu-oom"


def test_the_ticket_says_whose_word_it_is(report: Report) -> None:
    assert "declared by the user" in render(declared(report, line(EARLY), EARLY.text))
