"""Local ranks are ranks where one node is all there is, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ENDED = (
    "E1121 04:12:12.014000 11807 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -11) "
    "local_rank: 2 (pid: 4242) of binary: /usr/bin/python3\n"
)
TWO_NODES = "[2026-11-21 04:10:00,123] [INFO] [launch.py:150:main] nnodes=2, num_local_procs=8, node_rank=0\n"
LATE_RANK = "[rank11]: Traceback (most recent call last):\n"


@pytest.mark.parametrize(
    ("files", "ranks"),
    [
        ({"job.log": ENDED}, (2,)),
        ({"job.log": TWO_NODES + ENDED}, ()),
        ({"job.log": LATE_RANK * 8 + "[rank17]: loaded\n[rank17]: Traceback (most recent call last):\n" + ENDED}, ()),
        ({"node0.log": ENDED, "node1.log": ENDED.replace("-11", "-15")}, ()),
        ({"job.log": "srun: error: node007: task 0: Exited with exit code 1\n" + ENDED}, ()),
    ],
    ids=["one-node", "two-nodes-said", "more-ranks-than-a-node-has", "two-agents", "srun"],
)
def test_rank_of_a_local_rank(
    files: Mapping[str, str], ranks: tuple[int, ...], report_of: Callable[[Mapping[str, str]], Report]
) -> None:
    verdict = report_of(files).verdict
    assert verdict.culprit_ranks == ranks
