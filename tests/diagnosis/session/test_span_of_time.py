"""A report of a span of time: what it concludes, where it points, what it says of the rest."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from logtui.diagnosis.facts.census import take
from logtui.diagnosis.facts.last_words import last_words
from logtui.diagnosis.options import Options
from logtui.diagnosis.report.json_report import dumps
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.session.opening import analyse_whole
from logtui.diagnosis.session.watching import Watch
from logtui.parsers.files.case import Case

_START = "2026-02-24 {h:02d}:00:01 INFO train.py:31] world size 1\n"
_STEPS = "".join(f"2026-02-24 {{h:02d}}:{m:02d}:00 INFO train.py:88] step {m} loss 2.31\n" for m in range(1, 30))
_RAISED = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 97, in main\n    run()\n'
_FULL = _RAISED + "OSError: [Errno 28] No space left on device: '/mnt/out/step-30.pt'\n"
_MEMORY = _RAISED + (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB "
    "of which 1.20 GiB is free.\n"
)


def _attempt(hour: int, end: str) -> str:
    return _START.format(h=hour) + _STEPS.format(h=hour) + end


JOB = _attempt(9, _FULL) + _attempt(13, _MEMORY)
SECOND = _attempt(9, _FULL).count("\n") + 1


@pytest.fixture(params=["rank0.log", "rank0.log.gz"])
def job(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Two attempts of one rank in one file, plain and packed."""
    name = str(request.param)
    (tmp_path / name).write_bytes(gzip.compress(JOB.encode()) if name.endswith("gz") else JOB.encode())
    return tmp_path


@pytest.mark.parametrize(
    ("options", "cls", "words"),
    [
        (Options(until="12:00"), "storage-io", "No space left"),
        (Options(since="12:00"), "gpu-oom", "CUDA out of memory"),
    ],
    ids=["the first attempt", "the second"],
)
def test_the_verdict_is_of_that_time_alone(job: Path, options: Options, cls: str, words: str) -> None:
    found = analyse_whole([job], options)
    first = found.report.verdict.first_evidence
    found.case.close()
    assert first is not None
    assert (found.report.verdict.cls, found.report.job.attempts) == (cls, 1)
    assert words in JOB.splitlines()[first.line - 1]
    assert found.report.verification.failed == ()


def test_no_line_that_was_left_out_is_looked_at(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is an empty line at its number; of a long job there are millions."""
    found = analyse_whole([job], Options(since="12:00"))
    assert found.facts is not None
    asked, bodies = [], Case.bodies

    def noted(case: Case, file: int, first: int, count: int) -> list[str]:
        asked.append(first)
        return bodies(case, file, first, count)

    monkeypatch.setattr(Case, "bodies", noted)
    assert len(last_words(found.facts.identity, 0, 1000)) > len(_STEPS.splitlines())
    assert min(asked) == SECOND
    assert take(found.case).bytes_read == len(_attempt(13, _MEMORY))
    found.case.close()


def test_what_was_left_out_is_said(job: Path) -> None:
    found = analyse_whole([job], Options(since="12:00"))
    found.case.close()
    coverage, left = found.report.coverage, SECOND - 1
    assert coverage.window is not None
    assert (coverage.lines, coverage.window.lines_left_out) == (JOB.count("\n") - left, left)
    assert coverage.bytes + coverage.window.bytes_left_out == len(JOB)
    assert '"since": "2026-02-24T12:00:00"' in dumps(found.report)
    text = render(found.report)
    assert "**Only what was written from 2026-02-24 12:00:00**" in text
    assert f"{left:,} lines" in text


def test_without_a_span_nothing_is_said_of_one(job: Path) -> None:
    found = analyse_whole([job])
    found.case.close()
    assert found.report.coverage.window is None
    assert '"window"' not in dumps(found.report)


def test_a_watch_of_the_newest_minutes(tmp_path: Path) -> None:
    (tmp_path / "rank0.log").write_text(JOB)
    watch = Watch([tmp_path], Options(since="-1h"))
    assert [change.cls for change in watch.look()] == ["gpu-oom"]
