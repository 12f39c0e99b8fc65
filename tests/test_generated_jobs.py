"""Whole jobs with known truth, headless: verdict, culprits, the proving line, and every rank's counters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from contract import against_schema

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.json_report import as_dict
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import DEMOS, Fault, JobSpec, Layout, Truth, generate
from logtui.parsers.generator.stage.spec import Framework

NEAR_LINES = 2
"""The first evidence counts when it is this near the line the truth names: a traceback's head is as good as its end."""

_STALL = JobSpec(fault=Fault.DATA_STALL, world_size=16, culprits=(5,))
JOBS: Mapping[str, JobSpec] = {
    **{f"demo {name}": spec for name, spec in DEMOS.items()},
    **{
        f"PyTorch {v}": replace(_STALL, pytorch=v)
        for v in ("1.12", "2.0", "2.1", "2.2", "2.4", "2.5", "2.6", "2.9", "2.14")
    },
    **{f"healthy {f.value}": JobSpec(fault=Fault.HEALTHY, world_size=16, framework=f) for f in Framework},
    **{f"layout {layout.value}": replace(_STALL, pytorch="2.7", layout=layout) for layout in Layout},
}


@dataclass(frozen=True)
class Judged:
    """What was written, and what the diagnosis says about it."""

    truth: Truth
    report: Report


@pytest.fixture(scope="module", params=JOBS, ids=lambda name: name.replace(" ", "-"))
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """One job, written and diagnosed."""
    folder: Path = tmp_path_factory.mktemp("job")
    truth = generate(JOBS[request.param], folder)
    analysis = analyse_whole([folder])
    analysis.case.close()
    return Judged(truth, analysis.report)


def test_the_class(job: Judged) -> None:
    assert job.report.verdict.cls in {job.truth.cls, *job.truth.accept}, job.report.verdict.title


def test_the_culprits(job: Judged) -> None:
    assert job.report.verdict.culprit_ranks == job.truth.culprit_ranks, job.report.verdict.title


def test_the_first_evidence(job: Judged) -> None:
    said = job.report.verdict.first_evidence
    places = [p for p in (job.truth.first_bad_line, *job.truth.also_first) if p is not None]
    if places:
        assert said is not None
        near = any(said.file == p.file and abs(said.line - p.line) <= NEAR_LINES for p in places)
        assert near, f"{said.place} {said.text[:100]!r}, not {[(p.file, p.line, p.text[:100]) for p in places]}"


def test_the_counters_of_every_rank(job: Judged) -> None:
    seen = {(r.rank, g.enqueued, g.completed) for r in job.report.ranks for g in r.groups}
    wanted = {(rank, s.enqueued, s.completed) for rank, s in job.truth.nccl_state.items()}
    assert wanted <= seen, sorted(wanted - seen)[:5]


def test_every_citation_holds(job: Judged) -> None:
    assert job.report.verification.failed == ()


def test_the_report_fits_the_published_schema(job: Judged) -> None:
    assert against_schema(as_dict(job.report)) == []
