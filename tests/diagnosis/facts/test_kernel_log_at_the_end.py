"""A kernel's log that a script shows at the end of a worker's file: seconds since boot beside dates."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
STEPS = "".join(f"2026-03-05 09:{n}:00 INFO step {n} loss 2.{n}\n" for n in range(10, 40))
XID = "[1032871.551207] NVRM: Xid (PCI:0000:b1:00): 48, pid=5757, An uncorrectable double bit error (DBE) has been detected on GPU\n"


def test_it_is_of_the_time_at_which_it_was_shown(report_of: ReportOf) -> None:
    first = report_of({"train.log": STEPS + "dmesg | tail\n" + XID}).verdict.first_evidence
    assert first is not None and first.time is not None
    assert first.time > 1.7e9
