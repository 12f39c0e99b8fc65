"""NVIDIA Xid lines of the kernel log. What each code means: `xid_table`; the switch's codes: `nvidia_switch`."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.formats.kernel.xid_table import XidKind, codes, table
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Source
from logtui.parsers.remedies import KEEP_OUT

# Older drivers print no `PCI:`, no pid, or a pid without a name.
_GPU = r"NVRM: Xid \((?:PCI:)?(?P<pci>[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})[^)]*\): "
_REST = r"\b(?:, pid='?(?P<pid>\d+|<unknown>)'?)?(?:, name=(?P<process>[^,]*))?(?:, (?P<message>.*))?"
_HEAD = "[571234.567890] NVRM: Xid (PCI:0000:91:00): "


def _xid(*kinds: XidKind) -> str:
    return _GPU + f"(?P<xid>{'|'.join(map(str, codes(*kinds)))})" + _REST


_WITHOUT_GSP = (
    "where it comes back, switch the GSP firmware off: options nvidia NVreg_EnableGpuFirmware=0 in /etc/modprobe.d, and "
    "reboot (the proprietary kernel module only); or update driver and firmware"
)
_FAULT = "|".join(map(str, codes(XidKind.HARDWARE, XidKind.ENGINE, XidKind.DRIVER)))
_PREVIOUS = rf"caused by previous Xid (?P<xid>{_FAULT})\b"
_WORDS = {
    "meaning": ("xid", {str(code): xid.meaning for code, xid in table().items()}),
    "action": ("xid", {str(code): xid.action for code, xid in table().items()}),
    "trap": ("xid", {"74": "On several GPUs: the one that also has another code is the culprit."}),
    "gsp": ("xid", dict.fromkeys(("119", "120"), _WITHOUT_GSP)),
}
_KNOWN = "|".join(map(str, codes(*XidKind)))

XID = (
    Pattern(
        name="xid.hardware",
        anchors=("NVRM: Xid (",),
        regex=_xid(XidKind.HARDWARE),
        samples=(
            Sample(
                _HEAD + "79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
                {"pci": "0000:91:00", "xid": "79", "pid": "<unknown>", "message": "GPU has fallen off the bus."},
            ),
            Sample(
                "Jan  2 03:04:05 node007 kernel: NVRM: Xid (0000:55:00): 48, An uncorrectable double bit error (DBE) has been "
                "detected on GPU in the framebuffer at physAddr 0x57 partition 3, subpartition 0.",
                {"pci": "0000:55:00", "xid": "48"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.GPU_FAULT,),
        cls=FailureClass.GPU_HARDWARE,
        weight=92,
        title="Xid {xid}, {meaning}",
        words=_WORDS,
        note="{trap}",
        advice=(
            Advice("hardware", "Xid {xid}[ on {host}], GPU {pci}: {action}"),
            *KEEP_OUT,
        ),
    ),
    Pattern(
        name="xid.engine",
        anchors=("NVRM: Xid (",),
        regex=_xid(XidKind.ENGINE, XidKind.DRIVER),
        samples=(
            Sample(
                _HEAD
                + "119, pid=4242, name=python3, Timeout after 6s of waiting for RPC response from GPU7 GSP! Expected "
                "function 103 (GSP_RM_ALLOC) (0x57 0x7).",
                {"xid": "119", "pid": "4242", "process": "python3"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.GPU_FAULT,),
        cls=FailureClass.GPU_HARDWARE,
        weight=84,
        title="Xid {xid}, {meaning}",
        words=_WORDS,
        advice=(
            Advice("hardware", "Xid {xid}[ on {host}], GPU {pci}: {action}"),
            Advice("hardware", "{gsp}"),
            *KEEP_OUT,
        ),
    ),
    Pattern(
        name="xid.application",
        anchors=("NVRM: Xid (",),
        regex=_xid(XidKind.APPLICATION),
        samples=(
            Sample(
                _HEAD
                + "31, pid=4242, name=pt_main_thread, Ch 00000023, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 "
                "faulted @ 0x7f_00000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
                {"xid": "31", "pid": "4242", "process": "pt_main_thread"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=66,
        title="Xid {xid}, {meaning}: usually the program's",
        words=_WORDS,
        note="On one GPU under different programs it is hardware.",
        advice=(
            Advice("training", "Xid {xid}: {action}; CUDA_LAUNCH_BLOCKING=1 and compute-sanitizer find the kernel"),
            Advice("hardware", "[where other programs get it on GPU {pci} of {host} too, it is the GPU]"),
        ),
    ),
    Pattern(
        name="xid.wear",
        anchors=("NVRM: Xid (",),
        regex=_xid(XidKind.WEAR),
        samples=(
            Sample(
                _HEAD + "63, pid=4242, Row Remapper: New row marked for remapping, reset gpu to activate",
                {"xid": "63", "pid": "4242"},
            ),
        ),
        role=Role.STATE,
        title="Xid {xid}, {meaning}",
        words=_WORDS,
        note="Stops no job by itself; with 48 or 94 it belongs to the fault.",
    ),
    Pattern(
        name="xid.consequence",
        anchors=("NVRM: Xid (",),
        regex=_xid(XidKind.CONSEQUENCE).replace(
            "(?P<xid>", rf"(?!\d+,.*{_PREVIOUS.replace('?P<xid>', '?:')})(?P<xid>", 1
        ),
        samples=(Sample(_HEAD + "45, pid=4242, name=python3, Ch 00000008", {"xid": "45", "pid": "4242"}),),
        role=Role.SYMPTOM,
        bulk=True,
        title="GPU channel cleaned up after another fault or a kill",
        note="Evidence only when first and alone.",
    ),
    Pattern(
        name="xid.previous",
        anchors=(" caused by previous Xid ",),
        regex=_GPU + r"\d+(?:, pid='?(?P<pid>\d+|<unknown>)'?)?(?:, name=(?P<process>[^,]*))?,.*" + _PREVIOUS,
        samples=(
            Sample(
                _HEAD + "45, pid=4242, name=python3, Ch 00000008 caused by previous Xid 145",
                {"pci": "0000:91:00", "xid": "145", "pid": "4242", "process": "python3"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.GPU_FAULT,),
        cls=FailureClass.GPU_HARDWARE,
        weight=80,
        bulk=True,
        title="GPU channel ended by Xid {xid}, {meaning}",
        words=_WORDS,
        note="Drivers from 570 on name the fault, whose own line may be lost from the buffer.",
        advice=(Advice("hardware", "Xid {xid}[ on {host}], GPU {pci}: {action}"),),
    ),
    Pattern(
        name="xid.information",
        anchors=("NVRM: Xid (",),
        regex=_xid(XidKind.INFORMATION),
        samples=(
            Sample(
                _HEAD + "154, GPU recovery action changed from 0x0 (None) to 0x4 (Drain and Reset)",
                {"xid": "154", "message": "GPU recovery action changed from 0x0 (None) to 0x4 (Drain and Reset)"},
            ),
        ),
        role=Role.STATE,
        title="Xid {xid}, {meaning}",
        words=_WORDS,
    ),
    Pattern(
        name="xid.unknown",
        anchors=("NVRM: Xid (",),
        regex=_GPU + rf"(?P<xid>(?!(?:{_KNOWN})\b)\d+|{'|'.join(map(str, codes(XidKind.UNUSED)))})" + _REST,
        samples=(Sample(_HEAD + "999, pid=4242, name=python3, new text", {"xid": "999"}),),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=55,
        title="Xid {xid}, a code that the table does not know",
        advice=(
            Advice(
                "hardware",
                "look Xid {xid} up in NVIDIA's current catalogue, and run diagnostics on GPU {pci}[ of {host}]",
            ),
        ),
    ),
)

COMPANIONS = (
    Pattern(
        name="nvrm.fallen",
        anchors=("GPU has fallen off the bus", "NVRM: fallen off the bus"),
        regex=r"NVRM: (?:GPU (?P<pci>[\w:.]+): GPU has )?fallen off the bus",
        samples=(
            Sample("NVRM: GPU 0000:91:00.0: GPU has fallen off the bus.", {"pci": "0000:91:00.0"}),
            Sample("NVRM: fallen off the bus and is not responding to commands.", {}),
        ),
        role=Role.CAUSE,
        marks=(Mark.GPU_FAULT,),
        cls=FailureClass.GPU_HARDWARE,
        weight=90,
        title="a GPU fell off the bus",
        advice=(
            Advice(
                "hardware",
                "reboot[ {host}], and reseat or replace GPU {pci} if it is lost again: power, riser and slot first",
            ),
        ),
    ),
    Pattern(
        name="nvrm.unusable",
        anchors=(
            "RmInitAdapter failed!",
            "Failed to enable MSI-X",
            "GSP RM heartbeat timed out",
            "NV_ERR_RESET_REQUIRED",
            "Link training failed for link",
        ),
        regex=r"NVRM: .{0,400}(?P<what>RmInitAdapter failed|Failed to enable MSI-X|GSP RM heartbeat timed out|NV_ERR_RESET_REQUIRED|Link training failed for link)",
        samples=(
            Sample(
                "NVRM: GPU 0000:91:00.0: RmInitAdapter failed! (0x26:0xffff:1469)", {"what": "RmInitAdapter failed"}
            ),
            Sample("NVRM: GPU 0000:91:00.0: Failed to enable MSI-X.", {"what": "Failed to enable MSI-X"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=80,
        bulk=True,
        title="a GPU cannot be used",
        advice=(
            Advice(
                "hardware", "reset or reboot the node[ {host}]; where {what} comes back, the GPU goes to the vendor"
            ),
        ),
    ),
    Pattern(
        name="nvrm.uuid",
        anchors=("NVRM: GPU at PCI:",),
        regex=r"NVRM: GPU at PCI:(?P<pci>[\w:.]+): (?P<uuid>GPU-[\w-]+)",
        samples=(
            Sample("NVRM: GPU at PCI:0000:91:00: GPU-57575757-0000-1111-2222-333333333333", {"pci": "0000:91:00"}),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="nvrm.peermem",
        anchors=("nv_get_p2p_free_callback",),
        regex=r"nvidia-peermem nv_get_p2p_free_callback:\d+ ERROR detected invalid context",
        samples=(
            Sample(
                "nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context, skipping further processing"
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        note="Follows the death of a process.",
    ),
)

FORMAT = LineFormat(
    name="nvidia_xid",
    title="NVIDIA kernel driver: Xid",
    reference="NVIDIA/open-gpu-kernel-modules kernel_rc.c and nverror.h",
    patterns=XID + COMPANIONS,
    programs=(Program(Kind.LIBRARY, ("xid",), source=Source.KERNEL),),
)
