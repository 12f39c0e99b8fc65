"""Space on the targets' disks. Disk faults, the disk health checker, lost mountpaths."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample, Scope, Severity

_MOUNT = r"mp\[(?P<mountpath>[^,\]]{1,256}+)"

FORMAT = LineFormat(
    name="aistore_disks",
    title="AIStore: disks and the space on them",
    reference="NVIDIA/aistore fs/, fs/health/fshc.go, ais/tgtfshc.go, ais/tgtspace.go, space/; 3.17 to 5.0",
    scope=Scope.DAEMONS,
    patterns=(
        Pattern(
            name="capacity.out_of_space",
            anchors=("out of space: used ", "still out of space, running LRU", ": OOS (cap("),
            regex=r"out of space: used (?P<used>\d+)%|still out of space, running LRU|: OOS \(cap\(",
            samples=(
                Sample(
                    "out of space: used 96% of total capacity on at least one of the mountpaths (total used 9TiB out of 9.4TiB)",
                    {"used": "96"},
                ),
                Sample("t[AbCdEfGh] still out of space, running LRU eviction now: cap(used 9TiB, avail 400GiB)"),
                Sample("t[AbCdEfGh]: OOS (cap(used 9TiB)) via FSHC, mp[/ais/nvme2n1, nvme2n1]"),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a disk is full: writes fail",
            versions="all",
            blames="capacity",
        ),
        Pattern(
            name="capacity.low",
            anchors=("low on free space: used capacity ", " running store cleanup: cap("),
            regex=r"low on free space: used capacity (?P<used>\d+)%|(?<!_not_) running store cleanup: cap\(",
            samples=(
                Sample(
                    "low on free space: used capacity 91% exceeded high watermark(90%) (total used 9TiB out of 9.9TiB)",
                    {"used": "91"},
                ),
                Sample("t[AbCdEfGh] running store cleanup: cap(used 7TiB, avail 3TiB [min=60%, avg=66%, max=71])"),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="disks are filling up",
            versions="all",
            blames="capacity",
        ),
        Pattern(
            name="capacity.mountpath_alert",
            anchors=(": (faulted)", ": (out-of-space)", ": (low-free-space)"),
            regex=r"^(?P<mountpath>/[^\s:]+).*: \((?P<alert>faulted|out-of-space|low-free-space)\)",
            samples=(Sample("/ais/nvme2n1: (out-of-space)", {"mountpath": "/ais/nvme2n1", "alert": "out-of-space"}),),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a mountpath raised an alert",
            versions="all",
            blames="disk",
        ),
        Pattern(
            name="capacity.eviction",
            anchors=("dont-evict-time ",),
            regex=r"x-lru\[(?P<xid>[^\]]+)\]\S* started, dont-evict-time",
            samples=(
                Sample(
                    "x-lru[Qr5]-10:00:00.000000-00:00:00.000000 started, dont-evict-time 2h, cap(used 9TiB)",
                    {"xid": "Qr5"},
                ),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="cached objects are evicted",
            versions="all",
            blames="capacity",
        ),
        Pattern(
            name="disks.io_errors",
            anchors=(" exceeded configured limit, which is: ",),
            regex=r"## IO errors \((?P<errors>\d+)\) exceeded configured limit",
            samples=(
                Sample(
                    "## IO errors (12) exceeded configured limit, which is: (no more than 10 in 10s)", {"errors": "12"}
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="too many I/O errors",
            versions="all",
            blames="disk",
        ),
        Pattern(
            name="disks.check",
            anchors=("waking up FSHC to check ",),
            regex=r"waking up FSHC to check (?:all mountpaths|" + _MOUNT + r".{0,400}err: (?P<err>.*))",
            samples=(
                Sample("waking up FSHC to check all mountpaths..."),
                Sample(
                    "t[AbCdEfGh]: waking up FSHC to check mp[/ais/nvme2n1, nvme2n1], err: input/output error",
                    {"mountpath": "/ais/nvme2n1"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a disk is suspected",
            versions="all",
            blames="disk",
        ),
        Pattern(
            name="disks.faulted",
            anchors=(
                "] FAULTED ",
                "] FAULTED:",
                "exceeded I/O error limit: ",
                "proceeding to disable mp[",
                "] now disabled, reason: ",
            ),
            regex=_MOUNT
            + r".{0,400}?\](?: FAULTED\b| now disabled, reason: (?P<reason>\w+)|: exceeded I/O error limit|$)|exceeded I/O error limit: \(read (?P<read>\d+)",
            samples=(
                Sample("mp[/ais/nvme2n1, nvme2n1] FAULTED input/output error", {"mountpath": "/ais/nvme2n1"}),
                Sample("mp[/ais/nvme2n1, nvme2n1] FAULTED: (read 2, write 1 (max-errors 2, write-size 1MiB))"),
                Sample("mp[/ais/nvme2n1, nvme2n1] now disabled, reason: FAULTED", {"reason": "FAULTED"}),
                Sample("exceeded I/O error limit: (read 4, write 0 (max-errors 3, write-size 1MiB))", {"read": "4"}),
                Sample("proceeding to disable mp[/ais/nvme2n1, nvme2n1]", {"mountpath": "/ais/nvme2n1"}),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a disk failed and is disabled",
            versions="all",
            blames="disk",
        ),
        Pattern(
            name="disks.mountpath_lost",
            anchors=(
                "disabled mountpath mp[",
                "removed mountpath mp[",
                "the last available mountpath",
                '" is lost (orig: ',
                "] has no disks, err: ",
            ),
            regex=r"(?:disabled|removed) mountpath "
            + _MOUNT
            + r"|the last available mountpath|disk \"(?P<disk>[^\"]+)\" is lost|has no disks, err: ",
            samples=(
                Sample("disabled mountpath mp[/ais/nvme2n1, nvme2n1] (7 remain active)", {"mountpath": "/ais/nvme2n1"}),
                Sample(
                    "removed mountpath mp[/ais/nvme2n1, nvme2n1] (remain available: 7)", {"mountpath": "/ais/nvme2n1"}
                ),
                Sample('t[AbCdEfGh]: lost (via "disable") the last available mountpath "/ais/nvme2n1"'),
                Sample(
                    'mp[/ais/nvme2n1, fs=xfs]: disk "nvme2n1" is lost (orig: [nvme2n1], available now: [])',
                    {"disk": "nvme2n1"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a mountpath is gone",
            versions="all",
            blames="disk",
        ),
        Pattern(
            name="disks.removed_self",
            anchors=(" disabled and removed self from ",),
            regex=r"t\[(?P<node>[^\]]{1,64})\] disabled and removed self from Smap",
            samples=(
                Sample(
                    "t[AbCdEfGh] disabled and removed self from Smap v14, action: self-initiated-removal",
                    {"node": "AbCdEfGh"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="the target left the cluster: its last disk is gone",
            versions="all",
            blames="disk",
        ),
        Pattern(
            name="disks.local_read",
            anchors=(" GET local I/O error: ", "io-error [ "),
            regex=r"GET local I/O error: (?P<object>\S+) err: (?P<err>.*)|io-error \[ ",
            samples=(
                Sample(
                    "t[AbCdEfGh] GET local I/O error: ais://corpus/shard-00012.tar err: read: input/output error",
                    {"object": "ais://corpus/shard-00012.tar"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a local read failed",
            versions="5.0",
            blames="disk",
        ),
        Pattern(
            name="disks.transmit",
            anchors=("(transmit) ",),
            regex=r"\(transmit\) (?P<object>\S+?)(?: err: (?P<err>.*)|: invalid size (?P<size>-?\d+) != (?P<expected>-?\d+))",
            samples=(
                Sample(
                    "(transmit) ais://corpus/shard-00012.tar err: read /ais/nvme2n1: input/output error",
                    {"object": "ais://corpus/shard-00012.tar"},
                ),
                Sample("(transmit) ais://corpus/shard-00012.tar: invalid size 10 != 1024", {"expected": "1024"}),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="an object could not be sent, and not because the client left",
            versions="all",
            blames="disk",
        ),
        Pattern(
            name="disks.failed_call",
            anchors=("SyscallError: ", ": input/output error", ": read-only file system"),
            regex=r"SyscallError: (?P<call>\w+): |(?P<path>/\S+): (?:input/output error|read-only file system)",
            samples=(
                Sample(
                    "SyscallError: getxattr: ais://corpus/shard-00012.tar: input/output error: GET /v1/objects/corpus/shard-00012.tar (t[AbCdEfGh]: ])",
                    {"call": "getxattr"},
                ),
                Sample(
                    "unlinkat /ais/nvme2n1/.ais.markers/node_restarted: input/output error",
                    {"path": "/ais/nvme2n1/.ais.markers/node_restarted"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a disk does not answer the file system",
            versions="all",
            blames="disk",
        ),
        Pattern(
            name="capacity.write_failed",
            anchors=(": no space left on device",),
            regex=r"(?P<object>\S+): no space left on device",
            samples=(
                Sample(
                    "PathError: [fs-path] ais://corpus/put.step-57.pt.b.57: no space left on device: PUT /v1/objects/corpus/step-57.pt (t[AbCdEfGh]: ])",
                    {"object": "ais://corpus/put.step-57.pt.b.57"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a write found no space",
            versions="all",
            blames="capacity",
        ),
        Pattern(
            name="capacity.cleanup_skipped",
            anchors=("_not_ running store cleanup: ", "missing: disk."),
            regex=r"_not_ running store cleanup: |^missing: disk\.",
            samples=(
                Sample("t[AbCdEfGh]: _not_ running store cleanup: (6524073701509, 10m0s), cap(used 213.7MiB, OOS)"),
                Sample("missing: disk.nvme2n1(out-of-space).read.bps"),
            ),
            role=Role.NOISE,
            severity=Severity.INFO,
            title="the cleanup of a full disk waits",
            versions="all",
        ),
        Pattern(
            name="disks.healthy",
            anchors=("] appears to be healthy", "ignoring, _not_ disabling mp["),
            regex=r"appears to be healthy|ignoring, _not_ disabling " + _MOUNT,
            samples=(Sample("mp[/ais/nvme2n1, nvme2n1] appears to be healthy"),),
            role=Role.STATE,
            severity=Severity.INFO,
            title="the suspected disk passed its check",
            versions="all",
        ),
    ),
)
