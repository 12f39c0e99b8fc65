"""What accelerators, fabrics and file systems say of themselves, with nobody beside them: small logs, whole verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(f"2026-02-03 04:{m:02d}:00 step {m * 10}/190 loss {3 - m * 0.05:.3f} lr 1e-4\n" for m in range(20))
RAISED = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in main\n'
    "    model.train(epochs)\n"
    "RuntimeError: Load task error, graph 5. The details refer to 'Ascend Error Message'.\n"
    "\n"
    "----------------------------------------------------\n"
    "- Ascend Error Message:\n"
    "----------------------------------------------------\n"
)
FABRIC = "[Feb 03 2026 04:05:06] [ERROR] [tid 841] "
KERNEL = "[571234.567890] "


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("EI0001: Environment variable [HCCL_IF_IP] is invalid. Reason: it is no address.", "config"),
        (
            "EI0005: The arguments for collective communication are inconsistent between ranks: tag [t], parameter [op], "
            "local [sum], remote [max]",
            "collective-mismatch",
        ),
        ("Resource_Error(EI0007): Failed to allocate resource Notify with info 5.", "gpu-oom"),
        ("EI0008: The CANN versions are inconsistent: tag [t], local_version [5], remote_version [7]", "software"),
        ("EI0009: Transport init error. Reason: a port is down.", "network"),
        ("EJ0001: Failed to initialize the HCCP process. Reason: another one is running.", "init-rendezvous"),
        ("EJ0003: Failed to bind the IP port. Reason: it is taken.", "init-rendezvous"),
        ("EL0001: The device is absent or abnormal.", "gpu-hardware"),
        ("E90003: Compile op failed. The node name is conv5, op type Conv2D", "software"),
    ],
)
def test_the_code_speaks_for_the_exception(code: str, expected: str, report_of: ReportOf) -> None:
    verdict = report_of({"job.log": RAISED + code + "\n"}).verdict
    assert verdict.cls == expected
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.line == 9


def test_who_waited_for_another_npu_is_no_cause(report_of: ReportOf) -> None:
    waited = "EI0002: The wait execution of the Notify register times out. Reason: nothing from remote rank [7].\n"
    assert report_of({"job.log": RAISED + waited}).verdict.cls == "unknown"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Detected mismatch between collectives on ranks. Rank 5 is running\nreduce_scatter(\n", "collective-mismatch"),
        ("NCCL WARN NET/OFI Could not register memory on rail 5 with flag 7\n", "network"),
        ("Warning: NCCL EP timeout for dispatch receive, rank 5, local_expert_idx 7, src_rank 3\n", "cuda-software"),
        ("Feb  3 04:05:06  Xid 79 (PCI:0000:91:00): GPU has fallen off the bus\n", "gpu-hardware"),
        ("node health: Xid 48 detected\n", "gpu-hardware"),
        ("| Memory Bandwidth          | Fail                                           |\n", "gpu-hardware"),
        ("ecc.errors.uncorrected.volatile.total:    5\n", "gpu-hardware"),
        ("No devices were found\n", "gpu-hardware"),
        (FABRIC + "detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch pci bus id 1\n", "gpu-hardware"),
        (FABRIC + "NVLink training failed on GPU 5 link 7\n", "gpu-hardware"),
        ("SXid (PCI:0000:05:00.0): 20034, Fatal, Link 31 LTSSM Fault Up\n", "gpu-hardware"),
        (KERNEL + "amdgpu 0000:c9:00.0: amdgpu: RAS poison consumption, reset: client id 5\n", "gpu-hardware"),
        (KERNEL + "habanalabs 0000:33:00.0: hl5: NIC link down, port 7\n", "network"),
        ("E0203 04:05:06.789012 4242 health.cc:57] Slice health check failed: worker 5\n", "infrastructure"),
        ("the model failed with NRT_EXEC_HW_ERR_DMA_ABORT\n", "gpu-hardware"),
        (KERNEL + "ice 0000:9c:00.0 eth5: NIC Link is Down\n", "network"),
        ("worker: transport retry counter exceeded (12)\n", "network"),
        ("ucp_ep.c:57 endpoint 0x7f0: error 'Destination is unreachable' on wireup\n", "network"),
        ("[[57,1],5][b.c:57:handle_wc] error polling HP CQ with status RETRY EXCEEDED ERROR\n", "network"),
        (
            KERNEL + "LustreError: 11-0: a-OST0007: operation ost_connect to node n@o2ib failed: rc = -19\n",
            "storage-io",
        ),
        (KERNEL + "beegfs: cat(57): Communication error with node: beegfs-storage node007 [ID: 5]\n", "storage-io"),
        (KERNEL + "ceph: mds5 hung\n", "storage-io"),
        (KERNEL + "XFS (md5): log I/O error -5\n", "storage-io"),
        ("2026-02-03T04:05:06.789Z ERROR mountpoint_s3::fs: write failed: no answer\n", "storage-io"),
    ],
)
def test_one_line_alone(text: str, expected: str, report_of: ReportOf) -> None:
    verdict = report_of({"job.log": text}).verdict
    assert verdict.cls == expected
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.line == 1


@pytest.mark.parametrize(
    "text",
    [
        FABRIC + "detected NVSwitch non-fatal error 20001 on fid 0 on NVSwitch pci bus id 1\n",
        KERNEL + "amdgpu 0000:c9:00.0: amdgpu: 7 correctable hardware errors detected in umc block\n",
        KERNEL + "habanalabs hl5: ECC error detected. address: 0x57, block id 5, critical 0\n",
        KERNEL + "libceph: osd5 (1)10.0.0.7:6801 socket closed (con state OPEN)\n",
        KERNEL + "ceph: mds5 caps stale\n",
        "NCCL WARN NET/OFI Only EFA provider is supported\n",
        "    Remapped Rows\n        Uncorrectable Error               : 5\n        Pending                           : No\n",
        "| GPU Memory                | Pass                                           |\n",
        "ecc.errors.uncorrected.volatile.total:    0\n",
        "2026-02-03T04:05:06.789Z  WARN mountpoint_s3::fuse: lookup failed: inode error: file does not exist\n",
    ],
)
def test_what_does_no_harm_is_no_cause(text: str, report_of: ReportOf) -> None:
    assert report_of({"node.txt": text, "job.log": STEPS}).verdict.cls == "healthy"


@pytest.mark.parametrize(
    "text",
    [
        KERNEL + "LustreError: 11-0: a-OST0007: operation ost_connect to node n@o2ib failed: rc = -19\n",
        KERNEL + "libceph: mon5 (1)10.0.0.7:6789 session lost, hunting for new mon\n",
        KERNEL + "nvme nvme5: controller is down; will reset: CSTS=0xffffffff\n",
        FABRIC + "detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch pci bus id 1\n",
        "NCCL WARN NET/OFI Could not register memory on rail 5 with flag 7\n",
    ],
)
def test_training_that_goes_on_outlives_it(text: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": text + STEPS}).verdict.cls == "healthy"
