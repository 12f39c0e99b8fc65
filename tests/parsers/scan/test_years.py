"""Yearless stamps beside dated ones: a log that was copied last year, a job over New Year, a long kernel log."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import JobSpec, write_dumps
from logtui.parsers.generator.stage.spec import Fault
from logtui.parsers.prefix.stamp import TimeFrom, heir_of, iso
from logtui.parsers.records.record import ROW, Rows
from logtui.parsers.scan.settling import settle, settle_years

WATCHDOG = (
    "[rank3]:[E{day:%m%d} {day:%H:%M:%S}.112358132 ProcessGroupNCCL.cpp:683] [Rank 3] Watchdog caught collective operation "
    "timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600031 milliseconds "
    "before timing out.\n"
)
D, Z, Y, C = TimeFrom.DATED, TimeFrom.ZONED, TimeFrom.YEARLESS, TimeFrom.CLOCK
N, OF_DATED, OF_YEARLESS, OF_CLOCK = TimeFrom.NEIGHBOUR, heir_of(D), heir_of(Y), heir_of(C)


def _rows(*rows: tuple[int, int, str]) -> Rows:
    table = np.zeros(len(rows), ROW)
    for row, (file, source, when) in zip(table, rows, strict=True):
        time = datetime.fromisoformat(when).replace(tzinfo=UTC).timestamp()
        row["file"], row["time_from"], row["time"] = file, source, time
    return table


def _settled(*rows: tuple[int, int, str]) -> list[str]:
    table = _rows(*rows)
    settle_years(table)
    return [(iso(t) or "")[:10] for t in table["time"].tolist()]


def test_a_copied_log_takes_the_year_of_its_dated_lines() -> None:
    found = _settled((0, D, "2024-11-21 04:00"), (0, Y, "2026-11-21 04:12"), (0, OF_YEARLESS, "2026-11-21 04:12"))
    assert found == ["2024-11-21"] * 3


def test_another_file_of_the_case_knows_the_year() -> None:
    assert _settled((0, Z, "2024-11-21 04:00"), (3, Y, "2026-11-21 04:12")) == ["2024-11-21"] * 2


def test_the_own_file_knows_better() -> None:
    rows = (0, D, "2022-03-01"), (0, D, "2022-03-01"), (1, Y, "2026-11-21"), (1, D, "2024-11-20")
    assert _settled(*rows)[2] == "2024-11-21"


def test_a_neighbour_of_a_dated_line_stays() -> None:
    rows = (0, D, "2024-11-21"), (0, OF_DATED, "2024-11-21"), (0, Y, "2026-11-21"), (0, OF_YEARLESS, "2026-11-21")
    assert _settled(*rows) == ["2024-11-21"] * 4


def test_a_right_year_stays() -> None:
    assert _settled((0, D, "2026-11-21"), (0, Y, "2026-11-20")) == ["2026-11-21", "2026-11-20"]


def test_a_job_over_new_year() -> None:
    rows = (0, D, "2024-12-31"), (0, Y, "2025-12-31"), (0, Y, "2026-01-01"), (0, D, "2025-01-01")
    assert _settled(*rows) == ["2024-12-31", "2024-12-31", "2025-01-01", "2025-01-01"]


def test_a_kernel_log_that_begins_long_before_the_job() -> None:
    rows = (0, D, "2026-11-21"), (1, Y, "2026-02-03"), (1, Y, "2026-11-21")
    assert _settled(*rows) == ["2026-11-21", "2026-02-03", "2026-11-21"]


def test_dated_lines_that_no_pattern_knows_tell_the_year_by_what_follows_them() -> None:
    rows = (0, OF_DATED, "2025-10-03 22:16"), (0, Y, "2026-10-03 22:26"), (0, OF_YEARLESS, "2026-10-03 22:26")
    assert _settled(*rows) == ["2025-10-03"] * 3


def test_days_go_on_from_the_nearer_dated_line() -> None:
    rows = [
        (0, D, "2025-10-16 02:31", 24),
        (0, C, "2026-11-22 23:58", 800),
        (0, C, "2026-11-22 00:01", 900),
        (0, OF_CLOCK, "2026-11-22 00:01", 901),
        (0, D, "2025-10-30 05:33", 910),
        (0, C, "2026-11-22 05:34", 911),
        (1, C, "2026-11-22 05:34", 1),
    ]
    table = _rows(*(row[:3] for row in rows))
    table["line"] = [row[3] for row in rows]
    settle(table)
    days = ["10-16", "10-29", "10-30", "10-30", "10-30", "10-30"]
    assert [(iso(t) or "")[:10] for t in table["time"].tolist()] == [*(f"2025-{d}" for d in days), "2026-11-22"]
    assert table["time_from"].tolist() == [D, C, C, N, D, C, C]


def test_a_leap_day() -> None:
    assert _settled((0, D, "2023-02-28"), (0, Y, "2024-02-29"))[1] == "2023-03-01"


@pytest.mark.parametrize(
    "rows", [(), ((0, D, "2024-11-21"),), ((0, Y, "2024-11-21"),), ((0, OF_YEARLESS, "2024-11-21"),)]
)
def test_nothing_to_compare(rows: tuple[tuple[int, int, str], ...]) -> None:
    assert _settled(*rows) == ["2024-11-21"] * len(rows)


def test_a_case_whose_files_were_copied_later(tmp_path: Path) -> None:
    text = (
        "[2024-11-21 04:10:00] iteration 5/ 90 | elapsed time per iteration (ms): 812.0 | lm loss: 2.31 |\n"
        "[rank3]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] [Rank 3] Watchdog caught collective operation "
        "timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600031 milliseconds before timing out.\n"
    )
    (tmp_path / "train.log").write_text(text)  # last written today
    case = analyse_whole([tmp_path]).case
    (record,) = case.records.of("pg.timeout")
    case.close()
    assert iso(record.time) == "2024-11-21T04:12:09"


def test_dumps_date_a_case_whose_lines_have_no_year() -> None:
    table = _rows((0, Y, "2026-11-21 04:12"), (0, OF_YEARLESS, "2026-11-21 04:12"), (2, Y, "2026-11-21 04:13"))
    settle_years(table, lambda: datetime(2024, 11, 21, 9, tzinfo=UTC).timestamp())
    assert [(iso(t) or "")[:10] for t in table["time"].tolist()] == ["2024-11-21"] * 3


def test_a_dated_file_needs_no_dump() -> None:
    table = _rows((0, D, "2026-11-21 04:00"), (0, Y, "2026-11-21 04:12"))
    settle_years(table, lambda: pytest.fail("asked"))
    assert [(iso(t) or "")[:4] for t in table["time"].tolist()] == ["2026"] * 2


def test_a_dump_dates_the_watchdogs_of_a_copied_log(tmp_path: Path) -> None:
    spec = JobSpec(world_size=8, fault=Fault.DATA_STALL, pytorch="2.7", recorder=True, seed=3)
    write_dumps(spec, tmp_path / "fr")
    (dump, *_) = [json.loads(p.read_text()) for p in write_dumps(spec, tmp_path / "as-json", as_json=True)]
    day = datetime.fromtimestamp(dump["entries"][-1]["time_created_ns"] / 1e9, UTC)
    (tmp_path / "job.log").write_text(WATCHDOG.format(day=day))
    long_after = day.replace(year=day.year + 3).timestamp()
    os.utime(tmp_path / "job.log", (long_after, long_after))
    with_dumps = analyse_whole([tmp_path / "job.log", tmp_path / "fr"]).report
    without = analyse_whole([tmp_path / "job.log"]).report
    years = [{(iso(e.time) or "")[:4] for e in report.timeline} for report in (with_dumps, without)]
    assert years == [{str(day.year)}, {str(day.year + 3)}]
