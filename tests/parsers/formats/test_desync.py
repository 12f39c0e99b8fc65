"""The desync report, which has no prefix after its first line."""

from __future__ import annotations

import pytest
from matching import matched, names

REPORT = {
    "\t - [57] Timeout at collective: ALLREDUCE, #1234": ("desync.timeout_at", {"pg_rank": "57", "seq": "1234"}),
    "\t - To our best knowledge, ranks [1, 2] are the lagging ranks that caused this timeout. They never joined any "
    "collectives": ("desync.never_joined", {"ranks": "1, 2"}),
    "\t   - [0, 1, 3] joined but didn't finish collective #1234 (count from 1)": (
        "desync.unfinished",
        {"ranks": "0, 1, 3"},
    ),
    "\t     [57] finished collective #1233, but didn't join collective #1234 (count from 1)": (
        "desync.behind",
        {"ranks": "57", "finished": "1233"},
    ),
    "\t     [0, 1, 2] started _ALLGATHER_BASE": ("desync.snapshot", {"phase": "started", "op": "_ALLGATHER_BASE"}),
    "12: \t     [57] finished BROADCAST": ("desync.snapshot", {"ranks": "57", "phase": "finished"}),
}


@pytest.mark.parametrize(("line", "expected"), REPORT.items())
def test_report(line: str, expected: tuple[str, dict[str, str]]) -> None:
    name, fields = expected
    found = matched(line)
    assert names(line, "desync") == {name}
    assert fields.items() <= found[name].items()


@pytest.mark.parametrize(
    "line", ["[epoch 3] finished training", "[1/4] started DOWNLOAD", "[2026-11-21] started EVAL now"]
)
def test_progress_is_not_a_report(line: str) -> None:
    assert names(line, "desync") == set()


def test_misspelling_is_part_of_the_format() -> None:
    assert names("Failed to rerieve TORCH_NCCL_DESYNC_DEBUG report with unknown error.", "desync") == {
        "desync.report_failed"
    }
