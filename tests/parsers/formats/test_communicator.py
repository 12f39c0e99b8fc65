"""DistBackendError and its relatives: which NCCL results speak for this rank, and which for another."""

from __future__ import annotations

import pytest
from matching import matched, names

from logtui.parsers.pattern import Role
from logtui.parsers.registry import registry

RESULTS = {
    "unhandled cuda error (run with NCCL_DEBUG=INFO for details)": ("comm.cuda_error", Role.CAUSE),
    "unhandled system error (run with NCCL_DEBUG=INFO for details)": ("comm.system_error", Role.SYMPTOM),
    "internal error - please report this issue to the NCCL developers": ("comm.internal_error", Role.CAUSE),
    "invalid usage (run with NCCL_DEBUG=WARN for details)": ("comm.invalid_usage", Role.CAUSE),
    "remote process exited or there was a network error": ("comm.remote_error", Role.SYMPTOM),
}
PLACES = {
    "main thread": "[rank3]: torch.distributed.DistBackendError: NCCL error in: ../torch/NCCLUtils.cpp:219, {}, NCCL version 2.21.5",
    "old": "RuntimeError: NCCL error in: /opt/build/ProcessGroupNCCL.cpp:1191, {}, NCCL version 2.10.3",
    "what": "  what():  NCCL error: {}, NCCL version 2.10.3",
    "no version": "RuntimeError: NCCL error in: /opt/build/ProcessGroupNCCL.cpp:784, {}",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=list(PLACES))
@pytest.mark.parametrize(("result", "expected"), RESULTS.items())
def test_results(place: str, result: str, expected: tuple[str, Role]) -> None:
    name, role = expected
    line = place.format(result)
    assert names(line, "comm") == {name}
    assert registry().pattern(name).role is role
    assert ("version" in matched(line)[name]) is ("NCCL version" in line)


def test_other_internal_errors_are_not_nccls() -> None:
    assert names("HTTP 500: internal error", "comm") == set()
    assert names("ValueError: invalid argument --foo", "comm") == set()


@pytest.mark.parametrize("code", ["ncclSystemError", "ncclRemoteError", "ncclInvalidUsage"])
def test_result_code_explains(code: str) -> None:
    assert matched(f"[rank3]: {code}: x y z")["comm.result_code"] == {"code": code}


def test_abort_keeps_its_reason() -> None:
    fields = matched("NCCL communicator was aborted on rank 1. ")["comm.aborted"]
    assert fields == {"pg_rank": "1", "reason": ". "}
