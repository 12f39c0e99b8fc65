"""Exceptions of a program's own: its numbers, its configuration, its code; and what ended it from outside."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import NO_MORE_NANS

_PATHS = (r"FileNotFoundError", r"NotADirectoryError", r"PermissionError", r"IsADirectoryError", r"FileExistsError")

_MAKE_SIZES_FIT = (
    Advice(
        "training",
        "make the sizes fit, {where}: batch = micro batch × accumulation × data-parallel size, and "
        "heads, layers and world size divisible by their parallel sizes",
    ),
)

NUMBERS = (
    ExceptionKind(
        name="exception.numbers",
        writer="Megatron-LM core 0.8 and later; fairseq; torch autograd's anomaly mode; DeepSpeed's loss scaler; trainers' own checks",
        says=(
            r"found NaN",
            r"found Inf",
            r"Unexpected result nan",
            r"returned nan values",
            r"loss (?:is|scale already at minimum)",
            r"Spiky loss",
            r"gradients are inconsistent between workers",
        ),
        cls=FailureClass.SOFTWARE,
        weight=66,
        title="the numbers went wrong",
        advice=NO_MORE_NANS,
        samples=(
            Raised("AssertionError: Rank 3: found NaN in local grad norm in backward pass. Device: 3, node: node007"),
            Raised(
                "RuntimeError: Rank 3, node node007, device 3, iteration 57: Unexpected result nan (message='loss of a microbatch')"
            ),
            Raised(
                "RuntimeError: Rank 3, node node007, device 3, iteration 57: Unexpected result inf (message='found Inf in local grad norm')"
            ),
            Raised(
                "RuntimeError: Rank 3, node node007, device 3, iteration 57: Unexpected result 57.0 (message='Spiky loss')"
            ),
            Raised(
                "FloatingPointError: Fatal error: gradients are inconsistent between workers. Try --ddp-backend=legacy."
            ),
            Raised("RuntimeError: Function 'PowBackward0' returned nan values in its 0th output."),
            Raised("Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run."),
        ),
    ),
)

CONFIGURATION = (
    ExceptionKind(
        name="exception.sizes_unfit",
        writer="Megatron-LM, DeepSpeed, torch.utils.data, vLLM, transformers: checks of sizes that must fit each other",
        types=(r"AssertionError", r"ValueError", r"RuntimeError", r"Exception"),
        says=(r"num_samples", r"world[_ ]?size", r"parallel size", r"mismatch TrainingArguments"),
        cls=FailureClass.CONFIG,
        weight=60,
        title="the configuration does not add up",
        advice=_MAKE_SIZES_FIT,
        samples=(
            Raised("ValueError: num_samples should be a positive integer value, but got num_samples=0"),
            Raised(
                "AssertionError: Check batch related parameters. train_batch_size is not equal to micro_batch_per_gpu * "
                "gradient_acc_step * world_size 57 != 7 * 1 * 8",
                ("deepspeed/runtime/config.py _batch_assertion",),
            ),
            Raised("RuntimeError: decoder world size (8) does not equal tensor parallel size (7)"),
            Raised("Exception: pipeline parallel size 7 exceeds the number of layers"),
            Raised(
                "ValueError: Please correct the following DeepSpeed config values that mismatch TrainingArguments values:\n"
                "- ds train_micro_batch_size_per_gpu=7 vs hf per_device_train_batch_size=5"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.sizes_uneven",
        writer="whatever checks a size: of settings as a rule, of a sample where that is read",
        types=(r"AssertionError", r"ValueError", r"RuntimeError", r"Exception"),
        says=(r"divisible", r"(?:must|to) be (?:a )?multiple"),
        cls=FailureClass.CONFIG,
        weight=60,
        vague=True,
        title="the configuration does not add up",
        advice=_MAKE_SIZES_FIT,
        samples=(
            Raised("AssertionError: 57 is not divisible by 8"),
            Raised("ValueError: the number of microbatches has to be a multiple of 7"),
            Raised("RuntimeError: 57 channels are not divisible by 8 groups"),
            Raised("Exception: the length must be a multiple of 57"),
        ),
    ),
    ExceptionKind(
        name="exception.settings_refused",
        writer="torch.distributed.elastic 1.9 and later, argparse raised through",
        types=(r"ValueError", r"Exception"),
        says=(r"unrecognized arguments", r"invalid choice", r"port number of"),
        cls=FailureClass.CONFIG,
        weight=60,
        title="the configuration does not add up",
        samples=(
            Raised("ValueError: unrecognized arguments: --lr57"),
            Raised("Exception: invalid choice: 'bf57' (choose from 'bf16', 'fp16')"),
            Raised(
                "ValueError: The port number of the C10d rendezvous endpoint 'node007:a57' must be an integer between 0 and 65536."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.settings_unfit",
        writer="transformers 4, libraries' and programs' own checks, in words that readers of data use as well",
        types=(r"AssertionError", r"ValueError", r"RuntimeError", r"Exception"),
        says=(
            r"must be (?:equal|one of|set|specified|positive|greater|less)",
            r"not (?:compatible|supported|allowed) (?:with|for|when)",
            r"is incompatible",
            r"conflict",
        ),
        cls=FailureClass.CONFIG,
        weight=60,
        vague=True,
        title="the configuration does not add up",
        samples=(
            Raised("AssertionError: hidden_size must be set"),
            Raised(
                "ValueError: SHARDED_STATE_DICT is not compatible with save_only_model=True.",
                ("/opt/job/arguments.py check",),
            ),
            Raised("RuntimeError: fused Adam is incompatible with offloading"),
            Raised("Exception: options --fp16 and --bf16 conflict"),
        ),
    ),
    ExceptionKind(
        name="exception.configuration_key",
        writer="yacs and fvcore (detectron2 and others)",
        says=(r"Non-existent config key",),
        cls=FailureClass.CONFIG,
        weight=66,
        title="the settings name a key that the program does not know",
        samples=(Raised("KeyError: 'Non-existent config key: MODEL.WIDTH57'"),),
    ),
    ExceptionKind(
        name="exception.configuration_type",
        writer="OmegaConf 2, Hydra 1, argparse, PyYAML, tomllib, Lightning",
        types=(
            r"ConfigAttributeError",
            r"MissingMandatoryValue",
            r"ConfigKeyError",
            r"ConfigCompositionException",
            r"(?<!Invalid)ArgumentError",
            r"OverrideParseException",
            r"MisconfigurationException",
            r"InterpolationKeyError",
            r"InterpolationResolutionError",
            r"yaml\.\w+\.\w+Error",
            r"TOMLDecodeError",
        ),
        cls=FailureClass.CONFIG,
        weight=62,
        title="the configuration does not add up",
        samples=(
            Raised("omegaconf.errors.ConfigAttributeError: Key 'lr57' is not in struct"),
            Raised("omegaconf.errors.MissingMandatoryValue: Missing mandatory value: model.hidden57"),
            Raised("omegaconf.errors.ConfigKeyError: Key 'lr57' is not in struct"),
            Raised("hydra.errors.ConfigCompositionException: Could not override 'lr57'."),
            Raised("argparse.ArgumentError: argument --lr: expected one argument"),
            Raised("hydra.errors.OverrideParseException: mismatched input '=' expecting <EOF>"),
            Raised("lightning.fabric.utilities.exceptions.MisconfigurationException: No supported gpu backend found!"),
            Raised("omegaconf.errors.InterpolationKeyError: Interpolation key 'lr57' not found"),
            Raised("omegaconf.errors.InterpolationResolutionError: KeyError raised while resolving interpolation"),
            Raised("yaml.scanner.ScannerError: mapping values are not allowed here"),
            Raised("tomllib.TOMLDecodeError: Invalid value (at line 57, column 7)"),
        ),
    ),
    ExceptionKind(
        name="exception.validation",
        writer="pydantic 1 and 2, jsonschema 4, marshmallow 3: of settings, as a rule",
        types=(r"ValidationError$",),
        cls=FailureClass.CONFIG,
        weight=62,
        vague=True,
        title="the configuration does not add up",
        samples=(Raised("pydantic_core._pydantic_core.ValidationError: 2 validation errors for Run57"),),
    ),
    ExceptionKind(
        name="exception.configuration_code",
        writer="Megatron-LM and its kin: whatever the code that reads arguments refuses",
        types=(r"AssertionError", r"ValueError", r"KeyError"),
        frames=(r"arguments\.py", r"validate_args", r"parse_args", r"argparse", r"config"),
        cls=FailureClass.CONFIG,
        weight=56,
        vague=True,
        title="the configuration does not add up",
        samples=(
            Raised("AssertionError: 57 experts", ("megatron/arguments.py _check_arg_is_not_none",)),
            Raised("AssertionError: 57 layers", ("/opt/job/options.py validate_args",)),
            Raised("ValueError: 57", ("/opt/job/options.py parse_args",)),
            Raised("KeyError: 'lr57'", ("/opt/job/config.py load",)),
            Raised("ValueError: badly formed help string", ("/usr/lib/python3.14/argparse.py _check_help",)),
        ),
    ),
    ExceptionKind(
        name="exception.path_unnamed",
        writer="CPython's open, where the message is torn off or stands elsewhere",
        types=_PATHS,
        says=(r"^\W*$",),
        cls=FailureClass.CONFIG,
        weight=34,
        title="a path is wrong",
        samples=(
            Raised("FileNotFoundError: ''"),
            Raised("NotADirectoryError: ''"),
            Raised("PermissionError: ''"),
            Raised("IsADirectoryError: ''"),
            Raised("FileExistsError: ''"),
        ),
    ),
    ExceptionKind(
        name="exception.path",
        writer="CPython's open",
        types=tuple(t for t in _PATHS if t != "IsADirectoryError"),
        cls=FailureClass.CONFIG,
        weight=54,
        vague=True,
        title="a path is wrong",
        samples=(
            Raised("FileNotFoundError: [Errno 2] No such file or directory: '/mnt/a57'"),
            Raised("NotADirectoryError: [Errno 20] Not a directory: '/mnt/a57'"),
            Raised("PermissionError: [Errno 13] Permission denied: '/mnt/a57'"),
            Raised("FileExistsError: [Errno 17] File exists: '/mnt/a57'"),
        ),
    ),
)

EMPTY = (
    ExceptionKind(
        name="exception.empty_tensor",
        writer="torch, every version: a reduction that has no value for nothing",
        types=(r"RuntimeError",),
        says=(
            r"cannot perform reduction function \w+ on tensor with no elements",
            r"Specify the reduction dim with the 'dim' argument",
        ),
        cls=FailureClass.SOFTWARE,
        weight=58,
        title="a tensor is empty",
        samples=(
            Raised(
                "RuntimeError: invalid argument 1: cannot perform reduction function min on tensor with no elements"
            ),
            Raised(
                "RuntimeError: min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
            ),
        ),
    ),
)

OUTSIDE = (
    ExceptionKind(
        name="exception.platform",
        writer="Amazon SageMaker, as the reason it gives of a training job's end",
        types=(r"InternalServerError",),
        says=(r"We encountered an internal error",),
        cls=FailureClass.INFRASTRUCTURE,
        weight=58,
        title="the platform failed",
        samples=(Raised("InternalServerError: We encountered an internal error. Please try again."),),
    ),
    ExceptionKind(
        name="exception.paddle_terminated",
        writer="Paddle 2, its handler of signals",
        types=(r"FatalError",),
        says=(r"`Termination signal` is detected",),
        cls=FailureClass.INFRASTRUCTURE,
        weight=52,
        title="stopped from outside with SIGTERM",
        samples=(Raised("FatalError: `Termination signal` is detected by the operating system."),),
    ),
    ExceptionKind(
        name="exception.output_encoding",
        writer="CPython's text streams, where the console or the locale knows no such character",
        types=(r"UnicodeEncodeError",),
        says=(r"(?:charmap|ascii|latin-1|cp\d{3,5}|gbk)' codec can't encode",),
        cls=FailureClass.SOFTWARE,
        weight=62,
        title="the console or the locale cannot print what the program says",
        advice=(Advice("training", "set PYTHONIOENCODING=utf-8 or PYTHONUTF8=1 in the job's environment"),),
        samples=(
            Raised(
                "UnicodeEncodeError: 'charmap' codec can't encode character '\\u2713' in position 0: character maps to <undefined>"
            ),
            Raised(
                "UnicodeEncodeError: 'ascii' codec can't encode characters in position 5-7: ordinal not in range(128)"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.interrupted",
        writer="CPython at SIGINT",
        types=(r"KeyboardInterrupt",),
        cls=FailureClass.INFRASTRUCTURE,
        weight=30,
        title="interrupted from outside",
        samples=(Raised("KeyboardInterrupt"),),
    ),
    ExceptionKind(
        name="exception.ended_itself",
        writer="CPython at sys.exit, and at the close of a generator",
        types=(r"SystemExit", r"GeneratorExit"),
        title="the program ended itself",
        samples=(Raised("SystemExit: 57"), Raised("GeneratorExit")),
    ),
)

PROGRAM = (
    ExceptionKind(
        name="exception.asked_nobody",
        writer="CPython's input, where a job has no terminal",
        types=(r"EOFError",),
        says=(r"EOF when reading a line",),
        cls=FailureClass.SOFTWARE,
        weight=60,
        title="the program asked a question, and nobody is there to answer",
        advice=(Advice("training", "give the answer as an argument, or run the program without the question"),),
        samples=(Raised("EOFError: EOF when reading a line"),),
    ),
    ExceptionKind(
        name="exception.import",
        writer="CPython's import",
        types=(r"ModuleNotFoundError", r"ImportError"),
        cls=FailureClass.SOFTWARE,
        weight=60,
        title="an import failed",
        advice=(
            Advice(
                "training",
                "install what is missing in the environment that the job runs in; on one host only, its image differs",
            ),
        ),
        samples=(
            Raised("ModuleNotFoundError: No module named 'kernels57'"),
            Raised("ImportError: cannot import name 'Attention57' from 'kernels' (/opt/job/kernels.py)"),
        ),
    ),
    ExceptionKind(
        name="exception.code",
        writer="CPython, at mistakes of the program's text",
        types=(
            r"AttributeError",
            r"TypeError",
            r"NameError",
            r"NotImplementedError",
            r"SyntaxError",
            r"UnboundLocalError",
            r"RecursionError",
            r"IndentationError",
        ),
        cls=FailureClass.SOFTWARE,
        weight=58,
        vague=True,
        title="the program failed",
        samples=(
            Raised("AttributeError: 'NoneType' object has no attribute 'forward'"),
            Raised("TypeError: forward() takes 5 positional arguments but 7 were given"),
            Raised("NameError: name 'loss57' is not defined"),
            Raised("NotImplementedError"),
            Raised("SyntaxError: invalid syntax"),
            Raised("UnboundLocalError: cannot access local variable 'loss57'"),
            Raised("RecursionError: maximum recursion depth exceeded"),
            Raised("IndentationError: unexpected indent"),
        ),
    ),
    ExceptionKind(
        name="exception.not_close",
        writer="torch.testing, numpy.testing",
        types=(r"AssertionError",),
        says=(r"^(?:Tensor-likes|Scalars|Sparse \w{1,20}) are not (?:close|equal)!|^\s*Not equal to tolerance ",),
        cls=FailureClass.SOFTWARE,
        weight=58,
        title="two results that should agree do not",
        samples=(
            Raised("AssertionError: Tensor-likes are not close!"),
            Raised("AssertionError: \nNot equal to tolerance rtol=1e-05, atol=0"),
        ),
    ),
    ExceptionKind(
        name="exception.value",
        writer="CPython and libraries",
        types=(r"ValueError",),
        cls=FailureClass.SOFTWARE,
        weight=52,
        vague=True,
        title="the program failed",
        samples=(Raised("ValueError: bad shape at step 57"),),
    ),
    ExceptionKind(
        name="exception.other",
        writer="any program",
        cls=FailureClass.SOFTWARE,
        weight=50,
        vague=True,
        title="the program failed",
        samples=(Raised("RuntimeError: expected 57 tensors"), Raised("jobkit.PlanFailure: no plan for step 57")),
    ),
)
