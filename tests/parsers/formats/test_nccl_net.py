"""Completions and events of InfiniBand in the wordings of NCCL 2.7 to 2.30."""

from __future__ import annotations

import pytest
from matching import matched, names

WORDINGS = {
    "2.7": "NET/IB : Got completion with error {n}, opcode 1, len 0, vendor err 129",
    "2.17": "NET/IB : Got completion from peer 10.1.0.9<36522> with error {n}, opcode 0, len 0, vendor err 129",
    "2.18": "NET/IB : Got completion from peer 10.1.0.9<36522> with error {n}, opcode 0, len 1, vendor err 129 (Recv) localGid ::1",
    "2.20": "NET/IB : Got completion from peer 10.1.0.9<36522> with status={n} opcode=0 len=0 vendor err 129 (Send)",
    "2.28": "NET/IB: Got completion from peer 10.1.0.9<36522> with status={n} opcode=0 len=0 vendor err 129 (Send) hca mlx5_1",
    "2.28.9": "NET/IB: Got completion from peer 10.1.0.9<36522> with status=IBV_WC_X({n}) opcode=IBV_WC_SEND(0) reqSize=0 "
    "vendor_err=129 req_type=Send hca mlx5_1",
    "2.29": "NET/IB/GIN: Got completion from peer 10.1.0.9<36522> with status=IBV_WC_X({n}) opcode=IBV_WC_SEND(0) "
    "vendor_err=129  hca mlx5_1",
}
MEANINGS = {
    "12": "nccl_net.ib_retry_exceeded",
    "13": "nccl_net.ib_retry_exceeded",
    "5": "nccl_net.ib_flushed",
    "4": "nccl_net.ib_completion",
    "10": "nccl_net.ib_completion",
}


@pytest.mark.parametrize("wording", WORDINGS.values(), ids=list(WORDINGS))
@pytest.mark.parametrize(("status", "name"), MEANINGS.items())
def test_status_decides(wording: str, status: str, name: str) -> None:
    line = wording.format(n=status)
    fields = matched(line)[name]
    assert names(line, "nccl_net") == {name}
    assert (fields["status"], fields["vendor_err"]) == (status, "129")
    assert fields.get("peer") == ("10.1.0.9" if "peer" in line else None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("NET/IB : Got async event : port error", "nccl_net.async_error"),
        ("NET/IB : mlx5_3:1 Got async event : port error", "nccl_net.async_error"),
        ("NET/IB : mlx5_3:1 Got non-fatal async event: port error(10)", "nccl_net.async_error"),
        ("NET/IB : mlx5_3:1 async fatal event on CQ (0x7f): CQ error", "nccl_net.async_error"),
        ("NET/IB : mlx5_3:1 Got async error event: port active", "nccl_net.async_event"),
        ("NET/IB : Got async event : GID table change", "nccl_net.async_event"),
        ("NET/IB : mlx5_3:1 Got non-fatal async event: client reregistration(17)", "nccl_net.async_event"),
    ],
)
def test_events_part_errors_from_notices(text: str, name: str) -> None:
    assert names("n:1:2 [0] transport/net_ib.cc:94 NCCL WARN " + text, "nccl_net") == {name}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Call to ibv_open_device failed", "nccl_net.device_skipped"),
        ("Call to ibv_reg_mr failed with error Cannot allocate memory", "nccl_net.memory_registration"),
        ("Call to ibv_reg_mr_iova2 failed with error Bad address errno 14", "nccl_net.memory_registration"),
        ("Call to ibv_create_qp failed with error Invalid argument errno 22", "nccl_net.verbs_call"),
        ("Call to ibv_modify_qp failed with error Connection timed out", "nccl_net.verbs_call"),
    ],
)
def test_verbs_calls(text: str, name: str) -> None:
    assert names("n:1:2 [0] misc/ibvwrap.cc:94 NCCL WARN " + text, "nccl_net") == {name}
