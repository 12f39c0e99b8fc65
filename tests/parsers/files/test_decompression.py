"""Files packed by bzip2 and xz, whole, in several streams, cut and damaged; other packings are named, not read as text."""

from __future__ import annotations

import bz2
import io
import lzma
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from logtui.parsers.files.archive import Member, open_archive, open_member
from logtui.parsers.files.discover import discover, read_name, sniff
from logtui.parsers.files.reading import PackedStream
from logtui.parsers.source import Compression

TEXT = b"".join(
    b"2026-11-21 04:%02d:%02d,000 INFO train: step %d loss 2.31\n" % (n // 60, n % 60, n) for n in range(3000)
)
PACKINGS = [
    pytest.param(Compression.BZIP2, bz2.compress, id="bz2"),
    pytest.param(Compression.XZ, lzma.compress, id="xz"),
    pytest.param(Compression.XZ, lambda data: lzma.compress(data, lzma.FORMAT_ALONE), id="lzma"),
]
Pack = Callable[[bytes], bytes]


def read(path: Path, compression: Compression) -> tuple[bytes, str | None]:
    stream = PackedStream(path, compression)
    text = b"".join(iter(lambda: stream.read(1 << 14), b""))
    stream.close()
    return text, stream.damage


@pytest.mark.parametrize(("compression", "pack"), PACKINGS)
def test_the_text_is_read(tmp_path: Path, compression: Compression, pack: Pack) -> None:
    path = tmp_path / f"rank7.log.{compression.value}"
    path.write_bytes(pack(TEXT))
    assert read(path, compression) == (TEXT, None)
    (file,) = discover([path]).files
    assert (file.compression, file.hints.rank) == (compression, 7)


@pytest.mark.parametrize(("compression", "pack"), PACKINGS[:2])
def test_streams_follow_each_other(tmp_path: Path, compression: Compression, pack: Pack) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(pack(TEXT[:5000]) + pack(b"") + pack(TEXT[5000:]) + bytes(512))
    assert read(path, compression) == (TEXT, None)


@pytest.mark.parametrize(("compression", "pack"), PACKINGS)
def test_a_cut_file_says_so(tmp_path: Path, compression: Compression, pack: Pack) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(pack(TEXT)[:-20])
    text, damage = read(path, compression)
    assert TEXT.startswith(text)
    assert damage == "damaged: the packed data ends early"


@pytest.mark.parametrize(("compression", "pack"), PACKINGS[:2])
def test_damage_is_told_and_costs_no_text_before_it(tmp_path: Path, compression: Compression, pack: Pack) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(pack(TEXT) + pack(TEXT)[:40] + b"\xff" * 400)
    text, damage = read(path, compression)
    assert text.startswith(TEXT)
    assert damage is not None and damage.startswith("damaged: ")


def test_a_stream_that_asks_for_much_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xz"
    path.write_bytes(_with_dictionary_of_4_gib(lzma.compress(TEXT)))
    text, damage = read(path, Compression.XZ)
    assert not text
    assert damage is not None and damage.startswith("damaged: ")


def _with_dictionary_of_4_gib(data: bytes) -> bytes:
    """The same stream whose first block says that it needs the widest dictionary; its header's checksum fits."""
    at = 12
    size = (data[at] + 1) * 4
    header = bytearray(data[at : at + size - 4])
    header[4] = 40  # of the filter's properties: 4 GiB - 1
    return data[:at] + bytes(header) + zlib.crc32(bytes(header)).to_bytes(4, "little") + data[at + size :]


@pytest.mark.parametrize("suffix", ["tar.bz2", "tbz2", "tar.xz", "txz"])
def test_tars_are_read_in_place(tmp_path: Path, suffix: str) -> None:
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        entry = tarfile.TarInfo("rank0.log")
        entry.size = len(TEXT)
        archive.addfile(entry, io.BytesIO(TEXT))
    path = tmp_path / f"logs.{suffix}"
    path.write_bytes((bz2.compress if "b" in suffix else lzma.compress)(tar.getvalue()))
    assert [m.parts for m in open_archive(path).members() if isinstance(m, Member)] == [("rank0.log",)]
    assert open_member(path, ("rank0.log",)).read_at(50, 50) == TEXT[50:100]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (bz2.compress(TEXT), "packed, but its name does not say how"),
        (lzma.compress(TEXT), "packed, but its name does not say how"),
        (b"\x04\x22\x4d\x18d@\xa7" + TEXT[:200], "packed by lz4"),
        (b"7z\xbc\xaf\x27\x1c\0\4" + TEXT[:200], "a 7z archive"),
        (b"\x1f\x9d\x90" + TEXT[:200], "packed by compress"),
    ],
    ids=["bz2", "xz", "lz4", "7z", "compress"],
)
def test_packed_bytes_are_never_taken_as_text(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "rank0.log"
    path.write_bytes(data)
    assert why in sniff(path, path.name, Compression.NONE).refused


def test_a_name_is_read_without_its_packing() -> None:
    assert read_name("error-4821-7.out.xz") == read_name("error-4821-7.out")
