"""Xid codes outside the kernel log: DCGM, GPU agents, Kubernetes' device plugin, and lists that people make of them."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.formats.kernel.xid_table import XidKind, codes, table
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.remedies import KEEP_OUT

_WORDS = {
    "meaning": ("xid", {str(code): xid.meaning for code, xid in table().items()}),
    "action": ("xid", {str(code): xid.action for code, xid in table().items()}),
}
_FAULT = (XidKind.HARDWARE, XidKind.ENGINE, XidKind.DRIVER)


def _anchors(*kinds: XidKind) -> tuple[str, ...]:
    """Of the many codes only those that end a job by themselves are known by `Xid 79 detected`."""
    often = [c for c in codes(*kinds) if c in codes(XidKind.HARDWARE, XidKind.APPLICATION) or c in (109, 119, 120)]
    each = tuple(f"{word} {code} detected" for code in often for word in ("Xid", "XID"))
    return (*each, " (PCI:0", "XidCriticalError: Xid=", "XID error ", "Xid error ")


_DRIVER = r" \((?:PCI:)?(?P<pci>[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})[^)]{0,8}\)"
"""As the driver goes on, whoever left its name away."""
_AGENT = r" detected| (?:for|on) (?:GPU|Device)[ =]?(?P<gpu>[\w-]{1,64})"


def _told(*kinds: XidKind, where: str) -> str:
    """`Xid 79 (PCI:…)`; `Xid 79 detected`, `Detected XID error 79 for GPU 5`, `XidCriticalError: Xid=79 on Device=…`."""
    xid = rf"(?P<xid>{'|'.join(map(str, codes(*kinds)))})"
    return rf"(?<![A-Za-z'\"])(?<!NVRM: )(?<![Nn]o )(?:Xid[ =]|XID |(?:XID|Xid) error:? ){xid}\b(?:{where})"


FORMAT = LineFormat(
    name="xid_mentions",
    title="Xid codes outside the kernel log",
    reference="NVIDIA/DCGM dcgm_errors.c, 3.1 to 4.4; NVIDIA/k8s-device-plugin internal/rm/health.go; leptonai/gpud",
    patterns=(
        Pattern(
            name="xid_told.line",
            anchors=(" (PCI:0",),
            regex=_told(*_FAULT, where=_DRIVER),
            samples=(
                Sample(
                    "Feb  3 04:05:06  Xid 48 (PCI:0000:91:00): pid=4242, name=python3, a double bit error",
                    {"xid": "48", "pci": "0000:91:00"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=91,
            bulk=True,
            title="Xid {xid}, {meaning}",
            words=_WORDS,
            note="As an agent or a person tells of it: the kernel log has the line itself.",
            advice=(
                Advice("hardware", "Xid {xid}[ on {host}][, GPU {pci}]: {action}"),
                *KEEP_OUT,
            ),
        ),
        Pattern(
            name="xid_told.fault",
            anchors=_anchors(*_FAULT),
            regex=_told(*_FAULT, where=_AGENT),
            samples=(
                Sample("health: Xid 79 detected (3 times)", {"xid": "79"}),
                Sample("Detected XID error 95 for GPU 5", {"xid": "95", "gpu": "5"}),
                Sample(
                    "E0203 04:05:06.789012       1 health.go:57] XidCriticalError: Xid=48 on Device=GPU-57575757-0000; "
                    "marking device as unhealthy.",
                    {"xid": "48", "gpu": "GPU-57575757-0000"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=82,
            bulk=True,
            title="Xid {xid}, {meaning}",
            words=_WORDS,
            note="As an agent or a person tells of it: the kernel log has the line itself.",
            advice=(
                Advice("hardware", "Xid {xid}[ on {host}][, GPU {gpu}]: {action}"),
                *KEEP_OUT,
            ),
        ),
        Pattern(
            name="xid_told.application",
            anchors=_anchors(XidKind.APPLICATION),
            regex=_told(XidKind.APPLICATION, where=f"{_DRIVER}|{_AGENT}"),
            samples=(
                Sample(
                    "Feb  3 04:05:06  Xid 31 (PCI:0000:91:00): pid=4242, name=python3, MMU Fault",
                    {"xid": "31", "pci": "0000:91:00"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=60,
            bulk=True,
            title="Xid {xid}, {meaning}: usually the program's",
            words=_WORDS,
            advice=(Advice("training", "Xid {xid}: {action}; compute-sanitizer finds the kernel"),),
        ),
    ),
)
