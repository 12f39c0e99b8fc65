"""CUDA and HIP runtime errors that programs cause, and the device's own assertion lines. Faults: gpu_faults.

The texts are CUDA's; who prints them varies: `CUDA error: …` (PyTorch), `Triton Error [CUDA]: …`,
`…: cudaErrorECCUncorrectable: …` (thrust), `HIP error: …`. Inside quotes they belong to source code or to NCCL.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.vocabulary import cuda_text
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait
from logtui.parsers.remedies import GPU_ACCESS, OWN_GPU

_RAISED = "[rank57]: torch.AcceleratorError: CUDA error: "
_OLD = "[rank57]: RuntimeError: CUDA error: "


_DECLARED = (
    "uncorrectable ECC error encountered", "uncorrectable NVLink error", "an illegal memory access was encountered",
    "device-side assert triggered", "unspecified launch failure", "misaligned address", "an illegal instruction was",
    "hardware stack error", "invalid program counter", "operation not supported on global/shared", "unknown error",
    "invalid device ordinal", "out of memory", "CUBLAS_STATUS", "CUDA driver version is insufficient",
    "no kernel image is available", "forward compatibility was attempted", "system has unsupported display driver",
    "the provided PTX", "device kernel image is invalid", "invalid device function", "system not yet initialized",
    "all CUDA-capable devices are busy", r"CUDA-capable device\(s\) is/are busy", "no CUDA-capable device is detected",
    "GPU has fallen off the bus", "the launch timed out", "initialization error", "driver shutting down",
)  # fmt: skip

PROGRAM = (
    Pattern(
        name="cuda.illegal_access",
        anchors=("an illegal memory access was encountered",),
        regex=cuda_text("an illegal memory access was encountered"),
        samples=(
            Sample(_RAISED + "an illegal memory access was encountered"),
            Sample(
                "[rank57]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:1895] [PG ID 0 PG GUID 0(default_pg) Rank 57] "
                "Process group watchdog thread terminated with exception: CUDA error: an illegal memory access was "
                "encountered"
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=60,
        marks=(Mark.STICKY,),
        title="illegal memory access on this rank's GPU",
        note="Sticky: every later CUDA call of the process repeats it. Kernel first; hardware where one GPU does it "
        "in several jobs.",
        advice=(
            Advice(
                "training",
                "rerun with CUDA_LAUNCH_BLOCKING=1, or under compute-sanitizer, to find the kernel; until then "
                "the Python line is not the place",
            ),
            Advice("hardware", "[where {host} alone does it, in several jobs, test its GPUs]"),
        ),
    ),
    Pattern(
        name="cuda.kernel_not_run",
        anchors=("uda kernel", "UDA kernel", "gpu kernel", "GPU kernel", "hip kernel", "HIP kernel"),
        regex=r"\b[Ff]ail(?:ed|ure) to (?:call|launch|run|execute|start) (?:the |a )?(?:[Cc]uda|CUDA|gpu|GPU|hip|HIP) kernel\b",
        samples=(Sample("failure to call cuda kernel 57!"), Sample("Failed to launch the CUDA kernel fit57")),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=60,
        title="a program could not run a kernel on its GPU",
        note="In its own words; cudaGetLastError says why.",
    ),
    Pattern(
        name="hip.memory_fault",
        anchors=("Memory access fault by GPU node",),
        regex=r"Memory access fault by GPU node-(?P<node>\d+) .{0,60}?on address (?P<address>\w+)"
        r"(?:\. Reason: (?P<reason>.{0,120}))?",
        samples=(
            Sample(
                "Memory access fault by GPU node-5 (Agent handle: 0x55d8f2d1a0c0) on address 0x7f2c00000000. Reason: "
                "Page not present or supervisor privilege.",
                {"node": "5", "address": "0x7f2c00000000"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=60,
        marks=(Mark.STICKY,),
        title="illegal memory access on an AMD GPU",
    ),
    Pattern(
        name="cuda.device_assert",
        anchors=("device-side assert triggered",),
        regex=cuda_text("device-side assert triggered"),
        samples=(Sample(_RAISED + "device-side assert triggered"),),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=60,
        marks=(Mark.STICKY,),
        title="an assertion failed on this rank's GPU",
        note="Index out of range and the like; the kernel's own lines come before.",
        advice=(
            Advice(
                "training",
                "read the assertion above it; rerun with CUDA_LAUNCH_BLOCKING=1 and check indices against sizes: "
                "token ids and vocabulary, labels and classes",
            ),
        ),
    ),
    Pattern(
        name="cuda.kernel_assert",
        anchors=(", thread: [",),
        regex=r"(?<![^\s:])(?P<source>[^\s:]+\.(?:cu|cuh|hip|h)):(?P<line>\d+): (?P<function>(?!checkForNaN)[^\n]{1,200}?): block: "
        r"\[[\d,]+\], thread: \[[\d,]+\] Assertion `(?P<expression>[^\n]{0,200}?)`(?: failed|\s*$)",
        samples=(
            Sample(
                "/pytorch/aten/src/ATen/native/cuda/Loss.cu:57: nll_loss_forward: block: [7,0,0], thread: "
                "[5,0,0] Assertion `t >= 0` ",  # a terminal broke the line
                {"line": "57", "function": "nll_loss_forward", "expression": "t >= 0"},
            ),
            Sample(
                "../aten/src/ATen/native/cuda/Indexing.cu:1289: indexSelectLargeIndex: block: [12,0,0], thread: "
                "[64,0,0] Assertion `srcIndex < srcSelectDimSize` failed.",
                {"line": "1289", "function": "indexSelectLargeIndex", "expression": "srcIndex < srcSelectDimSize"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=65,
        bulk=True,
        marks=(Mark.STICKY,),
        title="an assertion failed in a GPU kernel",
        note="Printed by the device: no rank, no time, one line per thread.",
        advice=(
            Advice(
                "training",
                "check what {function} asserts, {expression}: token ids against the vocabulary, labels against "
                "classes, positions against the longest sequence",
            ),
        ),
    ),
    Pattern(
        name="cuda.launch_failure",
        anchors=(
            "unspecified launch failure",
            "misaligned address",
            "an illegal instruction was encountered",
            "hardware stack error",
            "invalid program counter",
            "operation not supported on global/shared",
        ),
        regex=cuda_text(
            "unspecified launch failure",
            "misaligned address",
            "an illegal instruction was encountered",
            "hardware stack error",
            "invalid program counter",
            "operation not supported on global/shared address space",
        ),
        samples=(
            Sample(_OLD + "unspecified launch failure", {"error": "unspecified launch failure"}),
            Sample(_RAISED + "misaligned address"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=55,
        marks=(Mark.STICKY,),
        title="a kernel failed on this rank's GPU",
        note="Device trap or hardware fault; kernel log and Xid decide. A NaN check of 2.5 to 2.11 also ends here.",
        advice=(
            Advice(
                "training",
                "rerun with CUDA_LAUNCH_BLOCKING=1, and read the kernel log[ of {host}] for Xid lines: they tell "
                "a bug from a broken GPU",
            ),
        ),
    ),
    Pattern(
        name="cuda.invalid_device",
        anchors=("invalid device ordinal",),
        regex=cuda_text("invalid device ordinal"),
        samples=(Sample(_OLD + "invalid device ordinal"),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=70,
        title="this rank asks for a GPU that is not there",
        note="RANK used as LOCAL_RANK, too many processes on the node, or CUDA_VISIBLE_DEVICES.",
        advice=OWN_GPU,
    ),
    Pattern(
        name="cuda.no_gpu",
        anchors=("No CUDA GPUs are available", "Found no NVIDIA driver on your system", "No HIP GPUs are available"),
        regex=r"RuntimeError: (?P<error>No (?:CUDA|HIP) GPUs are available|Found no NVIDIA driver on your system)",
        samples=(Sample("RuntimeError: No CUDA GPUs are available", {"error": "No CUDA GPUs are available"}),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=60,
        title="no GPU visible to this rank",
        note="CUDA_VISIBLE_DEVICES, a container without the driver, or a GPU that fell off the bus.",
        advice=GPU_ACCESS,
    ),
    Pattern(
        name="cuda.hip_no_code",
        anchors=("Cannot retrieve Static function", "Unable to find code object for all current devices"),
        regex=r"(?:Cannot retrieve Static function, error: (?P<code>\d+)|hipErrorNoBinaryForGpu: Unable to find code object)",
        samples=(
            Sample("Cannot retrieve Static function, error: 218", {"code": "218"}),
            Sample('"hipErrorNoBinaryForGpu: Unable to find code object for all current devices!"'),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=68,
        title="a library holds no code for this GPU",
        note="It was built for other architectures; the process aborts.",
        advice=(Advice("training", "build or install the library for this GPU's architecture (PYTORCH_ROCM_ARCH)"),),
    ),
    Pattern(
        name="cuda.version",
        anchors=(
            "CUDA driver version is insufficient",
            "no kernel image is available for execution",
            "forward compatibility was attempted",
            "system has unsupported display driver",
            "the provided PTX was compiled",
            "device kernel image is invalid",
            "invalid device function",
        ),
        regex=cuda_text(
            "CUDA driver version is insufficient for CUDA runtime version",
            "no kernel image is available for execution on the device",
            "forward compatibility was attempted on non supported HW",
            "system has unsupported display driver / cuda driver combination",
            "the provided PTX was compiled with an unsupported toolchain",
            "device kernel image is invalid",
            "invalid device function",
        ),
        samples=(
            Sample(_OLD + "no kernel image is available for execution on the device"),
            Sample("[rank5]: RuntimeError: HIP error: invalid device function", {"error": "invalid device function"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=70,
        title="driver, toolkit or GPU architecture do not fit",
        advice=(
            Advice(
                "infrastructure",
                "install a PyTorch that is built for this driver and GPU, or a newer driver[ on {host}]: "
                "nvidia-smi and python -m torch.utils.collect_env show both",
            ),
        ),
    ),
    Pattern(
        name="cuda.nvrtc",
        anchors=("nvrtc: error: ",),
        regex=r"\bnvrtc: error: (?P<error>[^\n]{1,200})",
        samples=(
            Sample(
                "nvrtc: error: invalid value for --gpu-architecture (-arch)",
                {"error": "invalid value for --gpu-architecture (-arch)"},
            ),
            Sample("[rank5]: RuntimeError: nvrtc: error: failed to open libnvrtc-builtins.so.12.1."),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=66,
        title="CUDA's run-time compiler does not fit this GPU or its own files",
        note="PyTorch prints the whole source of the kernel before it.",
        advice=(
            Advice(
                "infrastructure",
                "install a PyTorch whose CUDA knows this GPU's architecture, with the libraries that came with it",
            ),
        ),
    ),
    Pattern(
        name="cuda.library",
        anchors=(
            "CUBLAS_STATUS_",
            "CUDNN_STATUS_",
            "CUSOLVER_STATUS_",
            "CUSPARSE_STATUS_",
            "CUFFT_INTERNAL_ERROR",
            "CUFFT_EXEC_FAILED",
            "CUFFT_INVALID_",
            "miopenStatus",
        ),
        regex=r"(?:(?<![\"'(])(?:CUDA|cuDNN|cuFFT|MIOpen|cusolver|cuBLAS) [Ee]rror: |rror: cuDNN error: )"
        r"(?P<status>(?>CU[A-Z]{2,8}_(?:STATUS_)?|miopenStatus)"
        r"(?!NOT_INITIALIZED|ALLOC_FAILED|INTERNAL_ERROR_\w+_ALLOCATION_FAILED|AllocFailed)\w+)",
        samples=(
            Sample(
                "[rank57]: RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx( handle, "
                "opa, opb)`",
                {"status": "CUBLAS_STATUS_EXECUTION_FAILED"},
            ),
            Sample(
                "[rank57]: RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
                {"status": "CUDNN_STATUS_EXECUTION_FAILED"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=50,
        title="a CUDA library failed on this rank",
        note="Often the first call to notice an earlier fault of the GPU.",
        advice=(
            Advice(
                "training",
                "rerun with CUDA_LAUNCH_BLOCKING=1: an earlier kernel may have failed; else check sizes, free "
                "memory and the library's version",
            ),
        ),
    ),
    Pattern(
        name="cuda.shutdown",
        anchors=("rror: driver shutting down",),
        regex=cuda_text("driver shutting down"),
        samples=(Sample("  what():  CUDA error: driver shutting down"),),
        role=Role.NOISE,
        title="CUDA was used while the process ended",
    ),
    Pattern(
        name="cuda.error",
        anchors=("CUDA error: ", "HIP error: ", "CUDA Error: "),
        regex=r"(?<![\"'(])(?<!call to cuInit: INTERNAL: )(?:CUDA|HIP) [Ee]rror: (?P<error>(?!"
        + "|".join(_DECLARED)
        + r")[\w][^\"\\]{2,160})",
        samples=(
            Sample(_OLD + "invalid configuration argument", {"error": "invalid configuration argument"}),
            Sample("[rank5]: RuntimeError: HIP error: invalid argument", {"error": "invalid argument"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=45,
        title="CUDA error on this rank",
    ),
    Pattern(
        name="cuda.thc",
        anchors=("THCudaCheck FAIL ",),
        regex=r"THCudaCheck FAIL [^\n]{1,300} error=(?!2 )(?P<code>\d{1,3}) : (?P<error>[a-z][^\n]{2,160})",
        samples=(
            Sample(
                "THCudaCheck FAIL file=/opt/torch/THC/generic/THCStorage.c line=57 error=11 : invalid argument",
                {"code": "11", "error": "invalid argument"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=58,
        title="a call of CUDA failed ({error})",
        note="Torch7, and PyTorch before 1.1.",
    ),
    Pattern(
        name="cuda.driver_symbol",
        anchors=("please report a bug to PyTorch. Can't find ",),
        regex=r"please report a bug to PyTorch\. Can't find (?P<function>\w+): (?P<library>\S+): undefined symbol",
        samples=(
            Sample(
                'RuntimeError: p INTERNAL ASSERT FAILED at "../c10/cuda/driver_api.cpp":27, please report a bug to PyTorch. '
                "Can't find nvmlDeviceGetComputeRunningProcesses_v9: /lib64/libnvidia-ml.so.1: undefined symbol: x",
                {"function": "nvmlDeviceGetComputeRunningProcesses_v9", "library": "/lib64/libnvidia-ml.so.1"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=62,
        title="the driver's library lacks a function that PyTorch calls",
        note="The driver is older than the build. PyTorch asks for it when it words an out-of-memory error, which it hides.",
        advice=(
            Advice(
                "infrastructure",
                "update the driver[ on {host}]; the error behind this one is most often GPU memory that ran out",
            ),
        ),
    ),
    Pattern(
        name="cuda.error_name",
        anchors=("Search for `cudaError", "Search for `hipError"),
        regex=r"Search for `(?P<code>(?:cuda|hip)Error\w+)'",
        samples=(
            Sample(
                "[rank57]: Search for `cudaErrorIllegalAddress' in https://docs.nvidia.com/cuda/cuda-runtime-api/"
                "group__CUDART__TYPES.html for more information.",
                {"code": "cudaErrorIllegalAddress"},
            ),
        ),
        role=Role.INFO,
        title="name of the CUDA error",
        note="2.9 and later; belongs to the exception above it.",
    ),
)

FORMAT = LineFormat(
    name="cuda_errors",
    title="CUDA and HIP errors",
    reference="CUDA runtime error texts; pytorch c10/cuda/CUDAException.cpp, 1.12 to 2.15",
    patterns=PROGRAM,
    programs=(Program(Kind.LIBRARY, ("cuda",), traits=(Trait.ECHOES_DRIVER,)),),
)
