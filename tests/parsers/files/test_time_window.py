"""Which lines of files are read where a span of time is asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from logtui.parsers.errors import TimesRefused
from logtui.parsers.files.discover import changes_since, discover
from logtui.parsers.files.lines import LineReader
from logtui.parsers.files.time_window import within
from logtui.parsers.scan.sweep import Sweep
from logtui.parsers.source import Discovery, TimeWindow

WRITTEN = 1_771_950_000.0
"""2026-02-24 16:20:00, after every line below."""


def _cut(folder: Path, texts: Mapping[str, str], since: str = "", until: str = "") -> Discovery:
    for name, text in texts.items():
        (folder / name).write_text(text)
        os.utime(folder / name, (WRITTEN, WRITTEN))
    return within(discover([folder]), since, until)


def _read(found: Discovery) -> dict[str, dict[int, str]]:
    """By file, the lines that are read, by their numbers."""
    out: dict[str, dict[int, str]] = {}
    for file in found.files:
        reader = LineReader(file)
        texts = [raw.decode() for raw in reader.lines(1, 1000)]
        reader.close()
        out[file.name] = {n: text for n, text in enumerate(texts, start=1) if text}
    return out


def _window(found: Discovery) -> TimeWindow:
    assert found.window is not None
    return found.window


_HOUR = "".join(f"2026-02-24 15:{minute:02d}:00 step {minute}\n" for minute in range(60))


@pytest.mark.parametrize(
    ("since", "until", "first", "last"),
    [
        ("15:10", "15:20", 11, 21), ("15:10:01", "15:19:59", 12, 20), ("", "15:03", 1, 4), ("15:58", "", 59, 60),
        ("-5m", "", 55, 60), ("-5m", "-2m", 55, 58), ("2026-02-24 15:30", "15:31", 31, 32), ("24 Feb 3:30pm", "", 31, 60),
        ("2026-02-25T00:30+09:00", "2026-02-24 16:31 +0100", 31, 32),
    ],
)  # fmt: skip
def test_lines_keep_their_numbers(tmp_path: Path, since: str, until: str, first: int, last: int) -> None:
    found = _cut(tmp_path, {"rank0.log": _HOUR}, since, until)
    assert list(_read(found)["rank0.log"].items()) == list(enumerate(_HOUR.splitlines(), start=1))[first - 1 : last]
    window = _window(found)
    assert window.lines == 60 - (last - first + 1)
    assert window.bytes == len(_HOUR) - sum(len(line) + 1 for line in _HOUR.splitlines()[first - 1 : last])


def test_a_long_file_is_halved(tmp_path: Path) -> None:
    lines = [f"2026-02-24 {h:02d}:{m:02d}:{s:02d} step" for h in range(8, 16) for m in range(60) for s in range(60)]
    found = _cut(tmp_path, {"rank0.log": "\n".join(lines)}, "11:59:58", "12:00:02")
    texts = {n: text for n, text in enumerate(lines, start=1) if "11:59:58" <= text[11:19] <= "12:00:02"}
    (file,) = found.files
    reader = LineReader(file)
    assert {n: (reader.line(n) or b"").decode() for n in texts} == texts
    assert (reader.count(), reader.line(min(texts) - 1)) == (max(texts), b"")
    reader.close()


def test_undated_lines_belong_to_the_time_before_them(tmp_path: Path) -> None:
    text = (
        "banner\n2026-02-24 15:00:00 step 1\nTraceback (most recent call last):\nValueError: a\n"
        "2026-02-24 15:10:00 step 2\nTraceback (most recent call last):\nValueError: b\n2026-02-24 15:20:00 over\n"
    )
    late = _read(_cut(tmp_path, {"rank0.log": text}, "15:05", "15:15"))["rank0.log"]
    assert [*late] == [5, 6, 7]
    early = _read(_cut(tmp_path, {"rank0.log": text}, "", "15:05"))["rank0.log"]
    assert [*early] == [1, 2, 3, 4]


def test_files_without_a_line_of_that_time_are_left_out(tmp_path: Path) -> None:
    night = "2026-02-24 02:00:00 step 1\n"
    found = _cut(tmp_path, {"rank0.log": night, "rank1.log": _HOUR}, "15:00")
    assert [(file.name, file.index, file.cut) for file in found.files] == [("rank1.log", 0, None)]
    assert [file.name for file in _window(found).left_out] == ["rank0.log"]


def test_what_has_no_times_is_read_whole_and_named(tmp_path: Path) -> None:
    found = _cut(tmp_path, {"rank0.log": "loss 2.31\nloss 2.30\n", "rank1.log": _HOUR}, "15:59")
    assert [*_read(found)["rank0.log"]] == [1, 2]
    assert _window(found).whole == ("rank0.log",)


def test_parts_out_of_order_are_taken_line_by_line(tmp_path: Path) -> None:
    text = "".join(f"2026-02-24 15:{m:02d}:00 rank {r}\nmore of {r}\n" for r in range(3) for m in range(0, 60, 20))
    found = _cut(tmp_path, {"all.log": text}, "15:20", "15:30")
    assert [*_read(found)["all.log"]] == [3, 4, 9, 10, 15, 16]
    (file,) = found.files
    shown = "".join(f"2026-02-24 15:20:00 rank {r}\nmore of {r}\n" for r in range(3))
    assert (file.empty, file.size) == (10, 10 + len(shown))


@pytest.mark.parametrize(
    "stamp",
    ["[rank7]:[E224 15:{m:02d}:00.112358132 ", "Feb 24 15:{m:02d}:00 node007 ", "15:{m:02d}:00.250 ",
     "2026-02-25T00:{m:02d}:00+09:00 "],
    ids=["c10", "syslog", "clock", "zone"],
)  # fmt: skip
def test_stamps_of_all_kinds(tmp_path: Path, stamp: str) -> None:
    text = "".join(stamp.format(m=m) + f"event {m}\n" for m in range(60))
    assert [*_read(_cut(tmp_path, {"a.log": text}, "2026-02-24 15:30", "15:31"))["a.log"]] == [31, 32]


def test_a_clock_without_days_goes_past_midnight(tmp_path: Path) -> None:
    text = "".join(f"{(20 + h) % 24:02d}:00:00.000 event {h}\n" for h in range(10))
    found = _cut(tmp_path, {"a.log": text}, "23:00", "01:30")
    assert [*_read(found)["a.log"]] == [4, 5, 6]


@pytest.mark.parametrize(
    ("since", "until", "why"),
    [
        ("17:00", "", "2026-02-24T15:59:00"),
        ("", "02-23 15:00", "no line"),
        ("15:30", "15:20", "before"),
        ("x", "", "no time"),
    ],
)
def test_no_such_span(tmp_path: Path, since: str, until: str, why: str) -> None:
    with pytest.raises(TimesRefused, match=why):
        _cut(tmp_path, {"rank0.log": _HOUR}, since, until)


def test_logs_without_any_time(tmp_path: Path) -> None:
    with pytest.raises(TimesRefused, match="no line of these logs has a time"):
        _cut(tmp_path, {"rank0.log": "loss 2.31\n"}, "15:00")


def test_a_cut_file_that_grows_is_seen_to_grow(tmp_path: Path) -> None:
    found = _cut(tmp_path, {"rank0.log": _HOUR, "old.log": "2026-02-24 02:00:00 step 1\n"}, "15:30")
    sweep = Sweep(found)
    list(sweep.run())
    case = sweep.case()
    assert not changes_since([tmp_path], case)
    for name in ("rank0.log", "old.log"):
        with (tmp_path / name).open("a") as log:
            log.write("2026-02-24 16:00:00 step 60\n")
    assert changes_since([tmp_path], case).grown == 2
