"""A difference in sequence numbers, told as steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import Fault, JobSpec, generate


@pytest.mark.parametrize(("steps", "said"), [(62, True), (5, False)], ids=["long run", "too short to tell"])
def test_how_many_steps_a_rank_is_behind(tmp_path: Path, steps: int, said: bool) -> None:
    generate(JobSpec(fault=Fault.STRAGGLER_BEHIND, world_size=16, culprits=(3,), seq=4 * steps + 1), tmp_path)
    chain = analyse_whole([tmp_path]).report.chain
    assert ("at 4.0 a step" in chain[0].what) is said


def test_a_rank_that_waits_for_its_data_is_not_behind(tmp_path: Path) -> None:
    generate(JobSpec(fault=Fault.DATA_STALL, world_size=16, culprits=(3,), seq=249), tmp_path)
    assert "behind" not in analyse_whole([tmp_path]).report.chain[0].what
