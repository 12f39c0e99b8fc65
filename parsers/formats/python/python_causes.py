"""Python errors whose text says what kind of failure they are: imports, arguments, toolchain, data."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

STOPPED = Pattern(
    name="py.stopped_by_user",
    anchors=(
        "nterrupted by ",
        "topped by ",
        "ancelled by ",
        "anceled by ",
        "borted by ",
        "peration terminated by user",
        "INTERRUPTED BY ",
        "raining interrupted",
        "raining was interrupted",
        "eyboard interrupt ",
        "eyboardInterrupt ",
        " keyboard interrupt",
        "aught KeyboardInterrupt",
        "Ctrl+C ",
        "Ctrl-C ",
        "topped manually",
        "nterrupted manually",
        "anually stopped",
        "anually interrupted",
    ),
    regex=r"(?i)(?<!Job was )\b(?:interrupted|stopped|cancell?ed|aborted|operation terminated) by (?:the )?"
    r"(?:user|keyboard|ctrl[-+]c)\b"
    r"|\btraining (?:was )?interrupted\W{0,4}(?:$|(?:at|in|after) (?:step|epoch|iter)|sav|exit)"
    r"|\b(?:training|run|optimi[sz]ation|search|study|tuning|experiment|evaluation)(?: (?:was|has been|is))?"
    r" (?:(?:stopped|interrupted) manually|manually (?:stopped|interrupted))\b"
    r"|\b(?:keyboard ?interrupt|ctrl[-+]c)(?:ion)? (?:was )?(?:received|detected|caught|pressed)\b"
    r"|\b(?:caught|received|detected) (?:a )?(?:keyboard ?interrupt|ctrl[-+]c)\b",
    samples=(
        Sample("2026-01-02 03:04:05,678 - __main__ - INFO - Training interrupted by user"),
        Sample("[!] run aborted by the user"),
        Sample("{Operation terminated by user during <a href=\"matlab:helpUtils.errorDocCallback('train57')\">"),
        Sample("Training interrupted."),
        Sample("Keyboard interrupt received, saving the last checkpoint"),
        Sample("Caught KeyboardInterrupt, exiting gracefully"),
        Sample("Optimization stopped manually."),
    ),
    role=Role.CAUSE,
    cls=FailureClass.INFRASTRUCTURE,
    weight=52,
    title="somebody interrupted the program",
    note="Its own word for Ctrl-C.",
)

SOFTWARE = (
    Pattern(
        name="py.undefined_symbol",
        anchors=("undefined symbol: ", "version `GLIBC_", "version `GLIBCXX_", "version `CXXABI_"),
        regex=r"ImportError: (?P<library>\S+?): (?:undefined symbol: (?P<symbol>\w+)|version `(?P<version>[\w.]+)' not found)|OSError: (?P<loaded>\S+): (?:undefined symbol|version `)"
        r"|: (?P<needed>/\S{1,300}): version `(?P<lacking>[\w.]{1,40})' not found \(required by ",
        samples=(
            Sample(
                "ImportError: /opt/venv/lib/python3.12/site-packages/kernels.so: undefined symbol: _ZN3c104cuda5checkEv",
                {"library": "/opt/venv/lib/python3.12/site-packages/kernels.so", "symbol": "_ZN3c104cuda5checkEv"},
            ),
            Sample(
                "ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /opt/a.so)",
                {"version": "GLIBC_2.34"},
            ),
            Sample(
                "python: /lib64/libm.so.6: version `GLIBC_2.57' not found (required by /opt/venv/lib/libstdc++.so.6)",
                {"lacking": "GLIBC_2.57", "needed": "/lib64/libm.so.6"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=72,
        title="a compiled extension does not fit its libraries",
        note="On one host only: its image differs.",
        advice=(
            Advice(
                "training",
                "rebuild[ {library}] against the installed PyTorch, or install the wheel that is built for it",
            ),
        ),
    ),
    Pattern(
        name="py.import_error",
        anchors=("ModuleNotFoundError: ", "ImportError: "),
        regex=r"(?P<exc>ModuleNotFoundError|ImportError): (?!.*(?:undefined symbol|version `))(?:No module named '?(?P<module>[\w.]+)'?|(?P<msg>.*))",
        samples=(
            Sample(
                "[rank57]: ModuleNotFoundError: No module named 'flash_attn'",
                {"exc": "ModuleNotFoundError", "module": "flash_attn"},
            ),
            Sample("ImportError: cannot import name 'x' from 'y' (/opt/y.py)", {"exc": "ImportError"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=58,
        title="an import failed",
        note="Optional imports fail harmlessly, often inside a try.",
        advice=(
            Advice(
                "training",
                "install[ {module}] in the environment that the job runs in; on one host only, its image differs",
            ),
        ),
    ),
    Pattern(
        name="py.toolchain",
        anchors=(
            "Ninja is required to load C++ extensions",
            "CUDA_HOME environment variable is not set",
            "CUDA_HOME does not exist",
            "nvcc: not found",
            "nvcc: command not found",
            "due to ninja not being installed",
            "Error building extension '",
        ),
        regex=r"(?P<what>Ninja is required to load C\+\+ extensions|CUDA_HOME (?:environment variable is not set|does not exist)|nvcc: (?:command )?not found|ninja not being installed|Error building extension '(?P<extension>\w+)')",
        samples=(
            Sample(
                "RuntimeError: Ninja is required to load C++ extensions (pip install ninja to get it)",
                {"what": "Ninja is required to load C++ extensions"},
            ),
            Sample("RuntimeError: Error building extension 'cpu_adam'", {"extension": "cpu_adam"}),
            Sample(
                "deepspeed.ops.op_builder.builder.MissingCUDAException: CUDA_HOME does not exist, unable to compile CUDA op(s)",
                {"what": "CUDA_HOME does not exist"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=70,
        title="a compiler or its tools are missing",
        advice=(
            Advice(
                "infrastructure",
                "install the CUDA toolkit and a C++ compiler in the image[ of {host}], and set CUDA_HOME to "
                "where bin/nvcc is; or install wheels that are built already",
            ),
        ),
    ),
    Pattern(
        name="py.spawn_bootstrap",
        anchors=("An attempt has been made to start a new process before the",),
        regex=r"An attempt has been made to start a new process before the",
        samples=(Sample("        An attempt has been made to start a new process before the"),),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=72,
        title="the main module starts processes while it is imported",
        note="With the spawn method the script needs an `if __name__ == '__main__'` guard.",
        advice=(Advice("training", "guard the script's start with `if __name__ == '__main__':`"),),
    ),
    Pattern(
        name="py.api_mismatch",
        anchors=(
            "got an unexpected keyword argument",
            "object has no attribute '",
            "missing 1 required positional argument",
            "' has no attribute '",
        ),
        regex=r"(?P<exc>TypeError|AttributeError): (?P<msg>.*?(?:unexpected keyword argument|has no attribute|missing 1 required positional argument).*)",
        samples=(
            Sample(
                "[rank57]: AttributeError: 'Namespace' object has no attribute 'zero_config'", {"exc": "AttributeError"}
            ),
            Sample("TypeError: fit() got an unexpected keyword argument 'ckpt'", {"exc": "TypeError"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=57,
        title="the program calls what is not there",
    ),
    Pattern(
        name="py.conda",
        anchors=("CommandNotFoundError: Your shell has not been properly configured",),
        regex=r"CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'",
        samples=(Sample("CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'."),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=62,
        marks=(Mark.COMMAND,),
        title="conda was not activated",
        note="Missing packages follow.",
        advice=(
            Advice(
                "training",
                "source conda's profile.d/conda.sh in the script before `conda activate`, or call the "
                "environment's python by its path; in a container check that the image has conda",
            ),
        ),
    ),
)

CONFIG = (
    Pattern(
        name="py.usage",
        anchors=(
            "error: unrecognized arguments: ",
            "error: the following arguments are required: ",
            ": invalid choice: ",
            "error: argument --",
        ),
        regex=r"(?<![\w.-])(?P<program>[\w.-]+): error: (?:unrecognized arguments: (?P<unknown>.+)|the following arguments are required: (?P<missing>.+)|argument (?P<argument>\S+): (?P<reason>.+))",
        samples=(
            Sample(
                "train.py: error: unrecognized arguments: --lr-wormup 7",
                {"program": "train.py", "unknown": "--lr-wormup 7"},
            ),
            Sample(
                "train.py: error: argument --precision: invalid choice: 'bf17' (choose from 'bf16', 'fp16')",
                {"argument": "--precision"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.ENDS, Mark.REFUSED),
        cls=FailureClass.CONFIG,
        weight=76,
        title="wrong command-line arguments",
        advice=(Advice("training", "correct the command line[ of {program}][: {argument}][ {unknown}][ {missing}]"),),
    ),
    Pattern(
        name="py.config",
        anchors=(
            "not divisible by ",
            "must be divisible by ",
            "is not compatible with ",
            "is incompatible with ",
            "are mutually exclusive",
            "can not be used with ",
            "cannot be used with ",
            "is not supported with ",
            "is not supported when ",
        ),
        regex=r"(?P<exc>AssertionError|ValueError|RuntimeError|NotImplementedError|Exception): (?P<msg>.{0,1000}?(?:not divisible by|must be divisible by|(?:not|in)compatible with"
        r"|is not compatible with|mutually exclusive|can ?not be used with|is not supported (?:with|when)).*)",
        samples=(
            Sample(
                "[rank57]: AssertionError: number of attention heads (28) is not divisible by tensor parallel size (8)",
                {"exc": "AssertionError"},
            ),
            Sample(
                "ValueError: cpu offload is not compatible with fused optimizers. Set fused=False",
                {"exc": "ValueError"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=64,
        title="the configuration does not add up",
    ),
)

DATA = (
    Pattern(
        name="py.data",
        anchors=(
            "UnpicklingError: ",
            "JSONDecodeError: ",
            "tarfile.ReadError: ",
            "BadZipFile: ",
            "BadGzipFile: ",
            "UnidentifiedImageError: ",
            "UnicodeDecodeError: ",
            "LibsndfileError: ",
            "ArrowInvalid: ",
        ),
        regex=r"(?<![\w.])(?P<exc>[\w.]*(?:UnpicklingError|JSONDecodeError|ReadError|BadZipFile|BadGzipFile|UnidentifiedImageError|UnicodeDecodeError|LibsndfileError|ArrowInvalid)): (?P<msg>.*)",
        samples=(
            Sample(
                "[rank57]: _pickle.UnpicklingError: pickle data was truncated",
                {"exc": "_pickle.UnpicklingError", "msg": "pickle data was truncated"},
            ),
            Sample(
                "PIL.UnidentifiedImageError: cannot identify image file <_io.BytesIO object at 0x7f00>",
                {"exc": "PIL.UnidentifiedImageError"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.DATA,
        weight=62,
        title="a sample or file cannot be decoded",
    ),
    Pattern(
        name="py.file_lock",
        anchors=("unable to lock file, errno = ",),
        regex=r"\(unable to lock file, errno = (?P<errno>\d{1,3})",
        samples=(
            Sample(
                "BlockingIOError: [Errno 11] Unable to open file (unable to lock file, errno = 11, error message = 'Resource "
                "temporarily unavailable')",
                {"errno": "11"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=68,
        title="a file cannot be locked",
        note="HDF5: another process writes it, or the file system knows no locks.",
        advice=(Advice("training", "open it read-only in every process, or set HDF5_USE_FILE_LOCKING=FALSE"),),
    ),
    Pattern(
        name="py.open_object",
        anchors=(
            "Unable to open object (",
            "Unable to synchronously open object",
            "Unable to open file (",
            'Assert on "fp_ != nullptr" failed',
        ),
        regex=r"Unable to (?:synchronously )?open (?:object|file) \((?P<reason>(?!unable to lock).*?)\)|Assert on \"fp_ != nullptr\" failed: Could not open file (?P<path>[^:]+)",
        samples=(
            Sample(
                "KeyError: \"Unable to open object (object 'tokens' doesn't exist)\"",
                {"reason": "object 'tokens' doesn't exist"},
            ),
            Sample(
                'RuntimeError: [/opt/dali/dali/util/std_file.cc:29] Assert on "fp_ != nullptr" failed: Could not open file /data/shard-00012.rec: No such file or directory',
                {"path": "/data/shard-00012.rec"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.DATA,
        weight=66,
        title="a data file or a part of it is missing",
        note="HDF5 and DALI readers.",
        advice=(Advice("training", "check the data file {path}: {reason}"),),
    ),
)

FORMAT = LineFormat(
    name="python_causes",
    title="Python errors that name their kind",
    reference="CPython argparse and import messages; torch.utils.cpp_extension; h5py; NVIDIA DALI",
    patterns=(STOPPED, *SOFTWARE, *CONFIG, *DATA),
)
