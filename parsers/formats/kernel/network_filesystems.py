"""Shared file systems beyond NFS and Lustre's own connections: Lustre's calls, GPFS, BeeGFS, Weka, Ceph, SMB."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

_HEAD = "[ 1622.172326] "
_SERVER = (Advice("storage", "look at the servers of that file system, and at the network to them[ from {host}]"),)

FORMAT = LineFormat(
    name="network_filesystems",
    title="Lustre, GPFS, BeeGFS, Weka, Ceph, SMB: calls that fail",
    reference="lustre/ptlrpc/client.c 2.12 to 2.15; IBM Storage Scale messages 6027; BeeGFS 7 client module; fs/ceph, net/ceph, fs/smb",
    patterns=(
        Pattern(
            name="lustre.call",
            anchors=("LustreError: ",),
            regex=r"LustreError: (?!.{0,300}was evicted).{0,300}?(?:operation (?P<operation>\w{2,40}) to node (?P<nid>\S{1,80}) failed: "
            r"|(?:fail|error|unable).{0,80}?)rc = (?P<rc>-(?:4|5|11|16|19|28|30|107|108|110|113|116|122))\b",
            samples=(
                Sample(
                    _HEAD
                    + "LustreError: 11-0: scratch-OST0007-osc-ffff: operation ost_read to node 10.0.0.7@o2ib failed: rc = -107",
                    {"operation": "ost_read", "nid": "10.0.0.7@o2ib", "rc": "-107"},
                ),
                Sample(
                    _HEAD + "LustreError: 4242:0:(file.c:57:ll_file_open()) scratch: open failed: rc = -5", {"rc": "-5"}
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=66,
            bulk=True,
            title="a call to a Lustre server failed",
            advice=_SERVER,
        ),
        Pattern(
            name="gpfs.down",
            anchors=(
                "mmfs daemon is shutting down abnormally",
                "Disk failure.",
                "has been panicked",
                "unmounted by the system with return code",
                "Lost membership in cluster",
                "Stale disk lease",
            ),
            regex=r"(?P<what>The mmfs daemon is shutting down abnormally|Disk failure\. +Volume \S{1,64}|File system \S{1,64} (?:has been panicked"
            r"|(?:was )?unmounted by the system with return code \d{1,5})|Lost membership in cluster)",
            samples=(
                Sample(
                    "2026-01-02_03:04:05.678+0000: [X] The mmfs daemon is shutting down abnormally.",
                    {"what": "The mmfs daemon is shutting down abnormally"},
                ),
                Sample(
                    "mmfs: [E] Disk failure.  Volume scratch7. rc = 57. Physical volume nsd57.",
                    {"what": "Disk failure.  Volume scratch7."},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=82,
            title="GPFS failed on this node",
            advice=(Advice("storage", "look at mmfs.log[ on {host}] and at the disks and network of GPFS"),),
        ),
        Pattern(
            name="gpfs.lease",
            anchors=("lease renewal is overdue",),
            regex=r"Node \S{1,80} (?:\((?P<node>[^)]{1,80})\) )?lease renewal is overdue",
            samples=(
                Sample(
                    "2026-01-02_03:04:05.678+0000: [N] Node 10.0.0.7 (node007) lease renewal is overdue. Pinging to check",
                    {"node": "node007"},
                ),
            ),
            role=Role.STATE,
            title="a GPFS node is late with its lease",
        ),
        Pattern(
            name="beegfs.communication",
            anchors=("ommunication error with node: beegfs", "ommunication error. Peer: beegfs"),
            regex=r"[Cc]ommunication error(?: with node|\. Peer): (?P<server>beegfs-\w{1,20}(?: [\w.-]{1,64})?)",
            samples=(
                Sample(
                    "[571234.567890] beegfs: python3(4242): Communication error with node: beegfs-meta node007 [ID: 57]",
                    {"server": "beegfs-meta node007"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=66,
            bulk=True,
            title="a BeeGFS server does not answer",
            advice=_SERVER,
        ),
        Pattern(
            name="weka.stalled",
            anchors=("wekafs: ", "WEKAFS: ", "wekafsio: "),
            regex=r"(?i:\bweka(?:fs|fsio): ).{0,120}?(?P<what>(?i:I/?O error|backend disconnected|driver blocked|is stuck for \d{1,6}|timed out))",
            samples=(
                Sample(_HEAD + "wekafs: node 57: IO error on inode 57", {"what": "IO error"}),
                Sample(_HEAD + "WEKAFS: (scratch) request is stuck for 57 seconds", {"what": "is stuck for 57"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=70,
            bulk=True,
            title="Weka does not answer",
            advice=_SERVER,
        ),
        Pattern(
            name="ceph.silent",
            anchors=("ceph: mds", "libceph: mon", "libceph: osd", "libceph: mds"),
            regex=r"(?:\bceph: (?P<mds>mds\d{1,5})(?: \S{1,60})? (?P<what>hung|rejected session|reconnect denied)"
            r"|libceph: (?P<daemon>(?:mon|osd|mds)\d{1,5}) .{0,80}?(?P<lost>session lost, hunting for new mon|connect(?:ion)? (?:error|refused)|socket error on (?:read|write)))",
            samples=(
                Sample(_HEAD + "ceph: mds5 hung", {"mds": "mds5", "what": "hung"}),
                Sample(
                    _HEAD + "libceph: mon5 (1)10.0.0.7:6789 session lost, hunting for new mon",
                    {"daemon": "mon5", "lost": "session lost, hunting for new mon"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=64,
            bulk=True,
            title="a Ceph server does not answer",
            advice=_SERVER,
        ),
        Pattern(
            name="ceph.state",
            anchors=("libceph: osd", "libceph: mon", "ceph: mds"),
            regex=r"(?:libceph: (?:osd|mon)\d{1,5} .{0,80}?(?:socket closed|\bup\b|\bdown\b|session established)|\bceph: mds\d{1,5} (?:caps stale|recovery completed|came back|reconnect (?:start|success)))",
            samples=(Sample(_HEAD + "libceph: osd57 (1)10.0.0.7:6801 socket closed (con state OPEN)"),),
            role=Role.STATE,
            bulk=True,
            title="a Ceph client's connection changed",
            note="Idle connections are closed and opened again.",
        ),
        Pattern(
            name="smb.silent",
            anchors=("CIFS: VFS: ", "CIFS VFS: "),
            regex=r"CIFS:? VFS: .{0,120}?(?P<what>has not responded in (?P<seconds>\d{1,6}) seconds|Error -(?:5|112|11) )",
            samples=(
                Sample(
                    _HEAD + "CIFS: VFS: \\\\filer7 has not responded in 57 seconds. Reconnecting...", {"seconds": "57"}
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=70,
            bulk=True,
            title="an SMB server does not answer",
            advice=_SERVER,
        ),
    ),
)
