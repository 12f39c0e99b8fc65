"""A cut .zst must be told from a whole one, whatever wrote it."""

from __future__ import annotations

import io
import random

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.files.reading import ends_early

TEXT = random.Random(7).randbytes(300_000) + b"loss 2.31\n" * 50_000
SKIPPABLE = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"hello"


def _streamed(checksum: bool) -> bytes:
    packer = zstandard.ZstdCompressor(write_checksum=checksum).compressobj()
    return packer.compress(TEXT) + packer.flush()


WHOLE = {
    "one frame": zstandard.compress(TEXT),
    "short": zstandard.compress(b"x"),
    "empty text": zstandard.compress(b""),
    "one byte repeated": zstandard.compress(b"x" * 500_000),
    "streamed": _streamed(checksum=False),
    "streamed with checksum": _streamed(checksum=True),
    "two frames": zstandard.compress(TEXT) * 2,
    "skippable frame between": zstandard.compress(TEXT) + SKIPPABLE + zstandard.compress(b"x"),
}


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE)
def test_whole(data: bytes) -> None:
    assert not ends_early(io.BytesIO(data))


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize("missing", [1, 2, 3, 4, 5])
def test_cut(data: bytes, missing: int) -> None:
    assert ends_early(io.BytesIO(data[:-missing]))


@given(st.integers(1, len(WHOLE["one frame"]) - 1))
def test_cut_anywhere(length: int) -> None:
    assert ends_early(io.BytesIO(WHOLE["one frame"][:length]))


@given(st.binary(max_size=300))
def test_any_bytes_are_survived(data: bytes) -> None:
    ends_early(io.BytesIO(data))
    ends_early(io.BytesIO(zstandard.MAGIC_NUMBER.to_bytes(4, "little") + data))
