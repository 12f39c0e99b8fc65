"""A block searched by kinds of lines gives the hits that the engine finds in it as it stands."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from logtui.parsers.registry import registry
from logtui.parsers.scan import kinds
from logtui.parsers.scan.blocks import TextBlock
from logtui.parsers.scan.engine import Hits
from logtui.parsers.scan.kinds import Kinds, KindSearch
from logtui.parsers.scan.proof import make_engine, sample

ANCHORS = (b"train_loss:", b"3 Loss: ", b"4 Loss: ", b"14 Loss:", b"loss: 0.5", b"Killed!")
ENGINES = ("hyperscan", "numpy")


def _block(text: bytes, before: int = 0) -> TextBlock:
    """A block that begins behind some bytes of its buffer."""
    return TextBlock(bytearray(b"3 Loss: "[:before] + text + b"train_loss:"), 0, before, before + len(text), 0)


def _enough(lines: bytes) -> bytes:
    """So many of some lines that they tell how to search the next block."""
    return lines * (1 + kinds.TELLING // len(lines))


def _by_kinds(engine: str, anchors: tuple[bytes, ...], text: bytes, before: int = 0) -> tuple[Hits, Kinds]:
    search = KindSearch(make_engine(anchors, engine), anchors)
    search.scan(_block(_enough(b"\n".join(anchors))))  # so dense that the next one is searched by kinds
    hits, found = search.scan(_block(text, before))
    assert found is not None
    return hits, found


def _steps(lines: int, seed: int) -> bytes:
    random = Random(seed)
    ends = "\n", "\r", "\r\n", " loss: 0.5\n", " train_loss:1 train_loss:2\n"
    return "".join(
        f"step {random.randrange(20)} Loss: 0.{random.randrange(9)}" + random.choice(ends) for _ in range(lines)
    ).encode()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", [_steps(400, 1), _steps(400, 2)[:-3], b"\n\n4 Loss: 3 Loss: ", b"Killed!" * 3, b"\n"])
def test_hits_are_those_of_the_engine(engine: str, text: bytes) -> None:
    expected = make_engine(ANCHORS, engine).scan(text, len(text))
    for before in (0, 5):
        assert _by_kinds(engine, ANCHORS, text, before)[0].tolist() == expected.tolist()


@pytest.mark.parametrize("engine", ENGINES)
def test_every_literal_is_found(engine: str) -> None:
    anchors = tuple(registry().anchors)
    text, planted = sample(anchors)
    hits, _ = _by_kinds(engine, anchors, text)
    assert planted <= set(hits.tolist())
    assert hits.tolist() == make_engine(anchors, engine).scan(text, len(text)).tolist()


def test_lines_of_a_kind_differ_in_digits_alone() -> None:
    _, found = _by_kinds("numpy", ANCHORS, b"step 17\nstep 23\rstep 5\nstep 99")
    assert found.of_part.tolist() == [0, 0, 1, 0]


def test_what_is_not_dense_is_searched_as_it_stands() -> None:
    search = KindSearch(make_engine(ANCHORS, "numpy"), ANCHORS)
    for _ in range(2):
        _, found = search.scan(_block(_enough(b"." * kinds.CROWDED + b" train_loss:\n")))
        assert found is None


UNLIKE = b"".join(b"train_loss: %b\n" % bytes(word) for word in product(b"abcdefghijklmnopqrstuvwxyz", repeat=3))


def test_it_rests_ever_longer_after_blocks_of_lines_that_are_not_alike() -> None:
    search = KindSearch(make_engine(ANCHORS, "numpy"), ANCHORS)
    longest = kinds.PAUSES[1]
    rests = [2**n for n in range(longest.bit_length())] + [longest]
    expected = [False, *(by_kinds for rest in rests for by_kinds in (True, *[False] * rest)), True]
    assert [search.scan(_block(UNLIKE))[1] is not None for _ in expected] == expected


def test_it_rests_shortly_again_after_lines_that_are_alike() -> None:
    search = KindSearch(make_engine(ANCHORS, "numpy"), ANCHORS)
    alike = _enough(b"train_loss: 7\n")
    blocks = [UNLIKE] * 4 + [alike] * 4 + [UNLIKE] * 3
    by_kinds = [search.scan(_block(block))[1] is not None for block in blocks]
    assert by_kinds == [False, True, False, True, False, False, True, True, True, False, True]


@pytest.mark.parametrize("few", [b"done\n", b"".join(UNLIKE.splitlines(True)[:9])], ids=["no hits", "unlike"])
def test_a_few_lines_at_the_end_of_a_file_tell_nothing(few: bytes) -> None:
    search = KindSearch(make_engine(ANCHORS, "numpy"), ANCHORS)
    alike = _enough(b"train_loss: 7\n")
    assert [search.scan(_block(block))[1] is not None for block in (alike, few, alike)] == [False, True, True]


def test_a_literal_with_an_end_of_line_is_searched_as_it_stands() -> None:
    anchors = (b"train_loss:\nstep",)
    search = KindSearch(make_engine(anchors, "numpy"), anchors)
    for _ in range(2):
        text = _enough(b"train_loss:\nstep 7\n")
        hits, found = search.scan(_block(text))
        assert np.array_equal(hits >> 16, np.arange(len(text) // 19) * 19 + 16)
        assert found is None
