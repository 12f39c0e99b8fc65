"""The kernel about storage: NFS, Lustre, GPFS, NVMe, local file systems. A stall is an interval: lost to restored."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

_HEAD = "[ 1622.172326] "

SHARED = (
    Pattern(
        name="nfs.silent",
        anchors=("not responding, still trying", "not responding still trying", "not responding, timed out"),
        regex=r"(?:nfs: |NFS )server (?P<server>\S+) not responding,? (?P<what>still trying|timed out)",
        samples=(
            Sample(
                _HEAD + "nfs: server filer7 not responding, still trying", {"server": "filer7", "what": "still trying"}
            ),
            Sample("NFS server filer7 not responding still trying", {"server": "filer7"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=78,
        bulk=True,
        title="an NFS server does not answer",
        note="`still trying`: processes wait in a hard mount; `timed out`: they get I/O errors.",
        advice=(
            Advice(
                "storage",
                "check the NFS server {server}, and the network to it[ from {host}]; a hard mount waits until it "
                "answers",
            ),
        ),
    ),
    Pattern(
        name="nfs.restored",
        anchors=("nfs: server ", "NFS server "),
        regex=r"(?:nfs: |NFS )server (?P<server>\S+) (?:OK|ok)\b",
        samples=(Sample(_HEAD + "nfs: server filer7 OK", {"server": "filer7"}),),
        role=Role.STATE,
        title="the NFS server answers again",
    ),
    Pattern(
        name="nfs.state_lost",
        anchors=("Lock reclaim failed!", "NFS: state manager: "),
        regex=r"NFS: (?P<what>\w+: Lock reclaim failed|state manager: .*failed)",
        samples=(Sample(_HEAD + "NFS: nfs4_reclaim_open_state: Lock reclaim failed!", {}),),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=66,
        bulk=True,
        title="NFS lost its state after a server restart",
        advice=(Advice("storage", "restart what held files open[ on {host}]: the NFS server lost its state"),),
    ),
    Pattern(
        name="lustre.evicted",
        anchors=("This client was evicted by ",),
        regex=r"LustreError: .{0,300}?: This client was evicted by (?P<target>[^;]{1,256});",
        samples=(
            Sample(
                _HEAD
                + "LustreError: 167-0: scratch-OST0007-osc-ffff: This client was evicted by scratch-OST0007; in progress operations "
                "using this service will fail.",
                {"target": "scratch-OST0007"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=86,
        title="a Lustre server evicted this client",
        note="I/O errors follow in the job.",
        advice=(
            Advice(
                "storage",
                "look at the Lustre server of {target} and the network to it: this client[ {host}] did not "
                "answer in time",
            ),
        ),
    ),
    Pattern(
        name="lustre.lost",
        anchors=("was lost; in progress operations using this service will wait",),
        regex=r"Lustre: (?P<device>\S+): Connection to (?P<target>\S+) \(at (?P<nid>[^)]+)\) was lost",
        samples=(
            Sample(
                _HEAD
                + "Lustre: scratch-OST0007-osc-ffff: Connection to scratch-OST0007 (at 10.0.0.7@o2ib) was lost; in progress operations "
                "using this service will wait for recovery to complete",
                {"target": "scratch-OST0007", "nid": "10.0.0.7@o2ib"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=76,
        bulk=True,
        title="the connection to a Lustre server was lost",
        advice=(
            Advice("storage", "look at the Lustre server {target} at {nid} and at the network to it[ from {host}]"),
        ),
    ),
    Pattern(
        name="lustre.restored",
        anchors=(": Connection restored to ",),
        regex=r"Lustre: \S+: Connection restored to (?P<target>\S+)",
        samples=(
            Sample(
                _HEAD + "Lustre: scratch-OST0007-osc-ffff: Connection restored to scratch-OST0007 (at 10.0.0.7@o2ib)",
                {"target": "scratch-OST0007"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        title="the connection to a Lustre server is back",
    ),
    Pattern(
        name="lustre.slow",
        anchors=("@@@ Request sent has ",),
        regex=r"@@@ Request sent has (?P<what>timed out for slow reply|timed out for sent delay|failed due to network error): \[sent (?P<sent_epoch>\d+)/real (?P<real_epoch>\d+)\]",
        samples=(
            Sample(
                _HEAD
                + "Lustre: 4242:0:(client.c:2289:ptlrpc_expire_one_request()) @@@ Request sent has timed out for slow reply: [sent "
                "1767323045/real 1767323045]  req@ffff x57/t0(0) o4->scratch-OST0007@10.0.0.7@o2ib",
                {"what": "timed out for slow reply", "sent_epoch": "1767323045"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=68,
        bulk=True,
        title="a Lustre request timed out",
    ),
    Pattern(
        name="lustre.network",
        anchors=("LNetError: ",),
        regex=r"LNetError: (?P<message>.+)",
        samples=(
            Sample(
                _HEAD
                + "LNetError: 4242:0:(o2iblnd_cb.c:3410:kiblnd_check_txs_locked()) Timed out tx: active_txs, 7 seconds",
                {},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=60,
        bulk=True,
        title="the network below Lustre failed",
    ),
    Pattern(
        name="gpfs.failure",
        anchors=(
            "This node is being expelled from the cluster",
            "VERBS RDMA disabled",
            "Unable to contact any quorum",
            "being expelled because of an expired lease",
        ),
        regex=r"(?P<what>This node is being expelled from the cluster|VERBS RDMA disabled|Unable to contact any quorum|being expelled because of an expired lease)",
        samples=(Sample("2026-01-02_03:04:05.678+0000: [E] This node is being expelled from the cluster.", {}),),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=82,
        title="GPFS lost this node",
        advice=(Advice("storage", "look at mmfs.log[ on {host}] and at the network between GPFS nodes"),),
    ),
)

LOCAL = (
    Pattern(
        name="disk.nvme",
        anchors=("timeout, reset controller", "timeout, aborting", "Disabling device after reset failure"),
        regex=r"nvme (?P<device>nvme\d+): (?:I/O .*?timeout, (?P<what>reset controller|aborting)|Disabling device after reset failure: (?P<error>-\d+))",
        samples=(
            Sample(
                _HEAD + "nvme nvme4: I/O tag 22 (2016) opcode 0x2 (I/O Cmd) QID 7 timeout, reset controller",
                {"device": "nvme4", "what": "reset controller"},
            ),
            Sample(
                _HEAD + "nvme nvme4: Disabling device after reset failure: -19", {"device": "nvme4", "error": "-19"}
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=82,
        title="a local disk does not answer",
        advice=(
            Advice("storage", "check the drive {device}[ of {host}] (nvme smart-log); replace it if it stops again"),
        ),
    ),
    Pattern(
        name="disk.io_error",
        anchors=("Buffer I/O error on dev", "I/O error, dev ", "lost async page write", "lost page write due to"),
        regex=r"(?:Buffer I/O error on dev(?:ice)? (?P<device>[\w-]+)|I/O error, dev (?P<disk>[\w-]+), sector \d+)",
        samples=(
            Sample(_HEAD + "Buffer I/O error on dev dm-0, logical block 57, lost async page write", {"device": "dm-0"}),
            Sample(_HEAD + "blk_update_request: I/O error, dev nvme4n1, sector 57", {"disk": "nvme4n1"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=80,
        bulk=True,
        title="a local disk fails",
        advice=(Advice("storage", "replace the disk {device}[ of {host}]: smartctl -a says how bad it is"),),
    ),
    Pattern(
        name="disk.filesystem",
        anchors=(
            "EXT4-fs error (device ",
            "Remounting filesystem read-only",
            "Shutting down filesystem",
            "Corruption of in-memory data",
        ),
        regex=r"EXT4-fs error \(device (?P<device>[\w-]+)\)|(?:EXT4-fs )?\(?(?P<mount>[\w-]+)\)?: (?P<what>Remounting filesystem read-only|.*Shutting down filesystem|Corruption of in-memory data)",
        samples=(
            Sample(
                _HEAD
                + "EXT4-fs error (device md0): ext4_find_entry:1455: inode #57: comm python3: reading directory lblock 0",
                {"device": "md0"},
            ),
            Sample(
                _HEAD + "EXT4-fs (md0): Remounting filesystem read-only",
                {"mount": "md0", "what": "Remounting filesystem read-only"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=84,
        title="a local file system failed",
        advice=(
            Advice("storage", "unmount and check the file system of {device}[ on {host}]; the disk below it first"),
        ),
    ),
)

FORMAT = LineFormat(
    name="kernel_storage",
    title="Linux kernel: NFS, Lustre, GPFS, disks",
    reference="torvalds/linux net/sunrpc/clnt.c, drivers/nvme/host/pci.c, fs/ext4; lustre/ptlrpc/client.c 2.12 to 2.15",
    patterns=SHARED + LOCAL,
)
