"""Disk faults, the disk health checker, lost mountpaths."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

_MOUNT = r"mp\[(?P<mountpath>[^,\]]+)"

SIGNATURES = (
    Signature(
        "disks.io_errors",
        (" exceeded configured limit, which is: ",),
        r"## IO errors \((?P<errors>\d+)\) exceeded configured limit",
        (Sample("## IO errors (12) exceeded configured limit, which is: (no more than 10 in 10s)", {"errors": "12"}),),
        Meaning.CAUSE,
        Severity.ERROR,
        "too many I/O errors",
        "all",
        blames="disk",
    ),
    Signature(
        "disks.check",
        ("waking up FSHC to check ",),
        r"waking up FSHC to check (?:all mountpaths|" + _MOUNT + r".*err: (?P<err>.*))",
        (
            Sample("waking up FSHC to check all mountpaths..."),
            Sample(
                "t[AbCdEfGh]: waking up FSHC to check mp[/ais/nvme2n1, nvme2n1], err: input/output error",
                {"mountpath": "/ais/nvme2n1"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a disk is suspected",
        "all",
        blames="disk",
    ),
    Signature(
        "disks.faulted",
        ("] FAULTED ", "exceeded I/O error limit: ", "proceeding to disable mp[", "] now disabled, reason: "),
        _MOUNT
        + r".*?\](?: FAULTED| now disabled, reason: (?P<reason>\w+)|: exceeded I/O error limit|$)|exceeded I/O error limit: \(read (?P<read>\d+)",
        (
            Sample("mp[/ais/nvme2n1, nvme2n1] FAULTED input/output error", {"mountpath": "/ais/nvme2n1"}),
            Sample("mp[/ais/nvme2n1, nvme2n1] now disabled, reason: FAULTED", {"reason": "FAULTED"}),
            Sample("exceeded I/O error limit: (read 4, write 0 (max-errors 3, write-size 1MiB))", {"read": "4"}),
            Sample("proceeding to disable mp[/ais/nvme2n1, nvme2n1]", {"mountpath": "/ais/nvme2n1"}),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a disk failed and is disabled",
        "all",
        blames="disk",
    ),
    Signature(
        "disks.mountpath_lost",
        ("disabled mountpath mp[", "the last available mountpath", '" is lost (orig: ', "] has no disks, err: "),
        r"disabled mountpath "
        + _MOUNT
        + r"|the last available mountpath|disk \"(?P<disk>[^\"]+)\" is lost|has no disks, err: ",
        (
            Sample("disabled mountpath mp[/ais/nvme2n1, nvme2n1] (7 remain active)", {"mountpath": "/ais/nvme2n1"}),
            Sample('t[AbCdEfGh]: lost (via "disable") the last available mountpath "/ais/nvme2n1"'),
            Sample(
                'mp[/ais/nvme2n1, fs=xfs]: disk "nvme2n1" is lost (orig: [nvme2n1], available now: [])',
                {"disk": "nvme2n1"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a mountpath is gone",
        "all",
        blames="disk",
    ),
    Signature(
        "disks.removed_self",
        (" disabled and removed self from ",),
        r"t\[(?P<node>[^\]]+)\] disabled and removed self from Smap",
        (
            Sample(
                "t[AbCdEfGh] disabled and removed self from Smap v14, action: self-initiated-removal",
                {"node": "AbCdEfGh"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "the target left the cluster: its last disk is gone",
        "all",
        blames="disk",
    ),
    Signature(
        "disks.local_read",
        (" GET local I/O error: ", "io-error [ "),
        r"GET local I/O error: (?P<object>\S+) err: (?P<err>.*)|io-error \[ ",
        (
            Sample(
                "t[AbCdEfGh] GET local I/O error: ais://corpus/shard-00012.tar err: read: input/output error",
                {"object": "ais://corpus/shard-00012.tar"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a local read failed",
        "5.0",
        blames="disk",
    ),
    Signature(
        "disks.transmit",
        ("(transmit) ",),
        r"\(transmit\) (?P<object>\S+?)(?: err: (?P<err>.*)|: invalid size (?P<size>-?\d+) != (?P<expected>-?\d+))",
        (
            Sample(
                "(transmit) ais://corpus/shard-00012.tar err: read /ais/nvme2n1: input/output error",
                {"object": "ais://corpus/shard-00012.tar"},
            ),
            Sample("(transmit) ais://corpus/shard-00012.tar: invalid size 10 != 1024", {"expected": "1024"}),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "an object could not be sent, and not because the client left",
        "all",
        blames="disk",
    ),
    Signature(
        "disks.healthy",
        ("] appears to be healthy", "ignoring, _not_ disabling mp["),
        r"appears to be healthy|ignoring, _not_ disabling " + _MOUNT,
        (Sample("mp[/ais/nvme2n1, nvme2n1] appears to be healthy"),),
        Meaning.STATE,
        Severity.INFO,
        "the suspected disk passed its check",
        "all",
    ),
)
