"""Local file systems and drives that fail, in the wordings of XFS, ext4's journal, NVMe and software RAID."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

_HEAD = "[ 1622.172326] "

FORMAT = LineFormat(
    name="disk_faults",
    title="Linux kernel: XFS, journals, NVMe, software RAID",
    reference="torvalds/linux fs/xfs/xfs_fsops.c and xfs_buf.c, fs/jbd2, drivers/nvme/host/pci.c and core.c, drivers/md; 5.4 to 6.12",
    patterns=(
        Pattern(
            name="disk.xfs",
            anchors=(
                ": metadata I/O error",
                ": log I/O error",
                ": Corruption detected",
                "Filesystem has been shut down",
                "writeback error on inode",
            ),
            regex=r"XFS \((?P<device>[\w-]{1,40})\): (?P<what>metadata I/O error|log I/O error|Corruption detected|Filesystem has been shut down"
            r"|writeback error on inode)",
            samples=(
                Sample(
                    _HEAD + 'XFS (md5): metadata I/O error in "xfs_trans_read_buf_map" at daddr 0x57 len 57 error 5',
                    {"device": "md5", "what": "metadata I/O error"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=84,
            bulk=True,
            title="a local file system failed",
            advice=(
                Advice("storage", "unmount and check the file system of {device}[ on {host}]; the disk below it first"),
            ),
        ),
        Pattern(
            name="disk.journal",
            anchors=("Aborting journal on device", "JBD2: Error -", "JBD2: Detected IO errors"),
            regex=r"Aborting journal on device (?P<device>[\w-]{1,40})|JBD2: (?:Error -\d{1,3} detected|Detected IO errors).{0,80}",
            samples=(Sample(_HEAD + "Aborting journal on device md5-8.", {"device": "md5-8"}),),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=82,
            title="a local file system's journal failed",
        ),
        Pattern(
            name="disk.drive",
            anchors=(
                "controller is down; will reset",
                "Removing after probe failure",
                "Device not ready; aborting",
                "critical medium error, dev",
                "critical target error, dev",
                ": Disk failure on ",
                "I/O Error (sct ",
            ),
            regex=r"nvme (?P<device>nvme\d{1,4}): (?:controller is down; will reset|Removing after probe failure|Device not ready; aborting)"
            r"|critical (?:medium|target) error, dev (?P<disk>[\w-]{1,40})"
            r"|\b(?P<array>md/\w{1,20}:\w{1,20}): Disk failure on (?P<part>[\w-]{1,40})"
            r"|\b(?P<namespace>nvme\d{1,4}n\d{1,4}): .{0,80}I/O Error \(sct 0x(?:2|3) ",
            samples=(
                Sample(
                    _HEAD + "nvme nvme5: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x57",
                    {"device": "nvme5"},
                ),
                Sample(_HEAD + "critical medium error, dev nvme5n1, sector 57 op 0x0:(READ)", {"disk": "nvme5n1"}),
                Sample(
                    _HEAD + "md/raid0:md5: Disk failure on nvme5n1 detected, failing array.",
                    {"array": "md/raid0:md5", "part": "nvme5n1"},
                ),
                Sample(
                    _HEAD + "nvme5n1: I/O Cmd(0x2) @ LBA 57, 8 blocks, I/O Error (sct 0x2 / sc 0x57) DNR",
                    {"namespace": "nvme5n1"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=80,
            bulk=True,
            title="a local disk fails",
            advice=(
                Advice(
                    "storage", "check the drive {device}[ of {host}] (nvme smart-log); replace it if it stops again"
                ),
            ),
        ),
    ),
)
