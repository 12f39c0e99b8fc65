"""How the phases of a run ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.json_report import as_dict
from logtui.diagnosis.report.markdown import render

ReportOf = Callable[[Mapping[str, str]], Report]
STEPS = "".join(f"step {n} loss 2.{n}\n" for n in range(1, 9))
DONE = "`Trainer.fit` stopped: `max_steps=8` reached.\n"
RAISED = """Traceback (most recent call last):
  File "/opt/job/train.py", line 57, in <module>
    main()
  File "/opt/job/train.py", line 42, in {function}
    raise ValueError("no such thing")
ValueError: no such thing
"""


@pytest.mark.parametrize(
    ("text", "phases"),
    [
        (RAISED.format(function="main"), "set-up failed"),
        (STEPS + RAISED.format(function="train"), "set-up well, training failed"),
        (STEPS + DONE, "set-up well, training well"),
        (STEPS + DONE + RAISED.format(function="evaluate"), "set-up well, training well, evaluation failed"),
        (
            STEPS
            + "slurmstepd: error: *** JOB 4821 ON node007 CANCELLED AT 2026-01-02T03:04:05 DUE TO TIME LIMIT ***\n",
            "set-up well, training stopped",
        ),
        (STEPS, "set-up well, training not known"),
    ],
    ids=["at the start", "in training", "done", "in evaluation", "stopped", "running"],
)
def test_phases_of_a_run(text: str, phases: str, report_of: ReportOf) -> None:
    report = report_of({"train.log": text})
    assert f"| Phases | {phases} |" in render(report)
    told = [f"{p['phase']} {p['ended']}" for p in as_dict(report)["phases"]]
    assert ", ".join(told) == phases
