"""The last step, where step lines are not the last word on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
STEPS = "".join(f"step {n} loss 2.{n}\n" for n in range(100, 1000, 100))


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (STEPS, 900),
        ("".join(f"End-to-end Epoch {n}:\n" + "a layer is loaded\n" * 5000 for n in range(12)), 11),
        (
            "".join(f"{n}:\tlearn: 0.{n:04}\ttotal: {n}s\tremaining: {300 - n}s\n" for n in range(300))
            + "\nbestTest = 0.57\nbestIteration = 257\n",
            299,
        ),
        ("Using device: cuda\n---\nloss:          5.757\ntraining_seconds: 57.5\nnum_steps:        1757\n", 1757),
        ("batch: 57\nnum_steps:        1757\nUsing device: cuda\n", None),
        (
            "`Trainer.fit` stopped: `max_epochs=25` reached.\n"
            + "".join(f"/opt/a/plot57.py:{n}: FutureWarning: a is old\n  a = b[{n}]\n" for n in range(100, 1900, 3)),
            25,
        ),
        ("  Class  Box(P  R  mAP50): 100% ━━━━━━━━━━━━ 57/57 25.6it/s 2.7s\n  all  0.57  0.5\n", 57),
        ("Fit on 57\n" + "".join(f"Epoch {n}/57\n - 1{n}s - loss: 1.{n}\n" for n in range(1, 9)) + "Epoch 9/57\n", 8),
        ("Fit on 57\n" + "".join(f"- 1{n}s - loss: 1.{n}\nEpoch {n}/57\n" for n in range(1, 9)), 8),
        (
            "100%|██| 570/570 [00:20<00:00, 57.0it/s]\n"
            + "".join(f"asking: {n}%|█ | {n}0/1000 [00:{n + 5}<02:00, 5.7it/s]\n" for n in range(1, 50)),
            490,
        ),
        (
            "".join(f"Extracting {n}00/438, # of cats {n}57\n" for n in range(5))
            + "".join(f"05:0{n % 9} [INFO]:    7/9   {n}0/165   0.0057   -0.57   {n}\n" for n in range(17)),
            160,
        ),
        ("".join(f"\tepoch {n}: train acc: 94.{n}%, loss: 0.1{n}\n" for n in range(1, 51)) + "\tof cats: 57%\n", 50),
        (
            "".join(
                f"Epoch {n // 80} Batch {n} train_loss 2.3{n} valid_loss 2.3 valid_acc 0.1\n"
                for n in range(0, 7500, 200)
            )
            + "Epoch 95 Batch 7600 train_loss 2.3 valid_lo",
            7600,
        ),
        (
            "".join(
                f"[{'>' * (n // 30)}] {n}/750, 1.7 task/s, elapsed: {n}s, ETA: {750 - n}s\n" for n in range(600, 751)
            ),
            750,
        ),
        (
            "".join(f"{n}/20000 train_loss: 5.{n} tok/s: 70959\n" for n in (1, 2, 3, 4, 5, 10, 20, 30))
            + "37/20000 val_loss: 5.4776 val_bpb: 2.1\n",
            37,
        ),
        (
            "".join(f"INFO - Step: {n} / 2398.\nINFO - Loss: 0.{n}\n" for n in range(0, 2391, 10))
            + "INFO - Step: 0 / 5.\nINFO - Loss: 0.819\ntotal accuracy: 0.77\n",
            2390,
        ),
        (
            "Total optimization steps = 23454\nGradient accumulation steps = 1\nEpoch 1:   0%|   | 0/7818 [00:01<?, ?it/s]\n",
            0,
        ),
        (
            "".join(f"Epoch 1 Progress: [{n}/296] loss: 1.3 Time: {n}s " for n in range(297))
            + "\nLearning rate: 0.1\n",
            296,
        ),
        (
            "".join(
                f"100%|██| {n}/{n} [{n // 100:02d}:10<00:00, 3.1it/s]\n{5 * k}%|█ | {k}/21 [{k}:38:43<12:44, 764.07s/it]\n"
                for k, n in enumerate((1476, 4898, 700, 999, 3000), 1)
            ),
            5,
        ),
        (
            "".join(
                f"  Train: 100%|██| 8/8 [00:05<00:00, 2.39it/s, loss=1{k}]\n    Epoch {k:02d}  S1 | Train: 10.{k} | Val: 4.5\n"
                for k in range(1, 16)
            ),
            15,
        ),
        ("ckpt\n" + "".join(f"Saved checkpoint to out/ckpt_{n}.pt\n" for n in range(500, 4001, 500)), 4000),
        (
            "  0%|   | 0/57 [00:00<?, ?it/s]  2%|▏  | 1/57 [10:31<8:35:29, 631.22s/it]  4%|▍  | 2/57 [21:00<8:24:24, 630.5s/it]Killed\n",
            2,
        ),
        (
            "Epoch [1/9], Loss: 0.18:   0%|   | 3/571 [1:19<13:23, 13.9s/it]Epoch [1/9], Loss: 0.17:   1%|   | 4/571 [1:33<13:2",
            4,
        ),
        (
            "57it [35:34,  7.00s/it]\r58it [35:41,  7.00s/it]slurmstepd: error: *** JOB 4821 ON node007 CANCELLED ***\n",
            58,
        ),
        (
            "Epoch 14/20\n"
            + 2000
            * "2031-02-03 04:05:06.1: I tensorflow/core/bfc_allocator.cc:1046] InUse by op train step 0 next 7\n",
            14,
        ),
        ("Epoch 14/20\n" + 4000 * "nothing that counts\n", 14),
        (
            "100%|██| 4098/4098 [00:05<00:00, 705.92it/s]\nready\n"
            "100%|██| 456/457 [02:59<00:00, 2.9it/s]\r100%|██| 457/457 [03:00<00:00, 2.9it/s]\n  0%|  | 0/137 [00:00<?, ?it/s]\n",
            457,
        ),
        (
            "".join(
                f"{4 * n}%|█ | {100 * n}/2500 [{n:02d}:28<30:00, 1.03it/s]\n100%|██| 237/237 [00:49<00:00, 1.1it/s]\n"
                f"  3%|  | 7/237 [00:01<00:49, 1.1it/s]\n"
                for n in range(1, 26)
            ),
            2500,
        ),
        (
            "".join(f"step {n}/751 loss 2.{n}\n" for n in range(100, 800, 100))
            + "Epoch 0: 100%|██| 751/751 [02:41<00:00, 4.6it/s]\nEpoch 1:   0%|  | 1/751 [00:01<10:16, 1.2it/s]\n",
            1,
        ),
        ("".join(f"EPOCH {n} took 2 s\n" for n in range(3)) + "Train: [3/20][0/4]\teta 0:00:03 loss 15.5\n", 3),
        ("processing epochs...: 100%|██| 3/3 [1:52:36<00:00, 2248.24s/it]\ntest acc = 0.9\n", 3),
        ("saved\nCheckpoint created at: Checkpoint(filesystem=local, path=/mnt/run7/checkpoint_000057)\n", 57),
        (
            "***** Running training *****\n  Total optimization steps = 767\n***** train metrics *****\n"
            "  epoch = 1.0\n  train_runtime = 1:55:04.48\n  train_steps_per_second = 0.111\n",
            767,
        ),
        (
            "***** Running training *****\n  Total optimization steps = 967\n***** train metrics *****\n"
            "  epoch = 1.0\n  train_runtime = 1:55:04.48\n  train_steps_per_second = 0.111\n",
            None,
        ),
        (
            "".join(
                f"train_epoch: {n}\nEpoch {n} Loss 0.0888: 100%|█\n█| 484/484 [06:30<00:00, 124.0it/s]\nloss {n}\n"
                for n in range(1, 7)
            )
            + "eval_start: 6\n",
            6,
        ),
        ("[ROUND 20/20]\nEpoch 5/5, Loss: 2.3\nRun finished 20 round(s) in 370.00s\n", 20),
        ("training begins\n  summary_interval_steps: 100\n", None),
        (STEPS + "Scheduler remain steps: 957\n", 900),
        ("Loading shards: 57it [35:34,  7.00s/it]\n", None),
        ("5757it [00:01,  4821.00it/s]\n", None),
        ("train epoch: 0\nhello\n", 0),
        ("INFO - 11/21/25 04:12:09 - 0:00:07 - ============ Starting epoch 3 ... ============\n", 3),
        ("val epoch: 3\nepoch: 57\n", None),
        (
            "the logging interval Trainer(log_every_n_steps=50) of training\nEpoch 0:   0%|   | 0/25 [00:01<?, ?it/s]\n",
            0,
        ),
        (
            "".join(f"[Epoch {n}] Time: 0.07s | Loss: 0.3\n" + "words\n" * 20 for n in range(570))
            + "farewell\n" * 4800,
            569,
        ),
        ("stage 0/∞ -----   4528/4995 0:06:44 •   10.80it/s train_loss… early_stoppi…\n", 4528),
        ("".join(f"INFO :      [ROUND {n}]\naggregated\n" for n in range(5, 32)), 31),
        ("".join(f"validated at round {n}\n" for n in range(5, 32)), 31),
        ("Saving current state to\n   eambooth/weight_output/checkpoint-57\n", 57),
        (
            "".join(f"Epoch: [4][{n:2d}/32]\tTime 37.2 (37.2)\tLoss 1.1 (1.0)\n" for n in range(1, 33))
            + "".join(f" 12%|█ | {n}/277 [01:12<00:00,  4.89it/s]\n" for n in range(31, 40)),
            32,
        ),
        ("{'train_runtime': 30.5476, 'train_samples_per_second': 8.38, 'train_steps_per_second': 0.524}\n", 16),
        ("{'train_runtime': 15475.849, 'train_samples_per_second': 13.15, 'train_steps_per_second': 0.822}\n", None),
        ("100%|" + "█" * 300 + "| 57/57 [26:34<00:00, 28.0s/it]\n", 57),
        ("100%|███| 57/57 [26:34<00:00, 28.0s/it]\n100%|██| 25000/25000 [00:00<00:00, 26335.95it/s]\n", 57),
        (
            "".join(f"Epoch {n} loss 2.{n}\n" for n in range(9)) + "      9/50      14.2G     0.91     0.43     326\n",
            9,
        ),
        (STEPS + "Saved checkpoint a.pt (epoch 10 @ 957 updates, score 3.7)\n", 957),
        (STEPS + " 9%|▉ | 957/6000 [01:42<14:26,  2.97it/s]Killed\nwandb:  _step 900\n", 957),
        ("  7%|▉ | 57/600 [01:42<14:26,  2.97it/s]\n" + "torch.Size([8, 512, 768])\n" * 9000, 57),
        ("   23/50   14.2G   0.9197   0.4327   326   1280: 100% ━━━━ 508/508 3.6it/s 2:22\nBest at epoch 13\n", 23),
        (
            "".join(f" {n}0%|█ | {n}/9 [00:1{n}<00:00,  4.89it/s]\n" for n in range(1, 10))
            + "  7%|▉ | 57/600 [01:42<14:26,  2.97it/s]\n",
            57,
        ),
        (STEPS + "saved checkpoint iter_0000957 to /ckpt\n", 957),
        (STEPS + "Epoch:[1/1](957/957), Reward: 0.1\n", 957),
        (STEPS + "saved checkpoint iter_0004821 to /ckpt\n", 900),
        (
            "  9%|▉         | 57/600 [01:42<14:26,  2.97it/s]\r  9%|▉         | 58/600 [01:43<14:26,  2.97it/s]Killed\n",
            58,
        ),
        ("Train epoch 1:  9%|▉         | 58/600 [01:43<14:26,  2.97it/s]\n", 58),
        ("  0%|          | 0/600 [00:00<?, ?it/s]\n", 0),
        ("Loading shards:  9%|▉         | 58/600 [01:43<14:26,  2.97it/s]\n", None),
        (" 24%|██▍       | 144/600 [01:43<14:26,  2.97it/s]\n", 144),
        (" 40/500 [=>............................] - ETA: 2:32:37 - loss: 2.1Killed\n", 40),
        (
            "".join(f"epoch {n} loss 2.{n}\n" for n in range(9))
            + " 24%|██▍       | 144/600 [01:43<14:26,  2.97it/s]\n",
            144,
        ),
        ("step 0 loss 9.1\nSteps:  24%|██▍       | 144/600 [01:43<14:26,  2.97it/s]\n", 144),
        (STEPS + " 24%|██▍       | 1440/6000 [01:43<14:26,  2.97it/s]\n", 900),
        ("loss: 0.9, learning_rate: 5e-06, global_step: 10\nloss: 0.7, learning_rate: 0.0, global_step: 20\n", 20),
        ("eval loss: 0.9, step: 10\n", 10),
        ("Train: data epoch: [1]  [ 285/3000]  eta: 0:22:16  lr: 0.1  loss: 2.7  time: 0.4\n", 285),
        ("1|57|Loss: 4.571:   9%|▉         | 58/600 [01:43<14:26,  2.97it/s]\n", 58),
        ("  2/300   3.5G   0.0457   0.0571:   9%|▉         | 58/600 [01:43<14:26,  2.97it/s]\n", 58),
        (STEPS + "Test:  [ 285/3000]  eta: 0:22:16  loss: 2.7  time: 0.4\n", 900),
        (STEPS + "step 957: saved\n" + STEPS, 900),
        ("d: -37.755;gen: -2.093:  9%|▉         | 58/600 [01:43<14:26,  1.5it/s]\n", 58),
        ("Epoch: [0][ 0/464]  Time 0.5  Loss 2.3\nEpoch: [0][10/464]  Time 0.5  Loss 2.1\n", 10),
        ("train:   0%|          | 0/600 [00:00<?, ?it/s]\nLoss: 0.3  Acc_iter 66850\n", 66850),
        ("train --gradient_accumulation_steps 8\n", None),
        (
            "".join(
                f"\rEpoch {e}:  9%|▉    | {n}/600 [01:43<14:26,  1.5it/s]"
                for e in (1, 2)
                for n in range(590 - 400 * (e // 2))
            ),
            189,
        ),
        (
            "".join(
                f"\rEpoch {e}/57:  9%|▉    | {n}/600 [01:43<14:26,  1.5it/s, Loss_D=0.5{n}]"
                for e in range(1, 6)
                for n in range(0, 601, 150)
            ),
            5,
        ),
        (
            "".join(f"[{n:06d}/50000] WMS | loss 0.1{n} | 3 it/s\n" for n in range(0, 4000, 500))
            + "[004000/50000] X4K | it/s 3\n",
            4000,
        ),
        ("".join(f"Epoch: [{e}][{n}/464]  Loss 2.{n}\n" for e in (0, 1) for n in range(0, 400 - e * 200, 50)), 1),
        ("MRR 0.6\nLoss after 57 epochs: 0.010\n", 57),
        ("[Mon Jul  8 13:54:01 2024]\nFinished job 0.\n7 of 57 steps (12%) done\n", 7),
        ("".join(f"Epoch: [{e}][{n}/464]  Loss 2.{n}\n" for e in range(9) for n in range(0, 464, 100)), 8),
        ("57 sentences\nepoch 0: train loss :: 1.696, dev acc :: 0.391\nload the model\ndev acc :: 0.391\n", 0),
        (
            "".join(
                f"2026/01/02 03:{e:02d}:05 - mmengine - INFO - Epoch(train)  [{e}][14/14]  lr: 1e-05  time: 2.5712  loss: 0.{99 - e}\n"
                f"The best checkpoint with 0.9677 acc/top1 at {min(e, 7)} epoch is saved to best.pth.\n"
                for e in range(1, 31)
            ),
            30,
        ),
        (
            "".join(
                f"      Epoch    GPU_mem   box_loss\n      {e}/90      4.5G     0.{99 - e}     30   640: 100%|##| 80/80 [00:09<00:00, 9.1it/s]\n"
                for e in range(1, 31)
            ),
            30,
        ),
        (
            "".join(f"Epoch {e}: 100%|##| 1/1 [00:02<00:00, 2.1s/it, loss=0.1]\r" for e in range(57))
            + "\n`Trainer.fit` stopped: `max_epochs=57` reached.\n",
            57,
        ),
        ("server: Round 57 completed - Accuracy: 84.96%\nserver stopped\n", 57),
        ("{'loss': 0.0003, 'learning_rate': 0.0, 'epoch': 5.7}\n", 5),
        ("{'loss': 0.0003, 'learning_rate': 0.0, 'epoch': 0.57}\n", None),
        ("INFO:root:Epoch 57\n", 57),
        (
            "".join(f"step:{n}00 smpl:1K loss:2.{n}\n" for n in range(2, 9)) + "step:1K smpl:2K loss:2.1\n" * 9,
            1000,
        ),
        ("step:5K smpl:9K loss:2.1\nCheckpoint policy after step 5700\nEnd of training\n", 5700),
        ("| time/            |          |\n|    total_timesteps | 57000    |\n| train/   |     |\n", 57000),
        ("wandb: Adding directory to artifact (/scratch/run7/checkpoints/005700)... Done. 38.5s\n", 5700),
        ("Epoch: [214/300], batch: [57/60], loss: 6.8\n", 57),
        ("".join(f"step {n} | loss {-n % 3 - 1.5}\n" for n in range(100, 2000, 100)), 1900),
        ("Eval Metrics: {'eval_loss': 1.3, 'eval_runtime': 240.4, 'epoch': 3.0}\n", 3),
        ("Epoch  1,   100/ 1056; ; ppl: 57.1\nEpoch  1,   200/ 1056; ; ppl: 5.7\n", 200),
        ("nothing\n", None),
        ("fitting\n`Trainer.fit` stopped: `max_epochs=57` reached.\n", 57),
        ("".join(f"\rStep:  {n}%|#  | {n}.00/64.0 [1:0{n}<9:57, 1.31ks/it]" for n in range(1, 8)) + "\n", 7),
    ],
    ids=[
        "lines",
        "epochs far from the end",
        "CatBoost's iterations, and its best one",
        "summed up at the end",
        "a setting of a run that begins",
        "far above numbered warnings",
        "a check's bar between lines",
        "the heading of an epoch that began",
        "epochs told below their figures",
        "other work behind a bar without a name",
        "rows without names",
        "lines that are set in",
        "a line that is cut behind the step",
        "a count up to its total",
        "the last distance between lines",
        "a check in the words of training",
        "settings, and a bar that never moved",
        "counts that go on in one line",
        "bars of many totals",
        "a bar that was full more often than it has steps",
        "checkpoints in files",
        "glued bars",
        "glued bars, the last one cut",
        "no total",
        "far behind what a runtime says",
        "far behind other words",
        "a bar that was soon full before",
        "a bar that fills again beside another",
        "the bar of the next epoch",
        "an epoch and a step in it, in brackets",
        "a bar of epochs",
        "a checkpoint in brackets",
        "an epoch beside its bar",
        "rounds of a federation",
        "all planned steps",
        "fewer than planned",
        "how often it is summed up",
        "what remains",
        "no total, of another",
        "no total, fast",
        "an epoch that begins",
        "an epoch that begins, dated",
        "an epoch of something else",
        "how often is logged",
        "a long farewell",
        "a rich bar",
        "rounds",
        "rounds of something else, alone",
        "a checkpoint's folder",
        "a bar of another total",
        "a runtime times its pace",
        "a runtime of too many steps",
        "a bar as wide as a screen",
        "a bar that fills at once",
        "a row of an epoch that has begun",
        "a checkpoint after so many updates",
        "a bar above a tracker's summary",
        "a bar far above",
        "rows of epochs",
        "a bar round the one that filled",
        "a checkpoint",
        "full",
        "too far",
        "rewritten",
        "labelled",
        "begun",
        "another bar",
        "one blank",
        "Keras",
        "beyond epochs",
        "beyond one line",
        "declared lines",
        "two lines",
        "evaluation alone",
        "a meter",
        "a label with a loss",
        "a label of figures",
        "a meter of a test",
        "an earlier run's",
        "a label of losses",
        "within an epoch",
        "a bar that just began",
        "a setting",
        "a bar of each epoch",
        "bars of many epochs",
        "up to the total in other words",
        "in the second epoch",
        "after so many epochs",
        "of a workflow",
        "the epoch of a part",
        "one epoch",
        "a line an epoch",
        "rows of a table with bars",
        "a batch an epoch",
        "a round that completed",
        "epochs alone",
        "the first epoch alone",
        "behind a logger's name",
        "in thousands",
        "in thousands, and in full",
        "an entry of a table",
        "a checkpoint's folder in a path",
        "a batch of an epoch",
        "losses of either sign",
        "an evaluation's epoch",
        "behind an epoch",
        "none",
        "what it was to reach",
        "a bar with fractions",
    ],
)
def test_the_last_step_that_shows(text: str, step: int | None, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).job.last_step == step


@pytest.mark.parametrize("before", ["", "trainer-1  | ", "[pod/trainer-0/main] "], ids=["plain", "compose", "kubectl"])
def test_what_collectors_put_before_lines_hides_no_step(before: str, report_of: ReportOf) -> None:
    bar = "[" + 29 * "=" + ">]"
    lines = [
        line for n in range(1, 8) for line in (f"Epoch {n}/7", *(f"{m}/1627 {bar} - loss: 2.7" for m in (570, 1627)))
    ]
    assert report_of({"train.log": "".join(f"{before}{line}\n" for line in lines)}).job.last_step == 7


def test_a_bar_that_a_later_run_only_began(report_of: ReportOf) -> None:
    bars = (f"Generating:  {n}%|###       | {n}/100 [00:57<04:00,  1.00it/s]" for n in (30, 57, 0))
    progress = report_of({"a.log": "".join(f"{bar}\nout of patience\n" for bar in bars)}).job.last_step
    assert progress == 0


def test_a_bar_of_which_nobody_knows_the_length(report_of: ReportOf) -> None:
    states = "\r".join(f"Epoch 0: |          | {n}/? [0{n // 60}:{n % 60:02}<00:00,  0.97it/s]" for n in range(258))
    assert report_of({"train.log": "the sets are listed\n" + states + "\n"}).job.last_step == 257


def test_a_long_record_that_counts_behind_all_its_figures(report_of: ReportOf) -> None:
    figures = ", ".join(f'"train_{name}_loss": 0.57' for name in ("giou", "bbox", "class", "mask") * 24)
    log = "".join(f'{{"train_lr": 0.0001, {figures}, "epoch": {n}}}\n' for n in range(58))
    assert report_of({"log.txt": log}).job.last_step == 57


def _epoch(n: int) -> str:
    return f"2031-02-03 07:{n:02d}:09 - INFO - Epoch {n}/20\n" + "".join(
        f"2031-02-03 07:{n:02d}:{10 + m} - INFO - {part} - Loss: {n}.{m}5\n" for m, part in enumerate(("Train", "Val"))
    )


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("".join(map(_epoch, range(1, 8))) + _epoch(8)[:44], 7),
        ("".join(map(_epoch, range(1, 9))), 8),
        ("".join(map(_epoch, range(1, 9))) + "Checkpoint is saved: epoch 8\n", 8),
        ("".join(f"run.py:57 | [1, {n:5}] loss: 1.{n}\n" for n in (2000, 4000, 6000)), 6000),
        ("Batch=128  Epochs=57  Patience=9\nreading the rows\n", None),
        ("".join(f"loss = {3 - n / 9:.2f}, step = {100 * n}\n" for n in range(9)) + "Saving checkpoints for 857 into ./a/model.ckpt.\n", 857),
        ("INFO:tensorflow:Finished processing evaluation at global step 4541.\n", 4541),
        ("".join(f"epoch {n} of 57, aver_loss: 0.0{n}, best_epoch: {min(n, 5)}\n" for n in range(1, 12)), 11),
        ("".join(f"[{n}]\tvalidation_0-error:0.5{n}\n" for n in range(12)) + "Stopping. Best iteration:\n[6]\tvalidation_0-error:0.56\n", 11),
        ("epoch_20310203_040506 is made for the training\nthe loss is read\n", None),
    ],
    ids=["only begun", "done", "saved", "in brackets", "settings", "the last checkpoint", "behind words", "the best one", "recalled", "a date"],
)  # fmt: skip
def test_what_is_told_as_done(text: str, step: int | None, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).job.last_step == step


def test_a_bar_that_fills_within_a_step_of_another(report_of: ReportOf) -> None:
    def bar(n: int, of: int, took: int) -> str:
        return f"\r {100 * n // of}%|###| {n}/{of} [{took // 60:02d}:{took % 60:02d}<09:00,  9.00it/s]"

    check = "".join(bar(n, 551, n // 10) for n in (*range(0, 551, 3), 551))
    text = (
        bar(0, 298, 0) + "\nthe words are checked\n" + check + "".join(bar(n, 298, 60 + n) for n in range(1, 14)) + "\n"
    )
    assert report_of({"train.out": text}).job.last_step == 13


def test_a_job_that_died_in_its_first_step(report_of: ReportOf) -> None:
    raised = (
        'Traceback (most recent call last):\n  File "run.py", line 57, in <module>\n    trainer.train()\n'
        '  File "run.py", line 7, in training_step\n    loss.backward(x)\nRuntimeError: it was changed in place\n'
    )
    shards = "".join(f"shard {n}/7 is read\n" for n in range(1, 8))
    assert report_of({"train.out": shards + "\r  0%|          | 0/32 [00:00<?, ?it/s]" + raised}).job.last_step == 0


def bars(label: str, of: int, *states: int) -> str:
    return "".join(f"\r{label}{100 * n // of}%|###  | {n}/{of} [01:02<03:04,  7.12it/s]" for n in states) + "\n"


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (bars("Distilling:  ", 1000, 1, 300, 600) + "--- sample at step 800 ---\nsome words\n" + bars("Distilling:  ", 1000, 815), 815),
        ("".join(f"epoch: {n}\ttrain: 9{n % 9}.4%\n" + (f"{n} step model saved ...\n" if n in (1, 2, 3, 7, 14, 21, 34, 47) else "") for n in range(50)), 49),
        ("{'train_runtime': 510.1541, 'train_samples_per_second': 117.612, 'train_steps_per_second': 14.701}\n" + bars("", 3125, 1, 3125), 7500),
        ("training begins for 57 epochs\nTraining complete. Best val AUC=0.9329  at epoch 19\n", 19),
        ("warm-up round 1/2 gen_loss=0.35\nwarm-up round 2/2 gen_loss=0.31\n" + "".join(f"step={n}  round={n}  train_loss=1.{n}  acc_test=0.{n}\n" for n in (1, 2, 3)), 3),
        ("".join(f"[Train] epoch:{n}, lr:0.0001, data:0.92, total:1.12\n[Test] t850 RMSE: 11.5\n" for n in (1, 2)), 2),
        ("print_step 10\nnet is trained, print_step 10 10\n", None),
    ],
    ids=["a bar behind a step", "the best epoch was saved", "a check behind the training", "the best one alone", "warm-up", "a total loss", "a setting"],
)  # fmt: skip
def test_which_count_leads_farthest(text: str, step: int | None, report_of: ReportOf) -> None:
    assert report_of({"train.out": text}).job.last_step == step


def counted(line: str, numbers: range) -> str:
    return "".join(line.format(n) for n in numbers)


BRACKETS = "[{}/9000]; ttime: 57 (0.01, 0.02); loss: 0.05\n"
CHANGED = "[INFO] ep=7 step={}/900 LR=4.4e-04 L=0.57 mfm=0.57(w=1.00,mask=0.75,ema=0.996) top=1.08(w=1.00,shuf=0.50)\n"
FIGURES = ", ".join(f'"test_{n}": 0.{n}' for n in range(400))


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (
            counted(BRACKETS, range(57))
            + "Loss at step 56: 0.3\n"
            + counted(BRACKETS, range(57, 120))
            + "Loss at step 119: 0.2\n"
            + counted(BRACKETS, range(120, 131)),
            130,
        ),
        (
            counted("step {}/614 - loss: 0.1\n", range(10, 611, 12))
            + "Eval begin...\n"
            + counted("step {}/88 - loss: 0.1\n", range(8, 89, 8))
            + "Eval samples: 700\n",
            610,
        ),
        (counted("[INFO] step={}/144 loss=0.0121\n", range(20, 145)) + counted(CHANGED, range(1, 800)), 799),
        ("".join(f'{{"train_lr": 0.01, {FIGURES}, "epoch": {n}, "n_parameters": 57}}\n' for n in range(8)), 7),
        (
            "".join(
                f"tick {n:<5d} kimg {4.0 * n:<8.1f} time {took:<12s} sec/tick 57.3    sec/kimg 14.33\n"
                for n, took in enumerate(("57s", "31m 57s", "1h 02m 03s"))
            ),
            2,
        ),
        (
            "".join(
                f"[ Tue Jul  9 14:{n:02d}:38 2030 ] Training epoch: {n}\n" + f"[ Tue Jul  9 14:{n:02d}:39 2030 ] \tMean loss: 5.{n}\n" * 4
                for n in range(1, 4)
            )
            + "[ Tue Jul  9 14:10:38 2030 ] Training epoch: 4\n",
            3,
        ),
        (
            "".join(f"Epoch {n}/150\n - 52s - loss: 0.{n} - acc: 0.9\n" for n in range(1, 9))
            + "Epoch 9/150\nclass 00: #TP=57, #FP=7\nclass 01: #TP=75, #FP=5\n",
            8,
        ),
        (
            "".join(f"Epoch {n}/200\n" + bars("Training:  ", 58, *range(59)) + "Train Loss: 5.57\n" for n in range(20, 26))
            + "Epoch 26/200\n"
            + bars("Training:  ", 58, *range(3)),
            26,
        ),
        (
            "".join(f"epoch {n} 32, train loss: -0.{n:06d}, train accuracy:  0.1\n" for n in range(1, 14))
            + "".join(f"epoch {n} 32, train loss:  0.{n:06d}, train accuracy:  0.1\n" for n in (1, 2)),
            2,
        ),
        ("".join(f"with_a|Epoch {n}: train_loss=0.5{n}\n" for n in range(1, 41)) + "".join(f"without|Epoch {n}: train_loss=0.5{n}\n" for n in range(1, 27)), 26),
        ("Epoch    | Loss    | Acc\n---------\n1        | 0.3941  | 81.26%\n", 1),
        ("Epoch Number\tDate\tElapsed Time\n\n100\t13/09/19 23:52:29\t43.4s\n200\t13/09/19 23:56:22\t45.7s\n", 200),
        ("Dev Precision:  57.5%\nEarly Stopping. Epoch: 155, Best Dev Acc: 0.5036\nTest Precision:  46.9%\n", 155),
    ],
    ids=[
        "goes on beside a total", "an evaluation is announced", "the program was changed", "long records", "ticks",
        "begun in a dated line", "left for something else", "batches of an epoch", "begun anew", "under another name", "a table of one row", "a table with dates", "stopped early",
    ],
)  # fmt: skip
def test_the_count_that_is_the_newest(text: str, step: int | None, report_of: ReportOf) -> None:
    assert report_of({"train.out": text}).job.last_step == step


def test_the_share_of_a_bar_of_epochs_is_no_epoch(report_of: ReportOf) -> None:
    def bar(name: str, n: int) -> str:
        return f"\n{name}: {25 * n:>3}%|{'█' * 9 * n:<36}| {n}/4 [00:0{n}<00\n\r"

    parts = "".join(bar("Iteration", n) for n in range(5))
    text = bar("Epoch", 0) + "".join(parts + bar("Epoch", epoch) for epoch in range(1, 5))
    assert report_of({"train.log": text + bar("Epoch", 4)}).job.last_step == 4
