"""Columns give what going line by line gives, of whatever lines: of every format, in crowds, broken in every way."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from random import Random

import pytest
from long_form import times
from mutations import MUTATIONS, escapes, nuls
from two_ways import blocks_of, by_columns, line_by_line, write

from logtui.parsers.prefix.grammar import HEADS
from logtui.parsers.registry import registry

HEADS_OF_LINES = (
    b"", b"", b"[rank7]: ", b"17: ", b"2026-01-02 03:04:05,123 ", b"[2026-12-31 23:59:59,999] ", b"12:13:14.123 ",
    b"Nov 21 04:12:09 node017 ", b"[12345.678901] ", b"[rank3]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] ",
    b"(pid=4711, ip=10.0.0.7) ", b"node017:4711:4712 [7] ", b"I1121 04:12:09.117000 11807 api.py:525] ", b"\x1b[31m",
)  # fmt: skip
ODD = (
    b"\0", b"\xff", b"\x1b[31m", b"\x1b[", b"\xe2\x80\xae", b"\xe2\x96\x88", b"\xd9\xa3", b"\xc2\xb2", b"\xef\xbb\xbf",
    b"\x1b]0;x\x07", b"\t", b"\xe2\x80\xa8", b"\x85", b"\x0c", b"9" * 19, b"9" * 400, b"x" * 1100, b"x" * 5000,
)  # fmt: skip
"""What may stand in mid-line: signs that cleaning takes or changes, digits of other scripts, numbers, length."""
DIGITS: tuple[Callable[[Random, bytes], bytes], ...] = (
    lambda rng, run: b"".join(b"%d" % rng.randrange(10) for _ in run),
    lambda rng, run: run if rng.random() < 0.8 else b"%0*d" % (len(run), rng.randrange(10)),
    lambda rng, run: run if rng.random() < 0.8 else rng.choice((b"0", b"1", b"9")) * len(run),
)
"""Other digits in place of some."""
WHOLE = [m for m in MUTATIONS if m.__name__ not in ("_long_line", "_many_lines", "_wide")] + [escapes, nuls]


@cache
def _samples() -> list[bytes]:
    of_heads = [sample.text for head in HEADS for sample in head.samples]
    of_patterns = [sample.text for pattern in registry().patterns for sample in pattern.samples]
    return [text.encode() for text in of_heads + of_patterns]


def _line(rng: Random) -> bytes:
    parts = [rng.choice(HEADS_OF_LINES), *rng.choices(_samples(), k=rng.choice((1, 1, 1, 2, 3)))]
    if rng.random() < 0.3:
        parts += [rng.choice((b"\r", rng.choice(HEADS_OF_LINES))), rng.choice(_samples())]
    line = b"".join(parts).replace(b"\n", b" ")
    at = rng.randrange(len(line) + 1)
    return line[:at] + rng.choice(ODD) + line[at:] if rng.random() < 0.3 else line


def _crowd(rng: Random) -> list[bytes]:
    """Lines that are equal but for their digits."""
    line, others = _line(rng), rng.choice(DIGITS)
    return [re.sub(rb"\d+", lambda m: others(rng, m[0]), line) for _ in range(rng.choice((2, 3, 8, 20, 40)))]


def _log(rng: Random) -> bytes:
    lines = [line for _ in range(rng.randrange(1, 9)) for line in _crowd(rng)]
    if rng.random() < 0.5:
        rng.shuffle(lines)
    data = b"".join(line + (b"\r\n" if rng.random() < 0.1 else b"\n") for line in lines)
    return rng.choice(WHOLE)(rng, data) or b"\n" if rng.random() < 0.3 else data


@pytest.mark.parametrize("seed", range(times(6, 400)))
def test_columns_give_the_same_of_whatever_lines(seed: int, tmp_path: Path) -> None:
    rng, rows = Random(seed), 0
    for _ in range(10):
        path = write(tmp_path / "train.log", _log(rng))
        small = blocks_of(rng.choice((256, 1024, 4096)), rng.choice((64, 4096)))
        with small if rng.random() < 0.5 else nullcontext():
            expected = line_by_line(path)
            assert by_columns(path) == expected, path.read_bytes()[:2000]
        rows += sum(len(texts) for _, texts, *_ in expected if isinstance(texts, list))
    assert rows, "something is read"


def test_columns_give_the_same_of_times_that_are_padded(tmp_path: Path) -> None:
    said = "12Mar2021 at 14:{:2d}:{:2d} trainer: step {} loss 2.31 step_time 0.500s\n"
    path = write(tmp_path / "train.log", "".join(said.format(n % 60, n % 7, 100 + n) for n in range(400)).encode())
    assert by_columns(path) == line_by_line(path)
