"""CUDA and HIP errors that speak for the hardware or the driver: ECC, NVLink, lost or unusable devices."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.vocabulary import cuda_text
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.remedies import FABRIC_MANAGER, READ_KERNEL_LOG

_RAISED = "[rank57]: torch.AcceleratorError: CUDA error: "
_OLD = "[rank57]: RuntimeError: CUDA error: "

_REMEDIES = {
    "802": "restart the fabric manager: systemctl restart nvidia-fabricmanager, of the same version as the driver",
    "803": "install a driver and CUDA libraries that fit each other: the image's libcuda is not of the host's driver",
    "804": "update the driver, or use an image for an older CUDA: forward compatibility is for data-centre GPUs only",
}
"""What cudaGetDeviceCount's code calls for."""
_RESET_GPU = (
    Advice(
        "hardware",
        "reset the GPU[ of {rank}][ on {host}] and read the kernel log for Xid 48, 63, 64, 94, 95; "
        "replace it if they come back",
    ),
)

HARDWARE = (
    Pattern(
        name="cuda.ecc",
        anchors=("uncorrectable ECC error encountered",),
        regex=cuda_text("uncorrectable ECC error encountered"),
        samples=(
            Sample(_RAISED + "uncorrectable ECC error encountered", {"error": "uncorrectable ECC error encountered"}),
            Sample(
                "RuntimeError: transform: failed to synchronize: cudaErrorECCUncorrectable: uncorrectable ECC error "
                "encountered"
            ),
            Sample("  what():  CUDA error: uncorrectable ECC error encountered"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=90,
        title="uncorrectable ECC error on this rank's GPU",
        advice=_RESET_GPU,
    ),
    Pattern(
        name="cuda.driver_ecc",
        anchors=("CUDA_ERROR_ECC_UNCORRECTABLE",),
        regex=r"\b(?P<error>CUDA_ERROR_ECC_UNCORRECTABLE)\b",
        samples=(
            Sample(
                "2026-01-02 03:04:05.678901: F external/local_xla/xla/stream_executor/cuda/cuda_driver.cc:57] Internal: failed "
                "call to cuDevicePrimaryCtxRetain: CUDA_ERROR_ECC_UNCORRECTABLE: uncorrectable ECC error encountered"
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=90,
        title="uncorrectable ECC error, says the CUDA driver",
        advice=_RESET_GPU,
    ),
    Pattern(
        name="cuda.nvlink",
        anchors=("uncorrectable NVLink error",),
        regex=cuda_text('uncorrectable NVLink error[^"\\\\]{0,60}'),
        samples=(
            Sample(
                _RAISED + "uncorrectable NVLink error detected during the execution",
                {"error": "uncorrectable NVLink error detected during the execution"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=90,
        title="uncorrectable NVLink error on this rank's GPU",
        advice=(
            Advice(
                "hardware",
                "read the kernel log[ of {host}] for Xid 74 and 144 to 150, and nvidia-smi nvlink -e; the link's "
                "other end may be the cause",
            ),
        ),
    ),
    Pattern(
        name="cuda.device_lost",
        anchors=(
            "all CUDA-capable devices are busy",
            "CUDA-capable device(s) is/are busy",
            "no CUDA-capable device is detected",
            "GPU has fallen off the bus",
            "the launch timed out and was terminated",
        ),
        regex=cuda_text(
            "all CUDA-capable devices are busy or unavailable",
            r"CUDA-capable device\(s\) is/are busy or unavailable",
            "no CUDA-capable device is detected",
            "GPU has fallen off the bus",
            "the launch timed out and was terminated",
        ),
        samples=(
            Sample(
                _RAISED + "CUDA-capable device(s) is/are busy or unavailable",
                {"error": "CUDA-capable device(s) is/are busy or unavailable"},
            ),
            Sample(_OLD + "no CUDA-capable device is detected"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=65,
        title="this rank's GPU is not available",
        note="Lost device, another program that holds it exclusively, or a broken node.",
        advice=(
            Advice(
                "hardware",
                "look[ on {host}] for Xid 79 in the kernel log, and with nvidia-smi for a program that holds the "
                "GPU or for exclusive compute mode",
            ),
        ),
    ),
    Pattern(
        name="cuda.unknown",
        anchors=("rror: unknown error", "rrorUnknown: unknown error", "[CUDA]: unknown error"),
        regex=cuda_text(r"unknown error\b"),
        samples=(
            Sample("[default3]:  what():  CUDA error: unknown error", {"error": "unknown error"}),
            Sample("[rank57]: RuntimeError: Triton Error [CUDA]: unknown error"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=60,
        title="the GPU or its driver failed on this rank",
        note="cudaErrorUnknown: dead GPU, driver or fabric manager.",
        advice=READ_KERNEL_LOG,
    ),
    Pattern(
        name="cuda.unknown_at_start",
        anchors=("CUDA unknown error - this may be due to",),
        regex=r"(?P<error>CUDA unknown error) - this may be due to an incorrectly set up environment",
        samples=(
            Sample(
                "/opt/venv/lib/python3.12/site-packages/torch/cuda/__init__.py:57: UserWarning: CUDA initialization: CUDA unknown "
                "error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES "
                "after program start. Setting the available devices to be zero.",
                {"error": "CUDA unknown error"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=58,
        title="CUDA does not start on this node",
        advice=(
            Advice(
                "hardware",
                "look at nvidia-smi and the kernel log[ of {host}]: a driver that was updated without a restart, a GPU that was "
                "lost, or a fabric manager that does not run",
            ),
        ),
        note="torch prints it as a warning where the program only asks for the GPU, and raises it where it needs one.",
    ),
    Pattern(
        name="cuda.driver_mismatch",
        anchors=("Error 803: ", "Error 804: "),
        regex=r"Unexpected error from cudaGetDeviceCount\(\).{0,200}?Error (?P<code>80[34]): (?P<error>[^(]{1,80})",
        samples=(
            Sample(
                "UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions "
                "before calling NumCudaDevices() that might have already set an error? Error 804: forward compatibility was "
                "attempted on non supported HW (Triggered internally at /opt/pytorch/c10/cuda/CUDAFunctions.cpp:57.)",
                {"code": "804", "error": "forward compatibility was attempted on non supported HW "},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=71,
        words={"remedy": ("code", _REMEDIES)},
        title="the driver and the CUDA of the program do not fit each other",
        note="As a warning on CPU hosts it means nothing.",
        advice=(Advice("infrastructure", "{remedy}"),),
    ),
    Pattern(
        name="cuda.device_count",
        anchors=("Unexpected error from cudaGetDeviceCount",),
        regex=r"Unexpected error from cudaGetDeviceCount\(\)(?!.{0,200}?Error 80[34]: )"
        r"(?:.{0,200}?Error (?P<code>\d+): (?P<error>[^(]{1,80}))?",
        samples=(
            Sample(
                "RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before "
                "calling NumCudaDevices() that might have already set an error? Error 802: system not yet initialized",
                {"code": "802", "error": "system not yet initialized"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=70,
        words={"remedy": ("code", _REMEDIES)},
        title="CUDA does not start on this node",
        note="802: fabric manager not running. As a warning on CPU hosts it means nothing.",
        advice=(Advice("infrastructure", "{remedy}"),),
    ),
    Pattern(
        name="cuda.not_initialized",
        anchors=("system not yet initialized", "rror: initialization error"),
        regex=cuda_text("system not yet initialized", "initialization error"),
        samples=(Sample(_OLD + "system not yet initialized", {"error": "system not yet initialized"}),),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=60,
        title="CUDA does not start on this node",
        note="Fabric manager. `initialization error` also comes from CUDA used in a forked process.",
        advice=(
            *FABRIC_MANAGER,
            Advice(
                "training",
                "where only child processes say so: use no CUDA before they are forked, or start them with spawn",
            ),
        ),
    ),
    Pattern(
        name="hip.hardware_exception",
        anchors=("HW Exception by GPU node", "HSA_STATUS_ERROR_EXCEPTION"),
        regex=r"HW Exception by GPU node-(?P<node>\d+).{0,80}?reason ?: ?(?P<reason>[\w ]+)|HSA_STATUS_ERROR_EXCEPTION",
        samples=(
            Sample(
                "HW Exception by GPU node-5 (Agent handle: 0x55d8f2d1a0c0) reason :GPU Hang",
                {"node": "5", "reason": "GPU Hang"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=80,
        title="hardware exception of an AMD GPU",
    ),
    Pattern(
        name="hip.out_of_resources",
        anchors=("aborting with error : HSA_STATUS_ERROR_OUT_OF_RESOURCES",),
        regex=r"aborting with error : HSA_STATUS_ERROR_OUT_OF_RESOURCES(?:.*? Available Free mem : (?P<free>\d+ \wB))?",
        samples=(
            Sample(
                ":0:rocdevice.cpp :57: 1 us: 7: [tid:0x7f] Device::callbackQueue aborting with error : "
                "HSA_STATUS_ERROR_OUT_OF_RESOURCES: no more. Available Free mem : 57 MB code: 0x1008",
                {"free": "57 MB"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_OOM,
        weight=66,
        title="an AMD GPU has no more memory, or its runtime no more threads",
    ),
)


FORMAT = LineFormat(
    name="gpu_faults",
    title="CUDA and HIP hardware faults",
    reference="CUDA runtime error texts; ROCm runtime; pytorch c10/cuda/CUDAException.cpp, 1.12 to 2.15",
    patterns=HARDWARE,
)
