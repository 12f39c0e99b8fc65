"""Saving and loading checkpoints: when they begin and end, and how they fail."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, Landmark, LineFormat, Mark, Pattern, Program, Role, Sample, Trait
from logtui.parsers.remedies import CHECKPOINT_SPACE

PROGRESS = (
    Pattern(
        name="checkpoint.save_begin",
        anchors=(
            "saving checkpoint at iteration ",
            "] Checkpoint ",
            "Saving the checkpoint",
            "Staging the checkpoint",
            "Saving model checkpoint to ",
            "Scheduled async checkpoint save for ",
            "Saving a full checkpoint at last step, step ",
        ),
        regex=r"saving checkpoint at iteration +(?P<iteration>\d+)(?: to (?P<path>\S+))?|\[Torch\] Checkpoint (?P<tag>\S+) is about to be saved|(?:Saving|Staging) the checkpoint\b"
        r"|Saving model checkpoint to (?P<directory>\S+)|Scheduled async checkpoint save for (?P<file>\S+)|Saving a full checkpoint at last step, step (?P<last_step>\d+)",
        samples=(
            Sample(
                "saving checkpoint at iteration     500 to /ckpt/run7 in torch_dist format",
                {"iteration": "500", "path": "/ckpt/run7"},
            ),
            Sample(
                "[INFO|trainer.py:3410] 2026-01-02 03:04:05,678 >> Saving model checkpoint to /ckpt/checkpoint-500",
                {"directory": "/ckpt/checkpoint-500"},
            ),
            Sample(
                "[2026-01-02 03:04:05,678] [INFO] [torch_checkpoint_engine.py:21:save] [Torch] Checkpoint global_step500 is about to be saved!",
                {"tag": "global_step500"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.LENGTHENS_STEP,),
        landmark=Landmark.CHECKPOINT,
        title="a checkpoint save begins",
    ),
    Pattern(
        name="checkpoint.save_end",
        anchors=(
            "successfully saved checkpoint ",
            "Finished saving the checkpoint",
            "finalized successfully",
            ": Save duration: ",
        ),
        regex=r"successfully saved checkpoint (?:from|at) iteration +(?P<iteration>\d+)|Finished saving the checkpoint(?:.*? in (?P<seconds>[\d.]+) seconds)?"
        r"|Async checkpoint save for step (?P<step>\d+) .*finalized successfully|Iteration: (?P<saved>\d+) : Start time: (?P<start_epoch>[\d.]+)s : Save duration: (?P<duration_s>[\d.]+)s",
        samples=(
            Sample("  successfully saved checkpoint from iteration     500 to /ckpt/run7", {"iteration": "500"}),
            Sample(
                "[titan] 2026-01-02 03:04:05,678 - root - INFO - Finished saving the checkpoint in 57.10 seconds.",
                {"seconds": "57.10"},
            ),
            Sample(
                "Global Checkpoint Save : Rank: 0 : Iteration: 500 : Start time: 1767323045.123s : Save duration: 5.700s",
                {"saved": "500", "duration_s": "5.700"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.LENGTHENS_STEP, Mark.SAVED),
        landmark=Landmark.CHECKPOINT,
        title="a checkpoint was saved",
        note="A save that began and has no such line died, or hangs.",
    ),
    Pattern(
        name="checkpoint.overlap",
        anchors=(
            "Starting a checkpoint save before previous has finished",
            "checkpoint saves might be not finalized properly",
        ),
        regex=r"Starting a checkpoint save before previous has finished|Some async checkpoint saves might be not finalized properly",
        samples=(Sample("WARNING: Starting a checkpoint save before previous has finished."),),
        role=Role.STATE,
        title="checkpoint saves overlap",
        note="Storage is slower than the interval.",
    ),
)

FAILURES = (
    Pattern(
        name="checkpoint.write_failed",
        anchors=("PytorchStreamWriter failed writing file",),
        regex=r"PytorchStreamWriter failed writing file (?P<entry>[^:]+): file write failed",
        samples=(
            Sample(
                "[rank0]: RuntimeError: [enforce fail at inline_container.cc:857] . PytorchStreamWriter failed writing file data/57: file write failed",
                {"entry": "data/57"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=80,
        title="writing a checkpoint failed",
        note="Disk full or quota.",
        advice=CHECKPOINT_SPACE,
    ),
    Pattern(
        name="checkpoint.unexpected_pos",
        anchors=("inline_container.cc:",),
        regex=r"enforce fail at inline_container\.cc:\d+\] \. unexpected pos (?P<position>\d+) vs (?P<expected>\d+)",
        samples=(
            Sample(
                "RuntimeError: [enforce fail at inline_container.cc:571] . unexpected pos 57123456 vs 57123392",
                {"position": "57123456", "expected": "57123392"},
            ),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.STORAGE_IO,
        title="a checkpoint file is shorter than written",
        note="The misleading second message after a failed write: disk full or quota.",
    ),
    Pattern(
        name="checkpoint.corrupt",
        anchors=(
            "PytorchStreamReader failed reading",
            "Error while deserializing header",
            "failed finding central directory",
        ),
        regex=r"PytorchStreamReader failed reading (?P<what>[^:]+): (?P<reason>.+)|Error while deserializing header: (?P<header>\w+)",
        samples=(
            Sample(
                "RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory",
                {"what": "zip archive", "reason": "failed finding central directory"},
            ),
            Sample(
                "safetensors_rust.SafetensorError: Error while deserializing header: MetadataIncompleteBuffer",
                {"header": "MetadataIncompleteBuffer"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=70,
        title="a checkpoint file is damaged",
        note="Usually a save that was killed, or ranks that load what another still writes.",
        advice=(
            Advice(
                "training",
                "resume from the checkpoint before this one: it was most likely cut by a save that was killed",
            ),
            Advice(
                "training",
                "let one rank write each file, under another name that is changed when it is complete, and put a barrier before "
                "any rank loads it",
            ),
        ),
    ),
    Pattern(
        name="checkpoint.mismatch",
        anchors=(
            "Error(s) in loading state_dict for ",
            "size mismatch for ",
            "Missing key(s) in state_dict",
            "Unexpected key(s) in state_dict",
        ),
        regex=r"Error\(s\) in loading state_dict for (?P<model>\w+)|size mismatch for (?P<parameter>\S+): copying a param|(?P<what>Missing|Unexpected) key\(s\) in state_dict",
        samples=(
            Sample("RuntimeError: Error(s) in loading state_dict for GPTModel:", {"model": "GPTModel"}),
            Sample(
                "\tsize mismatch for lm_head.weight: copying a param with shape torch.Size([57, 8]) from checkpoint",
                {"parameter": "lm_head.weight"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=70,
        title="the checkpoint does not fit the model",
        note="Another parallel layout, model or version.",
        advice=(
            Advice(
                "training",
                "load with the model, parallel layout and version that saved it, or convert the checkpoint; "
                "strict=False only where the difference is meant",
            ),
        ),
    ),
    Pattern(
        name="checkpoint.save_failed",
        anchors=("Failed saving model checkpoint to ", "Error while serializing: ", "Error saving checkpoint"),
        regex=r"Failed saving model checkpoint to (?P<path>\S+)|Error while serializing: (?P<reason>\w+)|Error saving checkpoint",
        samples=(
            Sample(
                "ValueError: Failed saving model checkpoint to /ckpt/run7 with tag global_step500",
                {"path": "/ckpt/run7"},
            ),
            Sample("safetensors_rust.SafetensorError: Error while serializing: IoError", {"reason": "IoError"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=64,
        title="saving a checkpoint failed",
        advice=CHECKPOINT_SPACE,
    ),
    Pattern(
        name="checkpoint.not_found",
        anchors=(
            "could not load the checkpoint",
            "No checkpoint was provided, this is a fresh start",
            "could not find checkpoint",
            "Can't find a valid checkpoint at ",
        ),
        regex=r"could not load the checkpoint|No checkpoint was provided, this is a fresh start|could not find checkpoint|Can't find a valid checkpoint at (?P<path>\S+)",
        samples=(
            Sample("ValueError: Can't find a valid checkpoint at /ckpt/run7", {"path": "/ckpt/run7"}),
            Sample("No checkpoint was provided, this is a fresh start.", {}),
        ),
        role=Role.STATE,
        marks=(Mark.NONE_LOADED,),
        title="no checkpoint was loaded",
    ),
)

FORMAT = LineFormat(
    name="checkpoint",
    title="checkpoints of all frameworks",
    reference="Megatron-LM training.py; NeMo and torchtitan checkpointing; transformers Trainer; DeepSpeed; caffe2 inline_container.cc",
    patterns=PROGRESS + FAILURES,
    programs=(Program(Kind.LIBRARY, ("checkpoint",), traits=(Trait.AT_WORK,)),),
)
