"""NVSwitch: SXid lines of the kernel log, and the fabric manager's."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Source
from logtui.parsers.remedies import FABRIC_MANAGER, WITHOUT_NVLS

SWITCH = (
    Pattern(
        name="sxid.fatal",
        anchors=("SXid (PCI:",),
        regex=r"(?:nvidia-nvswitch(?P<switch>\d+): )?\bSXid \(PCI:(?P<pci>[\w:.]+)\): (?P<sxid>\d+), Fatal, (?:Link (?P<link>\d+) )?(?P<message>.+)",
        samples=(
            Sample(
                "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 31 LTSSM Fault Up",
                {"switch": "3", "sxid": "20034", "link": "31", "message": "LTSSM Fault Up"},
            ),
            Sample("SXid (PCI:0000:05:00.0): 19047, Fatal, Link 57 multicast error", {"sxid": "19047", "link": "57"}),
        ),
        role=Role.CAUSE,
        marks=(Mark.GPU_FAULT,),
        cls=FailureClass.GPU_HARDWARE,
        weight=91,
        title="fatal NVSwitch error",
        advice=(
            Advice(
                "hardware",
                "SXid {sxid}[ on {host}]: reset all GPUs and switches of the node, or reboot it; the vendor if "
                "it comes back",
            ),
            *FABRIC_MANAGER,
        ),
    ),
    Pattern(
        name="sxid.stalls",
        anchors=("SXid (PCI:",),
        regex=r"(?:nvidia-nvswitch(?P<switch>\d+): )?\bSXid \(PCI:(?P<pci>[\w:.]+)\): (?P<sxid>12028|11004|19084), Non-fatal, (?:Link (?P<link>\d+) )?(?P<message>.+)",
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
        advice=(
            Advice(
                "hardware",
                "SXid {sxid}[ on {host}]: reset all GPUs and switches of the node, or reboot it; the vendor if "
                "it comes back",
            ),
            *FABRIC_MANAGER,
        ),
    ),
    Pattern(
        name="sxid.other",
        anchors=("SXid (PCI:",),
        regex=r"(?:nvidia-nvswitch(?P<switch>\d+): )?\bSXid \(PCI:[\w:.]+\): (?P<sxid>(?!12028|11004|19084)\d+), (?P<severity>Non-fatal|Correctable), (?P<message>.+)",
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
        anchors=("SXid (PCI:",),
        regex=r"(?:nvidia-nvswitch(?P<switch>\d+): )?\bSXid \(PCI:[\w:.]+\): (?P<sxid>\d+), (?P<detail>Severity \d|Data )",
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
        advice=(
            Advice(
                "hardware",
                "reset all GPUs and switches[ of {host}], or reboot it; the vendor if SXid {sxid} comes back",
            ),
        ),
    ),
    Pattern(
        name="fabricmanager.stalls",
        anchors=("detected NVSwitch non-fatal error ",),
        regex=r"detected NVSwitch non-fatal error (?P<sxid>12028|11004|19084)\b(?:.*?pci bus id (?P<pci>[\w:.]+))?(?:.*?port (?P<port>\d+))?",
        samples=(
            Sample(
                "[Jan 02 2026 03:04:05] [ERROR] [tid 841] detected NVSwitch non-fatal error 11004 on fid 0 on NVSwitch pci "
                "bus id 00000000:87:00.0 physical id 5 port 7",
                {"sxid": "11004", "pci": "00000000:87:00.0", "port": "7"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=66,
        title="fabric manager saw an NVSwitch error that stalls traffic",
        note="Jobs may end with Xid 45.",
        advice=(
            Advice(
                "hardware",
                "reset all GPUs and switches[ of {host}], or reboot it; the vendor if SXid {sxid} comes back",
            ),
        ),
    ),
    Pattern(
        name="fabricmanager.harmless",
        anchors=("detected NVSwitch non-fatal error ",),
        regex=r"detected NVSwitch non-fatal error (?P<sxid>(?!(?:12028|11004|19084)\b)\d{1,6})",
        samples=(
            Sample(
                "[Jan 02 2026 03:04:05] [ERROR] [tid 841] detected NVSwitch non-fatal error 20009 on fid 0 on NVSwitch pci "
                "bus id 00000000:87:00.0 physical id 5 port 7",
                {"sxid": "20009"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        title="NVSwitch error that was corrected or did no harm",
    ),
    Pattern(
        name="fabricmanager.link",
        anchors=("[ERROR] [tid ",),
        regex=r"\[ERROR\] \[tid \d{1,10}\] (?!.{0,200}(?:non-fatal|recovered|multicast team))(?P<what>.{0,160}?(?i:nvlink)\b.{0,160}?(?i:fail|fatal|error|fault|down|not trained).{0,80}"
        r"|(?i:failed to (?:train|enable|initialize|configure)) .{0,120}?(?i:nvlink|link training).{0,160})",
        samples=(
            Sample(
                "[Jan 02 2026 03:04:05] [ERROR] [tid 841] NVLink training failed on GPU 5 link 7 to NVSwitch 3 link 57",
                {"what": "NVLink training failed on GPU 5 link 7 to NVSwitch 3 link 57"},
            ),
            Sample("[Jan 02 2026 03:04:05] [ERROR] [tid 841] failed to train the NVLink of GPU index 5"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=76,
        bulk=True,
        title="an NVLink does not come up",
        advice=(
            Advice("hardware", "reset all GPUs and switches[ of {host}], or reboot it; the vendor if it stays down"),
        ),
    ),
    Pattern(
        name="fabricmanager.failed",
        anchors=("[ERROR] [tid ",),
        regex=r"\[ERROR\] \[tid \d{1,10}\] (?!.{0,200}(?i:nvlink|link training|multicast team|IMEX node|supported system topology))"
        r"(?P<what>(?:[Ff]ailed to|[Rr]equest to|[Uu]nable to) .{1,200}|.{1,160}aborting fabric manager)",
        samples=(
            Sample(
                "[Jan 02 2026 03:04:05] [ERROR] [tid 841] failed to open the NVSwitch driver, aborting fabric manager",
                {"what": "failed to open the NVSwitch driver, aborting fabric manager"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=60,
        bulk=True,
        title="the fabric manager reports an error",
        advice=FABRIC_MANAGER,
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
        advice=(
            *FABRIC_MANAGER,
            *WITHOUT_NVLS,
        ),
    ),
)


FORMAT = LineFormat(
    name="nvidia_switch",
    title="NVIDIA NVSwitch: SXid, fabric manager",
    reference="NVIDIA fabric manager guide",
    patterns=SWITCH,
    programs=(Program(Kind.LIBRARY, ("sxid",), source=Source.KERNEL),),
)
