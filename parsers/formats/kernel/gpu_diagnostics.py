"""What tests and queries of a node's GPUs say: dcgmi diag, nvidia-smi where the driver or a GPU does not answer."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

_TESTS = (
    "GPU Memory|Memory Bandwidth|Memory|Memtest|Diagnostic|PCIe|SM Stress|Targeted Stress|Targeted Power|Pulse Test|"
    "EUD Test|NVBandwidth|Page Retirement/Row Remap|Context Create|memory_bandwidth|memtest|memory|diagnostic|pcie|"
    "sm_stress|targeted_stress|targeted_power|pulse_test|eud|nvbandwidth|context_create"
)
"""Those that only a GPU or its slot fails; of the software they run on, others tell."""


def _uncorrected(since: str) -> str:
    return (
        rf"ecc\.errors\.uncorrected\.{since}\.\w{{1,20}}(?: \[[^\]]{{0,20}}\])?\s*[:=]\s*(?P<count>[1-9]\d{{0,9}})\s*$"
    )


FORMAT = LineFormat(
    name="gpu_diagnostics",
    title="dcgmi diag, and nvidia-smi without an answer",
    reference="NVIDIA/DCGM dcgmi/Diag.cpp, 2.4 to 4.4; nvidia-smi of drivers 450 to 580",
    patterns=(
        Pattern(
            name="gpu_test.failed",
            anchors=("| Fail ", "   Fail"),
            regex=rf"^[|\s]*(?P<test>{_TESTS})\s*(?:\||:|\s{{3}})\s*Fail\b(?:.{{0,80}}?GPUs?:? (?P<gpu>\d{{1,2}}))?(?:\s|$)",
            samples=(
                Sample("| Targeted Stress           | Fail - GPU: 5                                  |", {"gpu": "5"}),
                Sample(
                    "| PCIe                      | Fail                                           |", {"test": "PCIe"}
                ),
                Sample("memory_bandwidth    Fail    cudaSetDevice failed", {"test": "memory_bandwidth"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=68,
            bulk=True,
            title="a GPU fails the diagnostic test {test}",
            advice=(Advice("hardware", "keep the node[ {host}] out, and run dcgmi diag -r 3 again after a reset"),),
        ),
        Pattern(
            name="gpu_query.ecc",
            anchors=("ecc.errors.uncorrected.",),
            regex=_uncorrected("volatile"),
            samples=(Sample("ecc.errors.uncorrected.volatile.dram:    57", {"count": "57"}),),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=78,
            title="a GPU counted uncorrectable memory errors",
            note="Since its last reset.",
            advice=(Advice("hardware", "reset the GPU[ of {host}], so that pages or rows are retired"),),
        ),
        Pattern(
            name="gpu_query.ecc_ever",
            anchors=("ecc.errors.uncorrected.",),
            regex=_uncorrected("aggregate"),
            samples=(Sample("ecc.errors.uncorrected.aggregate.total:    57", {"count": "57"}),),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=56,
            title="a GPU counted uncorrectable memory errors in its life",
            note="Since it was made: they need not be of this job.",
            advice=(
                Advice("hardware", "compare with the count before the job[ on {host}]; replace the GPU when it grows"),
            ),
        ),
        Pattern(
            name="gpu_query.no_device",
            anchors=("No devices were found",),
            regex=r"^\W{0,4}No devices were found\W{0,3}$",
            samples=(Sample("No devices were found"),),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=54,
            title="nvidia-smi finds no GPU",
            note="Lost, held back by the driver, or not given to the container.",
            advice=(
                Advice(
                    "hardware",
                    "look[ on {host}] for Xid 79 in the kernel log, and whether the container was given GPUs",
                ),
            ),
        ),
        Pattern(
            name="gpu_query.no_driver",
            anchors=("couldn't communicate with the NVIDIA driver",),
            regex=r"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver",
            samples=(Sample("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=56,
            title="the GPU driver does not run on this node",
            advice=(
                Advice("infrastructure", "load or reinstall the GPU driver[ of {host}]; see dkms and the kernel log"),
            ),
        ),
        Pattern(
            name="gpu_query.unreadable",
            anchors=(" ERR!    ", "Unknown Error  "),
            regex=r"^\|\s{1,4}(?P<gpu>\d{1,3})\s{1,3}(?:ERR!|Unknown Error)\s",
            samples=(
                Sample(
                    "|   7  ERR!                           Off | 00000000:91:00.0 Off |        ERR! |", {"gpu": "7"}
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=76,
            title="nvidia-smi cannot read a GPU",
            advice=(Advice("hardware", "reboot the node[ {host}] and look for Xid lines in its kernel log"),),
        ),
        Pattern(
            name="gpu_query.pending",
            anchors=("Pending                     ", "Pending Page Blacklist"),
            regex=r"^\s*(?P<what>Pending|Pending Page Blacklist) +: Yes\s*$",
            samples=(
                Sample("        Pending                           : Yes", {"what": "Pending"}),
                Sample("        Pending Page Blacklist            : Yes", {"what": "Pending Page Blacklist"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=60,
            title="a GPU waits for a reset that takes bad memory out of use",
            advice=(Advice("hardware", "reset the GPU[ of {host}], so that the rows or pages are replaced"),),
        ),
    ),
)
