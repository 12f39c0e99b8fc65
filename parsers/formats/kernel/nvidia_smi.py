"""nvidia-smi dumps beside the logs: lost GPUs, throttling, ECC counters."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="nvidia_smi",
    title="nvidia-smi",
    reference="nvidia-smi -q and -L, drivers 450 to 580",
    patterns=(
        Pattern(
            name="nvidia_smi.lost",
            anchors=("Unable to determine the device handle for", "GPU is lost.  Reboot the system"),
            regex=r"Unable to determine the device handle for (?:GPU|gpu)\s?(?:\d{1,3}: )?(?P<pci>[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.\d)|GPU is lost\.  Reboot the system",
            samples=(
                Sample(
                    "Unable to determine the device handle for GPU3: 0000:57:00.0: Unknown Error",
                    {"pci": "0000:57:00.0"},
                ),
                Sample(
                    "Unable to determine the device handle for GPU0000:91:00.0: Unknown Error", {"pci": "0000:91:00.0"}
                ),
                Sample(
                    "Unable to determine the device handle for gpu 0000:91:00.0: GPU is lost.  Reboot the system to recover this GPU",
                    {},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=90,
            title="nvidia-smi cannot reach a GPU",
            advice=(
                Advice(
                    "hardware",
                    "reboot the node[ {host}] and look for Xid 79 in its kernel log; reseat or replace[ GPU {pci}] "
                    "if it is lost again",
                ),
            ),
        ),
        Pattern(
            name="nvidia_smi.driver_mismatch",
            anchors=("Driver/library version mismatch", "NVRM: API mismatch: "),
            regex=r"Failed to initialize NVML: Driver/library version mismatch|NVRM: API mismatch: the client has the version (?P<client>[\d.]+)",
            samples=(
                Sample("Failed to initialize NVML: Driver/library version mismatch"),
                Sample("NVRM: API mismatch: the client has the version 570.57.01, but", {"client": "570.57.01"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=72,
            title="the GPU driver's library is of another version than its kernel module",
            note="The driver was updated on a running host: unload its modules or reboot.",
            advice=(
                Advice(
                    "infrastructure",
                    "reload the driver's kernel modules[ on {host}], or reboot it: its libraries were updated while "
                    "it ran",
                ),
            ),
        ),
        Pattern(
            name="nvidia_smi.uncorrectable",
            anchors=("RAM Uncorrectable", "Double Bit "),
            regex=r"^\s*(?P<memory>(?:SRAM|DRAM) Uncorrectable(?: Parity| SEC-DED)?|Double Bit ECC) +: (?P<count>[1-9]\d*)\s*$",
            samples=(
                Sample(
                    "            DRAM Uncorrectable            : 57", {"memory": "DRAM Uncorrectable", "count": "57"}
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=80,
            title="a GPU counted uncorrectable memory errors",
            note="The volatile block counts since the last reset, the aggregate one over the GPU's life.",
            advice=(
                Advice(
                    "hardware",
                    "reset the GPU[ on {host}], so that pages or rows are retired; replace it when the volatile "
                    "count grows again",
                ),
            ),
        ),
        Pattern(
            name="nvidia_smi.throttled",
            anchors=("HW Slowdown ", "HW Thermal Slowdown ", "HW Power Brake Slowdown "),
            regex=r"(?P<reason>HW (?:Thermal |Power Brake )?Slowdown) +: Active\s*$",
            samples=(
                Sample("            HW Thermal Slowdown                   : Active", {"reason": "HW Thermal Slowdown"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=70,
            title="a GPU is throttled",
            advice=(
                Advice(
                    "hardware",
                    "{reason}[ on {host}]: look at cooling, power supply and power cap (nvidia-smi -q -d "
                    "PERFORMANCE,TEMPERATURE,POWER)",
                ),
            ),
        ),
        Pattern(
            name="nvidia_smi.remapping_pending",
            anchors=("Remapping Failure Occurred",),
            regex=r"Remapping Failure Occurred +: Yes",
            samples=(Sample("        Remapping Failure Occurred               : Yes"),),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=78,
            title="a GPU has no spare memory rows left",
            advice=(Advice("hardware", "replace the GPU[ of {host}]: it has no spare row left"),),
        ),
        Pattern(
            name="nvidia_smi.attached",
            anchors=("Attached GPUs ",),
            regex=r"^\s*Attached GPUs +: (?P<attached>\d+)\s*$",
            samples=(Sample("Attached GPUs                             : 8", {"attached": "8"}),),
            role=Role.INFO,
            title="how many GPUs the node has",
        ),
        Pattern(
            name="nvidia_smi.driver",
            anchors=("Driver Version   ", "| NVIDIA-SMI "),
            regex=r"Driver Version(?: +)?: (?P<driver_version>\d[\d.]+)",
            samples=(
                Sample("Driver Version                            : 570.57.01", {"driver_version": "570.57.01"}),
                Sample(
                    "| NVIDIA-SMI 550.54.15      Driver Version: 550.54.15      CUDA Version: 12.4     |",
                    {"driver_version": "550.54.15"},
                ),
            ),
            role=Role.INFO,
        ),
    ),
)
