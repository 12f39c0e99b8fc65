"""Scripts without a framework: `step 57 loss 0.03 step_time 0.1s`, `rank 5/8 local_rank 1 host node003 pid 123`."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

_NOT_A_FRAMEWORK = (
    r"^(?!.*(?:elapsed.time.per.iteration|tflops: |wps: |tokens_per_second_per_gpu|iter time|train_time:|toks/s/device|consumed_tokens"
    r"|global_step|, skipped=|: grad_norm=|maskrcnn|d2.utils|\[(?:Eval|Val|Valid|Test)\]))"
)
"""Lines that a framework's own format reads better, and those of an evaluation."""
_STEP = r".*?(?:^|[\s\[|,:(])(?:global[ _-]?)?(?:[Ss]tep|STEP|[Ii]ter(?:ation)?|ITER)[ =:#]{1,3}\[? *(?P<step>\d+)(?![\d.]*[%\w]|,\d{3}(?!\d))"
_STEP_TIME = r"(?:step|iter(?:ation)?)[ _-]?time[ =:]{1,2} *"
_LOSS_ANCHORS = tuple(
    f"{before}{between}{word}"
    for before in "0123456789]"
    for between, words in (
        (", ", ("loss", "Loss", "train_loss", "train/loss")),
        (" | ", ("loss", "Loss", "train_loss", "train/loss")),
        (": ", ("loss", "Loss", "train_loss")),
        (" ", ("loss=", "loss:", "loss ", "Loss=", "Loss:", "Loss ", "train_loss")),
    )
    for word in words
)
"""A number stands before the loss of a hand-written line; in a progress bar a unit does, which keeps bars out."""

FORMAT = LineFormat(
    name="generic_steps",
    title="plain training scripts",
    reference="the habits of hand-written loops; no single producer",
    patterns=(
        Pattern(
            name="generic.step_seconds",
            anchors=("step_time", "step time", "iter_time", "iteration time", "iter-time"),
            regex=_NOT_A_FRAMEWORK + _STEP + r"\b.{0,300}?" + _STEP_TIME + r"(?P<s>[\d.]+) ?(?:s\b|sec|,|$)",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 INFO train: step 57 loss 0.0233 step_time 0.122s",
                    {"step": "57", "s": "0.122"},
                ),
                Sample("[rank57] step=570, loss=2.31, step_time=1.25", {"step": "570", "s": "1.25"}),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
        ),
        Pattern(
            name="generic.step_ms",
            anchors=("step_time", "step time", "iter_time", "iteration time", "iter-time"),
            regex=_NOT_A_FRAMEWORK + _STEP + r"\b.{0,300}?" + _STEP_TIME + r"(?P<ms>[\d.]+) ?ms",
            samples=(Sample("step: 57 | loss: 2.31 | step time: 122.5ms", {"step": "57", "ms": "122.5"}),),
            role=Role.INFO,
            numeric=("step", "ms"),
        ),
        Pattern(
            name="generic.ms_per_step",
            anchors=("ms/step", "ms/iter"),
            regex=_NOT_A_FRAMEWORK
            + r"(?!.*\d+%\|)"
            + _STEP
            + r"\b.{0,300}?(?<![\w.])(?P<ms>\d+(?:\.\d+)?) ?ms/(?:step|it(?:er(?:ation)?)?)\b",
            samples=(
                Sample("step   57 | loss 2.3101 |  122.5 ms/step |  271.4k tok/s", {"step": "57", "ms": "122.5"}),
            ),
            role=Role.INFO,
            numeric=("step", "ms"),
        ),
        Pattern(
            name="generic.step",
            anchors=_LOSS_ANCHORS,
            regex=_NOT_A_FRAMEWORK
            + r"(?!.*(?:step|iter(?:ation)?)[ _-]?time)(?!.*\d+%\|)(?!.*\d ?ms/(?:step|it(?:er(?:ation)?)?)\b)"
            + _STEP
            + r"\b.{0,120}?[Ll]oss[ =:]+-?\d",
            samples=(
                Sample("[rank3] step 57 loss 2.31", {"step": "57"}),
                Sample("Epoch 1, Iteration: 57, train_loss: 2.31", {"step": "57"}),
                Sample("step=57 | lr=1e-4 | loss=2.31", {"step": "57"}),
                Sample("Step [57/1000], Loss: 2.3101", {"step": "57"}),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="generic.bare_step",
            anchors=(
                "root: step ",
                "train: step ",
                "trainer: step ",
                "main__: step ",
                "INFO: step ",
                "INFO step ",
                "] step ",
                "] Step ",
            ),
            regex=r"(?:\]|\w:?) [Ss]tep (?P<step>\d+)\s*$",
            samples=(Sample("2026-01-02 03:04:05,678 INFO root: step 57", {"step": "57"}),),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="generic.rank_line",
            anchors=("local_rank", "local rank", "hostname=", "hostname: ", " host node", "LocalRank"),
            regex=r"^(?!.*--local[_-]rank)(?!.*(?:exitcode|FAILED|GLOBAL_RANK|ProcessGroup|\[PG |WorkNCCL|Arguments\(|rank +: \d+ \(local_rank))(?=.*(?:local[ _]?rank[ =:]+\d|\bhost(?:name)?[ =:]+[A-Za-z]))(?=(?:.*?\blocal[ _]?rank[ =:]+(?P<local_rank>\d+))?)(?=(?:.*?\bhost(?:name)?[ =:]+(?P<host>[A-Za-z][\w.-]*))?)"
            r"(?=(?:.*?\bpid[ =:]+(?P<pid>\d+))?).*?(?<![\w_-])(?:global[ _])?[Rr]ank[ =:]+(?P<rank>\d+)\b"
            r"(?:(?: ?/ ?| of )(?P<world_size>\d{1,7}?)(?:(?!\d)|(?=\d{4}-\d\d-\d\d[ T]\d\d:)))?",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 INFO train: rank 57/128 local_rank 1 host node007 pid 4242",
                    {"rank": "57", "world_size": "128", "local_rank": "1", "host": "node007", "pid": "4242"},
                ),
                Sample("rank=57 local_rank=1 hostname=node007", {"rank": "57", "local_rank": "1", "host": "node007"}),
                Sample(
                    "INFO train: local_rank 1 host node007 rank 57/1282026-01-02 03:04:05,678 INFO train: ready",
                    {"rank": "57", "world_size": "128", "local_rank": "1", "host": "node007"},
                ),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS, Mark.NAMES_SELF),
            note="A script introduces itself; the only map in many small jobs.",
        ),
        Pattern(
            name="generic.world_line",
            anchors=("world_size=", "world_size: ", "world_size ", "world size", "World size", "World Size"),
            regex=r"^(?!.*(?:barrier|worker_count|using world size|Process rank:|MPI settings|def |self\.|\):))(?=.*?(?<![\w_-])(?:global[ _])?[Rr]ank[ =:]+(?P<rank>\d+)\b).*?\b[Ww]orld[ _][Ss]ize[ =:]+(?P<world_size>\d+)",
            samples=(
                Sample("initialized: rank=57, world_size=128, backend=nccl", {"rank": "57", "world_size": "128"}),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS,),
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("generic",), traits=(Trait.AT_WORK,)),),
)
