"""Ranks whose numbers no line names."""

from __future__ import annotations

from pathlib import Path

import pytest

from logtui.diagnosis.session.opening import analyse_whole

_STEP = "2026-02-24 15:00:0{n} INFO train.py:88] step 12 loss 2.31\n"
_LABELLED = "".join(f"{n}: {_STEP.format(n=n)}" for n in range(4))
_NAMED = "".join(f"[rank{n}]: {_STEP.format(n=n)}" for n in range(4))
_TEE = "".join(f"[default{n}]:{_STEP.format(n=n)}" for n in range(4))


@pytest.mark.parametrize(
    ("text", "guessed"),
    [("world size 4\n" + _LABELLED, {0, 1, 2, 3}), (_NAMED, set()), (_TEE + _NAMED, set())],
    ids=["task labels", "named", "tee headers of ranks that are named elsewhere"],
)
def test_guessed(tmp_path: Path, text: str, guessed: set[int]) -> None:
    (tmp_path / "slurm-4821.out").write_text(text)
    found = analyse_whole([tmp_path])
    found.case.close()
    assert [state.rank for state in found.report.ranks] == [0, 1, 2, 3]
    assert {state.rank for state in found.report.ranks if state.guessed} == guessed
