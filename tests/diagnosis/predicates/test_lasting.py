"""What lasted to the end, though the steps went on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
EPOCH = "2026-01-02 03:{n:02d}:05 INFO: epoch {n} of 20, train_loss {loss:.3f}\n"
NOT_SAVED = "2026-01-02 03:{n:02d}:06 WARNING: checkpoint {n} was not written ([Errno 122] Disk quota exceeded)\n"
SAVED = "2026-01-02 03:{n:02d}:06 INFO: checkpoint {n} was saved\n"
DONE = "2026-01-02 03:21:05 INFO: training completed\n"


def _epochs(*saved: bool) -> str:
    lines = ((EPOCH, SAVED if well else NOT_SAVED) for well in saved)
    return "".join(
        line.format(n=n, loss=2.3 - n * 0.05) for n, (epoch, word) in enumerate(lines, 1) for line in (epoch, word)
    )


@pytest.mark.parametrize(
    ("saved", "cls"),
    [((False,) * 20, "storage-io"), ((*(False,) * 19, True), "healthy"), ((*(True,) * 18, False, False), "healthy")],
    ids=["never", "at last", "twice"],
)
def test_what_could_never_be_saved(saved: tuple[bool, ...], cls: str, report_of: ReportOf) -> None:
    verdict = report_of({"train.log": _epochs(*saved) + DONE}).verdict
    assert verdict.cls == cls
    assert (verdict.first_evidence and verdict.first_evidence.line) == (2 if cls == "storage-io" else None)
