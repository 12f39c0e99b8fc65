"""The decision over rank × group: what the witnesses say of each rank, and whom each row of the table blames."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.hangs import TABLE, Hang, blamed, bystanders, circle, followed, hangs
from logtui.diagnosis.verdict.engine import all_rules

FactsOf = Callable[[Mapping[str, str]], Facts]
Blamed = dict[str, tuple[int, ...]]


def blamed_by_rule(facts: Facts) -> Blamed:
    """Each rule whose row holds of the first stuck group, and whom it blames."""
    found = ((rule, next(blamed(facts, rule), None)) for rule in TABLE)
    return {rule: one[1] for rule, one in found if one is not None}


def test_each_row_is_of_a_rule() -> None:
    assert TABLE.keys() <= {rule.id for rule in all_rules()}


def test_the_columns_of_one_group(facts_of: FactsOf, lines: Any) -> None:
    text = "".join(lines.victim(r) for r in range(4)) + lines.victim(4, seq=1230, enqueued=1240) + lines.notified(5)
    (hang,) = hangs(facts_of({"job.log": text}))
    assert hang.waiting == {0, 1, 2, 3, 4}
    assert hang.behind == {4}
    assert hang.absent == hang.idle == hang.never_entered == {5}
    assert (hang.unheard, hang.late, hang.given_up) == (set(), {}, set())


def _told(lines: Any) -> str:
    return "".join(lines.victim(r) for r in range(8) if r != 5) + str(lines.notified(5))


def _behind(lines: Any) -> str:
    return "".join(lines.victim(r) for r in range(7)) + str(lines.victim(7, seq=1230))


def _late(lines: Any) -> str:
    last = lines.timeout(7, clock="04:13:39") + lines.status(7, 1234, 1234, 1233)
    return "".join(lines.victim(r) for r in range(7)) + str(last)


def _alone(lines: Any) -> str:
    return str(lines.victim(0)) + "".join(lines.notified(r) for r in range(1, 5))


def _half(lines: Any) -> str:
    return "".join(lines.victim(r, seq=1230 + r % 2) for r in range(8))


def _first(lines: Any) -> str:
    return "".join(lines.victim(r, seq=2) for r in range(4))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(_told, {"never-entered": (5,)}, id="one was only told"),
        pytest.param(_behind, {"rank-behind": (7,)}, id="one is behind"),
        pytest.param(_late, {"latecomer": (7,)}, id="one began late"),
        pytest.param(_alone, {"background-thread": (0,), "lone-caller": (0,)}, id="one waits alone"),
        pytest.param(_half, {}, id="as many behind as ahead"),
        pytest.param(_first, {"none-finished": (), "transport-setting": ()}, id="all wait in the second operation"),
    ],
)
def test_whom_the_table_blames(facts_of: FactsOf, lines: Any, text: Callable[[Any], str], expected: Blamed) -> None:
    assert blamed_by_rule(facts_of({"job.log": text(lines)})) == expected


def _pairs(lines: Any, *groups: tuple[int, str]) -> str:
    """Each rank waits in a group of its own."""
    return "".join(
        lines.timeout(rank, seq=80) + lines.status(rank, 80, 84, 79, f"PG ID 5 PG GUID {93 + n}({kind})")
        for n, (rank, kind) in enumerate(groups)
    )


def test_waits_are_followed_through_groups_to_who_was_told(facts_of: FactsOf, lines: Any) -> None:
    facts = facts_of(
        {"job.log": _pairs(lines, (1, "TENSOR"), (3, "TENSOR")) + lines.notified(0, 1) + lines.notified(2, 3)}
    )
    assert followed(facts) == (0, 2)
    assert bystanders(facts) == {0, 2}
    assert circle(facts) == []


def test_a_circle_needs_groups_of_two_kinds(facts_of: FactsOf, lines: Any) -> None:
    round_ = facts_of({"job.log": _pairs(lines, (0, "TENSOR"), (1, "DATA"))})
    assert len(circle(round_)) == 2
    assert followed(round_) == ()


def test_ranks_of_one_kind_of_group_are_no_circle(facts_of: FactsOf, lines: Any) -> None:
    assert circle(facts_of({"job.log": _pairs(lines, (0, "DATA"), (1, "DATA"))})) == []


def test_a_mismatch_is_the_minority_s(facts_of: FactsOf, lines: Any) -> None:
    text = "".join(lines.victim(r) for r in range(3)) + lines.timeout(3, numel=8) + lines.status(3, 1234, 1234, 1233)
    facts = facts_of({"job.log": text})
    ((odd, alike),) = Hang(facts, facts.collectives.stuck_groups[0]).mismatched
    assert ([t.rank for t in odd], len(alike)) == ([3], 4)
