"""A job's logs as collectors keep them are judged as the job's own files are."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import Fault, JobSpec, Layout, generate

Wrap = Callable[[int, str], str]
WRAPS: Mapping[str, Wrap] = {
    "compose": lambda _, line: f"trainer-1  | {line}",
    "kubectl": lambda _, line: f"[pod/llm-worker-0/pytorch] {line}",
    "stern": lambda _, line: f"llm-worker-0 pytorch {line}",
    "cat -n": lambda n, line: f"{n:6}\t{line}",
    "grep -n": lambda n, line: f"train.log:{n}:{line}",
    "grep -n of one file": lambda n, line: f"{n}:{line}",
    "mail": lambda _, line: f"> {line}",
    "JSON": lambda _, line: json.dumps({"stream": "stderr", "message": line}),
    "CR LF": lambda _, line: f"{line}\r",
}
JOBS = {
    "stall": JobSpec(fault=Fault.DATA_STALL, world_size=16, culprits=(5,), layout=Layout.PER_NODE),
    "exception": JobSpec(fault=Fault.EXCEPTION_ONE_RANK, world_size=16, culprits=(3,), layout=Layout.MERGED),
}


@pytest.fixture(scope="module", params=JOBS)
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """A job's folder, and what is said of it."""
    folder = tmp_path_factory.mktemp("job")
    generate(JOBS[request.param], folder)
    return folder, _report(folder)


def _report(folder: Path) -> Report:
    analysis = analyse_whole([folder])
    analysis.case.close()
    return analysis.report


@pytest.mark.parametrize("wrap", WRAPS.values(), ids=list(WRAPS))
def test_the_same_verdict(job: tuple[Path, Report], wrap: Wrap, tmp_path: Path) -> None:
    folder, plain = job
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".json"):
        text = path.read_bytes().decode("utf-8", "replace")
        lines = text.removesuffix("\n").split("\n")
        target = tmp_path / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes("".join(wrap(n, line) + "\n" for n, line in enumerate(lines, 1)).encode())
    found = _report(tmp_path)
    assert _judged(found) == _judged(plain)
    assert found.verification.failed == ()


def _judged(report: Report) -> tuple[object, ...]:
    verdict, first = report.verdict, report.verdict.first_evidence
    counters = {(r.rank, g.enqueued, g.completed) for r in report.ranks for g in r.groups}
    return verdict.cls, verdict.title, verdict.culprit_ranks, first and (first.file, first.line), counters


def test_all_times_are_the_collectors(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    generate(JOBS["stall"], tmp_path / "job")
    logs.mkdir()
    for path in (tmp_path / "job").glob("*.*"):
        lines = path.read_bytes().splitlines(keepends=True)
        text = (b"2031-03-04T05:%02d:%02d.5Z " % divmod(n // 20, 60) + line for n, line in enumerate(lines))
        (logs / path.name).write_bytes(b"".join(text))
    report = _report(logs)
    words = next(r.last_words for r in report.ranks if r.rank == 5)
    assert words is not None
    times = [e.time for e in report.timeline if e.time is not None]
    assert report.verdict.culprit_ranks == (5,)
    assert {clock.gmtime(t).tm_year for t in [*times, words.time or 0.0]} == {2031}
