"""World size where no line says it outright."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

NCCL = "node007:4242:4300 [1] NCCL INFO comm 0x55d{n} rank {n} nranks {of} cudaDev {n} busId {n}b000 commId 0x9 - Init COMPLETE\n"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("torchrun --nproc_per_node 8 --nnodes 16 train.py\n", 128),
        ("torchrun --nnodes=16 --nproc-per-node=8 train.py\n", 128),
        ("accelerate launch --num_processes 57 train.py\n", 57),
        ("[2026-01-02 03:04:05,678] [INFO] [launch.py:145:main] WORLD INFO DICT: {'a': [0, 1], 'b': [0, 1, 2]}\n", 5),
        (NCCL.format(n=1, of=2) + NCCL.format(n=3, of=64), 64),
        ("torchrun --nproc_per_node 8 train.py\n", None),
        ("torchrun --nproc_per_node 8 --nnodes 1 train.py\n[rank57]: step 1\n" + NCCL.format(n=57, of=8), None),
    ],
    ids=["arguments", "the nodes first", "accelerate", "DeepSpeed", "NCCL", "nodes not said", "more ranks were seen"],
)
def test_the_size_follows(text: str, size: int | None, report_of: ReportOf) -> None:
    assert report_of({"train.log": text + "step 1 loss 2.3\n"}).job.world_size == size
