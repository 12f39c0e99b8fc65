"""Memory pressure of a node."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

SIGNATURES = (
    Signature(
        "memory.extreme",
        ("extreme memory pressure",),
        r"extreme memory pressure",
        (Sample("extreme memory pressure actual: 2147483648 min: 8589934592 cnt: 1"),),
        Meaning.CAUSE,
        Severity.ERROR,
        "free memory below the minimum, or swapping",
        "all",
        blames="memory",
    ),
    Signature(
        "memory.high",
        ("high memory pressure",),
        r"(?<!extreme )high memory pressure",
        (Sample("high memory pressure swap-crit: 2"),),
        Meaning.CAUSE,
        Severity.WARNING,
        "memory pressure is high",
        "all",
        blames="memory",
    ),
    Signature(
        "memory.oom",
        ("alert: oom",),
        r"(?P<node>\S+)\.gmm alert: oom",
        (Sample("t[AbCdEfGh] AbCdEfGh.gmm alert: oom", {"node": "AbCdEfGh"}),),
        Meaning.CAUSE,
        Severity.ERROR,
        "the node is out of memory",
        "all",
        blames="memory",
    ),
    Signature(
        "memory.low",
        ("alert: low memory",),
        r"(?P<node>\S+)\.gmm alert: low memory",
        (Sample("t[AbCdEfGh] AbCdEfGh.gmm alert: low memory", {"node": "AbCdEfGh"}),),
        Meaning.CAUSE,
        Severity.WARNING,
        "the node is low on memory",
        "all",
        blames="memory",
    ),
    Signature(
        "memory.returned",
        (" free mem to OS",),
        r"(?P<node>\S+)\.gmm\[.*free mem to OS",
        (
            Sample(
                "AbCdEfGh.gmm[(used 91GiB, free 2GiB, buffcache 1GiB, actfree 3GiB), pressure 'high', (min-free 8GiB, low-wm 12GiB] "
                "free mem to OS(pressure,force,togc,load) [ high true 4GiB 2 ]",
                {"node": "AbCdEfGh"},
            ),
        ),
        Meaning.STATE,
        Severity.WARNING,
        "memory was returned to the system",
        "all",
        blames="memory",
    ),
    Signature(
        "memory.collected",
        ("free-mem runtime: ",),
        r"free-mem runtime: (?P<took>\S+)",
        (Sample("free-mem runtime: 1.203s", {"took": "1.203s"}),),
        Meaning.STATE,
        Severity.WARNING,
        "a forced collection stalled the node",
        "all",
        blames="memory",
    ),
)
