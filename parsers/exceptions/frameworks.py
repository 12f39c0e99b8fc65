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
        writer="PEFT 0.4 and later; LLaMA-Factory 0.6 and later; transformers 4 and later; Megatron Core 0.7 and later; DeepSpeed; gin",
        says=(
            r"Target modules .{1,300} not found in the base model",
            r"Template \S{1,80} does not exist",
            r"Undefined dataset \S{1,80} in ",
            r"Can't find a valid checkpoint at",
            r"Global shape mismatch for loaded \(",
            r"No slot '\w{1,9}' specified on host",
            r"No configurable matching '",
            r"Expected a string path to an existing deepspeed config",
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
            Raised("ValueError: No slot '57' specified on host 'node007'"),
            Raised("ValueError: No configurable matching 'run57.rate'."),
            Raised(
                "ValueError: Expected a string path to an existing deepspeed config, or a dictionary, or a base64 encoded string. "
                "Received: ../run57.json"
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
    ExceptionKind(
        name="exception.device_resources",
        writer="Intel's DPC++ runtime 2022 and later, of its plug-ins PI and Unified Runtime",
        says=(r"(?:PI_ERROR|UR_RESULT_ERROR)_OUT_OF_(?:RESOURCES|DEVICE_MEMORY|HOST_MEMORY)\b",),
        cls=FailureClass.GPU_OOM,
        weight=66,
        title="an Intel GPU has no room left",
        samples=(
            Raised("RuntimeError: Native API failed. Native API returns: -5 (PI_ERROR_OUT_OF_RESOURCES)"),
            Raised("RuntimeError: level_zero backend failed with error: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)"),
        ),
    ),
    ExceptionKind(
        name="exception.no_group",
        writer="PyTorch 1.0 and later, distributed/distributed_c10d.py; Hugging Face, Megatron and others in their words",
        says=(r"[Pp]rocess group (?:has not been|is not|was not) initialized",),
        cls=FailureClass.SOFTWARE,
        weight=56,
        title="a collective was called before the group was made",
        samples=(
            Raised("ValueError: Default process group has not been initialized, please call init_process_group."),
        ),
    ),
    ExceptionKind(
        name="exception.preempted",
        writer="clients of clouds and schedulers; programs that look at a notice of the machine's end",
        says=(r"\b(?:was|were|been|being|got|is) (?:preempted|evicted|reclaimed)\b",),
        cls=FailureClass.INFRASTRUCTURE,
        weight=66,
        title="the machine was taken away",
        samples=(Raised("google.api_core.exceptions.GoogleAPICallError: the TPU of run57 was preempted"),),
    ),
    ExceptionKind(
        name="exception.local_ranks_unset",
        writer="oneCCL 2021 and later, atl/util/pm and common/global: EXCEPTION",
        says=(r"EXCEPTION: (?:local_rank and local_size|CCL_\w{1,60}) (?:are|is) not set",),
        cls=FailureClass.CONFIG,
        weight=70,
        title="the environment does not say which process this is",
        samples=(
            Raised(
                "RuntimeError: oneCCL: global.cpp:57 getenv_local_coord: EXCEPTION: local_rank and local_size are not set"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.rabit",
        writer="XGBoost 1 and later, rabit and src/collective; LightGBM 2 and later, network/linkers_socket.cpp",
        types=(r"(?:XGBoost|LightGBM)Error",),
        says=(
            r"[Aa]llreduce failed",
            r"\b[Ss]ocket (?:recv|send|accept|connect|bind|poll)?\w{0,3} ?error",
            r"/collective/\w{1,20}\.(?:cc|h):",
        ),
        cls=FailureClass.NETWORK,
        weight=52,
        title="the workers lost each other",
        samples=(
            Raised("xgboost.core.XGBoostError: Allreduce failed"),
            Raised("lightgbm.basic.LightGBMError: Socket recv error, Connection reset by peer (code: 57)"),
            Raised("xgboost.core.XGBoostError: [03:04:05] /workspace/src/collective/result.cc:57:"),
        ),
    ),
    ExceptionKind(
        name="exception.tracker_unreached",
        writer="wandb 0.12 and later, sdk/wandb_init.py",
        types=(r"CommError", r"UsageError"),
        says=(r"Run initialization has timed out", r"Error communicating with wandb process"),
        cls=FailureClass.NETWORK,
        weight=54,
        title="the experiment tracker did not answer",
        samples=(
            Raised("wandb.errors.CommError: Run initialization has timed out after 57.0 sec."),
            Raised("wandb.errors.UsageError: Error communicating with wandb process"),
        ),
    ),
    ExceptionKind(
        name="exception.tensor_shapes",
        writer="PyTorch ATen 1 and 2, NumPy 1 and 2, TensorFlow and Keras 2 and 3, where a model is called",
        says=(
            r"view size is not compatible with",
            r"expanded size of the tensor",
            r"[Pp]added input size per channel",
            r"input\.size\(-1\) must be",
            r"number of (?:sizes provided|dimensions in the tensor)",
            r"dimensions except for the concatenation axis",
            r"mismatch in its core dimension",
            r"Shapes \(.{1,60}\) and \(.{1,60}\) are incompatible",
            r"Dimensions must be equal, but are",
            r"is incompatible with the layer",
            r"expected \S{1,80} to have (?:shape \(|\d{1,2} dimensions)",
        ),
        cls=FailureClass.SOFTWARE,
        weight=66,
        title="tensors of the program do not fit each other",
        samples=(
            Raised("RuntimeError: view size is not compatible with input tensor's size and stride."),
            Raised("RuntimeError: The expanded size of the tensor (57) must match the existing size (7)."),
            Raised("RuntimeError: Calculated padded input size per channel: (5 x 7). Kernel size: (7 x 7)."),
            Raised("RuntimeError: input.size(-1) must be equal to input_size. Expected 57, got 7"),
            Raised("RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match 57"),
            Raised("ValueError: all the input array dimensions except for the concatenation axis must match exactly"),
            Raised("ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0"),
            Raised("ValueError: Shapes (None, 57) and (None, 7) are incompatible"),
            Raised("ValueError: Dimensions must be equal, but are 57 and 7"),
            Raised(
                "ValueError: Error when checking input: expected dense_57 to have shape (7,) but got array with shape (1,)"
            ),
            Raised('ValueError: Input 0 of layer "dense" is incompatible with the layer: expected 57, found 7'),
        ),
    ),
    ExceptionKind(
        name="exception.built_for_another_cuda",
        writer="PyTorch 1.5 and later, utils/cpp_extension.py _check_cuda_version",
        says=(r"detected CUDA version .{1,60} mismatches the version that was used to compile",),
        cls=FailureClass.SOFTWARE,
        weight=64,
        title="CUDA's toolkit is another than PyTorch was built with",
        samples=(
            Raised(
                "RuntimeError: The detected CUDA version (12.5) mismatches the version that was used to compile PyTorch (11.7)."
            ),
        ),
    ),
)
