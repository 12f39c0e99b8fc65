"""AIStore daemon logs: headers, titles, markers, records, cut lines, days."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.daemons.grammar import RECORD, Marker, Opening, read_header, read_marker, read_title
from logtui.parsers.daemons.layout import DayCounter, lay_out
from logtui.parsers.daemons.recognise import DaemonName, ais_kind, read_daemon_name
from logtui.parsers.daemons.scan import KEEP_FIRST, KEEP_LAST, FileScanner
from logtui.parsers.daemons.scanned import FileScan
from logtui.parsers.daemons.stats import (
    StatsLine,
    deltas,
    flag_names,
    is_red,
    kind_of,
    parse_stats,
    read_duration,
    read_size,
    show_seconds,
    show_size,
)
from logtui.parsers.pattern import Scope
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.registry import registry
from logtui.parsers.source import FileKind, LogFile

DAEMONS = registry(Scope.DAEMONS)
HEADER = "Started up at 2026/05/06 23:30:00, host ais-target-7, go1.25.4 for linux/amd64\n"
TITLE = "Node t[AbCdEfGh], Version 4.1.0aa17be21, build 2025-12-02T10:11:12+0000, CPUs(40, runtime=80), containerized"


def scanned(path: Path, text: str, name: str = "aistarget.ais-target-7.INFO.0506-233000.1") -> FileScan:
    file = path / name
    file.write_text(text)
    return FileScanner(DAEMONS).scan(LogFile(0, file, name, len(text), 0.0, FileKind.AIS_TARGET))


@pytest.mark.parametrize(
    ("line", "opening", "time", "host"),
    [
        (HEADER.strip(), Opening.STARTED, "2026-05-06T23:30:00", "ais-target-7"),
        (
            "Rotated at 2025/05/14 21:00:38, host h, go1.24.3 for linux/amd64",
            Opening.ROTATED,
            "2025-05-14T21:00:38",
            "h",
        ),
        ("Log file created at: 2021/04/11 10:58:38", Opening.STARTED, "2021-04-11T10:58:38", ""),
    ],
    ids=["started", "rotated", "glog"],
)
def test_headers(line: str, opening: Opening, time: str, host: str) -> None:
    header = read_header(line)
    assert header is not None
    assert (header.opening, iso(header.time), header.host) == (opening, time, host)


@pytest.mark.parametrize(
    "line",
    [
        "Started up at 2026/13/06 23:30:00, host h, go1 for a/b",
        "Started up at noon",
        "Rotated at 2026/05/06 25:00:00, host h, go1 for a/b",
    ],
)
def test_no_headers(line: str) -> None:
    assert read_header(line) is None


@pytest.mark.parametrize(
    ("line", "role", "node", "version"),
    [
        (TITLE, "target", "AbCdEfGh", "4.1"),
        (f"I 18:55:47.788269 daemon:265 {TITLE}", "target", "AbCdEfGh", "4.1"),
        (
            "Node p[px], Version 4.4.rc2.bbac8be09, build 2026-04-06T18:49:38+0000, CPUs(4, runtime=8)",
            "proxy",
            "px",
            "4.4.rc2",
        ),
        (
            "Node t[kO], Version 3.21.1.69a90d64b, build time 2023-11-07T18:06:19-0500, debug false, CPUs(16, runtime=16)",
            "target",
            "kO",
            "3.21",
        ),
    ],
    ids=["bare", "record", "rc", "old"],
)
def test_titles(line: str, role: str, node: str, version: str) -> None:
    title = read_title(line)
    assert title is not None
    assert (title.role, title.id, title.version) == (role, node, version)


@pytest.mark.parametrize(
    ("message", "day", "minute", "zone"),
    [
        ("11 Mar 26 23:41 UTC =============", 20523, 23 * 60 + 41, "UTC"),
        ("01 Jan 25 00:05 CST =============", 20089, 5, "CST"),
        ("01 Jan 25 00:05 +03 =============", 20089, 5, "+03"),
    ],
)
def test_markers(message: str, day: int, minute: int, zone: str) -> None:
    assert read_marker(message) == Marker(day, minute, zone)


def test_a_marker_needs_a_date() -> None:
    assert read_marker("31 Feb 26 23:41 UTC =============") is None


@pytest.mark.parametrize(
    ("line", "source", "message"),
    [
        ("I 22:41:02.118377 config:2840 log.dir: x", "config", "log.dir: x"),
        ("I 22:52:03.291556 {get.n:1}", None, "{get.n:1}"),
        ("I 19:59:42.787625 config.go:1796 old", "config", "old"),
        ("I 21:24:06.415473 stats.go:422] older", "stats", "older"),
        ("E 00:17:03.316351 x-moss: xid", None, "x-moss: xid"),
    ],
)
def test_records(line: str, source: str | None, message: str) -> None:
    m = RECORD.match(line)
    assert m is not None
    assert (m["source"], m["message"]) == (source, message)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "d/aistarget.ais-target-0.INFO.0311-224102.1",
            DaemonName("target", "", "ais-target-0", "INFO", (3, 11, 81662), 1),
        ),
        (
            "aistarget-QvTbWmKe.tar.gz!aistarget.h.ERROR.0101-000001.7",
            DaemonName("target", "QvTbWmKe", "h", "ERROR", (1, 1, 1), 7),
        ),
        ("down/aisproxy-kDjfYzuc", DaemonName("proxy", "kDjfYzuc")),
        ("target-kDjfYzuc.tar.gz", DaemonName("target", "kDjfYzuc")),
        ("aistarget.INFO", DaemonName("target")),
        ("rank0.log", DaemonName()),
    ],
    ids=["file", "member", "single", "single-archive", "link", "other"],
)
def test_names(name: str, expected: DaemonName) -> None:
    assert read_daemon_name(name) == expected


@pytest.mark.parametrize(
    ("head", "name", "kind"),
    [
        (HEADER + "I 23:30:00.1 x\n", "whatever", FileKind.AIS_TARGET),
        (HEADER.replace("target", "proxy"), "x", FileKind.AIS_PROXY),
        (HEADER + f"I 23:30:01.000001 daemon:1 {TITLE.replace('t[', 'p[')}\n", "x", FileKind.AIS_PROXY),
        ("I 21:00:48.784074 nvme3n1: 54MiB/s, 119KiB, 0B/s, 0B, 26%\n", "x", FileKind.AIS_TARGET),
        ("I 21:00:48.784074 {get.n:2027,kalive.ns:908039,lst.n:34,state.flags:6}\n", "x", FileKind.AIS_PROXY),
        ("2026-03-11T22:41:02.118211943Z " + HEADER, "pod.log", FileKind.AIS_TARGET),
        (
            "".join(f"[pod/ais-target-0/ais-logs] I 21:00:4{n}.784074 x:1 y\n" for n in range(9)),
            "x",
            FileKind.AIS_TARGET,
        ),
        ("2026-01-02 03:04:05 INFO step 1\nI 21:00:48.784074 x\n" * 3 + "plain\n" * 9, "rank0.log", None),
        ("I0311 22:41:02.118211 1 main.go:5] glog of others\n" * 5, "x", None),
        ("Started up at noon\nhost: node007\nrole: target\n", "x", None),
        ("I 21:00:48.784074 x\n[rank3]: Traceback (most recent call last):\n", "x", None),
    ],
    ids=[
        "header",
        "proxy-host",
        "title",
        "disks",
        "stats",
        "collector",
        "pod-prefix",
        "worker",
        "glog",
        "words",
        "traceback",
    ],
)
def test_recognised_by_content(head: str, name: str, kind: FileKind | None) -> None:
    assert ais_kind(head.encode(), name) is kind


def stats_record(length: int, clock: str = "10:00:00.000001") -> str:
    keys = ",".join(f"aaa.{n:04d}.n:{n}" for n in range(400))
    return f"I {clock} {{{keys}"[:length]


def test_cut_records_are_told_apart() -> None:
    text = (
        stats_record(2048)
        + stats_record(2048, "10:00:01.000001")
        + "I 10:00:02.000001 nvme0n1: tail\nW 10:00:03.000001 x:1 y\n"
    )
    layout = lay_out(text.encode())
    assert layout.records.tolist() == [0, 2048, 4096, text.index("W 10:00:03")]
    assert layout.glued == {2048, 4096}
    assert layout.clocks.tolist() == [36000, 36001, 36002, 36003]
    assert [layout.line_of(int(r)) for r in layout.records] == [0, 0, 0, 1]
    assert [(at, end - int(layout.records[at]), cut) for at, _, end, cut in layout.stats(0, 4)] == [
        (0, 2048, True),
        (1, 2048, True),
    ]


def test_long_warnings_are_not_cut() -> None:
    text = "W 10:00:00.000001 x:1 " + "y" * 3000 + "\nI 10:00:02.000001 z\n"
    assert len(lay_out(text.encode()).records) == 2


@pytest.mark.parametrize("cut", range(2040, 2060))
def test_only_a_cut_at_2048_glues(cut: int) -> None:
    text = stats_record(cut) + "I 10:00:02.000001 next\n"
    assert (len(lay_out(text.encode()).records) == 2) == (cut == 2048)


@given(st.text(alphabet="IWE 0123456789:.{}abc\n", max_size=400))
def test_any_text_is_laid_out(text: str) -> None:
    block = text.encode()
    layout = lay_out(block)
    assert len(layout.records) == len(layout.clocks)
    assert all(0 <= layout.end_of(int(r)) <= len(block) for r in layout.records)


def second_of(block: bytes, at: int) -> int | None:
    """What a stamp says, byte by byte."""
    head = (block + bytes(32))[at : at + 11]
    if head[0] not in b"IWE" or bytes(head[i] for i in (1, 4, 7, 10)) != b" ::.":
        return None
    second = sum((head[i] - 48) * w for i, w in zip((2, 3, 5, 6, 8, 9), (36000, 3600, 600, 60, 10, 1), strict=True))
    return second if 0 <= second < 86400 else None


STAMPED = st.builds(
    "{} {}:{}:{}.{}".format,
    st.sampled_from("IWEX"),
    st.sampled_from(["00", "09", "10", "23", "24", "1x"]),
    st.sampled_from(["00", "30", "59", "60", "0:"]),
    st.sampled_from(["00", "07", "59", "60", "/9", "1 "]),
    st.sampled_from(["000001 a", "999999 {b:1}", "5", ""]),
)


@given(st.lists(st.one_of(STAMPED, st.text(alphabet="I 1:.\n{", max_size=12)), max_size=30), st.integers(0, 3))
def test_every_stamp_is_read_as_it_stands(lines: list[str], indent: int) -> None:
    """Times that jump, fall and repeat, letters that change within a minute, and what only looks like a stamp."""
    block = "\n".join(" " * indent + line for line in lines).encode() + b"\n"
    starts = [0, *(n + 1 for n in range(len(block) - 1) if block[n] == 10)]
    places = [min(start + indent, len(block)) for start in starts]
    layout = lay_out(block, indent)
    expected = [(at, second) for at in places if (second := second_of(block, at)) is not None]
    assert list(zip(layout.records.tolist(), layout.clocks.tolist(), strict=True)) == expected
    assert layout.braced.tolist() == [block[at + 18 : at + 19] == b"{" for at, _ in expected]


def days(counter: DayCounter, *clocks: str) -> list[int]:
    seconds = np.array(
        [sum(int(x) * f for x, f in zip(c.split(":"), (3600, 60, 1), strict=True)) for c in clocks], np.int64
    )
    found: list[int] = counter.days(seconds, np.arange(len(seconds), dtype=np.int64)).tolist()
    return found


@pytest.mark.parametrize(
    ("header", "clocks", "expected"),
    [
        ("23:59:00", ("23:59:30", "00:00:10", "12:00:00", "23:00:00", "00:30:00"), [0, 1, 1, 1, 2]),
        ("00:00:05", ("23:59:58", "00:00:01", "00:00:06"), [-1, 0, 0]),
        ("10:00:00", ("09:59:00", "10:00:01", "10:00:00"), [0, 0, 0]),
        ("23:59:59", ("00:00:00", "23:59:59", "00:00:01"), [1, 0, 1]),
        ("01:59:00", ("01:59:30", "01:00:10", "01:30:00"), [0, 0, 0]),
    ],
    ids=["midnight", "older-than-header", "rotated", "disorder-at-midnight", "clock-set-back"],
)
def test_days(header: str, clocks: tuple[str, ...], expected: list[int]) -> None:
    start = sum(int(x) * f for x, f in zip(header.split(":"), (3600, 60, 1), strict=True))
    assert days(DayCounter(start), *clocks) == expected


def test_days_do_not_depend_on_blocks() -> None:
    clocks = ("22:00:00", "23:59:59", "00:00:01", "00:00:00", "13:00:00", "12:00:00", "23:00:00", "01:00:00")
    whole = days(DayCounter(None), *clocks)
    for cut in range(1, len(clocks)):
        counter = DayCounter(None)
        assert days(counter, *clocks[:cut]) + days(counter, *clocks[cut:]) == whole


def test_a_marker_reveals_a_missed_day(tmp_path: Path) -> None:
    text = (
        HEADER + "I 23:31:00.000001 x:1 a\nI 23:40:00.000001 x:1 lifecycle\n"
        "I 23:50:00.000001 target:5 t[AbCdEfGh] is ready\n"
        "I 23:55:00.000001 common:501 08 May 26 23:55 UTC =============\n"
    )
    scan = scanned(tmp_path, text)
    part = scan.parts[0]
    assert part.days.jumps == [(text.index("I 23:50"), 2)]
    said = scan.messages[0]
    time = part.time(said.clock, said.offset)
    assert time is not None
    assert iso(time) == "2026-05-08T23:50:00"


def test_new_year(tmp_path: Path) -> None:
    text = (
        "Rotated at 2025/12/31 23:58:00, host h, go1.25.4 for linux/amd64\n" + TITLE + "\n"
        "I 23:59:00.000000 target:5 t[AbCdEfGh] is ready\nI 00:00:01.000000 target:5 t[AbCdEfGh] is ready\n"
        "I 00:10:00.000000 common:501 01 Jan 26 00:10 UTC =============\n"
    )
    scan = scanned(tmp_path, text)
    part = scan.parts[0]
    assert part.title is not None
    assert part.title.id == "AbCdEfGh"
    assert [iso(part.time(m.clock, m.offset)) for m in scan.messages] == ["2025-12-31T23:59:00", "2026-01-01T00:00:01"]
    assert not part.days.jumps


def test_concatenated_files_are_parts(tmp_path: Path) -> None:
    second = HEADER.replace("Started up", "Rotated").replace("23:30:00", "23:45:00")
    text = (
        "I 23:00:00.000000 x:1 lost head\n"
        + HEADER
        + "I 23:31:00.000000 x:1 a\n"
        + second
        + TITLE
        + "\nI 23:46:00.000000 x:1 b\n"
    )
    parts = scanned(tmp_path, text).parts
    assert [(p.opening, p.line, p.records) for p in parts] == [
        (Opening.HEADLESS, 1, 1),
        (Opening.STARTED, 2, 1),
        (Opening.ROTATED, 4, 1),
    ]
    assert [p.base for p in parts] == [None, 20579, 20579]


@pytest.mark.parametrize(
    "prefix", ["2026-05-06T23:30:00.000000001Z ", "[pod/ais-target-7/ais-logs] "], ids=["stamps", "pods"]
)
def test_a_collectors_prefix_is_passed_over(tmp_path: Path, prefix: str) -> None:
    lines = (
        HEADER
        + "I 23:31:00.000001 {get.n:5,state.flags:6}\nW 23:32:00.000001 tgtcp:1 Stopping t[AbCdEfGh]: Signal 15\n"
    )
    scan = scanned(tmp_path, "".join(prefix + line + "\n" for line in lines.splitlines()))
    assert scan.indent == len(prefix)
    assert [s.line for s in scan.stats] == [2]
    assert [m.text for m in scan.messages] == ["Stopping t[AbCdEfGh]: Signal 15"]


@pytest.mark.parametrize("compact", [1 << 14, 1], ids=["at the end", "block by block"])
def test_storms_are_counted_exactly_and_kept_at_both_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compact: int
) -> None:
    monkeypatch.setattr("logtui.parsers.daemons.scan.COMPACT", compact)
    monkeypatch.setattr("logtui.parsers.daemons.scan.BLOCK", 8192)
    line = "W 23:{:02d}:{:02d}.000000 shared_dm:288 shared-dm xid gbt-x not found - dropping {}\n"
    text = HEADER + "".join(line.format(31 + n // 60, n % 60, n) for n in range(1500))
    scan = scanned(tmp_path, text)
    assert sum(scan.counts.values()) == 1500
    numbers = [int(m.text.rsplit(" ", 1)[-1]) for m in scan.messages]
    assert numbers == [*range(KEEP_FIRST), *range(1500 - KEEP_LAST, 1500)]


@given(st.binary(max_size=600))
def test_any_bytes_can_be_scanned(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("b") / "f"
    path.write_bytes(HEADER.encode() + data)
    scan = FileScanner(DAEMONS, "numpy").scan(LogFile(0, path, "f", 1, 0.0, FileKind.AIS_TARGET))
    assert scan.size == len(HEADER) + len(data)


@pytest.mark.parametrize(
    ("text", "cut", "expected"),
    [
        ("{get.n:5,err.get.n:-1,state.flags:6}", False, {"get.n": 5, "err.get.n": -1, "state.flags": 6}),
        ("{get.n:5,stream.out.size:6325", True, {"get.n": 5}),
        ('{"err.n":0,"get.n":3}', False, {"err.n": 0, "get.n": 3}),
        ("{state.flags:6}", False, {"state.flags": 6}),
        ("{get.n:5,...}", False, {"get.n": 5}),
    ],
    ids=["plain", "cut", "json", "idle", "elided"],
)
def test_stats_lines(text: str, cut: bool, expected: dict[str, int]) -> None:
    assert parse_stats(text, cut) == expected


def at(time: float, process: int = 1, cut: bool = False, **values: int) -> StatsLine:
    return StatsLine(time, 0, int(time), process, {k.replace("_", "."): v for k, v in values.items()}, cut)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([at(0, get_n=5), at(10, get_n=9)], (5, 9, 4, 0, 0)),
        ([at(0), at(10, get_n=9)], (0, 9, 9, 0, 0)),
        ([at(0, get_n=5), at(10, get_n=2, process=2)], (5, 2, 2, 0, 1)),
        ([at(0, get_n=5), at(10, get_n=7), at(20, get_n=1)], (5, 1, 3, 1, 0)),
        ([at(0, get_n=5), at(10, cut=True), at(20, get_n=8)], (5, 8, 3, 0, 0)),
        ([at(0, cut=True), at(10, get_n=8), at(20, get_n=9)], (8, 9, 1, 0, 0)),
        ([at(0, get_n=5), at(10)], (5, 0, 0, 1, 0)),
        ([at(0, cut=True, put_n=1), at(10, get_n=8)], (0, 8, 8, 0, 0)),
        ([at(0, cut=True, disk_a_util=99), at(10, get_n=8)], (0, 8, 8, 0, 0)),
    ],
    ids=[
        "grows",
        "missing-is-zero",
        "restart",
        "reset",
        "cut-is-unknown",
        "cut-at-first",
        "gone",
        "cut-behind-it",
        "cut-in-disks",
    ],
)
def test_deltas(lines: list[StatsLine], expected: tuple[int, ...]) -> None:
    d = deltas(lines, ["get.n"])["get.n"]
    assert (d.before, d.after, d.delta, d.resets, d.restarts) == expected


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("get.n", "count"), ("get.size", "bytes"), ("get.ns", "latency-ns"), ("get.ns.total", "total-ns"),
        ("getbatch.rxwait.ns", "total-ns"), ("getbatch.throttle.ns", "total-ns"), ("get.bps", "bytes/s"), ("state.flags", "flags"),
    ],
)  # fmt: skip
def test_kinds(name: str, kind: str) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize(
    ("flags", "names", "red"),
    [
        (6, (), False),
        (134, ("restarted",), False),
        (32774, ("high-number-of-goroutines",), True),
        (8198, ("disk-fault",), True),
        (1 << 30, ("bit-30",), False),
    ],
)
def test_flags(flags: int, names: tuple[str, ...], red: bool) -> None:
    assert (flag_names(flags), is_red(flags)) == (names, red)


@pytest.mark.parametrize(
    ("text", "count"), [("54MiB", 54 << 20), ("0B", 0), ("1.5KiB", 1536), ("7.00TiB", 7 << 40), ("x", None)]
)
def test_sizes(text: str, count: int | None) -> None:
    assert read_size(text) == count


@pytest.mark.parametrize(
    ("text", "seconds"), [("30s", 30.0), ("1m30.5s", 90.5), ("40ms", 0.04), ("2h0m0s", 7200.0), ("soon", None)]
)
def test_durations(text: str, seconds: float | None) -> None:
    assert read_duration(text) == seconds


def test_amounts_are_shown_short() -> None:
    assert [show_seconds(x) for x in (0.04, 12.5, 90, 3725)] == ["40ms", "12.5s", "1m30s", "1h02m05s"]
    assert [show_size(x) for x in (12, 1 << 20)] == ["12 B", "1.0 MiB"]


@pytest.mark.parametrize("engine", ["auto", "numpy"])
def test_engines_agree(tmp_path: Path, engine: str) -> None:
    text = HEADER + "".join(f"W 23:31:00.000001 x:1 {x.text}\n" for p in DAEMONS.patterns for x in p.samples)
    path = tmp_path / "f"
    path.write_text(text)
    scan = FileScanner(DAEMONS, engine).scan(LogFile(0, path, "f", 1, 0.0, FileKind.AIS_TARGET))
    names = [DAEMONS.patterns[m.pattern].name for m in scan.messages]
    assert names == [p.name for p in DAEMONS.patterns for _ in p.samples]
