"""An error of a GPU that stays ends its process, though the bar of another one still moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def bar(first: int, last: int) -> str:
    return "".join(
        f"\nRequests:  {n // 10}%|###     | {n}/1000 [00:{n // 57:02}<00:57, 57.5it/s]" for n in range(first, last, 10)
    )


ASSERTED = (
    "/opt/aten/src/ATen/native/cuda/Indexing.cu:57: indexSelect: block: [5,0,0], thread: [7,0,0] Assertion `i < n` failed.\n"
    "[rank0]:[E102 03:04:05.678901234 ProcessGroupNCCL.cpp:57] [PG ID 0 PG GUID 0 Rank 0] Process group watchdog thread "
    "terminated with exception: CUDA error: device-side assert triggered\n"
)
DEAD = (
    '\nTraceback (most recent call last):\n  File "/opt/job/infer.py", line 57, in <module>\n    main()\n'
    '  File "/opt/env/lib/python3.12/site-packages/vllm/v1/engine/core_client.py", line 57, in ensure_alive\n'
    "    raise EngineDeadError()\n"
    "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.\n"
)
EXIT = "2026-01-02 03:04:{second:02} srun: error: node007: task 0: Exited with exit code 1\n"


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        (ASSERTED + bar(600, 990) + DEAD + EXIT.format(second=8), "cuda-software"),
        (ASSERTED + bar(600, 990) + "2026-01-02 04:57:00 Training completed successfully.\n", "healthy"),
    ],
    ids=["it fails seconds later", "it is done"],
)
def test_a_bar_that_moves_behind_it(text: str, cls: str, report_of: ReportOf) -> None:
    started = "2026-01-02 03:04:00,000 INFO loading 57 shards\n"
    assert report_of({"a.log": started + bar(100, 600) + text}).verdict.cls == cls
