"""The state that a progress bar shows, whoever draws it."""

from __future__ import annotations

import pytest

from logtui.diagnosis.facts.bars import bar_in


@pytest.mark.parametrize(
    ("line", "label", "state"),
    [
        (" 48%|████▊     | 57/120 [01:43<14:26,  2.97it/s]", None, (57, 120)),
        ("Epoch 3:  48%|████▊     | 57/120 [01:43<14:26,  2.97it/s]", "Epoch 3", (57, 120)),
        (" 57/120 [=============>................] - ETA: 2:32:37 - loss: 2.1", "", (57, 120)),
        (" 57/120 ━━━━━━━━━━━━━━━━━━━━ 2:32 21ms/step - loss: 2.1", "", (57, 120)),
        ("Epoch 3/9 ━━━━━ 57/120 0:06:44 • 0:10:00 10.80it/s v_num: 0", " v_num: 0", (57, 120)),
        ("Train: [3]  [  57/120]  eta: 0:22:16  lr: 0.1", "Train: [3]", (57, 120)),
    ],
    ids=["tqdm", "tqdm with a name", "Keras 2", "Keras 3", "rich", "meters"],
)
def test_bars(line: str, label: str | None, state: tuple[int, int]) -> None:
    bar = bar_in(line)
    assert bar is not None
    assert (bar["label"], (int(bar["step"]), int(bar["of"]))) == (label, state)


@pytest.mark.parametrize(
    "line",
    [
        "step 57/120, loss 2.1",
        "100%|██████████| 57/120 [00:00<00:00, 26335.95it/s]",
        " 48%|████▊     | 57/120 [01:43<14:26, 300 examples/s]",
    ],
    ids=["no bar", "a thousand times a second", "examples"],
)
def test_no_bar_of_steps(line: str) -> None:
    assert bar_in(line) is None
