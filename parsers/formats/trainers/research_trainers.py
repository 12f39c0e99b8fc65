"""Step lines of research toolkits: fairseq, DETR, StyleGAN, OpenCLIP, timm, PyTorch's ImageNet example, MaxText, icefall, ESPnet."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

FORMAT = LineFormat(
    name="research_trainers",
    title="fairseq, DETR, StyleGAN, OpenCLIP, timm, ImageNet example, MaxText, icefall, ESPnet, Sockeye",
    reference="wenet-e2e/wenet wenet/utils/executor.py; PaddlePaddle/Knover knover/scripts/train.py; facebookresearch/fairseq progress_bar.py; mlfoundations/open_clip train.py; google/maxtext; k2-fsa/icefall; awslabs/sockeye; facebookresearch/detr main.py; NVlabs/stylegan2-ada-pytorch training_loop.py",
    patterns=(
        Pattern(
            name="fairseq.step",
            anchors=("num_updates=", '"num_updates": '),
            regex=r"\bnum_updates(?:=|\": \")(?P<step>\d+(?:\.\d+)?(?:e\+\d+)?)",
            samples=(
                Sample(
                    "2026-01-02 03:04:05 | INFO | train_inner | epoch 001:     57 / 1000 loss=12.1, wps=9123, ups=0.57, num_updates=57, lr=1e-4",
                    {"step": "57"},
                ),
                Sample(
                    '[2026-01-02 03:04:05,678][train_inner][INFO] - {"epoch": 20, "update": 19.5, "loss": "1.8", "num_updates": "1e+06", "lr": "0"}',
                    {"step": "1e+06"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="detr.epoch",
            anchors=('"epoch": ',),
            regex=r"^\{\"(?:train|test)_\w{1,60}\": [^\n]{0,60000}?, \"epoch\": (?P<step>\d{1,7})\b",
            samples=(
                Sample(
                    '{"train_lr": 0.0001, "train_loss": 5.73, "test_loss": 5.57, "epoch": 57, "n_parameters": 41301368}',
                    {"step": "57"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
            note="DETR, DeiT, MAE, DINO and what was made of them: one record an epoch in log.txt, of many thousand characters.",
        ),
        Pattern(
            name="stylegan.tick",
            anchors=("sec/tick ",),
            regex=r"\btick (?P<step>\d{1,7}) {1,12}kimg \d{1,9}\.\d {1,12}(?:lod \S{1,8} {1,8}minibatch \d{1,6} {1,8})?time ",
            samples=(
                Sample(
                    "tick 57    kimg 228.0    time 1h 02m 03s   sec/tick 57.3    sec/kimg 14.33   maintenance 0.1    cpumem 5.73",
                    {"step": "57"},
                ),
                Sample(
                    "tick 5     kimg 700.6    lod 0.00  minibatch 32   time 57m 03s      sec/tick 57.3    sec/kimg 5.73",
                    {"step": "5"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
            note="NVIDIA's StyleGAN, 1 to 3, and what was made of them.",
        ),
        Pattern(
            name="sockeye.step",
            anchors=("\ts/sec=",),
            regex=r"\bE=\d+ B=(?P<step>\d+)\ts/sec=",
            samples=(
                Sample(
                    "[INFO:sockeye.training] E=7 B=57000\ts/sec=1675.36 tok/sec=30031.15 u/sec=3.56\tppl=21.400216",
                    {"step": "57000"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="openclip.step",
            anchors=("Batch (t): ",),
            regex=r"Train Epoch: \d+ \[ *(?P<step>\d+)/\d+ .*?Batch \(t\): (?P<s>[\d.]+)",
            samples=(
                Sample(
                    "2026-01-02,03:04:05 | INFO | Train Epoch: 0 [ 5700/1000000 (1%)] Data (t): 0.157 Batch (t): 0.571, 1793/s, 224/s/gpu LR: 0.000100 Logit Scale: 14.286",
                    {"step": "5700", "s": "0.571"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
            note="The count is samples within the epoch.",
        ),
        Pattern(
            name="example.samples",
            anchors=("Train Epoch: ",),
            regex=r"Train Epoch: \d+ \[ *\d+/\d+ \( *\d+%\)\]\s+Loss: ",
            samples=(Sample("Train Epoch: 3 [5760/60000 (10%)]\tLoss: 0.575757"),),
            role=Role.INFO,
            marks=(Mark.UNNUMBERED_STEP,),
            note="PyTorch's MNIST example, which hundreds of programs began as: samples of the epoch, and no step.",
        ),
        Pattern(
            name="wenet.step",
            anchors=("TRAIN Batch ",),
            regex=r"\bTRAIN Batch \d{1,6}/(?P<step>\d{1,9}) loss ",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 DEBUG TRAIN Batch 3/5700 loss 12.345678 loss_att 10.1 loss_ctc 15.7 lr 0.00057000 rank 7",
                    {"step": "5700"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
            note="Epoch and batch within it; `CV Batch` is the evaluation's.",
        ),
        Pattern(
            name="cuda_convnet.step",
            anchors=("... logprob: ",),
            regex=r"^\d{1,6}\.(?P<step>\d{1,9})\.\.\. logprob: +[\d.]+, [^(\n]{1,200}\((?P<s>\d+\.\d+) sec\)",
            samples=(Sample("1.57... logprob:  0.709586, 0.632812 (0.946 sec)", {"step": "57", "s": "0.946"}),),
            role=Role.INFO,
            numeric=("step", "s"),
            note="Epoch and batch within it.",
        ),
        Pattern(
            name="imagenet.step",
            anchors=("]\tTime ",),
            regex=r"(?<!EVALUATING - )(?<!Validation )(?<!Eval )(?<!Test )(?<!Val )Epoch: \[\d+\]\[ *(?P<step>\d+)/\d+\]\tTime +(?P<s>[\d.]+)",
            samples=(
                Sample(
                    "Epoch: [0][  57/5005]\tTime  0.357 (  0.557)\tData  0.057 (  0.157)\tLoss 6.9e+00 (7.0e+00)",
                    {"step": "57", "s": "0.357"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
            note="Steps begin anew each epoch. `Data` isolates reading.",
        ),
        Pattern(
            name="timm.step",
            anchors=("%)]  Loss",),
            regex=r"Train: \d+ \[ *(?P<step>\d+)/\d+ \( *\d+%\)\]  Loss.*?Time: +(?P<s>[\d.]+)s",
            samples=(
                Sample(
                    "Train: 0 [  57/1251 (  4%)]  Loss: 6.93 (6.94)  Time: 0.457s, 2240.15/s  (0.557s, 1838.57/s)  LR: 1.0e-06  Data: 0.011 (0.057)",
                    {"step": "57", "s": "0.457"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
        ),
        Pattern(
            name="maxtext.step",
            anchors=("completed step: ",),
            regex=r"completed step: (?P<step>\d+), seconds: (?P<s>[\d.]+)",
            samples=(
                Sample(
                    "completed step: 57, seconds: 5.712, TFLOP/s/device: 357.1, Tokens/s/device: 7157.1, total_weights: 1048576, loss: 5.712",
                    {"step": "57", "s": "5.712"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
        ),
        Pattern(
            name="icefall.step",
            anchors=(", tot_loss[",),
            regex=r"Epoch \d+, batch (?P<step>\d+),.*?, tot_loss\[",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 INFO [train.py:1057] (5/8) Epoch 1, batch 57, loss[loss=0.357, over 5712 frames. ], tot_loss[loss=0.457, over 57123 frames. ], batch size: 57",
                    {"step": "57"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
            note="Batches begin anew each epoch.",
        ),
        Pattern(
            name="espnet.step",
            anchors=("epoch:train:",),
            regex=r"\d+epoch:train:\d+-(?P<step>\d+)batch: .{0,600}?\btrain_time=(?P<s>[\d.]+)",
            samples=(
                Sample(
                    "[node007:0/8] 2026-01-02 03:04:05,678 (trainer:762) INFO: 1epoch:train:1-57batch: iter_time=0.057, forward_time=0.157, loss=57.1, train_time=0.571",
                    {"step": "57", "s": "0.571"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
        ),
        Pattern(
            name="knover.step",
            anchors=(" steps/s",),
            regex=r"\bstep: (?P<step>\d{1,9}), time: [\d.]{1,20}, speed: [\d.]{1,20} steps/s",
            samples=(
                Sample("[train][5] progress: 1/7 step: 5700, time: 57.120, speed: 2.571 steps/s", {"step": "5700"}),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("timm",), traits=(Trait.AT_WORK,)),),
)
