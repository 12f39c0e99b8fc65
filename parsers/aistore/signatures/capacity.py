"""Space on the targets' disks."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

SIGNATURES = (
    Signature(
        "capacity.out_of_space",
        ("out of space: used ", "still out of space, running LRU", ": OOS (cap("),
        r"out of space: used (?P<used>\d+)%|still out of space, running LRU|: OOS \(cap\(",
        (
            Sample(
                "out of space: used 96% of total capacity on at least one of the mountpaths (total used 9TiB out of 9.4TiB)",
                {"used": "96"},
            ),
            Sample("t[AbCdEfGh] still out of space, running LRU eviction now: cap(used 9TiB, avail 400GiB)"),
            Sample("t[AbCdEfGh]: OOS (cap(used 9TiB)) via FSHC, mp[/ais/nvme2n1, nvme2n1]"),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a disk is full: writes fail",
        "all",
        blames="capacity",
    ),
    Signature(
        "capacity.low",
        ("low on free space: used capacity ", " running store cleanup: cap("),
        r"low on free space: used capacity (?P<used>\d+)%|(?<!_not_) running store cleanup: cap\(",
        (
            Sample(
                "low on free space: used capacity 91% exceeded high watermark(90%) (total used 9TiB out of 9.9TiB)",
                {"used": "91"},
            ),
            Sample("t[AbCdEfGh] running store cleanup: cap(used 7TiB, avail 3TiB [min=60%, avg=66%, max=71])"),
        ),
        Meaning.CAUSE,
        Severity.WARNING,
        "disks are filling up",
        "all",
        blames="capacity",
    ),
    Signature(
        "capacity.mountpath_alert",
        (": (faulted)", ": (out-of-space)", ": (low-free-space)"),
        r"^(?P<mountpath>/[^\s:]+).*: \((?P<alert>faulted|out-of-space|low-free-space)\)",
        (Sample("/ais/nvme2n1: (out-of-space)", {"mountpath": "/ais/nvme2n1", "alert": "out-of-space"}),),
        Meaning.CAUSE,
        Severity.ERROR,
        "a mountpath raised an alert",
        "all",
        blames="disk",
    ),
    Signature(
        "capacity.eviction",
        ("dont-evict-time ",),
        r"x-lru\[(?P<xid>[^\]]+)\]\S* started, dont-evict-time",
        (
            Sample(
                "x-lru[Qr5]-10:00:00.000000-00:00:00.000000 started, dont-evict-time 2h, cap(used 9TiB)", {"xid": "Qr5"}
            ),
        ),
        Meaning.STATE,
        Severity.WARNING,
        "cached objects are evicted",
        "all",
        blames="capacity",
    ),
)
