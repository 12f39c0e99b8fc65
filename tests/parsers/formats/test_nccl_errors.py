"""NCCL's sockets: who went away is a symptom, who cannot be reached may be the cause."""

from __future__ import annotations

import pytest
from matching import matched, names

from logtui.parsers.pattern import Role
from logtui.parsers.registry import registry


@pytest.mark.parametrize(
    ("text", "peer"),
    [
        ("Net : Connection closed by remote peer node009<46776>", "node009"),
        ("socketProgress: Connection closed by remote peer node009.cluster.example<46776>", "node009.cluster.example"),
        ("socketProgress: Connection closed by remote peer ", None),
    ],
    ids=["2.15", "2.16 on", "cut"],
)
@pytest.mark.parametrize(
    "prefix", ["n:1:2 [0] misc/socket.cc:50 NCCL WARN ", "[rank3]: ", ""], ids=["warn", "last error", "bare"]
)
def test_closed_peer(prefix: str, text: str, peer: str | None) -> None:
    assert matched(prefix + text)["nccl_error.peer_closed"].get("peer") == peer


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Net : Call to recv from 10.0.0.9<1> failed : Connection reset by peer", Role.SYMPTOM),
        ("socketProgressOpt: Call to send to 10.0.0.9<1> failed : Broken pipe", Role.SYMPTOM),
        ("ncclOsSocketProgressOpt: Call to recv from 10.0.0.9<1> failed : No route to host", Role.CAUSE),
        ("Net : Connect to 10.0.0.9<1> failed : Connection refused", Role.SYMPTOM),
        ("Net : Connect to 10.0.0.9<1> failed : Connection timed out", Role.CAUSE),
        ("socketPollConnect: connect to 10.0.0.9<1> returned Connection refused, exceeded error retry count after 35 "
         "attempts", Role.CAUSE),
        ("ncclOsSocketTryAccept: exceeded error retry count (34)", Role.CAUSE),
    ],
)  # fmt: skip
def test_errno_decides(text: str, role: Role) -> None:
    assert {registry().pattern(n).role for n in names(text, "nccl_error")} == {role}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[Proxy Service 3] Failed to execute operation Close from rank 3, retcode 3", "nccl_error.teardown"),
        ("[Proxy Service 3] Failed to execute operation Connect from rank 3, retcode 3", "nccl_error.proxy"),
        ("[Service thread] Could not receive type from localRank 3, res=3, closed=0", "nccl_error.teardown"),
        (
            "NET/Socket : peer 10.0.0.9<1> message truncated : receiving 8 bytes instead of 4.",
            "nccl_error.size_mismatch",
        ),
        ("Message truncated : received 8,4 bytes instead of 4,4", "nccl_error.truncated"),
    ],
)
def test_resembling_lines(text: str, name: str) -> None:
    assert names(text, "nccl_error") == {name}


def test_both_ranks_of_a_shared_gpu() -> None:
    fields = matched("Duplicate GPU detected : rank 0 and rank 4 both on CUDA device 7000")["nccl_error.duplicate_gpu"]
    assert fields == {"rank": "0", "other": "4", "bus_id": "7000"}


def test_retries_are_noise_until_they_are_exhausted() -> None:
    line = "n:1:2 [0] NCCL INFO socketPollConnect: connect to 10.0.0.9<1> returned {}, retrying (3/34) after sleep for 300 msec"
    assert names(line.format("Connection refused"), "nccl_error") == {"nccl_error.connect_retry"}
    assert names(line.format("No route to host"), "nccl_error") == {"nccl_error.connect_retry"}
    assert matched(line.format("No route to host"))["nccl_error.connect_retry"]["attempt"] == "3"
