"""The writers of many lines at once are those of each line by itself."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logtui.parsers.prefix.grammar import HEADS, Place
from logtui.parsers.prefix.origin import read_origin
from logtui.parsers.prefix.writers import HEAD, marked_lines, owner, read_writers

LABELS = {("task", 12): 99, ("local_rank", 2): 42}
PIECES = st.sampled_from(
    [sample.text for head in HEADS for sample in head.samples]
    + ["12: ", "[default2]:", "2026-03-05 15:00:00,120 INFO shards: rank 57 opening", "loss 2.31", " ", "x" * 60]
)
GLUED = re.compile(r"(?<!^)(?<![\s\]])(?<![\]>]:)node007:")
LINES = st.lists(st.lists(PIECES, max_size=4).map("".join), max_size=8)


@given(LINES)
@example(["[rank3]: x", "", "12: y", "2026-03-05 15:00:00,120 INFO rank 57", "[default2]:[rank4]: z"])
@example(["12: (Worker pid=4009) x"])
@example(["(WorkerDict rank=6 pid=4009) 2026-03-05 15:00:00,120 INFO [rank57] "])
@example(["(WorkerDict rank=6 pid=4009) (TaskRunner pid=16292) "])
@example(["12:   3: 2026-03-05 15:00:00,120 INFO shards: rank 57"])
@example(["[1,6]<stderr>:2026-03-05 15:00:00,120 INFO [rank1] shards: opening"])
@example(["x" * 115 + "[rank3]: y"])
@example(["[rank16383]:[rank: 57] ", "[rank: 57] [rank3]: x", "[GPU5] [rank: 57] x", "[GPU5] [default2]: y"])
@example(["[rank: 57] 2025-03-09 11:22:26,152: rank5[8220]["])
def test_a_block_tells_of_each_line_what_the_line_tells(lines: list[str]) -> None:
    found, at = dict(marked_lines("\n".join(lines), LABELS)), 0
    for line in lines:
        assert found.get(at) == owner(line, LABELS), line
        at += len(line) + 1


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("[rank57]:[E305 15:42:03.1 a.cpp:1] x", 57),
        ("2026-03-05 15:00:00 [rank3]: x", 3),
        ("12: loss", 99),
        ("2026-03-05 15:00:00,120 INFO [rank61] shards: opening", 61),
        ("[default2]:2026-03-05 15:00:00,120 INFO [rank61] shards: opening", 61),
        ("[rank57]: 2026-03-05 15:00:00,120 INFO [rank1] shards: opening", 57),
        ("[1,6]<stderr>:2026-03-05 15:00:00,120 INFO [rank1] shards: opening", 6),
        ("2026-03-05 15:00:00,120 INFO [rank61] has not reported", None),
        ("12: [rank4]: loss", 4),
        ("[default2]: x", 42),
        ("[default7]: not known here", None),
        ("[1,6]<stderr>: x", 6),
        ("loss of rank 5", None),
        ("2026-03-05 15:00:00,120 INFO shards: rank 61 read 4 samples", 61),
        ("2026-03-05 15:00:00,120 INFO shards: waiting for rank 61", None),
        ("node007: [default2]: x", 42),
        ("2: [default2]: x", 42),
        ("", None),
    ],
)
def test_whose_line_it_is(text: str, rank: int | None) -> None:
    assert owner(text, {("task", 12): 99, ("local_rank", 2): 42}) == rank


def _read(lines: list[str]) -> list[tuple[int, int]]:
    raws = [line.encode() for line in lines]
    heads = np.frombuffer(b"".join(raw[:HEAD].ljust(HEAD, b"\xff") for raw in raws), np.uint8)
    ranks, pids = read_writers(heads, np.array([len(raw) for raw in raws]))
    return list(zip(ranks.tolist(), pids.tolist(), strict=True))


@pytest.mark.parametrize("name", ["rank", "nccl"])
@pytest.mark.parametrize("before", ["", "12: ", "[default3]:", "node007: "])
def test_the_first_bytes_tell_what_the_line_tells(name: str, before: str) -> None:
    head = next(head for head in HEADS if head.name == name)
    lines = [before + sample.text + "x" for sample in head.samples]
    origins = [read_origin(line, len(line) - 1) for line in lines]
    assert _read(lines) == [(o.rank, o.pid) for o in origins]
    assert all(max(pair) >= 0 for pair in _read(lines))


def _pids_along(line: str) -> set[int]:
    """The process that each part of a line is of."""
    return {read_origin(line, hit).pid for hit in range(len(line) + 1)}


@given(LINES)
@example(["node007:4242:4310 [1] NCCL INFO (WorkerDict rank=6 pid=4009) "])
@example(["node007:4242:4310 [1] NCCL INFO (WorkerDict rank=6 pid=4009) [rank57]: "])
@example(["[rank57]: 2026-03-05 15:00:00,120 INFO shards: rank 57 opening[rank16383]:"])
@example(["[rank57]: [2026-03-05 15:00:00] [INFO] [rank 5] "])
def test_the_first_bytes_tell_nothing_else(lines: list[str]) -> None:
    """Of two records glued in the first bytes either one; what they cut in two is not seen."""
    for line, (rank, pid) in zip(lines, _read(lines), strict=True):
        if GLUED.search(line):
            continue  # the names of hosts begin where a word does
        origin = read_origin(line, min(len(line), HEAD))
        cut = read_origin(line[:HEAD], min(len(line), HEAD))
        assert rank in (-1, origin.rank, cut.rank), line
        assert pid < 0 or origin.rank < 0 or pid in {origin.pid, cut.pid, *_pids_along(line)}, line


def test_the_vectorised_forms_are_declared() -> None:
    assert {head.place for head in HEADS if head.name in ("rank", "nccl")} == {Place.STACKED, Place.HEADER}
