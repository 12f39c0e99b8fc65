"""Counters told by a program's own lines, whatever program it is; and what counts something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.counters import read_counter
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
FactsOf = Callable[[Mapping[str, str]], Facts]
NAN = float("nan")

COUNTS: dict[str, tuple[str, float, float]] = {
    "tqdm": ("Training:  {n}%|███       | {n}/570 [00:{s:02d}<09:10, 1.0{s}it/s, loss=2.{n}]", 57, NAN),
    "rich": ("Epoch 3/9  ━━━━╸━━━━ {n}/570 0:00:{s:02d} • 0:01:00 4.00it/s train_loss: 2.{n}", 57, 250),
    "keras": ("{n}/570 [===>.........] - ETA: 1:{s:02d} - loss: 2.{n} - accuracy: 0.1{n}", 57, NAN),
    "MetricLogger": (
        "Epoch: [2]  [ {n}/2502]  eta: 0:10:{s:02d}  lr: 0.0001  loss: 6.{n} (6.9)  time: 0.4123 data: 0.0002  max mem: 57",
        57,
        412.3,
    ),
    "llm.c": ("step {n:4d}/19560 | loss 3.{n:06d} (+0.1z)| lr 6.00e-04 | 240.50 ms | 35.1% bf16 MFU", 57, 240.5),
    "nanochat": ("step {n:05d}/21400 (1.{s}%) | loss: 3.1 | dt: 480.25ms | tok/sec: 1,080,{n:03d}", 57, 480.25),
    "Paddle": ("[INFO] - global step {n}, epoch: 0, batch: {s}, loss: 2.{n}, speed: 2.0 step/s", 57, 500),
    "MLPerf": (':::MLLOG {{"key": "tracked_stats", "value": {{"loss": 2.{s}}}, "metadata": {{"step": {n}}}}}', 57, NAN),
    "thousands": ("Progress on: {n}.0kit/90.0kit rate:1.5s/it remaining:1:00:{s:02d}", 57_000, 1500),
    "no framework": ("it {n:5d} of 570: energy 3.{n} took 0.41 sec", 57, 410),
    "padded": ("Epoch: [1][{n:2d}/57]  Loss 2.{n} (2.5)  Time 0.412 (0.4)", 57, 412),
    "without a name": (
        "INFO - 01/02/26 03:04:{s:02d} -    {n}0 -  33.7 words/s - TASK: 1.{n} - model LR: 1.0e-04",
        570,
        NAN,
    ),
    "quoted keys": (
        '{{"_type": "train_iter", "epoch": "1/9", "gpu_mem": "7.1G", "iter": "{n}/120", "loss": 2.{n}}}',
        57,
        NAN,
    ),
    "a list of epoch and step": ('DLLL {{"type": "LOG", "step": [0, {n}0], "data": {{"loss": 2.{s}}}}}', 570, NAN),
    "a table's cell": ("|    iterations           | {n}           |", 57, NAN),
    "ticks": ("tick {n}     kimg {n}.0    time {s}m 12s    sec/tick 50.{s}    maintenance 0.1", 57, NAN),
    "first in its row": ("{n}0 | loss 3.0{s} | lr 2.9e-04 | 170.16ms", 570, 170.16),
    "in brackets": ("2026-01-02 03:04:{s:02d} INFO [{n}] loss=2.{n} lr=0.0001", 57, NAN),
    "behind an epoch": ("[3, {n}000] loss: 2.{n}", 57_000, NAN),
    "a letter": ("i={n} loss=2.{n}", 57, NAN),
    "a minibatch": ("minibatch_id: {n}, auc: 0.5{n}, loss: 2.{n}", 57, NAN),
    "named behind": ("     {n}00 iter, 3 epoch / 20 epochs", 5700, NAN),
    "a bar without a total": ("training: {n}it [00:{s:02d},  1.53it/s]", 57, NAN),
    "a block of values": (" 'global_step': {n},", 57, NAN),
    "glued to a bar": (
        "Validation: |   | 0/? [00:00<?, ?it/s][13/09/24 21:44:{s:02d}] INFO Epoch {n}: loss 0.3{n}",
        57,
        NAN,
    ),
    "in its own letters": ("s:{n} trl:3.2{n} lr:0.000{n} norm:0.22", 57, NAN),
    "before a longer step": ("[ep 5 step {n:6d} t= {n}57s vram= 5904MB] L=0.3{n}  D=0.3", 57, NAN),
    "behind who writes": ("[GPU3] Epoch {n} | Batchsize: 32 | Steps: 16", 57, NAN),
    "Fortran's": (" step n=  {n:6d}  Nt= 1.{n}E-002  Pr=  1.0", 57, NAN),
    "names before values": ("training curr batch, loss, lr: {n}00, 0.2{n}, 0.001", 5700, NAN),
    "names that are none": ("train: 12%| {s}/1767 [02:40<14:42, 1.76it/s, total_it={n}00]", 5700, NAN),
    "train": ("{n} train 3.8{n}", 57, NAN),
    "the end of a stretch": ("Batches {s}-{n}/240 (BS = 15) with loss 0.1{n}", 57, NAN),
    "a name that nobody knows": ("[agent.py][INFO] - Sample {n}000, up {n}0, pi loss -1.{s}", 57_000, NAN),
    "the time behind a bar": (
        "Validation: 100%|##| 4/4 [00:01<00:00, 2.6it/s]        2026-01-02 03:04:{s:02d} - Epoch {n}/90 | Loss: 0.{n}",
        57,
        NAN,
    ),
    "epochs": ("Epoch {n}/90: train loss 2.{s} acc 0.{n} time 57.1s", 57, 57_100),
}


def said(form: str, count: int = 57) -> list[tuple[int, bytes]]:
    return [(n, form.format(n=n, s=n % 60).encode()) for n in range(1, count + 1)]


@pytest.mark.parametrize("name", COUNTS)
def test_a_counter_is_read_whoever_counts(name: str) -> None:
    form, last, ms = COUNTS[name]
    counter = read_counter(said(form))
    assert counter is not None
    assert (counter.steps[-1], counter.lines[-1]) == (last, 57)
    assert np.median(counter.ms) == pytest.approx(ms, nan_ok=True)


@pytest.mark.parametrize(
    "form", ["Epoch: [{e}] [{n:3d}/464] loss: 2.1", "[{e}, {n}] loss: 2.1", "epoch {e} batch {n} loss 2.1"]
)
def test_a_few_lines_of_each_epoch_count(form: str) -> None:
    counter = read_counter(
        [(3 * e + n // 200, form.format(e=e, n=n).encode()) for e in range(1, 5) for n in (0, 200, 400)]
    )
    assert counter is not None
    assert counter.steps.tolist() == [0, 200, 400] * 4


@pytest.mark.parametrize(
    "form", ["INFO:root:Rank: {r:02d}   Train Batch: {n}/9\tLoss: 0.{n}", "[Rank {r}] batch {n}/9 loss 0.{n}"]
)
def test_each_rank_counts_for_itself(form: str) -> None:
    """They write at once, and none keeps in step with the others."""
    turns = [(r, 1 + (n + 3 * r) % 9) for n in range(45) for r in range(4)]
    counter = read_counter([(at, form.format(r=r, n=n).encode()) for at, (r, n) in enumerate(turns)])
    assert counter is not None
    assert set(np.diff(counter.steps)) == {1, -8}


@pytest.mark.parametrize(
    "form",
    [
        "Loading checkpoint shards: {n}%|██   | {n}/57 [00:10<00:20, 1.{n}it/s]",
        "eval step {n}/57 loss 2.{n}",
        "Downloading {n}/57 files",
        "attempt {n}/57 failed, step aside",
        "rank {n} of 57 loss 2.{n}",
        "{{'loss': 2.{n}, 'epoch': 0.{n}}}",
        "worker {n} step done",
        '{{"type": "eval", "eval_step": {n}, "loss": 2.{n}}}',
        "2026-01-02 03:04:{s:02d} INFO loss is low",
        "reading: {n}it [00:{s:02d},  1.53it/s]",
        "{n} /nfs/train/0d04{n}.jpg",
        "{n}s since the last loss",
        "{n} examples/s | loss 2.{s}",
        "  STEPS: ({n}, 180)",
        "warmup_step: {n}/57 loss",
        "Skip batch {n} due to non-finite gradients of the loss",
        "[Train set] Loss: 1.0{n}, Accuracy: 28{n}/50000 (56.{s}%)",
        "training files, loss: {n}, 0.2{s}",
        "number of epochs that have no update {n}",
        "epochs without improvement: {n}, loss 2.{s}",
        "client {n}: loss 2.{s}",
        "INFO  Best Result:24.{n}, epoch:{n}",
        "     mu_step[{n}]      0.0{n}      0.{s}8     loss",
        "a loss that is none at step {n}! Skipping step.",
        "Epoch    {n}: reducing learning rate of group 0 to 5.7000e-05.",
        "    {n}000/170498071 ━━━━━━━━━━━━━━━━━━━━ 22:{s:02d} 8us/step",
    ],
)
def test_what_counts_something_else_is_left_out(form: str) -> None:
    assert read_counter(said(form)) is None


def test_a_line_that_is_rewritten_is_read_along() -> None:
    text = "\r".join(f"{n}%|##   | {n}/100 [00:10<00:20,  1.{n}it/s]" for n in range(101))
    counter = read_counter([(7, text.encode())])
    assert counter is not None
    assert (counter.steps[-1], set(counter.lines.tolist())) == (100, {7})


def test_a_counter_that_jumps_about_is_none() -> None:
    lines = [(n, f"step {n * 37 % 101}/101 loss 2.{n}".encode()) for n in range(57)]
    assert read_counter(lines) is None


def test_of_two_that_are_as_sure_the_later_one_counts() -> None:
    first = [(n, f"step {n}, accuracy 0.{n}, loss 2.{n}".encode()) for n in range(1, 500)]
    then = [(500 + n, f"step {n}, accuracy 0.{n}, box loss 2.{n}, loss 3.{n}".encode()) for n in range(1, 101)]
    counter = read_counter([*first, *then])
    assert counter is not None and counter.steps[-1] == 100


def test_a_loss_beside_a_counter_makes_it_surer() -> None:
    starts = [(n, f"starting iteration {n} of the reader".encode()) for n in range(1, 100)]
    steps = [(100 + n, f"step: {n} loss: 2.{n}".encode()) for n in range(1, 6)]
    counter = read_counter([*starts, *steps])
    assert counter is not None and counter.steps[-1] == 5


OWN = "".join(f"it {n:5d} of 570: energy 3.{n} took 0.41 sec\n" for n in range(1, 58))
RAISED = (
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    run()\nTypeError: no run\n'
)


def test_the_last_step_and_its_line_are_known(report_of: ReportOf) -> None:
    report = report_of({"train.log": OWN})
    assert report.job.last_step == 57
    assert report.steps is not None and report.steps.median_ms == 410
    assert report.verdict.cls == "healthy"
    assert report.verdict.supporting[0].line == 57


def test_training_that_went_on_survived(report_of: ReportOf) -> None:
    assert report_of({"train.log": RAISED + OWN}).verdict.cls == "healthy"
    assert report_of({"train.log": OWN + RAISED}).verdict.cls == "software"


def test_trouble_after_the_last_step_is_no_health(report_of: ReportOf) -> None:
    assert report_of({"train.log": OWN + "reactor failed to hold the field\n"}).verdict.cls != "healthy"


def test_declared_lines_go_first(facts_of: FactsOf) -> None:
    facts = facts_of({"train.log": OWN + "".join(f"step {n} loss 2.{n}\n" for n in range(1, 8))})
    assert {s.pattern for s in facts.steps} == {"generic.step"}


def test_what_is_begun_counts_behind_what_is_done(report_of: ReportOf) -> None:
    said = "".join(
        f"Train epoch 1 batch {n} (samples 57) starts\nTrain epoch 1 batch {n} (samples 57) ends\n" for n in range(12)
    )
    assert report_of({"train.log": said}).job.last_step == 11
    assert report_of({"train.log": said + "Train epoch 1 batch 12 (samples 57) starts\n"}).job.last_step == 11


def test_the_name_of_the_next_figure_is_no_unit() -> None:
    counter = read_counter(
        (n, f"epoch=3 split=train batch={n} loss=4821{n % 7}.570 sec=0.1{n % 3}".encode()) for n in range(30)
    )
    assert counter is not None
    assert np.isnan(counter.ms).all()


def test_the_epochs_of_folds_count_and_not_the_folds(report_of: ReportOf) -> None:
    epochs = "".join(f"  Ep {n}/500 | Loss=2.{n} Acc=0.4{n % 7} | LR=1.00e-03 | 0.5s\n" for n in range(10, 100, 10))
    folds = "".join(f"FOLD {n}/10  train=256  val=28\n{epochs}" for n in range(1, 11))
    assert report_of({"train.log": folds}).job.last_step == 90


def test_a_bar_that_is_drawn_with_signs_leaves_the_sentence_the_same() -> None:
    drawn = (f"Global step: {n:>6} - [{'=' * (n // 2) + '>':-<30}] {n:>3}% - loss: 1.{n}" for n in range(1, 58))
    counter = read_counter([(n, text.encode()) for n, text in enumerate(drawn, 1)])
    assert counter is not None and len(counter.steps) == 57
