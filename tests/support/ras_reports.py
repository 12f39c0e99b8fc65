"""Reports of NCCL's RAS, in its two spellings, with values of our own."""

from __future__ import annotations

import json
from typing import Any

BEHIND = """\
Warnings
========

#0-0 (51f0c2ab97d3e604) MISMATCH
  Communicator ranks have different AllReduce operation counts
  14 ranks have launched up to operation 905
  Rank 5 has launched up to operation 904 -- GPU 5 managed by process 7731 on node 10.4.0.2
  Rank 9 has not launched any operations -- [process information not found]

  Communicator ranks have different Broadcast operation counts
  14 ranks have launched up to operation 12
  2 ranks have launched up to operation 11
  Rank 5 -- GPU 5 managed by process 7731 on node 10.4.0.2
  Rank 9 -- [process information not found]

#1-3 (08d1) INCOMPLETE
  Missing communicator data from 1 rank
  Rank 2 -- GPU 2 (NVML 6) managed by process 7728 on node 10.4.0.2
"""


def a_snapshot(counts: dict[int, int], missing: tuple[int, ...] = (), **fields: Any) -> str:
    """JSON as NCCL 2.28.7 writes it, one communicator of all these ranks."""
    place = {"host": "10.4.0.2", "pid": 7700, "cuda_dev": 0, "nvml_dev": 0}
    status = {"init_state": 0, "async_error": 0, "finalize_called": False, "destroy_flag": False, "abort_flag": False}
    ranks = [
        {"rank": r, **place, "status": status, "collective_counts": {"AllReduce": n, "Broadcast": 3}}
        for r, n in counts.items()
    ]
    gone = [{"rank": r, **place, "status": {"unresponsive": True, "considered_dead": False}} for r in missing]
    comm = {
        "hash": "0x51f0", "secondary_hash": "0x1:0x2", "size": len(counts) + len(missing), "ranks_count": len(ranks),
        "missing_ranks_count": len(gone), "ranks": ranks, "missing_ranks": gone,
    }  # fmt: skip
    whole = {
        "nccl_version": "2.28.7", "cuda_runtime_version": 12080, "cuda_driver_version": 12080,
        "timestamp": "2026-11-21 04:10:00", "communicators_count": 1, "communicators": [comm],
        "ras": {"collection_time_sec": 0.1, "timeouts_count": 0},
    } | fields  # fmt: skip
    return json.dumps(whole, indent=2)
