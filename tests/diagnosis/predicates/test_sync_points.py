"""What a stuck collective is likely for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.predicates.sync_points import SYNC_POINTS

ReportOf = Callable[[Mapping[str, str]], Report]
NEMO = "[NeMo I 2026-11-21 04:00:00 exp_manager:400] Experiments will be logged at /results/a\n"


@pytest.mark.parametrize(
    ("head", "op", "size", "expected"),
    [
        (NEMO, "BROADCAST", 1, "PreemptionCallback"),
        ("", "BROADCAST", 1, "rank 0 tells all"),
        ("", "ALLREDUCE", 4096, "gradients"),
        ("", "ALLTOALL", 4096, ""),
    ],
)
def test_the_chain_says_it(head: str, op: str, size: int, expected: str, report_of: ReportOf, lines: Any) -> None:
    text = head + "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    text = text.replace("OpType=ALLREDUCE", f"OpType={op}").replace("NumelIn=4096", f"NumelIn={size}")
    waits = next(s.what for s in report_of({"job.log": text}).chain if "for its limit" in s.what)
    assert f"NumelIn={size}" in text
    assert (expected in waits) if expected else not any(p.words in waits for p in SYNC_POINTS)
