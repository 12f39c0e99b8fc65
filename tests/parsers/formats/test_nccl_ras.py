"""The RAS report, line by line."""

from __future__ import annotations

import pytest
from matching import matched, names

REPORT = {
    "#0-0 (fa93daea854b060b) MISMATCH": {"ras.communicator"},
    "#1-12 (fa93daea854b060b) INCOMPLETE ERROR": {"ras.communicator"},
    "  Communicator ranks have different AllGather operation counts": set(),
    "  30 ranks have launched up to operation 640": {"ras.operations"},
    "  1 rank has launched up to operation 641": {"ras.operations"},
    "  Rank 12 -- GPU 4 managed by process 4411 on node 10.0.0.9": {"ras.rank"},
    "  Rank 12 -- [process information not found]": {"ras.rank"},
    "  1 job process is considered dead (unreachable via the RAS network)": {"ras.dead_processes"},
    "  Process 4411 on node 10.0.0.9 managing GPU 4": {"ras.dead_process"},
    "  Missing communicator data from 1 rank": {"ras.missing_ranks"},
    "  Initialization errors on 3 ranks": {"ras.rank_errors"},
}


@pytest.mark.parametrize(("line", "expected"), REPORT.items())
def test_report(line: str, expected: set[str]) -> None:
    assert names(line, "ras") == expected


def test_rank_with_its_place() -> None:
    fields = matched("  Rank 12 -- GPU 4 managed by process 4411 on node 10.0.0.9")["ras.rank"]
    assert fields == {"rank": "12", "gpu": "4", "pid": "4411", "host": "10.0.0.9"}
