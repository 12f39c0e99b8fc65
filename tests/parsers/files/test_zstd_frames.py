"""A cut .zst must be told from a whole one, whatever wrote it, and what stands before the cut is read."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logtui.parsers.files.reading import PackedStream
from logtui.parsers.files.zstd import CompressionParameter, ZstdCompressor, compress
from logtui.parsers.source import Compression

TEXT = random.Random(7).randbytes(300_000) + b"loss 2.31\n" * 50_000
SKIPPABLE = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"hello"
MAGIC = b"\x28\xb5\x2f\xfd"


def _streamed(checksum: bool) -> bytes:
    packer = ZstdCompressor(options={CompressionParameter.checksum_flag: checksum})
    return packer.compress(TEXT) + packer.flush()


WHOLE = {
    "one frame": (compress(TEXT), TEXT),
    "short": (compress(b"x"), b"x"),
    "empty text": (compress(b""), b""),
    "one byte repeated": (compress(b"x" * 500_000), b"x" * 500_000),
    "streamed": (_streamed(checksum=False), TEXT),
    "streamed with checksum": (_streamed(checksum=True), TEXT),
    "two frames": (compress(TEXT) * 2, TEXT * 2),
    "skippable frame between": (compress(TEXT) + SKIPPABLE + compress(b"x"), TEXT + b"x"),
}


def _read(path: Path, data: bytes) -> tuple[bytes, str | None]:
    path.write_bytes(data)
    stream = PackedStream(path, Compression.ZSTD)
    text = b"".join(iter(lambda: stream.read(1 << 16), b""))
    stream.close()
    return text, stream.damage


@pytest.mark.parametrize(("data", "text"), WHOLE.values(), ids=WHOLE)
def test_whole(tmp_path: Path, data: bytes, text: bytes) -> None:
    assert _read(tmp_path / "x.zst", data) == (text, None)


@pytest.mark.parametrize(("data", "text"), WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize("missing", [1, 2, 3, 4, 5])
def test_cut(tmp_path: Path, data: bytes, text: bytes, missing: int) -> None:
    found, damage = _read(tmp_path / "x.zst", data[:-missing])
    assert text.startswith(found)
    assert damage is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, len(WHOLE["one frame"][0]) - 1))
def test_cut_anywhere(tmp_path: Path, length: int) -> None:
    found, damage = _read(tmp_path / "x.zst", WHOLE["one frame"][0][:length])
    assert TEXT.startswith(found)
    assert len(found) >= min(length, 300_000) - (1 << 18)
    assert damage is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_any_bytes_are_survived(tmp_path: Path, data: bytes) -> None:
    _read(tmp_path / "x.zst", data)
    _read(tmp_path / "x.zst", MAGIC + data)
