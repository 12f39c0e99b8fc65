"""NVIDIA Xid and SXid lines of the kernel log, and the fabric manager's. What each code means: `xid_table`."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.xid_table import XidKind, codes

# Older drivers print no `PCI:`, no pid, or a pid without a name.
_GPU = r"NVRM: Xid \((?:PCI:)?(?P<pci>[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})[^)]*\): "
_REST = r"\b(?:, pid='?(?P<pid>\d+|<unknown>)'?)?(?:, name=(?P<process>[^,]*))?(?:, (?P<message>.*))?"
_HEAD = "[571234.567890] NVRM: Xid (PCI:0000:91:00): "


def _xid(*kinds: XidKind) -> str:
    return _GPU + f"(?P<xid>{'|'.join(map(str, codes(*kinds)))})" + _REST


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
        cls=FailureClass.GPU_HARDWARE,
        weight=92,
        title="GPU hardware fault",
        note="Xid 74 on several GPUs: the one that also has another code is the culprit.",
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
        cls=FailureClass.GPU_HARDWARE,
        weight=84,
        title="GPU engine, driver or firmware fault",
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
        title="GPU fault that usually is the program's",
        note="On one GPU under different programs it is hardware.",
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
        title="GPU recorded damage or corrected errors",
        note="Stops no job by itself; with 48 or 94 it belongs to the fault.",
    ),
    Pattern(
        name="xid.consequence",
        anchors=("NVRM: Xid (",),
        regex=_xid(XidKind.CONSEQUENCE),
        samples=(Sample(_HEAD + "45, pid=4242, name=python3, Ch 00000008", {"xid": "45", "pid": "4242"}),),
        role=Role.SYMPTOM,
        bulk=True,
        title="GPU channel cleaned up after another fault or a kill",
        note="Evidence only when first and alone.",
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
        title="what the driver recommends for a GPU",
    ),
    Pattern(
        name="xid.unknown",
        anchors=("NVRM: Xid (",),
        regex=_GPU + rf"(?P<xid>(?!(?:{_KNOWN})\b)\d+|{'|'.join(map(str, codes(XidKind.UNUSED)))})" + _REST,
        samples=(Sample(_HEAD + "999, pid=4242, name=python3, new text", {"xid": "999"}),),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=55,
        title="GPU fault with a code that the table does not know",
    ),
)

SWITCH = (
    Pattern(
        name="sxid.fatal",
        anchors=(": SXid (PCI:",),
        regex=r"nvidia-nvswitch(?P<switch>\d+): SXid \(PCI:(?P<pci>[\w:.]+)\): (?P<sxid>\d+), Fatal, (?:Link (?P<link>\d+) )?(?P<message>.+)",
        samples=(
            Sample(
                "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 31 LTSSM Fault Up",
                {"switch": "3", "sxid": "20034", "link": "31", "message": "LTSSM Fault Up"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=91,
        title="fatal NVSwitch error",
    ),
    Pattern(
        name="sxid.stalls",
        anchors=(": SXid (PCI:",),
        regex=r"nvidia-nvswitch(?P<switch>\d+): SXid \(PCI:(?P<pci>[\w:.]+)\): (?P<sxid>12028|11004|19084), Non-fatal, (?:Link (?P<link>\d+) )?(?P<message>.+)",
        samples=(
            Sample(
                "[571234.567890] nvidia-nvswitch2: SXid (PCI:0000:85:00.0): 12028, Non-fatal, Link 57 egress non-posted PRIV error (First)",
                {"switch": "2", "sxid": "12028", "link": "57"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=72,
        title="NVSwitch error that stalls traffic",
        note="Jobs may end with Xid 45.",
    ),
    Pattern(
        name="sxid.other",
        anchors=(": SXid (PCI:",),
        regex=r"nvidia-nvswitch(?P<switch>\d+): SXid \(PCI:[\w:.]+\): (?P<sxid>(?!12028|11004|19084)\d+), (?P<severity>Non-fatal|Correctable), (?P<message>.+)",
        samples=(
            Sample(
                "nvidia-nvswitch0: SXid (PCI:0000:85:00.0): 20001, Non-fatal, Link 33 TX Replay Error",
                {"sxid": "20001", "severity": "Non-fatal"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        title="NVSwitch error that was corrected or did no harm",
    ),
    Pattern(
        name="sxid.detail",
        anchors=(": SXid (PCI:",),
        regex=r"nvidia-nvswitch(?P<switch>\d+): SXid \(PCI:[\w:.]+\): (?P<sxid>\d+), (?P<detail>Severity \d|Data )",
        samples=(
            Sample(
                "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 20034, Severity 1 Engine instance 30 Sub-engine instance 00",
                {"sxid": "20034"},
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        note="Second and third line of the same event.",
    ),
    Pattern(
        name="fabricmanager.fatal",
        anchors=("detected NVSwitch fatal error ",),
        regex=r"detected NVSwitch fatal error (?P<sxid>\d+)(?:.*?pci bus id (?P<pci>[\w:.]+))?(?:.*?port (?P<port>\d+))?",
        samples=(
            Sample(
                "[Jan 02 2026 03:04:05] [ERROR] [tid 841] detected NVSwitch fatal error 20034 on fid 0 on NVSwitch pci bus id "
                "00000000:86:00.0 physical id 3 port 33",
                {"sxid": "20034", "pci": "00000000:86:00.0", "port": "33"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=88,
        title="fabric manager saw a fatal NVSwitch error",
    ),
    Pattern(
        name="fabricmanager.setup",
        anchors=("GPU handle ", "match with any supported system topology", "nvidia-fabricmanager.service"),
        regex=r"failed to find the (?:member )?GPU handle (?P<handle>\w+) in the multicast team|match with any supported system topology|nvidia-fabricmanager\.service: .*[Ff]ailed",
        samples=(
            Sample(
                "[Jan 02 2026 03:04:05] [ERROR] [tid 841] failed to find the GPU handle 57 in the multicast team request setup 7.",
                {"handle": "57"},
            ),
            Sample(
                "detected number of NVSwitches don't match with any supported system topology, aborting fabric manager",
                {},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=74,
        title="the fabric manager failed",
        note="Init hangs on this host, or NVLS fails; NCCL_ALGO=Ring works.",
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
        cls=FailureClass.GPU_HARDWARE,
        weight=90,
        title="a GPU fell off the bus",
    ),
    Pattern(
        name="nvrm.unusable",
        anchors=(
            "RmInitAdapter failed!",
            "GSP RM heartbeat timed out",
            "NV_ERR_RESET_REQUIRED",
            "Link training failed for link",
        ),
        regex=r"NVRM: .*(?P<what>RmInitAdapter failed|GSP RM heartbeat timed out|NV_ERR_RESET_REQUIRED|Link training failed for link)",
        samples=(
            Sample(
                "NVRM: GPU 0000:91:00.0: RmInitAdapter failed! (0x26:0xffff:1469)", {"what": "RmInitAdapter failed"}
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=80,
        bulk=True,
        title="a GPU cannot be used",
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
    title="NVIDIA kernel driver: Xid, SXid, fabric manager",
    reference="NVIDIA/open-gpu-kernel-modules kernel_rc.c and nverror.h; fabric manager guide",
    patterns=XID + SWITCH + COMPANIONS,
)
