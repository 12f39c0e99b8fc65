"""What DLRover lists; torchrun's failure block: versions, labels before it, tracebacks in it, and blocks that were cut."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.tracebacks.worker_failures import FailureBlock, ProcessError, WorkerFailure, read_block, read_errors

BLOCK = """\
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:\N{SPACE}
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
[1]:
  time      : 2026-11-21_04:12:49
  host      : node007.cluster.example
  rank      : 56 (local_rank: 0)
  exitcode  : -15 (pid: 4410)
  error_file: <N/A>
  traceback : Signal 15 (SIGTERM) received by PID 4410
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-11-21_04:12:48
  host      : node007.cluster.example
  rank      : 57 (local_rank: 1)
  exitcode  : -9 (pid: 4411)
  error_file: /tmp/run/attempt_0/1/error.json
  traceback : Signal 9 (SIGKILL) received by PID 4411
============================================================
after the block"""
T0412_48 = 1795234368.0
"""2026-11-21 04:12:48 as UTC."""


def lines_of(text: str, prefix: str = "") -> list[str]:
    return [prefix + line for line in dedent(text).splitlines()]


def whole(lines: list[str]) -> FailureBlock:
    block = read_block(lines)
    assert block is not None
    return block


def test_all_fields() -> None:
    block = whole(lines_of(BLOCK))
    assert (block.script, block.lines, block.complete) == ("train.py", 22, True)
    assert block.root == WorkerFailure(
        line=18, is_root=True, time=T0412_48, host="node007.cluster.example", rank=57, local_rank=1, exitcode=-9,
        pid=4411, signal="SIGKILL", error_file="/tmp/run/attempt_0/1/error.json",
        traceback="Signal 9 (SIGKILL) received by PID 4411",
    )  # fmt: skip
    assert [(f.rank, f.signal, f.error_file, f.is_root) for f in block.failures] == [
        (56, "SIGTERM", None, False),
        (57, "SIGKILL", "/tmp/run/attempt_0/1/error.json", True),
    ]


@pytest.mark.parametrize(
    ("code", "exitcode", "signal"),
    [
        ("-9 (pid: 4411)", -9, "SIGKILL"),
        ("-9 (pid: 4411)  (SIGKILL)", -9, "SIGKILL"),
        ("1 (pid: 4411) ", 1, None),
        ("1 (pid: 4411)", 1, None),
    ],
    ids=["to 2.11", "from 2.12", "from 2.12, no signal", "no signal"],
)
def test_exit_code_in_both_forms(code: str, exitcode: int, signal: str | None) -> None:
    text = BLOCK.replace("-9 (pid: 4411)", code)
    if signal is None:
        text = text.replace(
            "Signal 9 (SIGKILL) received by PID 4411", "To enable traceback see: https://pytorch.org/docs"
        )
    root = whole(lines_of(text)).root
    assert root is not None
    assert (root.exitcode, root.pid, root.signal) == (exitcode, 4411, signal)


@pytest.mark.parametrize(
    "prefix",
    ["7: ", " 7: ", "[node007:1]:", "node007: ", "2026-11-21T04:12:49.100Z ", "(Launcher pid=99) ", "[default0]:"],
    ids=["srun", "padded", "tee by host", "pdsh", "collector", "ray", "tee"],
)
def test_label_before_each_line(prefix: str) -> None:
    assert whole(lines_of(BLOCK, prefix)).failures == whole(lines_of(BLOCK)).failures


def test_collectors_times_may_move() -> None:
    stamped = [f"2026-11-21T04:12:49.{n:03d}Z {line}" for n, line in enumerate(lines_of(BLOCK))]
    assert whole(stamped).complete


def test_lines_of_other_writers_are_passed_over() -> None:
    mine, others = lines_of(BLOCK, " 7: "), lines_of(BLOCK.replace("rank      : 5", "rank      : 9"), "12: ")
    woven = [line for pair in zip(mine, others, strict=True) for line in pair]
    block = whole(woven)
    assert [f.rank for f in block.failures] == [56, 57]
    assert woven[block.failures[1].line].startswith(" 7:   exitcode")


RECORDED = """\
Root Cause (first observed failure):
[0]:
  time      : 2026-11-21_04:12:48
  host      : node007
  rank      : 57 (local_rank: 1)
  exitcode  : 1 (pid: 4411)
  error_file: /tmp/run/attempt_0/1/error.json
  traceback : Traceback (most recent call last):
    File "/opt/venv/lib/python3.12/site-packages/torch/errors/__init__.py", line 355, in wrapper
      return f(*args, **kwargs)

    File "train.py", line 12, in main
      raise ValueError("shard-00012.tar")
  ValueError: shard-00012.tar
\N{SPACE}\N{SPACE}
============================================================
"""


@pytest.mark.parametrize("prefix", ["", "7: "], ids=["bare", "srun"])
def test_recorded_traceback_is_dedented(prefix: str) -> None:
    block = whole(lines_of(RECORDED, prefix))
    assert block.root is not None
    assert block.root.traceback.splitlines()[0] == "Traceback (most recent call last):"
    assert block.root.traceback.splitlines()[-1] == "ValueError: shard-00012.tar"
    assert '  File "train.py", line 12, in main' in block.root.traceback.splitlines()


def test_first_versions_put_the_root_first() -> None:
    block = whole(
        lines_of(
            """\
            ChildFailedError:
            **************************************
                         train.py FAILED
            ======================================
            Root Cause:
            [0]:
              time: 2021-07-05_18:14:32
              rank: 1 (local_rank: 1)
              exitcode: 1 (pid: 3216)
              error_file: <N/A>
              msg: "Process failed with exitcode 1"
            ======================================
            Other Failures:
              <NO_OTHER_FAILURES>
            **************************************
            """
        )
    )
    assert block.script == "train.py"
    assert block.root is not None
    assert (block.root.rank, block.root.exitcode, block.root.pid) == (1, 1, 3216)


@pytest.mark.parametrize("kept", range(1, 22))
def test_cut_block_gives_what_is_there(kept: int) -> None:
    block = read_block(lines_of(BLOCK)[:kept])
    ranks = [f.rank for f in block.failures] if block else []
    assert ranks[: (kept > 8) + (kept > 17)] == [56, 57][: (kept > 8) + (kept > 17)]
    assert block is None or not block.complete


def test_excerpt_without_rules_and_numbers() -> None:
    block = whole(
        lines_of(
            """\
            torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
              time      : 2026-11-21_04:12:48
              exitcode  : -6 (pid: 187)
              traceback : Signal 6 (SIGABRT) received by PID 187
            """
        )
    )
    assert [(f.exitcode, f.signal, f.rank) for f in block.failures] == [(-6, "SIGABRT", None)]


@pytest.mark.parametrize(
    "lines",
    [[], ["Traceback (most recent call last):"], ["Failures:"], ["ChildFailedError:", "[rank3]: something else"]],
    ids=["nothing", "no header", "header alone", "header and others"],
)
def test_no_block(lines: list[str]) -> None:
    assert read_block(lines) is None


_LINES = st.lists(
    st.one_of(st.sampled_from(lines_of(BLOCK) + lines_of(RECORDED, "7: ")), st.text(max_size=40)), max_size=40
)


@given(_LINES)
def test_any_lines_in_any_order(lines: list[str]) -> None:
    block = read_block(lines)
    if block is not None:
        assert 0 < block.lines <= len(lines)
        assert all(0 <= f.line < len(lines) for f in block.failures)


LISTED = '{"57": {"local_rank": 1, "exitcode": -6, "message": "", "datetime": "x"}, "58": {"local_rank": 2, "exitcode": 1, "mess'


@pytest.mark.parametrize(
    ("report", "places"),
    [(LISTED, (1, 1)), (LISTED.replace(", ", ",\n    ").replace(": {", ": {\n    "), (3, 8))],
    ids=["one-line", "pretty"],
)
def test_dlrover_lists_processes(report: str, places: tuple[int, int]) -> None:
    lines = ["ERROR report_failed_exited_process:", *report.split("\n")]
    assert list(read_errors(lines)) == [ProcessError(places[0], 57, 1, -6), ProcessError(places[1], 58, 2, 1)]
