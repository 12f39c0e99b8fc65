"""Exceptions in a program's own words: when they were raised, and on how many ranks, says what they are of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(
    f"2026-11-21 04:10:{n:02d},000 INFO step {n} loss {2 - n / 57:.3f} step_time 0.500s\n" for n in range(40)
)


def _traceback(said: str, source: str, path: str = "/opt/job/parts.py") -> str:
    frames = (
        f'  File "/opt/job/train.py", line 57, in <module>\n    main()\n  File "{path}", line 7, in go\n    {source}\n'
    )
    return f"Traceback (most recent call last):\n{frames}{said}\n"


def _job(raised: str, by: frozenset[int], steps: str) -> dict[str, str]:
    """The files of four ranks, of which some raised."""
    head = "2026-11-21 04:09:00,000 INFO rank={} world_size=4 host=node57\n"
    return {f"rank_{n}.log": head.format(n) + steps + (raised if n in by else "") for n in range(4)}


ALL, ONE = frozenset(range(4)), frozenset({2})
REFUSED = _traceback("ValueError: 57 is neither this nor that", "raise ValueError(f'{n} is neither this nor that')")
LACKS = _traceback("KeyError: 'w57'", "return TABLE[word]")


@pytest.mark.parametrize(
    ("raised", "by", "steps", "cls"),
    [
        (REFUSED, ALL, "", "config"),
        (REFUSED, ONE, STEPS, "data"),
        (REFUSED.replace("raise", "if n > 5: raise"), ALL, "", "config"),
        (LACKS, ONE, STEPS, "software"),
        (REFUSED, ALL, STEPS, "software"),
        (LACKS, ALL, "", "software"),
        (_traceback("AssertionError", "assert len(parts) == 57"), ALL, "", "software"),
        (
            _traceback("AssertionError: 57 parts", "assert parts == 57, text").replace("in go", "in backward"),
            ALL,
            "",
            "software",
        ),
        (_traceback("RuntimeError: shape '[5, 7]' is odd", "return x.view(5, 7)"), ONE, STEPS, "software"),
        (_traceback("ValueError: loss is 57", "raise ValueError(f'loss is {loss}')"), ONE, STEPS, "software"),
        (
            _traceback("ValueError: 57 is odd", "raise ValueError(text)", "/opt/job/save_state.py"),
            ONE,
            STEPS,
            "software",
        ),
    ],
    ids=[
        "all refuse before any step",
        "one refuses amid the steps",
        "all refuse behind a condition",
        "one lacks a key amid the steps",
        "all refuse amid the steps",
        "all lack a key before any step",
        "an assertion for nobody",
        "in a first step",
        "a kernel's words",
        "of the numbers of the model",
        "while it saves",
    ],
)
def test_when_and_on_whom(report_of: ReportOf, raised: str, by: frozenset[int], steps: str, cls: str) -> None:
    verdict = report_of(_job(raised, by, steps)).verdict
    assert (verdict.rule, verdict.cls, verdict.confidence != "high") == ("first-exception", cls, True)
