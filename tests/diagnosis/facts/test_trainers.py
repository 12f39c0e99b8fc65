"""The last step of the trainers, optimisers and tools of the field, each as it words its own progress."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
FORMS: dict[str, tuple[str, int]] = {
    'torchtune': ('{n}|{n}|Loss: 2.{s}:  {p}%|██   | {n}/570 [00:{s:02d}<09:10, 1.0{s}it/s]', 57),
    'icefall': ('2026-01-02 03:{s:02d}:05,678 INFO [train.py:57] Epoch 1, batch {n}50, loss[loss=0.3{s}, over 4000 frames], tot_loss[loss=0.4], batch size: 57', 5750),
    'kaldi': ('steps/nnet3/train.py: 2026-01-02 03:{s:02d}:05,678 [steps/libs/train.py:57 - train - INFO ] Iter: {n}/570   Jobs: 3   Epoch: 0.{s:02d}/4.0 (1.0% complete)   lr: 0.003', 57),
    'detectron2': ('[01/02 03:{s:02d}:05 d2.utils.events]:  eta: 1:02:03  iter: {n}9  total_loss: 1.{s}  time: 0.5  data_time: 0.01  lr: 0.001  max_mem: 4000M', 579),
    'mmdet': ('2026-01-02 03:{s:02d}:05,678 - mmdet - INFO - Epoch [1][{n}0/5000]\tlr: 1.0e-3, eta: 1:02:03, time: 0.5, data_time: 0.01, memory: 4000, loss: 1.{s}', 570),
    'mmengine': ('2026/01/02 03:{s:02d}:05 - mmengine - INFO - Epoch(train)   [1][{n}0/5000]  lr: 1.0e-03  eta: 1:02:03  time: 0.5  data_time: 0.01  memory: 4000  loss: 1.{s}', 570),
    'yolov5': ('     {n}/299      3.5G    0.04{s}    0.02    0.01    57    640: 100%|██████████| 8/8 [00:05<00:00, 1.5it/s]', 57),
    'timm': ('Train: 3 [{n:4d}/1251 ({p:3d}%)]  Loss: 6.9{s} (6.9)  Time: 0.5s, 500.1/s  LR: 1.0e-03  Data: 0.01', 57),
    'cleanrl': ('global_step={n}28, episodic_return=1{s}.0', 5728),
    'rlgames': ('fps step: 57000 fps step and policy inference: 50000 fps total: 40000 epoch: {n}/500 frames: {n}0000', 57),
    'rslrl': ('                       Learning iteration {n}/1500                       ', 57),
    'tf estimator': ('INFO:tensorflow:loss = 0.5{s}, step = {n}00 (1.234 sec)', 5700),
    'tf od': ('INFO:tensorflow:Step {n}00 per-step time 0.5s loss=0.6{s}', 5700),
    'tf slim': ('INFO:tensorflow:global step {n}0: loss = 2.{s} (0.5 sec/step)', 570),
    'maxtext': ('completed step: {n}, seconds: 5.{s}, TFLOP/s/device: 100.1, Tokens/s/device: 1000.1, total_weights: 65536, loss: 10.{s}', 57),
    'mindspore': ('epoch: 1 step: {n}, loss is 2.{s}', 57),
    'mindformers': ('2026-01-02 03:{s:02d}:05,678 - mindformers[callback.py:57] - INFO - {{ Epoch:[  1/  2], step:[{n:5d}/ 5000], loss:[2.{s}/2.5], time:500 ms, lr:1e-05}}', 57),
    'torchtitan': ('[rank0]:[titan] 2026-01-02 03:{s:02d}:05,678 - root - INFO - step: {n:2d}  loss:  7.{s}  memory: 40GiB(50%)  tps: 1,000  mfu: 40%', 57),
    'litgpt': ('Epoch 1 | iter {n} step {n} | loss train: 2.{s}, val: n/a | iter time: 500.1 ms', 57),
    'nanogpt': ('iter {n}: loss 3.{s}, time 500.1ms, mfu 40.1%', 57),
    'neox': (' samples/sec: 57.1 | iteration {n:8d}/   32000 | elapsed time per iteration (ms): 500.1 | lm_loss: 3.{s}E+00 |', 57),
    'composer': ('[batch={n}/1000]:\n\t Train time/batch: {n}\n\t Train loss/train/total: 2.{s}', 57),
    'openclip': ('2026-01-02,03:{s:02d}:05 | INFO | Train Epoch: 0 [{n:3d}12/50000 ({p}%)] Data (t): 0.1 Batch (t): 0.5, 500.1/s LR: 0.0001 Contrastive_loss: 2.{s} (2.5)', 5712),
    'xgboost': ('[{n}]\ttrain-rmse:0.5{s}\teval-rmse:0.6{s}', 57),
    'lightgbm': ("[{n}0]\ttraining's l2: 0.5{s}\tvalid_1's l2: 0.6{s}", 570),
    'catboost': ('{n}:\tlearn: 0.5{s}\ttest: 0.6{s}\tbest: 0.6 ({n})\ttotal: {s}s\tremaining: 1m', 57),
    'sklearn': ('Iteration {n}, loss = 0.5{s}', 57),
    'dgl': ('Epoch 000{n:02d} | Loss 1.{s} | Train Acc 0.9 | Val Acc 0.8', 57),
    'pyg': ('Epoch: {n:03d}, Loss: 1.{s}, Train: 0.9, Val: 0.8, Test: 0.8', 57),
    'openfold': ('Epoch 0:   1%|          | {n}/5700 [10:{s:02d}<9:10:11, 5.0s/it, loss=57.{s}, v_num=1]', 57),
    'fairseq': ('2026-01-02 03:{s:02d}:05 | INFO | train_inner | epoch 001:    {n}0 / 5000 loss=10.{s}, ppl=500.1, wps=1000, ups=2, wpb=500, bsz=57, num_updates={n}0, lr=1e-05', 570),
    'fairseq json': ('2026-01-02 03:{s:02d}:05 | INFO | train_inner | {{"epoch": 1, "update": 0.{s}, "loss": "10.{s}", "num_updates": "{n}0", "lr": "1e-05"}}', 570),
    'espnet': ('[node7:0/4] 2026-01-02 03:{s:02d}:05,678 (trainer:57) INFO: 3epoch:train:{n}1-{n}9batch: iter_time=0.1, forward_time=0.2, loss=57.{s}, optim0_lr0=1e-05, train_time=0.5', 579),
    'speechbrain': ('speechbrain.utils.train_logger - epoch: {n}, lr: 1.0e-03 - train loss: 2.{s} - valid loss: 2.1', 57),
    'allennlp': ('2026-01-02 03:{s:02d}:05,678 - INFO - allennlp.training.trainer - Epoch {n}/570', 57),
    'opennmt': ('[2026-01-02 03:{s:02d}:05,678 INFO] Step {n}50/100000; acc:  50.{s}; ppl: 10.1; xent: 2.{s}; lr: 0.001; 1000/1000 tok/s;    57 sec', 5750),
    'marian': ('[2026-01-02 03:{s:02d}:05] Ep. 1 : Up. {n}00 : Sen. 57,000 : Cost 5.{s} : Time 57.1s : 1000.1 words/s', 5700),
    'sockeye': ('[2026-01-02:03:{s:02d}:05:INFO:sockeye.training:log] Epoch[0] Batch [{n}50]\tSpeed: 1000.1 samples/sec perplexity=10.{s}', 5750),
    'deepspeed': ('[2026-01-02 03:{s:02d}:05,678] [INFO] [logging.py:96:log_dist] [Rank 0] step={n}0, skipped=0, lr=[1e-05], mom=[(0.9, 0.95)]', 570),
    'spinup': ('---------------------------------------\n|             Epoch |               {n} |\n|      AverageEpRet |            5{s}.1 |\n|              Time |            57{s} |\n---------------------------------------', 57),
    'jax trainer': ('I0102 03:{s:02d}:05.678901 140000000000000 logging_writer.py:48] [{n}00] accuracy=0.5{s}, loss=2.{s}, steps_per_second=5.1', 5700),
    'clu': ('I0102 03:{s:02d}:05.678901 140000000000000 train.py:57] step: {n}, loss: 2.{s}', 57),
    'tensorpack': ('[0102 03:{s:02d}:05 @base.py:275] Epoch {n} (global_step {n}00) finished, time:57.1 seconds.', 5700),
    'mxnet': ('INFO:root:Epoch[0] Batch [{n}0-{n}9]\tSpeed: 1000.1 samples/sec\taccuracy=0.5{s}', 579),
    'caffe': ('I0102 03:{s:02d}:05.678901  4242 solver.cpp:57] Iteration {n}00 (5.1 iter/s, 20.1s/100 iters), loss = 2.{s}', 5700),
    'darknet': (' {n}: 5.{s}, 6.1 avg loss, 0.001000 rate, 2.5 seconds, {n}64 images, 10.1 hours left', 57),
    'maskrcnn': ('2026-01-02 03:{s:02d}:05,678 maskrcnn_benchmark.trainer INFO: eta: 1:02:03  iter: {n}0  loss: 1.{s} (1.5)  time: 0.5 (0.5)  data: 0.01 (0.01)  lr: 0.001  max mem: 4000', 570),
    'gluon': ('[Epoch 3][Batch {n}9], Speed: 57.1 samples/sec, RPNLoss1=0.{s}', 579),
    'unsloth': ("{{'loss': 1.{s}, 'grad_norm': 0.5, 'learning_rate': 1e-05, 'epoch': 0.{s:02d}}}\n {p}%|██   | {n}/570 [00:{s:02d}<09:10, 1.0{s}it/s]", 57),
    'kohya': ('steps:  {p}%|██   | {n}/1600 [00:{s:02d}<09:10, 1.0{s}it/s, avr_loss=0.1{s}]', 57),
    'diffusers': ('Steps:  {p}%|██   | {n}/1600 [00:{s:02d}<09:10, 1.0{s}it/s, lr=1e-5, step_loss=0.1{s}]', 57),
    'nemo': ('Epoch 0: :   {p}%|   | {n}/1600 [00:{s:02d}<09:10, v_num=57, reduced_train_loss=2.{s}, global_step={n}.0]', 57),
    'nemo2': ('Training epoch 0, iteration {n}/1599 | lr: 1e-05 | global_batch_size: 57 | global_step: {n} | reduced_train_loss: 2.{s} | train_step_timing in s: 5.1', 57),
    'megatron': (' [2026-01-02 03:{s:02d}:05] iteration {n:8d}/   32000 | consumed samples: {n}56 | elapsed time per iteration (ms): 500.1 | learning rate: 1e-5 | lm loss: 3.{s}E+00 |', 57),
    'verl': ('step:{n} - global_seqlen/min:57 - actor/entropy:0.{s} - training/global_step:{n} - timing_s/step:57.1', 57),
    'openrlhf': ('Episode [1/1]:   {p}%|   | {n}/1600 [00:{s:02d}<09:10, 5.0s/it, policy_loss=0.{s}]', 57),
    'trl ppo': ('{p}%|   | {n}/1600 [00:{s:02d}<09:10, 5.0s/it]', 57),
    'areal': ('2026-01-02 03:{s:02d}:05 master worker INFO: Epoch 1/5 step {n}/100 (global step {n}) finishes. Average #tokens per batch is 57. #End to end# execution time: *57.{s}*s.', 57),
    'a book on LLMs': ('Step: {n}, Train Loss: 2.{s}, Val Loss: 2.5', 57),
    'key=value': ('epoch={n} loss=0.{s} acc=0.5', 57),
    'columns of losses': ('Epoch: {n} \tTraining Loss: 0.{s} \tValidation Loss: 0.5', 57),
    'a GAN': ('[{n}/570][10/100] Loss_D: 0.{s} Loss_G: 2.{s} D(x): 0.5', 57),
    'arrows': ('===> Epoch[3]({n}/570): Loss: 0.{s}', 57),
    'words alone': ('Epoch 3 Step {n} Loss 0.{s}', 57),
    'episodes': ('Episode {n}\tAverage Score: 1{s}.00', 57),
    "PyTorch's MNIST": ('Train Epoch: 3 [{n}64/60000 ({p}%)]\tLoss: 0.{s}', 5764),
    'iteration of': ('training: iteration {n}000 / 100000, loss 0.{s}', 57000),
    'batch of': ('Batch {n}/570, loss 0.{s}', 57),
    'epochs that are done': ('epoch {n} done. train_loss: 0.{s}. val_loss 0.5 in 57s', 57),
    'federated rounds': ('Round {n}: global accuracy 0.{s}', 57),
    'a heading for each round': ('--- Round {n} / 570 ---\naggregated 5 clients\naccuracy: 0.{s}', 57),
    'generations': ('gen {n}: best fitness 0.{s}', 57),
    'an ELBO': ('Iter {n}  ELBO 57.{s}', 57),
    'a padded number': ('{n:05d}  loss=0.{s}  t=57s', 57),
    'flower': ('INFO flwr 2026-01-02 03:{s:02d}:05,678 | server.py:57 | fit_round {n}: strategy sampled 5 clients (out of 5)', 57),
    'flower2': ('INFO :      [ROUND {n}]\nINFO :      configure_fit: strategy sampled 5 clients (out of 5)', 57),
    'optuna': ("[I 2026-01-02 03:{s:02d}:05,678] Trial {n} finished with value: 0.5{s} and parameters: {{'x': 0.5}}. Best is trial 3 with value: 0.6.", 57),
    'evalbar': ('Evaluating:  {p}%|██   | {n}/570 [00:{s:02d}<09:10, 1.0{s}it/s]', 57),
    'lm eval': ('Running loglikelihood requests:  {p}%|██   | {n}/570 [00:{s:02d}<09:10, 1.0{s}it/s]', 57),
    'steps of an epoch and of all': ('[Epoch 007][Step {n:04d}/687] global_step={n}09 train_loss=0.{s} step_time=1.5s', 5709),
    'a large count of fairseq': ('{{"epoch": 20, "update": 19.{s}, "loss": "1.8", "num_updates": "{n}e+04", "lr": "0"}}', 570000),
    'Chinese': ('第{n}轮训练，损失：0.{s}，准确率：0.5', 57),
    'Chinese steps': ('步骤 {n}/570 - 损失: 0.{s}', 57),
    'Japanese': ('エポック {n}/570 損失 0.{s} 精度 0.5', 57),
    'Korean': ('에포크 {n}/570 - 손실: 0.{s}, 정확도: 0.5', 57),
    'patience': ('Epoch {n}/570 | Loss: 0.{s} | Patience:{n}/570', 57),
    'a date before it': ('01/{n:02d}/2026 03:{s:02d}:05 Average Training loss 0.{s} - epoch {n}/570', 57),
    'vllm': ('Processed prompts:  {p}%|██   | {n}/570 [00:{s:02d}<09:10, 1.0{s}it/s, est. speed input: 57.1 toks/s]', 57),
}  # fmt: skip
"""A line of each as `str.format` writes it, of the `n`th step: with `s`, which jumps about, and `p`, the per cent; and
the step that the 57th tells."""


@pytest.mark.parametrize("name", FORMS)
def test_the_last_step(name: str, report_of: ReportOf) -> None:
    form, last = FORMS[name]
    said = (form.format(n=n, s=10 + n * 37 % 50, p=n * 100 // 570, d=n % 10) for n in range(1, 58))
    report = report_of({"train.log": "\n".join(["starting", *said, ""])})
    assert (report.job.last_step, report.verdict.cls) in ((last, "healthy"), (last, "unknown"))
