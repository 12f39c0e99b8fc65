"""What speaks against each sign of life."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.health import AGAINST, Sign, stands

FactsOf = Callable[[Mapping[str, str]], Facts]

STEPS = "".join(f"2026-11-21 04:10:{n:02d},000 INFO train: step {n} loss 2.31 step_time 0.500s\n" for n in range(40))
RAISED = (
    "[rank3]: Traceback (most recent call last):\n"
    '[rank3]:   File "/opt/job/train.py", line 7, in main\n'
    "[rank3]: AttributeError: 'NoneType' object has no attribute 'shape'\n"
)
KILLED = (
    "[default2]:[rank2]: hello\n"
    "E1121 04:12:12.014000 11807 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -9) "
    "local_rank: 2 (pid: 4242) of binary: /usr/bin/python3\n"
)
LOST = (
    "node001:4411:4602 [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer node9<46776>\n"
)


def standing(facts: Facts) -> set[Sign]:
    return {sign for sign in Sign if stands(facts, sign)}


def test_each_sign_has_what_speaks_against_it() -> None:
    assert set(AGAINST) == set(Sign)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(STEPS, {Sign.STEPS, Sign.LEFT, Sign.PROGRESS}, id="nothing"),
        pytest.param(STEPS + RAISED, {Sign.STEPS}, id="an exception, which a rule of its own weighs"),
        pytest.param(STEPS + KILLED, set(), id="a killed process"),
        pytest.param(STEPS + LOST, set(), id="a lasting echo"),
        pytest.param(
            STEPS[: len(STEPS) // 2] + LOST + STEPS[len(STEPS) // 2 :], {Sign.STEPS, Sign.LEFT}, id="an echo outlived"
        ),
    ],
)
def test_what_stands(facts_of: FactsOf, text: str, expected: set[Sign]) -> None:
    assert standing(facts_of({"job.log": text})) == expected


def test_a_hang_speaks_against_all(facts_of: FactsOf, lines: Any) -> None:
    assert standing(facts_of({"job.log": STEPS + lines.victim(0) + lines.victim(1)})) == set()
