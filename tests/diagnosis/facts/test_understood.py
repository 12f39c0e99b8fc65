"""What share of the lines is understood, and as what."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(f"step {n} loss 2.{n}\n" for n in range(50))
OWN = "".join(f"reactor {n} holds its field\n" for n in range(20))
RECORDS = "".join(f"2025-11-21 04:12:{n:02d} INFO coolant at {n} degrees\n" for n in range(20))
STACK = (
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    run()\nTypeError: no run\n'
)


def test_shares_and_sentences(report_of: ReportOf) -> None:
    coverage = report_of({"train.log": STEPS + OWN + RECORDS + "\n" * 6 + STACK}).coverage
    shares = {u.what: u.share for u in coverage.understood}
    assert (shares["progress"], shares["free text"], shares["log record"], shares["empty"]) == (0.5, 0.2, 0.2, 0.06)
    assert {(s.sentence, s.share, s.line) for s in coverage.unknown_sentences} >= {
        ("reactor <n> holds its field", 0.2, 51)
    }
    assert sum(shares.values()) == 1.0


def test_long_files_are_read_in_stretches(report_of: ReportOf) -> None:
    coverage = report_of({"train.log": STEPS * 40 + OWN * 100}).coverage
    shares = {u.what: u.share for u in coverage.understood}
    assert 0.3 < shares["progress"] < 0.7
    assert coverage.unknown_sentences[0].sentence == "reactor <n> holds its field"
