"""Zips read in place: good members, hostile ones, damaged ones."""

from __future__ import annotations

import io
import random
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from archives import LINES, parts_of, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logtui.parsers.files import inflate
from logtui.parsers.files.archive import Archive, Member, Refused, open_archive, open_member
from logtui.parsers.files.discover import discover
from logtui.parsers.files.reading import PlainSource
from logtui.parsers.files.zip_headers import CUT, walk_zip
from logtui.parsers.scan.sweep import Sweep

Change = Callable[[zipfile.ZipInfo], None]


def zip_bytes(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, change: Change | None = None) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as file:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, (2026, 3, 5, 15, 39, 42))
            info.compress_type, info.external_attr = method, 0o644 << 16
            if change is not None:
                change(info)
            file.writestr(info, data)
    return raw.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
@pytest.mark.parametrize("before", [b"", b"#!/bin/sh\n"], ids=["alone", "after other bytes"])
def test_members_read_as_they_are(tmp_path: Path, method: int, before: bytes) -> None:
    data = zip_bytes({"logs/": b"", "logs/rank0.log": LINES, "rank 1 ä.log": LINES[:1000], "empty.log": b""}, method)
    path = written(tmp_path / "logs.zip", data)
    good, refused = parts_of(path)
    assert (good, refused) == (["logs/rank0.log", "rank 1 ä.log", "empty.log"], {})
    source = open_member(path, ("logs/rank0.log",))
    assert source.size() == len(LINES)
    assert source.read_at(0, 1 << 20) == LINES
    assert source.read_at(len(LINES) - 5, 100) == LINES[-5:]
    assert source.read_at(10, 30) == LINES[10:40]
    assert source.read_at(len(LINES) + 5, 100) == b""
    shifted = PlainSource(written(tmp_path / "shifted.zip", before + data))
    assert [e.data_at - len(before) for e in walk_zip(shifted)] == [e.data_at for e in walk_zip(PlainSource(path))]


def test_its_time_is_the_members(tmp_path: Path) -> None:
    (member,) = open_archive(written(tmp_path / "x.zip", zip_bytes({"rank0.log": LINES}))).members()
    assert isinstance(member, Member)
    assert member.mtime == 1_772_725_182.0


def test_a_member_larger_than_32_bits_count_is_read(tmp_path: Path) -> None:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as file, file.open("a.log", "w", force_zip64=True) as member:
        member.write(LINES)
    assert open_member(written(tmp_path / "x.zip", raw.getvalue()), ("a.log",)).read_at(0, 1 << 20) == LINES


def _link(info: zipfile.ZipInfo) -> None:
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16


@pytest.mark.parametrize(
    ("data", "name", "why"),
    [
        (zip_bytes({"../../escape.log": LINES}), "../../escape.log", "leaves the archive"),
        (zip_bytes({"/etc/passwd": LINES}), "/etc/passwd", "absolute"),
        (zip_bytes({"a\x1b[31m.log": LINES}), "a\x1b[31m.log", "not printable"),
        (zip_bytes({"bad.log": b"/etc/passwd"}, change=_link), "bad.log", "a link"),
        (zip_bytes({"bad.log": LINES}, zipfile.ZIP_LZMA), "bad.log", "method 14"),
    ],
    ids=["parent", "absolute", "escape", "link", "method"],
)
def test_hostile_members_are_refused(tmp_path: Path, data: bytes, name: str, why: str) -> None:
    good, refused = parts_of(written(tmp_path / "x.zip", data))
    assert good == []
    assert why in refused[name]


def _patched(data: bytes, mark: bytes, at: int, new: bytes) -> bytes:
    start = data.index(mark) + at
    return data[:start] + new + data[start + len(new) :]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: d[: len(d) // 2], CUT),
        (lambda d: _patched(d, b"PK\x01\x02", 8, struct.pack("<H", 1)), "encrypted"),
        (lambda d: _patched(d, b"PK\x01\x02", 42, struct.pack("<L", 7)), "not where the table of contents says"),
        (lambda d: _patched(d, b"PK\x01\x02", 0, b"PK\x07\x07"), "a broken entry"),
        (lambda d: _patched(d, b"PK\x01\x02", 20, struct.pack("<L", 1 << 30)), "overlap"),
    ],
    ids=["cut", "encrypted", "astray", "broken", "overlapping"],
)
def test_damage_is_said(tmp_path: Path, change: Callable[[bytes], bytes], why: str) -> None:
    _, refused = parts_of(written(tmp_path / "x.zip", change(zip_bytes({"a.log": LINES}))))
    assert [why in w for w in refused.values()] == [True]


def test_damaged_text_is_given_as_far_as_it_goes_and_said(tmp_path: Path) -> None:
    data = zip_bytes({"a.log": LINES, "b.log": LINES})
    broken = _patched(data, b"PK\x03\x04", 300, b"\xff" * 20)
    found = {m.parts: m for m in open_archive(written(tmp_path / "x.zip", broken)).members() if isinstance(m, Member)}
    assert found[("a.log",)].damage
    assert found[("a.log",)].size < len(LINES)
    assert not found[("b.log",)].damage


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inflate, "BOMB_FLOOR", 1 << 20)
    path = written(tmp_path / "x.zip", zip_bytes({"bomb.log": bytes(50 << 20), "good.log": LINES}))
    found = {m.parts: m for m in open_archive(path).members() if isinstance(m, Member)}
    assert "bomb" in found[("bomb.log",)].damage
    assert found[("good.log",)].size == len(LINES)


def test_archives_in_archives(tmp_path: Path) -> None:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        info = tarfile.TarInfo("target.log")
        info.size = len(LINES)
        tar.addfile(info, io.BytesIO(LINES))
    path = written(tmp_path / "x.zip", zip_bytes({"in.zip": zip_bytes({"a.log": LINES}), "ais.tgz": raw.getvalue()}))
    assert parts_of(path) == (["in.zip!a.log", "ais.tgz!target.log"], {})
    assert open_member(path, ("in.zip", "a.log")).read_at(5, 50) == LINES[5:55]
    assert open_member(path, ("ais.tgz", "target.log")).read_at(5, 50) == LINES[5:55]


def test_members_are_logs_of_the_case(tmp_path: Path) -> None:
    written(tmp_path / "logs.zip", zip_bytes({"error-9-0.out": LINES, "error-9-1.out": LINES}))
    sweep = Sweep(discover([tmp_path]))
    list(sweep.run())
    case = sweep.case()
    assert [f.name for f in case.files] == ["logs.zip!error-9-0.out", "logs.zip!error-9-1.out"]
    assert case.lines(1, 400, 1) == [LINES.splitlines()[-1].decode()]
    case.close()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1 << 32), flips=st.integers(0, 12), cut=st.integers(0, 1 << 14))
def test_damage_never_crashes(tmp_path: Path, seed: int, flips: int, cut: int) -> None:
    chance = random.Random(seed)
    data = bytearray(zip_bytes({"a.log": LINES, "b.log": LINES, "c.log": b""}))
    for _ in range(flips):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path = written(tmp_path / "f.zip", bytes(data[: len(data) - cut % len(data)]))
    source = PlainSource(path)
    try:
        for member in Archive(source).members(64):
            assert isinstance(member, Member | Refused)
    finally:
        source.close()
