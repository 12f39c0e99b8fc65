"""A job that still runs: what is late by its own pace, and what changed since the last look."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.overdue import alarms
from logtui.diagnosis.session.watching import Watch

FactsOf = Callable[[dict[str, str]], Facts]
TEN = 1_772_704_800.0  # 2026-03-05T10:00:00


def stamp(at: float) -> str:
    minutes, seconds = divmod(int(at), 60)
    return f"2026-03-05 {10 + minutes // 60:02}:{minutes % 60:02}:{seconds:02}"


def steps(count: int, every: float = 10.0, rank: int = 0, first: int = 0) -> str:
    lines = (f"{stamp(n * every)} INFO rank {rank} step {n}/500 loss 2.5\n" for n in range(first, first + count))
    return "".join(lines)


def job(odd: str = "", count: int = 30) -> dict[str, str]:
    return {f"rank{r}.log": steps(count, rank=r) + (odd if r == 2 else "") for r in range(6)}


def kinds(facts: Facts, after: float) -> list[str]:
    return [a.kind for a in alarms(facts, TEN + after)]


def test_a_step_is_late_by_the_job_s_own_pace(facts_of: FactsOf) -> None:
    facts = facts_of(job())
    assert kinds(facts, 290 + 100) == []
    assert kinds(facts, 290 + 130) == ["steps-overdue"]


def test_who_ended_with_other_words_is_named(facts_of: FactsOf) -> None:
    (alarm,) = alarms(facts_of(job(f"{stamp(291)} INFO rank 2 opening shard-000057.tar\n")), TEN + 600)
    assert alarm.ranks == (2,)
    assert alarm.evidence is not None and alarm.evidence.text.endswith("opening shard-000057.tar")


def test_a_pause_that_the_job_has_had_before_is_not_late(facts_of: FactsOf) -> None:
    lines = steps(20) + steps(20, first=80)  # ten minutes of evaluation
    facts = facts_of({"rank0.log": lines})
    assert kinds(facts, 990 + 900) == []
    assert kinds(facts, 990 + 1300) == ["steps-overdue"]


def test_a_job_that_completed_owes_nothing(facts_of: FactsOf) -> None:
    assert kinds(facts_of({"rank0.log": steps(30) + f"{stamp(300)} INFO training finished\n"}), 99_999) == []


def test_lines_of_another_zone_do_not_make_the_steps_late(facts_of: FactsOf) -> None:
    """One program prints its steps in UTC and its warnings in local time."""
    warned = "WARNING error while reading 'corpus/shard-00012.tar', retrying 1/5\n"
    lines = [line + f"{stamp(8 * 3600 + 10 * n + 3)} {warned}" for n, line in enumerate(steps(30).splitlines(True))]
    facts = facts_of({"rank0.log": "".join(lines)})
    assert kinds(facts, 8 * 3600 + 290 + 100) == []
    assert kinds(facts, 8 * 3600 + 290 + 600) == ["steps-overdue"]


def test_a_set_up_that_does_not_end_is_late(facts_of: FactsOf) -> None:
    line = "{s} node007:{p}:9 [{r}] NCCL INFO comm 0x5{r} rank {r} nranks 4 cudaDev {r} nvmlDev {r} busId {r}b000 commId 0x57 - Init {w}\n"
    text = "".join(line.format(s=stamp(r), p=100 + r, r=r, w="START") for r in range(4))
    text += "".join(line.format(s=stamp(9), p=100 + r, r=r, w="COMPLETE") for r in range(3))
    found = alarms(facts_of({"job.log": text}), TEN + 400)
    assert [(a.kind, a.ranks) for a in found] == [("set-up-unfinished", (3,))]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    for name, text in job().items():
        (tmp_path / "logs" / name).write_text(text)
        os.utime(tmp_path / "logs" / name, (TEN, TEN))
    return tmp_path / "logs"


def test_each_change_is_said_once(logs: Path) -> None:
    now = TEN
    watch = Watch([logs], clock=lambda: now)
    assert watch.look() == []
    now += 200
    assert [c.kind for c in watch.look()] == ["steps-overdue"]
    assert watch.look() == []
    for rank in range(6):
        with (logs / f"rank{rank}.log").open("a") as file:
            file.write(steps(2, rank=rank, first=50))
        os.utime(logs / f"rank{rank}.log", (now, now))
    assert [c.kind for c in watch.look()] == ["calm"]
    (logs / "rank0.log").write_text((logs / "rank0.log").read_text() + f"{stamp(530)} INFO training finished\n")
    assert [c.kind for c in watch.look()] == ["completed"]
    assert watch.ended
