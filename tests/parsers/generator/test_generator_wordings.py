"""Which release says what: the matrix of ProcessGroupNCCL's wordings from PyTorch 1.12 to 2.14."""

from __future__ import annotations

import pytest

from logtui.parsers.generator import VERSIONS, JobSpec
from logtui.parsers.generator.stage.stage import Stage
from logtui.parsers.generator.stage.watchdog import WORDINGS, wording
from logtui.parsers.generator.wordings.errors import ECC, cuda_error, error_class, oom, oom_class
from logtui.parsers.generator.wordings.torchrun import failure_block, lines_of, log_head

#                                                              1.12 1.13 2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.14
MATRIX = [
    ("timed_out", "Watchdog caught collective operation timeout: ", "Y Y Y Y Y Y Y Y Y Y Y Y Y Y"),
    ("wprefix", "[Rank {r}] ", "Y Y Y Y Y Y Y Y Y Y Y Y Y ."),
    ("wprefix", "[PG GUID {guid}({desc}) Rank {r}] ", ". . . . . . . . . . . . . Y"),
    ("work", "NumelIn={numel_in}, NumelOut={numel_out}", ". . . Y Y Y Y Y Y Y Y Y Y Y"),
    ("pg", "[PG {guid} ", ". . . . . Y Y . . . . . . ."),
    ("pg", "[PG ID {pg_id} PG GUID {guid}", ". . . . . . . Y Y Y Y Y Y Y"),
    ("timeout_at", "Timeout at NCCL work: ", ". . . . . Y Y Y . . . . . ."),
    ("status", "Exception (either an error or timeout) detected by watchdog at work: ", ". . . . . . Y Y . . . . . ."),
    ("status", " failure detected by watchdog at work sequence id: {seq} PG status: ", ". . . . . . . . Y Y Y Y Y Y"),
    ("status", "last started work: ", ". . . . . . . . . . . . . Y"),
    ("stack", "Stack trace of the failed collective: ", ". . . . . . . . Y Y Y Y Y Y"),
    ("no_stack", "Stack trace of the failed collective not found", ". . . . . . . . Y Y Y Y Y Y"),
    ("signal", "First PG on this rank to signal dumping.", ". . . . . . . . . Y Y Y Y Y"),
    ("received_here", "Received a timeout signal from this local rank", ". . . . . Y . . . . . . . ."),
    ("received_there", "Received a global timeout from another rank", ". . . . . Y . . . . . . . ."),
    ("received_here", "Received a dump signal from this local rank", ". . . . . . Y . . . . . . ."),
    ("received_there", "Received a global dump signal from rank {source}", ". . . . . . Y . . . . . . ."),
    (
        "received_here",
        "Received a dump signal due to a collective timeout from this local rank",
        ". . . . . . . Y Y Y Y Y Y Y",
    ),
    ("received_there", "due to a collective timeout from  rank {source} and", ". . . . . . . Y Y Y Y Y Y Y"),
    ("observed", "Observed flight recorder dump signal from another rank", ". . . . . . . Y Y Y Y Y Y Y"),
    ("preparing", "preparing to dump debug info", ". . . . Y Y Y Y Y Y Y Y Y Y"),
    ("preparing", "Include stack trace: ", ". . . . . . . . Y Y Y Y Y Y"),
    ("preparing", "only active collectives: ", ". . . . . . . . . . . . Y Y"),
    ("terminated", "NCCL watchdog thread terminated", "Y Y Y Y Y . . . . . . . . ."),
    ("terminated", "Process group watchdog thread terminated", ". . . . . Y Y Y Y Y Y Y Y Y"),
    ("taking_down", "To avoid data inconsistency, ", ". Y Y Y Y Y Y Y Y Y Y Y Y Y"),
    ("stuck_kill", "", ". . . . . Y Y Y Y Y Y Y Y Y"),
    ("async_error", "raised the following async exception", ". . . . . . . Y Y Y Y Y Y Y"),
    ("async_error", "found async exception when checking", "Y Y Y Y Y Y Y . . . . . . ."),
    ("monitor_kill", "Terminating the process after attempting to dump", ". . . . . . . Y Y Y Y Y Y Y"),
    ("store_gone", 'Failed to check the "should dump" flag', ". . . . . . . Y Y Y Y Y Y ."),
    ("store_gone", "TCPStore check for dump key", ". . . . . . . . . . . . . Y"),
]


@pytest.mark.parametrize(("key", "text", "row"), MATRIX, ids=[f"{k}: {t[:40]}" for k, t, _ in MATRIX])
def test_each_release_says_what_it_said(key: str, text: str, row: str) -> None:
    said = [wording(key, JobSpec(pytorch=v).version) for v in VERSIONS]
    assert ["Y" if w is not None and text in w.text else "." for w in said] == row.split()


def test_no_two_wordings_overlap() -> None:
    for version in VERSIONS:
        at = JobSpec(pytorch=version).version
        for key in {w.key for w in WORDINGS}:
            found = [w for w in WORDINGS if w.key == key and w.since <= at and (w.until is None or at <= w.until)]
            assert len(found) <= 1, (key, version)


def test_unknown_wording_is_refused() -> None:
    with pytest.raises(KeyError):
        wording("nonsense", (2, 7))


HEADERS = [
    ("1.13", "[E ProcessGroupNCCL.cpp:737] "),
    ("2.2", "[rank3]:[E ProcessGroupNCCL.cpp:737] "),
    ("2.3", "[rank3]:[E ProcessGroupNCCL.cpp:737] "),
    ("2.4", "[rank3]:[E224 14:16:00."),
    ("2.10", "[rank3]:[E224 14:16:00."),
]


@pytest.mark.parametrize(("version", "head"), HEADERS, ids=[v for v, _ in HEADERS])
def test_c10_header(version: str, head: str) -> None:
    spec = JobSpec(pytorch=version)
    assert Stage(spec).c10_head(3, spec.start + 0.5, "E", "ProcessGroupNCCL.cpp", 737).startswith(head)


AGENT_HEADS = [
    ((2, 0), "WARNING:torch.distributed.elastic.multiprocessing.api:"),
    ((2, 1), "[2026-02-24 14:16:00,250] torch.distributed.elastic.multiprocessing.api: [WARNING] "),
    ((2, 3), "W0224 14:16:00.250000 139000020480000 torch/distributed/elastic/multiprocessing/api.py:9] "),
    ((2, 7), "W0224 14:16:00.250000 5000 torch/distributed/elastic/multiprocessing/api.py:9] "),
]


@pytest.mark.parametrize(("version", "head"), AGENT_HEADS, ids=[str(v) for v, _ in AGENT_HEADS])
def test_agent_header(version: tuple[int, int], head: str) -> None:
    path = "torch/distributed/elastic/multiprocessing/api.py"
    assert log_head(version, "WARNING", path, path, 9, 1_771_942_560.25, 5000) == head


def test_agent_source_lines() -> None:
    assert lines_of((2, 6)) == (897, 869, 719)
    assert lines_of((2, 14)) == (1028, 1002, 753)


def test_failure_block_is_as_wide_as_its_longest_line() -> None:
    root = ["[0]:", "  rank      : 5 (local_rank: 5)", "  traceback : " + "x" * 80]
    rows = failure_block([root]).split("\n")
    assert rows[0] == "=" * 60 and rows[2] == "-" * 60
    assert rows[4] == "  <NO_OTHER_FAILURES>"


OOM = [
    ("1.12", "RuntimeError", "GiB total capacity; "),
    ("2.0", "torch.cuda.OutOfMemoryError", "If reserved memory is >> allocated memory"),
    ("2.1", "torch.cuda.OutOfMemoryError", "total capacty of"),
    ("2.3", "torch.cuda.OutOfMemoryError", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"),
    ("2.4", "torch.OutOfMemoryError", "total capacity of"),
    ("2.10", "torch.OutOfMemoryError", "setting PYTORCH_ALLOC_CONF="),
    ("2.14", "torch.OutOfMemoryError", "docs.pytorch.org"),
]


@pytest.mark.parametrize(("version", "name", "text"), OOM, ids=[v for v, _, _ in OOM])
def test_out_of_memory(version: str, name: str, text: str) -> None:
    at = JobSpec(pytorch=version).version
    assert oom_class(at) == name
    assert text in oom(at, 3)


def test_cuda_error_by_release() -> None:
    assert "call,so the" in cuda_error((1, 13), ECC) and "call, so the" in cuda_error((2, 0), ECC)
    assert "Search for" not in cuda_error((2, 8), ECC) and "Search for" in cuda_error((2, 9), ECC)
    assert (error_class((2, 7)), error_class((2, 8))) == ("RuntimeError", "torch.AcceleratorError")
