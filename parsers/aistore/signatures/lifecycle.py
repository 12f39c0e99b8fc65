"""Starts, stops, crashes."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

SIGNATURES = (
    Signature(
        "lifecycle.fatal",
        ("FATAL ERROR: ",),
        r"^FATAL ERROR: (?P<err>.*)",
        (Sample("FATAL ERROR: t[AbCdEfGh]: no mountpaths", {"err": "t[AbCdEfGh]: no mountpaths"}),),
        Meaning.CAUSE,
        Severity.ERROR,
        "the daemon gave up and exited",
        "all",
        blames="restart",
    ),
    Signature(
        "lifecycle.serious",
        ("FATAL: ",),
        r"FATAL: (?P<err>.*)",
        (Sample("FATAL: cannot store metadata", {"err": "cannot store metadata"}),),
        Meaning.CAUSE,
        Severity.ERROR,
        "a serious error that the daemon survived",
        "all",
        blames="restart",
    ),
    Signature(
        "lifecycle.panic",
        ("http: panic serving ", "assertion failed: "),
        r"http: panic serving (?P<address>\S+): |assertion failed: (?P<what>.*)",
        (
            Sample(
                "http: panic serving 10.0.9.7:40122: runtime error: index out of range", {"address": "10.0.9.7:40122"}
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a request handler panicked",
        "all",
        blames="restart",
    ),
    Signature(
        "lifecycle.stopping",
        ("Stopping t[", "Stopping p["),
        r"^Stopping (?P<node>[tp]\[[^\]]+\])(?:: (?P<reason>.*))?",
        (Sample("Stopping t[AbCdEfGh]: Signal 15", {"node": "t[AbCdEfGh]", "reason": "Signal 15"}),),
        Meaning.CAUSE,
        Severity.WARNING,
        "the daemon is told to stop",
        "all",
        blames="restart",
    ),
    Signature(
        "lifecycle.terminated",
        ("Terminated OK", "Terminated with err: "),
        r"^Terminated (?:OK(?: via Signal (?P<signal>\d+))?|with err: (?P<err>.*))",
        (
            Sample("Terminated OK via Signal 15", {"signal": "15"}),
            Sample("Terminated with err: no disks", {"err": "no disks"}),
        ),
        Meaning.STATE,
        Severity.WARNING,
        "the daemon ended",
        "all",
        blames="restart",
    ),
    Signature(
        "lifecycle.ready",
        ("] is ready", "primary: cluster started up"),
        r"^(?P<node>[tp]\[[^\]]+\])(?: is ready| primary: cluster started up)",
        (
            Sample("t[AbCdEfGh] is ready", {"node": "t[AbCdEfGh]"}),
            Sample("p[px] primary: cluster started up", {"node": "p[px]"}),
        ),
        Meaning.STATE,
        Severity.INFO,
        "the daemon is ready",
        "all",
        blames="restart",
    ),
    Signature(
        "lifecycle.slow_start",
        ("cluster startup is taking unusually long time",),
        r"cluster startup is taking unusually long time",
        (Sample("targetstats: cluster startup is taking unusually long time..."),),
        Meaning.CAUSE,
        Severity.ERROR,
        "the cluster does not come up",
        "all",
        blames="membership",
    ),
    Signature(
        "lifecycle.overlapping",
        ("duplicate or overlapping run?",),
        r"is in use \(duplicate or overlapping run\?\)",
        (Sample("mountpath /ais/nvme2n1 is in use (duplicate or overlapping run?)"),),
        Meaning.CAUSE,
        Severity.ERROR,
        "two processes on one node",
        "all",
        blames="config",
    ),
    Signature(
        "lifecycle.descriptors",
        ("file descriptor limit is low (",),
        r"file descriptor limit is low \((?P<limit>\d+)\)",
        (
            Sample(
                "file descriptor limit is low (1024); hard limit (4096); recommended 65536+ for production",
                {"limit": "1024"},
            ),
        ),
        Meaning.NOISE,
        Severity.WARNING,
        "few file descriptors are allowed",
        "all",
        blames="config",
    ),
    Signature(
        "lifecycle.alerts",
        ("Warning: state alerts:",),
        r"^Warning: state alerts:",
        (Sample("Warning: state alerts:"),),
        Meaning.STATE,
        Severity.WARNING,
        "the node is in an alert state; the next record names it",
        "all",
    ),
)
