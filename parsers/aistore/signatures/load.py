"""Load grades and alerts. Grades are of load: `mem=low` is plenty of memory; `dsk` is busy time, not space."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

_GRADE = r"(?:low|moderate|high|critical)"

SIGNATURES = (
    Signature(
        "load.pressure",
        ("resource pressure: load=",),
        r"resource pressure: load=(?P<load>" + _GRADE + r") sleep=(?P<sleep>\S+) \[(?P<grades>[^\]]*)\]",
        (
            Sample(
                "resource pressure: load=critical sleep=10ms [mem=low cpu=low dsk=critical] - sleeping/delaying: 10ms",
                {"load": "critical", "grades": "mem=low cpu=low dsk=critical"},
            ),
            Sample(
                "x-get-batch[gbt-Pf3kTw] pending: 97 resource pressure: load=critical sleep=10ms [mem=low cpu=critical dsk=low] "
                "throttle: 10ms",
                {"grades": "mem=low cpu=critical dsk=low"},
            ),
        ),
        Meaning.CAUSE,
        Severity.WARNING,
        "the target delays batches under load",
        "4.1+",
        blames="load",
        note="Most throttling leaves no line: use getbatch.throttle.ns.",
    ),
    Signature(
        "load.grades",
        ("hk: [ mem/cpu/disk: ",),
        r"hk: \[ mem/cpu/disk: (?=[^\]]*(?:high|critical))(?P<mem>\w+) (?P<cpu>\w+) (?P<disk>\w+) \]",
        (Sample("hk: [ mem/cpu/disk: low low critical ]", {"mem": "low", "disk": "critical"}),),
        Meaning.CAUSE,
        Severity.WARNING,
        "housekeeping found high load",
        "4.1+",
        blames="load",
    ),
    Signature(
        "load.housekeeping_skipped",
        ("hk: high system load (", "hk: high load, elapsed: ", "evict threshold: "),
        r"hk: high (?:system load \(cpu: (?P<cpu>\d+) disk: (?P<disk>\d+) \)|load, elapsed: \S+) - not running"
        r"|(?:max|skip)-evict threshold: .* - not running",
        (
            Sample("hk: high system load (cpu: 1 disk: 4 ) - not running", {"cpu": "1", "disk": "4"}),
            Sample("hk: high load, elapsed: 3m2s - not running"),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "housekeeping did not run because of load",
        "all",
        blames="load",
        note="The numbers are grades 1 to 4; 4 is critical.",
    ),
    Signature(
        "load.caches_dropped",
        ("dropping all caches",),
        r"dropping all caches",
        (Sample("dropping all caches"),),
        Meaning.CAUSE,
        Severity.WARNING,
        "metadata caches dropped: memory is critical",
        "4.1+",
        blames="memory",
    ),
    Signature(
        "load.cpu",
        ("CPU utilization: extremely high [", "CPU utilization: high [", "] CPU utilization high ["),
        r"CPU utilization:? (?P<grade>extremely high|high) \[",
        (Sample("t[AbCdEfGh] CPU utilization: extremely high [ 97 32 ]", {"grade": "extremely high"}),),
        Meaning.CAUSE,
        Severity.WARNING,
        "the processor is saturated",
        "all",
        blames="cpu",
    ),
    Signature(
        "load.goroutines",
        (" (red alert)", " (yellow alert)"),
        r"number of goroutines (?P<count>[\d,]+) \((?P<alert>red|yellow) alert\)",
        (Sample("number of goroutines 41000 (red alert)", {"count": "41000", "alert": "red"}),),
        Meaning.CAUSE,
        Severity.WARNING,
        "far too many requests at once",
        "all",
        blames="cpu",
    ),
)
