"""Rebalance, resilver, and other jobs that abort."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

SIGNATURES = (
    Signature(
        "rebalance.started",
        (" start no-ec run", "] start ec run", "> start "),
        r"t\[(?P<node>[^\]]+)\]\[g(?P<id>\d+),v(?P<smap>\d+),<\S+>\] start ",
        (Sample("t[AbCdEfGh][g7,v15,<init>] start no-ec run", {"node": "AbCdEfGh", "id": "7", "smap": "15"}),),
        Meaning.CAUSE,
        Severity.WARNING,
        "a global rebalance starts",
        "all",
        blames="membership",
    ),
    Signature(
        "rebalance.finished",
        ("done x-rebalance[", "] x-rebalance["),
        r"(?:done|finished \[.*\]) x-rebalance\[g(?P<id>\d+)\]",
        (Sample("t[AbCdEfGh][g7,v15,<done>] done x-rebalance[g7]", {"id": "7"}),),
        Meaning.STATE,
        Severity.INFO,
        "the rebalance ended",
        "all",
    ),
    Signature(
        "rebalance.resumed",
        ("resumed global rebalance ",),
        r"resumed global rebalance (?P<id>\S+)",
        (Sample("Warning: resumed global rebalance g7 Smap v15 RMD v7", {"id": "g7"}),),
        Meaning.CAUSE,
        Severity.WARNING,
        "an interrupted rebalance goes on",
        "all",
        blames="membership",
    ),
    Signature(
        "rebalance.resilver",
        ("Starting resilver", "Resuming resilver"),
        r"(?:Starting|Resuming) resilver(?:, reason: (?P<reason>.*))?",
        (Sample("Starting resilver, reason: disable-mp", {"reason": "disable-mp"}),),
        Meaning.CAUSE,
        Severity.WARNING,
        "objects move between the node's disks",
        "all",
        blames="disk",
    ),
    Signature(
        "rebalance.job_failed",
        (" finished w/err: [ ",),
        r"^x-(?P<kind>[\w-]+)\[(?P<xid>[^\]]+)\].* finished w/err: \[ (?P<err>.*) \]",
        (
            Sample(
                "x-download[Qr5]-10:00:00.000000-00:00:00.000000 finished w/err: [ disk full ]",
                {"kind": "download", "err": "disk full"},
            ),
        ),
        Meaning.STATE,
        Severity.WARNING,
        "a job ended with errors",
        "all",
    ),
)
