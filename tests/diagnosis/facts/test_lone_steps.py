"""How far a job came whose training no line counts: one line names its step, or it counts other work."""

from __future__ import annotations

import pytest

from logtui.diagnosis.facts.bars import bar_in
from logtui.diagnosis.facts.faint_steps import faint_step
from logtui.diagnosis.facts.lone_steps import lone_part, lone_step, work_done


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("starting step 7", 7),
        ("[trainer] batch idx 57 took 3.1 s", 57),
        ("global_step=40 loss=9.1", 40),
        ("running episode 5", 5),
        ("Evaluating at epoch 12", 12),
        ("Step 0", 0),
        ("    depth=2 wide (h4,m32) ep39: val_loss=+0.2", 39),
        ("Epoch     7: reducing learning rate of group 0 to 5.7000e-05.", 7),
        ("Round number: 0 -----------", 0),
        ("(main_task pid=57) -----[Debug]----- epoch 0, step 1", 1),
        ("batch    300 | examples/s: 40.8 | loss: 0.9", 300),
        ("PAYLOAD: 'episode': 3, 'worker_id': 5, 'loss': -0.1", 3),
        ("loaded weights of step 4000, training", None),
        ("Loading model from chat_checkpoints/d32 with step 57", None),
        ("Namespace(step=4000, train=True)", None),
        ("best at epoch 9, loss 0.3", None),
        ("batch size: 64, lr 0.1", None),
        ("[GPU1] Epoch 3 | Batchsize: 32 | Steps: 16", 3),
        ("training: Num batches each epoch = 59", None),
        ("see chapter, step 4", None),
        ("version 2.step 4.5 done", None),
        ("slurmstepd: error: Detected 1 oom-kill event in step 5757.batch cgroup. Some processes", None),
    ],
)
def test_a_line_that_names_its_step(line: str, step: int | None) -> None:
    assert lone_step(["words before", line, "words behind"]) == step


def test_the_last_one_counts_and_a_step_before_an_epoch() -> None:
    assert lone_step(["training step 3", "training step 4", "died"]) == 4
    assert lone_step(["starting epoch 9, batch 40"]) == 40


def test_a_fold_or_a_trial_is_a_part_of_the_work() -> None:
    end = ["Training on fold 5", "Trial 7 failed with parameters: {}", "raised"]
    assert (lone_part(end), lone_step(end)) == (7, None)


def _each(line: str, numbers: range = range(5, 58)) -> list[str]:
    return [line.format(n) for n in numbers]


@pytest.mark.parametrize(
    ("end", "done"),
    [
        (_each("Test:  [ {}/3000]  eta: 0:22:16  time: 0.4"), 57),
        (_each("evaluated sample {} of 120"), 57),
        (_each("folded protein {}/400, mAP 0.4"), 57),
        (_each("task {} finished in 3 s"), 57),
        ([f"[{n}/90] Task: {n * 7919:x} (3 train, 1 test)" for n in range(5, 58)], 57),
        ([*_each("  {}/200  18s  eta 1s", range(2, 199, 2)), "  200/200  18s  eta 0s"], 200),
        (_each("Writing line #{} to file ..."), 57),
        (_each("Inference done {}/4932. Dataloading: 0.0013 s/iter"), 57),
        (_each("TPE using {0}/{0} trials with best loss -0.57"), 57),
        ([" 48%|████▊     | 57/120 [01:43<14:26,  2.97it/s]"], 57),
        (["Predicting:  48%|████▊     | 57/120 [01:43<14:26,  2.97it/s]"], 57),
        (["Infer:  [0/6]  eta: 0:00:13  time: 2.27"], 0),
        (["Compressing layers:  48%|████▊     | 57/120 [01:43<14:26,  2.97it/s]"], 57),
        (["Loading checkpoint shards:  48%|████▊     | 57/120 [01:43<14:26,  2.97it/s]"], None),
        (_each("downloaded file {}/400"), None),
        (_each("rank {} finished its set-up"), None),
        (_each("task {} finished in 3 s", range(2)), None),
        (_each("task {} finished in 3 s", range(57, 5, -1)), None),
        ([f"Rank {r} | {57 - r % 3}/57 (98.2%)" for r in range(8)], 57),
        ([f"Rank {r} | {50 - r % 3}/57 (98.2%)" for r in range(8)], None),
        (_each("there are {} apples"), None),
        (["Progress: 57/14510 completed, 19 in progress"] * 9, 57),
        (["[Parallel(n_jobs=8)]: Done  57 out of  57 | elapsed: 138.2min finished"], 57),
        ([f"[{'>' * n}{' ' * (57 - n)}] {n}/57, 0.6 task/s" for n in range(8, 58)], 57),
    ],
    ids=["a meter", "samples", "of a total", "tasks", "tasks with names of their own", "a total that is reached", "lines written", "a clause about the set-up", "a total that grows", "a bar", "a bar with a name", "a bar that began", "layers", "shards", "files", "ranks", "too few", "down", "all of each rank", "not all", "nothing done", "the same for long", "joblib", "a bar that fills to its end"],
)  # fmt: skip
def test_other_work(end: list[str], done: int | None) -> None:
    assert work_done(end) == done


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        (["In processing file 3336 with name a.jpeg"], 3336),
        (["WARNING - [TreeRender.py:21 - display] Structure of tree 9"], 9),
        (
            ["Trial 59 finished with value: 0.83. Best is trial 34.", "Best AP on validation: 0.86234 (trial 34) done"],
            59,
        ),
        (["the tree 9 of the garden"], None),
    ],
    ids=["a file", "a tree", "not the best one", "nothing that is worked on"],
)
def test_what_is_worked_on_one_after_the_other(lines: list[str], part: int | None) -> None:
    assert lone_part(lines) == part


def test_the_next_task_counts_up_to_another_total() -> None:
    weeks = [f"  Week {n}/12 | Rev: $4,{n}50 | Brand: 5{n % 7}" for n in range(1, 13)]
    assert work_done(weeks) == 12
    assert (
        work_done([*weeks, "Grader score: 0.57", "Running the next task", "  Week 1/24 | Rev: $6,109 | Brand: 51"]) == 1
    )


def test_generations_of_a_search_are_steps_and_downloads_none() -> None:
    said = [f"INFO - Generation #{n} complete:" for n in range(1, 5)]
    assert faint_step([*said, "INFO - Saved 2695 games", "INFO - Starting generation #5"]) == 4
    assert faint_step([f"generating sample {n} of step {n}" for n in range(1, 5)]) is None
    assert bar_in("  0%|          | 393216/170498071 [00:00<00:43, 3875458.96it/s]") is None
    assert bar_in(" 50%|#####     | 57/100 [00:43<00:43, 1.33it/s]") is not None


def test_a_part_that_each_of_several_has() -> None:
    """Below it the next one is counted; where it counts on itself, it is the next work."""
    parts = [f"[00{n}/002] light: 0.5{n}" for n in (1, 2)]
    each = [text for n in range(1, 6) for text in (*parts, f"[{n}/5] grain: 0.57")]
    assert work_done(each) == 5
    assert work_done([*each, *(f"[0{n}/57] light: 0.5{n}" for n in (11, 12, 13))]) == 13
