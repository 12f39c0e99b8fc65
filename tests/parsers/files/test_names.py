"""What file names say, and what they must not be taken for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.files.discover import read_name
from logtui.parsers.source import NameHints

NAMES = (
    ("train.log", NameHints()),
    ("error-4821-7.out", NameHints(job="4821", node=7, stream="stderr")),
    ("output-4821-7.out", NameHints(job="4821", node=7, stream="stdout")),
    ("logs/error-4821-15.out", NameHints(job="4821", node=15, stream="stderr")),
    ("slurm-4821.out", NameHints(job="4821")),
    ("slurm-4821_3.out", NameHints(job="4821")),
    ("pretrain-4821-12.err", NameHints(job="4821", task=12, stream="stderr")),
    ("rank57.log", NameHints(rank=57)),
    ("rank_57.txt", NameHints(rank=57)),
    ("rank-57/stderr.log", NameHints(rank=57, stream="stderr")),
    ("job_rank57_node007.log", NameHints(rank=57)),
    ("global_rank57.log", NameHints(rank=57)),
    ("log-rank57.txt", NameHints(rank=57)),
    ("logs-rank57.txt", NameHints(rank=57)),
    ("nemo_log_globalrank-57_localrank-1.txt", NameHints(rank=57, local_rank=1)),
    ("local_rank3.log", NameHints(local_rank=3)),
    ("none_ab12cd/attempt_0/3/stderr.log", NameHints(attempt=0, local_rank=3, stream="stderr")),
    ("none_ab12cd/attempt_2/11/filtered_stdout.log", NameHints(attempt=2, local_rank=11, stream="stdout")),
    ("node-7.log", NameHints(node=7)),
    ("worker_3.txt", NameHints(node=3)),
    ("dmesg-node007.txt", NameHints(host="node007")),
    ("kernel.gpu-12.log", NameHints(host="gpu-12")),
    ("error-4821-7.out.gz", NameHints(job="4821", node=7, stream="stderr")),
    ("rank57.log.1", NameHints(rank=57)),
    ("rank57.log.2.zst", NameHints(rank=57)),
    ("frank7.log", NameHints()),
    ("ranked-list.txt", NameHints()),
    ("lora-rank16-alpha32/train.log", NameHints()),
)


@pytest.mark.parametrize(("name", "hints"), NAMES, ids=[n for n, _ in NAMES])
def test_names(name: str, hints: NameHints) -> None:
    assert read_name(name) == hints


@given(st.text(max_size=80))
def test_any_name_is_survived(name: str) -> None:
    read_name(name)
