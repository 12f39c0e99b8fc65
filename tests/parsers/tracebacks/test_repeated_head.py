"""Blocks in which every line begins with what a collector or a logger puts before it."""

from __future__ import annotations

import pytest

from logtui.parsers.tracebacks.traceback import assemble, is_warning

BLOCK = (
    "Traceback (most recent call last):",
    '  File "train.py", line 57, in main',
    "    load(shard)",
    "ValueError: shard-00057.tar: bad sample 7",
)


@pytest.mark.parametrize(
    "head",
    [
        "trainer-1  | ",
        "stderr: ",
        "2026-01-02 03:04:0{n},678 ",
        "[2026-01-02 03:04:0{n}.678] [ERROR] [trainer] ",
        "2026-01-02 03:04:0{n}.678 | ERROR    | train:main:57 - ",
        "(EngineCore pid=4242) ERROR 01-02 03:04:0{n} [core.py:57] ",
        "E0102 03:04:0{n}.678901 4242 trainer.py:57] ",
        "train-job-worker-0 pytorch ",
        "176732200{n}.123 ",
    ],
    ids=["compose", "accelerate", "clock", "brackets", "loguru", "vllm", "glog", "stern", "epoch"],
)
def test_a_repeated_head_is_no_part_of_the_block(head: str) -> None:
    lines = [head.format(n=n) + line for n, line in enumerate((*BLOCK, "step 57"))]
    found = assemble(lines)
    assert found is not None
    assert (found.exception, found.message) == ("ValueError", "shard-00057.tar: bad sample 7")
    assert [f.function for f in found.frames] == ["main"]
    assert (found.exception_index, found.last_index) == (3, 3)


def test_containers_are_told_apart_by_their_names() -> None:
    other = [line.replace("57", "58") for line in BLOCK]
    lines = [text for pair in zip(BLOCK, other, strict=True) for text in (f"w-1  | {pair[0]}", f"w-2  | {pair[1]}")]
    found = [assemble(lines, at) for at in (0, 1)]
    assert [t.message.split(":")[0] for t in found if t] == ["shard-00057.tar", "shard-00058.tar"]


def test_a_head_before_the_first_line_alone() -> None:
    found = assemble(["2026-01-02 03:04:05,678 ERROR root: " + BLOCK[0], *BLOCK[1:]])
    assert found is not None
    assert found.message == "shard-00057.tar: bad sample 7"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("WARNING 01-02 03:04:05 [import_utils.py:57] ", True),
        ("W0102 03:04:05.678901 4242 file.py:57] ", True),
        ("2026-01-02 03:04:05,678 ERROR root: ", False),
        ("", False),
    ],
)
def test_warnings(head: str, expected: bool) -> None:
    assert is_warning(head) is expected
