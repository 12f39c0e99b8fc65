"""Trainers with one or two lines each: torchtune, Nanotron, OLMo, mmengine, detectron, LitGPT, modded-nanogpt, IDEFICS, openpi."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

_NANOTRON = "01/02/2026 03:04:05 [INFO|DP=0|PP=0|TP=0|node007]: iteration: 57 / 1500 | consumed_tokens: 29.2K | "

FORMAT = LineFormat(
    name="other_trainers",
    title="torchtune, Nanotron, OLMo, mmengine, LitGPT and others",
    reference="meta-pytorch/torchtune metric_logging.py; huggingface/nanotron trainer.py; allenai/OLMo train.py",
    patterns=(
        Pattern(
            name="torchtune.step",
            anchors=(" | loss:",),
            regex=r"\bStep (?P<step>\d+) \| loss:\S+",
            samples=(
                Sample("Step 57 | loss:1.5712345678901234 lr:2e-05 tokens_per_second_per_gpu:812.5 ", {"step": "57"}),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="nanotron.iteration",
            anchors=("elapsed_time_per_iteration_ms: ",),
            regex=r"iteration: (?P<step>\d+) / \d+ .{0,200}?elapsed_time_per_iteration_ms: (?P<ms>[\d.]+)(?![\d.KMG])",
            samples=(
                Sample(
                    _NANOTRON + "elapsed_time_per_iteration_ms: 471 | tokens_per_sec: 109", {"step": "57", "ms": "471"}
                ),
            ),
            role=Role.INFO,
            numeric=("step", "ms"),
        ),
        Pattern(
            name="nanotron.slow_iteration",
            anchors=("elapsed_time_per_iteration_ms: ",),
            regex=r"iteration: (?P<step>\d+) / \d+ .{0,200}?elapsed_time_per_iteration_ms: (?P<s>[\d.]+)K",
            samples=(
                Sample(
                    _NANOTRON + "elapsed_time_per_iteration_ms: 4.71K | tokens_per_sec: 109",
                    {"step": "57", "s": "4.71"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
            note="The same line at a second and more: a thousand milliseconds are a second.",
        ),
        Pattern(
            name="olmo.step",
            anchors=(",epoch=",),
            regex=r"\[step=(?P<step>\d+)/\d+,epoch=\d+",
            samples=(
                Sample("2026-01-02 03:04:05.678 node007:0 olmo.train:967 INFO [step=57/5000,epoch=0]", {"step": "57"}),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="mmengine.iteration",
            anchors=("Iter(train) [", "Epoch(train) [", "Epoch(train)  ["),
            regex=r"(?:Iter|Epoch)\(train\) (?: *\[\d+\])?\[ *(?P<step>\d+)/\d+\].*?(?<!_)time: (?P<s>[\d.]+)",
            samples=(
                Sample(
                    "01/02 03:04:05 - mmengine - INFO - Epoch(train)  [1][ 57/720]  lr: 5.7123e-05  eta: 0:31:46  time: 2.5712",
                    {"step": "57", "s": "2.5712"},
                ),
                Sample(
                    "01/02 03:04:05 - mmengine - INFO - Iter(train) [ 57/720]  lr: 5.7123e-05  eta: 0:31:46  time: 2.5712  "
                    "data_time: 0.0057  memory: 15712  loss: 2.5712",
                    {"step": "57", "s": "2.5712"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
        ),
        Pattern(
            name="mmcv.iteration",
            anchors=(
                "]\tlr: 1.",
                "]\tlr: 2.",
                "]\tlr: 3.",
                "]\tlr: 4.",
                "]\tlr: 5.",
                "]\tlr: 6.",
                "]\tlr: 7.",
                "]\tlr: 8.",
                "]\tlr: 9.",
                "]\tlr: 0.",
            ),
            regex=r"(?:Epoch \[\d+\]|Iter )\[ *(?P<step>\d+)/\d+\]\tlr: (?:.*?(?<!_)time: (?P<s>[\d.]+))?",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 - mmdet - INFO - Epoch [5][57/720]\tlr: 5.712e-03, eta: 0:57:12, time: 0.571, "
                    "data_time: 0.057, memory: 5712, loss: 1.5712",
                    {"step": "57", "s": "0.571"},
                ),
                Sample(
                    "2026-01-02 03:04:05,678 - mmseg - INFO - Iter [57/720]\tlr: 5.712e-03, eta: 0:57:12, time: 0.571",
                    {"step": "57"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
            note="TextLoggerHook of mmcv 0.x and 1.x. Steps begin anew each epoch.",
        ),
        Pattern(
            name="cvnets.iteration",
            anchors=(", Avg. batch load time: ",),
            regex=r"Epoch: +\d+ \[ *(?P<step>\d+)/ *\d+\], .*, Avg\. batch load time: (?P<load>[\d.]+), Elapsed time: ",
            samples=(
                Sample(
                    "2026-01-02 03:04:05 - LOGS    - Epoch:   5 [      57/10000000], loss: 1.5712, LR: [0.1, 0.1], Avg. batch "
                    "load time: 0.057, Elapsed time:  5.71",
                    {"step": "57", "load": "0.057"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
            note="CVNets and CoreNet; the elapsed time is the epoch's.",
        ),
        Pattern(
            name="caffe.done",
            anchors=("] Optimization Done.", "] Optimization stopped early."),
            regex=r" (?:caffe|solver)\.cpp:\d{1,5}\] Optimization (?:Done|stopped early)\.",
            samples=(
                Sample("I0102 03:04:05.678901  5757 caffe.cpp:357] Optimization Done."),
                Sample("I0102 03:04:05.678901  5757 solver.cpp:357] Optimization stopped early."),
            ),
            role=Role.END,
            title="Caffe's solver ended",
        ),
        Pattern(
            name="cvnets.interrupted",
            anchors=("Keyboard interruption. Exiting",),
            regex=r"Keyboard interruption\. Exiting from early training",
            samples=(Sample("2026-01-02 03:04:05 - LOGS    - Keyboard interruption. Exiting from early training"),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=46,
            title="somebody interrupted the program",
        ),
        Pattern(
            name="burn.interrupted",
            anchors=("Killing training from user input",),
            regex=r"^Killing training from user input\.",
            samples=(Sample("Killing training from user input.    "),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=56,
            title="somebody interrupted the program",
            note="What Burn's dashboard panics with.",
        ),
        Pattern(
            name="detectron.iteration",
            anchors=("  iter: ",),
            regex=r"\beta: .{1,40}?  iter: (?P<step>\d+)  .{0,1000}?(?<!_)\btime: (?P<s>[\d.]+)",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 maskrcnn_benchmark.trainer INFO: eta: 0:57:12  iter: 57  time: 0.0571 (0.0657)  data: 0.0001 (0.0057)  loss: 1.5712 (2.5712)",
                    {"step": "57", "s": "0.0571"},
                ),
                Sample(
                    "[01/02 03:04:05 d2.utils.events]:  eta: 0:57:12  iter: 57  total_loss: 1.35  loss_cls: 0.2  time: 0.5123  data_time: 0.0057",
                    {"step": "57", "s": "0.5123"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
        ),
        Pattern(
            name="detectron.start",
            anchors=("Rank of current process: ",),
            regex=r"\bRank of current process: (?P<rank>\d{1,6})\. World size: (?P<world_size>\d{1,6})",
            samples=(
                Sample(
                    "[01/02 03:04:05] detectron2 INFO: Rank of current process: 5. World size: 7",
                    {"rank": "5", "world_size": "7"},
                ),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS, Mark.NAMES_SELF),
            note="Each rank appends to a file of its own.",
        ),
        Pattern(
            name="litgpt.iteration",
            anchors=(" toks/s/device", "iter time: "),
            regex=r"\biter (?P<step>\d+)\b.*?time: (?P<ms>[\d.]+) ?ms",
            samples=(
                Sample(
                    "iter 57: loss 1.5712, time: 4571.23ms, speed: 1571 toks/s/device", {"step": "57", "ms": "4571.23"}
                ),
                Sample(
                    "Epoch 1 | iter 57 step 7 | loss train: 2.104, val: n/a | iter time: 350.12 ms (step)",
                    {"step": "57", "ms": "350.12"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "ms"),
        ),
        Pattern(
            name="nanogpt.step",
            anchors=(" train_time:",),
            regex=r"\bstep:(?P<step>\d+)/\d+ .*?train_time:[\d.]+ms",
            samples=(Sample("step:57/6000 train_loss:10.5712 train_time:25712ms step_avg:451.09ms", {"step": "57"}),),
            role=Role.INFO,
            numeric=("step", ""),
            note="step_avg is the mean since the start; nanms in the first steps is normal.",
        ),
        Pattern(
            name="nanogpt.stopped",
            anchors=("stopping_early: wallclock_cap",),
            regex=r"stopping_early: wallclock_cap train_time: ?\d+ms step: ?(?P<step>\d+)/\d+",
            samples=(
                Sample("stopping_early: wallclock_cap train_time:570571ms step:5757/20000", {"step": "5757"}),
                Sample("stopping_early: wallclock_cap train_time: 570571ms step: 5757/20000", {"step": "5757"}),
            ),
            role=Role.END,
            title="the training stopped when its time was over",
        ),
        Pattern(
            name="idefics.iteration",
            anchors=("% | elapsed time: ",),
            regex=r"iteration: +(?P<step>\d+)/\d+ +\d+% \| elapsed time: ",
            samples=(
                Sample(
                    "iteration:     57/500000   0% | elapsed time: 05:57:12 | per_token_loss: 2.01 | fwd_bwd_time: 45712.3",
                    {"step": "57"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="openpi.step",
            anchors=(": grad_norm=",),
            regex=r"\bStep (?P<step>\d+): grad_norm=",
            samples=(Sample("Step 5700: grad_norm=0.1571, loss=0.0057, param_norm=1357.1234", {"step": "5700"}),),
            role=Role.INFO,
            numeric=("step", ""),
        ),
    ),
    programs=(
        Program(Kind.FRAMEWORK, ("torchtune",), "torchtune", outer=50),
        Program(Kind.FRAMEWORK, ("nanotron",), "Nanotron", outer=50),
        Program(Kind.LIBRARY, ("detectron", "mmengine"), traits=(Trait.AT_WORK,)),
    ),
)
