"""Archives read in place: good members, hostile ones, damaged ones."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
from pathlib import Path

import pytest
from archives import LINES, parts_of, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logtui.parsers.errors import ArchiveRefused, NothingToRead
from logtui.parsers.files import inflate
from logtui.parsers.files.archive import Archive, Member, Refused, open_archive, open_member
from logtui.parsers.files.discover import discover
from logtui.parsers.files.inflate import GzipSource
from logtui.parsers.files.reading import PlainSource
from logtui.parsers.files.tar_headers import walk
from logtui.parsers.scan.sweep import Sweep


def tar_bytes(
    members: dict[str, bytes], form: int = tarfile.GNU_FORMAT, extra: tuple[tarfile.TarInfo, ...] = ()
) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=form) as tar:
        for info in extra:
            tar.addfile(info)
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1_770_000_000
            tar.addfile(info, io.BytesIO(data))
    return raw.getvalue()


@pytest.mark.parametrize(
    "form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT], ids=["ustar", "gnu", "pax"]
)
@pytest.mark.parametrize("packed", [False, True], ids=["tar", "tar.gz"])
def test_members_read_as_they_are(tmp_path: Path, form: int, packed: bool) -> None:
    long = "deep/" * 15 + "a-rather-long-file-name-for-a-log-of-one-rank.log"
    data = tar_bytes({"rank0.log": LINES, long: LINES[:1000], "empty.log": b""}, form)
    path = written(tmp_path / ("logs.tar.gz" if packed else "logs.tar"), gzip.compress(data) if packed else data)
    good, refused = parts_of(path)
    assert good == ["rank0.log", long, "empty.log"]
    assert not refused
    source = open_member(path, ("rank0.log",))
    assert source.size() == len(LINES)
    assert source.read_at(0, 1 << 20) == LINES
    assert source.read_at(len(LINES) - 5, 100) == LINES[-5:]
    assert source.read_at(len(LINES) + 5, 100) == b""
    assert open_member(path, (long,)).read_at(10, 30) == LINES[10:40]


def _link(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    ("hostile", "why"),
    [
        ({"/etc/passwd": b"x"}, "absolute"),
        ({"../../escape.log": b"x"}, "leaves the archive"),
        ({"a/../../b.log": b"x"}, "leaves the archive"),
        ({"..\\..\\b.log": b"x"}, "leaves the archive"),
        ({"C:\\logs\\a.log": b"x"}, "absolute"),
        ({"a\x1b[31m.log": b"x"}, "not printable"),
    ],
    ids=["absolute", "parent", "inner-parent", "backslash", "drive", "escape"],
)
def test_hostile_names_are_refused_and_the_rest_goes_on(tmp_path: Path, hostile: dict[str, bytes], why: str) -> None:
    path = written(tmp_path / "x.tar.gz", gzip.compress(tar_bytes({**hostile, "good.log": LINES})))
    good, refused = parts_of(path)
    assert good == ["good.log"]
    assert [why in w for w in refused.values()] == [True]
    with pytest.raises(ArchiveRefused):
        open_member(path, (next(iter(hostile)),))


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (tarfile.SYMTYPE, "symbolic link"), (tarfile.LNKTYPE, "hard link"), (tarfile.CHRTYPE, "device"),
        (tarfile.BLKTYPE, "device"), (tarfile.FIFOTYPE, "pipe"),
    ],
    ids=["symlink", "hardlink", "char", "block", "fifo"],
)  # fmt: skip
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes, why: str) -> None:
    data = tar_bytes({"good.log": LINES}, extra=(_link("bad", kind, "/etc/passwd"),))
    good, refused = parts_of(written(tmp_path / "x.tar", data))
    assert good == ["good.log"]
    assert why in refused["bad"]


def test_a_name_twice_is_taken_once(tmp_path: Path) -> None:
    data = tar_bytes({"a.log": b"first\n"})[:1024] + tar_bytes({"a.log": b"later\n"})
    good, refused = parts_of(written(tmp_path / "x.tar", data))
    assert good == ["a.log"]
    assert "second member" in refused["a.log"]
    assert parts_of(tmp_path / "x.tar")[0] == ["a.log"], "asking again changes nothing"


def test_a_broken_header_costs_its_member_only(tmp_path: Path) -> None:
    data = bytearray(tar_bytes({"a.log": LINES, "b.log": LINES, "c.log": LINES}))
    header = data.index(b"b.log")
    data[header : header + 200] = b"\xff" * 200
    good, refused = parts_of(written(tmp_path / "x.tar", bytes(data)))
    assert good == ["a.log", "c.log"]
    assert "broken header" in " ".join(refused.values())


def test_a_cut_archive_gives_what_is_there(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(200_000).hex().encode()
    data = gzip.compress(tar_bytes({"a.log": LINES, "b.log": noise}))
    found = list(open_archive(written(tmp_path / "x.tar.gz", data[: len(data) * 2 // 3])).members(16))
    whole, cut = (m for m in found if isinstance(m, Member))
    assert whole.size == len(LINES)
    assert not whole.damage
    assert 0 < cut.size < len(noise)
    assert "damaged" in cut.damage
    assert open_member(tmp_path / "x.tar.gz", ("b.log",)).read_at(0, 1 << 20) == noise[: cut.size]


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inflate, "BOMB_FLOOR", 1 << 20)
    data = gzip.compress(tar_bytes({"a.log": LINES, "zeros.log": b"\n" * (64 << 20)}))
    found = list(open_archive(written(tmp_path / "x.tar.gz", data)).members(16))
    assert any(isinstance(m, Refused) and "bomb" in m.why for m in found)
    sizes = {m.parts[0]: m.size for m in found if isinstance(m, Member)}
    assert sizes["a.log"] == len(LINES)
    assert sizes["zeros.log"] < 64 << 20


def test_archives_in_archives(tmp_path: Path) -> None:
    inner = gzip.compress(tar_bytes({"deep.log": LINES}))
    path = written(tmp_path / "x.tar", tar_bytes({"node.tar.gz": inner, "one.log.gz": gzip.compress(LINES)}))
    assert parts_of(path)[0] == ["node.tar.gz!deep.log", "one.log.gz"]
    assert open_member(path, ("node.tar.gz", "deep.log")).read_at(0, 1 << 20) == LINES
    assert open_member(path, ("one.log.gz",)).read_at(7, 50) == LINES[7:57]


def test_nesting_has_an_end(tmp_path: Path) -> None:
    data = tar_bytes({"a.log": LINES})
    for n in range(6):
        data = tar_bytes({f"{n}.tar": data})
    good, refused = parts_of(written(tmp_path / "x.tar", data))
    assert not good
    assert "too deep" in " ".join(refused.values())


def test_gzip_reads_any_byte_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inflate, "CHECKPOINT_BYTES", 4096)
    text = b"".join(b"%06d some line of a log\n" % n for n in range(20_000))
    half = len(text) // 2
    packed = gzip.compress(text[:half]) + gzip.compress(text[half:]) + bytes(512)
    source = GzipSource(PlainSource(written(tmp_path / "a.gz", packed)))
    rng = random.Random(2)
    for _ in range(200):
        at, count = rng.randrange(len(text)), rng.randrange(1, 5000)
        assert source.read_at(at, count) == text[at : at + count]
    assert source.size() == len(text)
    assert source.damage is None
    source.close()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(flips=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), max_size=12), cut=st.integers(0, 4000))
def test_damage_never_crashes(tmp_path: Path, flips: list[tuple[int, int]], cut: int) -> None:
    for packed in (False, True):
        plain = tar_bytes({"a.log": LINES[:2000], "b.log": LINES[:700]})
        data = bytearray(gzip.compress(plain) if packed else plain)
        for at, value in flips:
            data[at % len(data)] = value
        path = written(tmp_path / "f.tar", bytes(data[: max(1, len(data) - cut)]))
        source = PlainSource(path)
        try:
            for found in Archive(source).members(32):
                assert isinstance(found, Member | Refused)
        finally:
            source.close()


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=3000))
def test_any_bytes_can_be_walked(data: bytes) -> None:
    class Bytes:
        def read_at(self, offset: int, count: int) -> bytes:
            return data[offset : offset + count]

        def size(self) -> int:
            return len(data)

        def close(self) -> None:
            pass

    assert len(list(walk(Bytes()))) <= len(data) // 512 + 1


def test_members_are_logs_of_the_case(tmp_path: Path) -> None:
    inner = {"rank0.log": LINES, "rank1.log": LINES + b"last\n", "prog": b"\x7fELF" + bytes(100)}
    written(tmp_path / "logs.tar.gz", gzip.compress(tar_bytes(inner, extra=(_link("l", tarfile.SYMTYPE, "x"),))))
    sweep = Sweep(discover([tmp_path]))
    list(sweep.run())
    case = sweep.case()
    assert [f.name for f in case.files] == ["logs.tar.gz!rank0.log", "logs.tar.gz!rank1.log"]
    assert {u.file for u in case.unread} == {"logs.tar.gz!l", "logs.tar.gz!prog"}
    assert case.lines(1, 400, 3) == ["2026-01-02 03:04:39 INFO root: step 399", "last"]
    assert case.line_count(1) == 401
    assert case.files[1].hints.rank == 1
    case.close()


def test_a_tar_gz_that_is_no_tar_is_a_packed_log(tmp_path: Path) -> None:
    written(tmp_path / "logs.tar.gz", gzip.compress(LINES))
    assert [(f.name, f.member) for f in discover([tmp_path]).files] == [("logs.tar.gz", ())]


def test_an_archive_without_logs_is_reported(tmp_path: Path) -> None:
    written(tmp_path / "x.tar", tar_bytes({"../a": b"x"}))
    with pytest.raises(NothingToRead):
        discover([tmp_path])
