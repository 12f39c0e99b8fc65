"""Lines counted by the batch: as if one came after the other."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.facts import census as module
from logtui.diagnosis.facts.census import Batch, Census

SAYINGS = ("04:1{n}:00 step {n}", "warp coil {n}{n} is out", "read {n}", "Traceback (most recent call last):")
Line = tuple[int, bytes]
LINES = st.lists(
    st.tuples(st.integers(-2, 3), st.sampled_from(SAYINGS), st.integers(0, 5)).map(
        lambda line: (line[0], line[1].format(n=line[2]).encode())
    ),
    max_size=40,
)


def counted(files: list[list[Line]], cuts: list[int]) -> Census:
    """Lines of some files, cut into batches."""
    census = Census()
    for file, lines in enumerate(files):
        stamped = b""
        for begin, end in pairwise(sorted({0, *(cut for cut in cuts if cut < len(lines)), len(lines)})):
            some = lines[begin:end]
            batch = Batch([raw for _, raw in some], [*range(begin, end)], stamped)
            batch.writers[:] = [writer for writer, _ in some]
            census.add(file, batch)
            stamped = batch.stamped(len(some) - 1)
    return census


def told(census: Census) -> object:
    """All that a census says, in its order."""
    templates = [(key, t.count, t.aftermath, [*t.said.items()]) for key, t in census.templates.items()]
    return census.lines, [*census.writers.items()], templates


@pytest.mark.parametrize("most", [200_000, 2])
@given(files=st.lists(LINES, max_size=3), cuts=st.lists(st.integers(1, 40), max_size=4))
def test_batches_count_as_single_lines_do(most: int, files: list[list[Line]], cuts: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "MOST_DETAILS", most)
        patched.setattr(module, "DETAILED", 1)
        assert told(counted(files, cuts)) == told(counted(files, [*range(1, 41)]))


def test_what_one_writer_said_first_and_last() -> None:
    lines = [(0, b"04:11:00 step 1"), (1, b"step 2 of 3"), (0, b"04:12:00 step 2"), (0, b"read 3")]
    census = counted([lines], [])
    steps, others, _ = census.templates.values()
    said, other = steps.said[0], others.said[1]
    assert said is not None and other is not None
    assert (said.first, said.last, said.offset, said.last_offset, said.count) == (0, 1, 0, 2, 2)
    assert other.stamped == b"04:11:00 step 1"
    assert census.writers[0].last == (0, 3, b"read 3", b"04:12:00 step 2")
