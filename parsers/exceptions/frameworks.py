"""Exceptions in the words of TensorFlow, JAX, Horovod and PyTorch's loader, whose types are those of any failure."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import ROOM_ON_HOST

_TF = "tensorflow.python.framework.errors_impl."

FRAMEWORKS = (
    ExceptionKind(
        name="exception.horovod_mismatch",
        writer="Horovod 0.16 and later, common/controller.cc ConstructResponse",
        says=(
            r"Mismatched (?:data types|MPI operations|collective operations|reduction operations|prescale|postscale|process sets)",
            r"Mismatched \w+ (?:tensor shapes|root ranks|CPU/GPU device placement)",
        ),
        cls=FailureClass.COLLECTIVE_MISMATCH,
        weight=84,
        title="ranks called different collectives",
        samples=(
            Raised(
                "horovod.common.exceptions.HorovodInternalError: Mismatched allreduce tensor shapes: One rank sent a tensor of "
                "shape [57, 7], but another rank sent a tensor of shape [7, 7]."
            ),
            Raised("RuntimeError: Mismatched data types: One rank had type float32, but another rank had type int64."),
        ),
    ),
    ExceptionKind(
        name="exception.unreadable_record",
        writer="TensorFlow 1 and 2, kernels that decode, parse and read",
        types=(r"(?:InvalidArgument|NotFound|OutOfRange|FailedPrecondition)Error",),
        says=(
            r"Input is empty",
            r"Unknown image file format",
            r"(?:Invalid (?:JPEG|PNG) data|Could not parse example input)",
            r"reading (?:gs|s3|hdfs)://",
            r"\[Op:(?:ReadFile|IteratorGetNext)\]",
        ),
        cls=FailureClass.DATA,
        weight=62,
        title="a record of the data is missing or cannot be read",
        samples=(
            Raised(_TF + "InvalidArgumentError: Input is empty. [[{{node DecodeJpeg}}]]"),
            Raised(_TF + "InvalidArgumentError: Unknown image file format. One of JPEG, PNG, GIF, BMP required."),
            Raised(_TF + "InvalidArgumentError: Invalid PNG data, size 57"),
            Raised(_TF + "NotFoundError: HTTP response code 404 with body 'none' when reading gs://run7/part-57"),
            Raised(_TF + "NotFoundError: /mnt/run7/part-57; No such file or directory [Op:IteratorGetNext]"),
        ),
    ),
    ExceptionKind(
        name="exception.no_backend",
        writer="JAX 0.2 and later, xla_bridge.py",
        says=(r"Unable to initialize backend '(?P<backend>\w{1,40})'",),
        cls=FailureClass.CONFIG,
        weight=56,
        title="JAX cannot use the devices that it was told to",
        samples=(
            Raised("RuntimeError: Unable to initialize backend 'tpu': UNAVAILABLE: No TPU devices found"),
            Raised("RuntimeError: Unable to initialize backend 'cuda': FAILED_PRECONDITION: No visible GPU devices."),
        ),
    ),
    ExceptionKind(
        name="exception.no_such_choice",
        writer="PEFT 0.4 and later; LLaMA-Factory 0.6 and later; transformers 4 and later, trainer.py; Megatron Core 0.7 and later",
        says=(
            r"Target modules .{1,300} not found in the base model",
            r"Template \S{1,80} does not exist",
            r"Undefined dataset \S{1,80} in ",
            r"Can't find a valid checkpoint at",
            r"Global shape mismatch for loaded \(",
        ),
        cls=FailureClass.CONFIG,
        weight=58,
        title="what the settings name is not there, or does not fit the model",
        samples=(
            Raised(
                "ValueError: Target modules {'q_proj57'} not found in the base model. Please check the target modules."
            ),
            Raised("ValueError: Template llama57 does not exist."),
            Raised("ValueError: Undefined dataset run57 in dataset_info.json."),
            Raised("ValueError: Can't find a valid checkpoint at /mnt/run57/checkpoint-570"),
            Raised(
                "megatron.core.dist_checkpointing.core.CheckpointingException: Global shape mismatch for loaded ((570, 57)) and "
                "expected ((571, 57)) tensor for key embedding.word_embeddings.weight"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.workers_gone",
        writer="PyTorch 1.0 and later, utils/data/dataloader.py _try_get_data",
        says=(r"DataLoader worker \(pid\(s\) [\d, ]{1,9000}\) exited unexpectedly",),
        cls=FailureClass.HOST_OOM,
        weight=44,
        title="data workers are gone",
        note="Killed, most often for memory; a worker that raised says so itself.",
        advice=ROOM_ON_HOST,
        samples=(Raised("RuntimeError: DataLoader worker (pid(s) 4242) exited unexpectedly"),),
    ),
)
