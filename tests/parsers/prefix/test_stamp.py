"""Times in every style the field writes them, and what is known about each."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logtui.parsers.prefix.stamp import Stamp, TimeFrom, find_stamp, iso, stamp_near

YEAR = 2025
DAY0 = datetime(2025, 11, 21, tzinfo=UTC).timestamp()
ZONED, DATED, YEARLESS = TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS

STYLES = (
    ("a prolog of SLURM's", "Begin Slurm Prolog: Nov-21-2025 04:12:09", "2025-11-21T04:12:09", DATED),
    ("nothing else", "1763698329.5", "2025-11-21T04:12:09.500+00:00", ZONED),
    ("the current time", "Current time: 1763698329.5; epoch: 0", "2025-11-21T04:12:09.500+00:00", ZONED),
    ("nothing else, behind its name", "time: 1763698329.5, epoch: 0", "2025-11-21T04:12:09.500+00:00", ZONED),
    ("MLatom", " MLatom started on 21.11.2025 at 04:12:09", "2025-11-21T04:12:09", DATED),
    ("Quantum ESPRESSO", "     Program PWSCF v.7.0 starts on  3Feb2031 at 21:23:36", "2031-02-03T21:23:36", DATED),
    ("Spark, before 2020", "14/08/27 04:12:09 WARN util.Utils: x", "2014-08-27T04:12:09", DATED),
    ("VASP", " executed on             LinuxIFC date 2014.11.16  14:41:37", "2014-11-16T14:41:37", DATED),
    ("HTCondor", "000 (259.000.000) 03/06 13:00:42 Job submitted from host: x", "2025-03-06T13:00:42", YEARLESS),
    ("java.util.logging", "Nov 21, 2025 4:12:09 PM servers.Master start", "2025-11-21T16:12:09", DATED),
    ("nipype", "251121-04:12:09,796 nipype.workflow INFO:", "2025-11-21T04:12:09.796", DATED),
    ("Amber", "| Run on 11/21/2025 at 04:12:09", "2025-11-21T04:12:09", DATED),
    ("CEA, the day first", "Date      : submit = 21/11/2014 04:12:09 ,", "2014-11-21T04:12:09", DATED),
    ("torchlight", "[11.21.25|04:12:09] Training epoch: 0", "2025-11-21T04:12:09", DATED),
    ("ColBERT", "[Nov 21, 04:12:09] #> Loading", "2025-11-21T04:12:09", YEARLESS),
    ("iso", "2025-11-21T04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("iso, blank", "2025-11-21 04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("iso, in halves", "STARTING TIMING RUN AT 2025-11-21 04:12:09 PM", "2025-11-21T16:12:09", DATED),
    ("slashes", "2025/11/21 04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("zulu", "2025-11-21T04:12:09Z x", "2025-11-21T04:12:09+00:00", ZONED),
    ("utc", "2025-11-21 04:12:09 UTC host x", "2025-11-21T04:12:09+00:00", ZONED),
    ("offset", "2025-11-21T04:12:09+02:00 x", "2025-11-21T02:12:09+00:00", ZONED),
    ("offset without colon", "2025-11-21T04:12:09-0730 x", "2025-11-21T11:42:09+00:00", ZONED),
    ("offset after a blank", "2025-11-21 04:12:09.043 +08:00 x", "2025-11-20T20:12:09.043+00:00", ZONED),
    ("container runtime", "2025-11-21T04:12:09.123456789Z stderr F x", "2025-11-21T04:12:09.123+00:00", ZONED),
    ("python logging", "2025-11-21 04:12:09,370 - root - INFO - x", "2025-11-21T04:12:09.370", DATED),
    ("dmesg iso", "2025-11-21T04:12:09,172326+00:00 x", "2025-11-21T04:12:09.172+00:00", ZONED),
    ("megatron", "[2025-11-21 04:12:09] iteration 5/ 90 | x", "2025-11-21T04:12:09", DATED),
    ("deepspeed", "[2025-11-21 04:12:09,269] [INFO] [timer.py:215:stop] x", "2025-11-21T04:12:09.269", DATED),
    ("nemo", "[NeMo W 2025-11-21 04:12:09 exp_manager:396] x", "2025-11-21T04:12:09", DATED),
    ("slurm", "error: *** STEP 4821.0 ON node007 CANCELLED AT 2025-11-21T04:12:09 ***", "2025-11-21T04:12:09", DATED),
    ("c10, four digits", "[rank57]:[E1121 04:12:09.112358132 ProcessGroup.cpp:6] x", "2025-11-21T04:12:09", YEARLESS),
    ("c10, three digits", "[rank57]:[W304 04:12:09.988447771 socket.cpp:11] x", "2025-03-04T04:12:09", YEARLESS),
    ("torch logger", "E0304 04:12:09.238000 11807 torch/x.py:1] x", "2025-03-04T04:12:09.238", YEARLESS),
    ("torch logger behind a rank", "[rank52]:W0304 04:12:09.558000 142 torch/x.py:3] x", "2025-03-04T04:12:09.558", YEARLESS),
    ("glog", "I1121 04:12:09.539551 1822062 ProcessGroupNCCL.cpp:528] x", "2025-11-21T04:12:09.540", YEARLESS),
    ("month first", "11/21/2025 04:12:09 [INFO|DP=0]: x", "2025-11-21T04:12:09", DATED),
    ("short level", "INFO 11-21 04:12:09 [model.py:547] x", "2025-11-21T04:12:09", YEARLESS),
    ("short", "11/21 04:12:09 - mmengine - INFO - x", "2025-11-21T04:12:09", YEARLESS),
    ("short", "[1121 04:12:09 @base.py:57] Start Epoch 3 ...", "2025-11-21T04:12:09", YEARLESS),
    ("a day behind", "     Program started at: 04:12:09 on 21-Nov-2025", "2025-11-21T04:12:09", DATED),
    ("robots", "[ WARN] [1763698329.539551671]: x", "2025-11-21T04:12:09.540+00:00", ZONED),
    ("robots of later", "[INFO] [1763698329.539551671] [fit]: x", "2025-11-21T04:12:09.540+00:00", ZONED),
    ("tune", "Failure # 1 (occurred at 2025-11-21_04-12-09)", "2025-11-21T04:12:09", DATED),
    ("short-halves", "11/21 04:12:09 PM gpu device = 7", "2025-11-21T16:12:09", YEARLESS),
    ("short in brackets", "[11/21 04:12:09 d2.utils.events]:  eta: 0:00:57", "2025-11-21T04:12:09", YEARLESS),
    ("ctime", "[Fri Nov 21 04:12:09 2025] NVRM: x", "2025-11-21T04:12:09", DATED),
    ("ctime with zone name", "Fri Nov 21 04:12:09 CET 2025", "2025-11-21T04:12:09", DATED),
    ("date in UTC", "Fri Nov 21 04:12:09 UTC 2025", "2025-11-21T04:12:09+00:00", ZONED),
    ("fabric manager", "[Nov 21 2025 04:12:09] [ERROR] [tid 841] x", "2025-11-21T04:12:09", DATED),
    ("syslog", "Nov 21 04:12:09 node007 kernel: x", "2025-11-21T04:12:09", YEARLESS),
    ("syslog, padded day", "Nov  1 04:12:09 node007 kernel: x", "2025-11-01T04:12:09", YEARLESS),
    ("syslog, precise", "Nov 21 04:12:09.123456 node007 x", "2025-11-21T04:12:09.123", YEARLESS),
    ("time of day", "04:12:09.745 [I] progress", "2025-11-21T04:12:09.745", TimeFrom.CLOCK),
    ("time of day, bare", "I 04:12:09.123456 stats", "2025-11-21T04:12:09.123", TimeFrom.CLOCK),
    ("a comma between", "2025-11-21,04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("two digits of a year", "25-11-21 04:12:09.819 x", "2025-11-21T04:12:09.819", DATED),
    ("two digits of a year behind a level", "0: INFO    25-11-21 04:12:09.819443 - 0:00:08 - x", "2025-11-21T04:12:09.819", DATED),
    ("month first, two digits of a year", "[11/21/25 04:12:09] INFO x", "2025-11-21T04:12:09", DATED),
    ("month first behind a level", "INFO - 11/21/25 04:12:09 - 0:00:02 - x", "2025-11-21T04:12:09", DATED),
    ("a dash between", "EE4711: 2025-11-21-04:12:09.041.231 x", "2025-11-21T04:12:09.041", DATED),
    ("ctime with a number for a zone", "# Invoked at Fri Nov 21 04:12:09 +08 2025 from node007", "2025-11-21T04:12:09", DATED),
    ("afternoon", "Start time: Fri Nov 21 04:12:09 PM CEST 2025", "2025-11-21T16:12:09", DATED),
    ("past midnight", "Start time: Fri Nov 21 12:12:09 AM UTC 2025", "2025-11-21T00:12:09", DATED),
    ("past noon", "Start time: Fri Nov 21 12:12:09 PM -03 2025", "2025-11-21T12:12:09", DATED),
    ("MLPerf", ':::MLLOG {"namespace": "", "time_ms": 1763698329250, "key": "x"}', "2025-11-21T04:12:09.250+00:00", ZONED),
    ("month first, afternoon", "11/21/2025 04:12:09 PM INFO: x", "2025-11-21T16:12:09", DATED),
    ("a month's name, afternoon", "Nov 21, 2025 04:12:09 PM x", "2025-11-21T16:12:09", DATED),
    ("a whole month's name", "November 21, 2025 04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("day first", "21-Nov-2025 04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("day first, two digits of a year", "21-Nov-25 04:12:09 - INFO - x", "2025-11-21T04:12:09", DATED),
    ("web server", "[21/Nov/2025:04:12:09 +0000] x", "2025-11-21T04:12:09", DATED),
    ("day first, afternoon", "START 4821: Fri 21 Nov 2025 04:12:09 PM EEST", "2025-11-21T16:12:09", DATED),
    ("mail", "Fri, 21 Nov 2025 04:12:09 GMT x", "2025-11-21T04:12:09", DATED),
    ("dots between", "21.11.2025 04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("Java", "25/11/21 04:12:09 INFO Executor: x", "2025-11-21T04:12:09", DATED),
    ("glog with its year", "I20251121 04:12:09.539551 4242 train.cc:57] x", "2025-11-21T04:12:09.540", DATED),
    ("nothing between", "20251121-04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("no such month first", "[21/11/25 04:12:09] INFO x", "2025-11-21T04:12:09", DATED),
    ("no such month first, whole year", "21/11/2025 04:12:09 - x", "2025-11-21T04:12:09", DATED),
    ("month first, dashes", "11-21-25 04:12:09 - Configuration:", "2025-11-21T04:12:09", DATED),
    ("unpadded", "2025-11-3 04:12:09 : [INFO][SC] x", "2025-11-03T04:12:09", DATED),
    ("unpadded, slashes", "2025/1/3 04:12:09 x", "2025-01-03T04:12:09", DATED),
    ("date in French", "Starting at ven. 21 nov. 2025 04:12:09 CET on node007", "2025-11-21T04:12:09", DATED),
    ("date in French, an accent", "Job demarre ven. 1 août 2025 04:12:09 CEST", "2025-08-01T04:12:09", DATED),
    ("date in French, a month cut late", "lun. 21 juil. 2025 04:12:09 CEST", "2025-07-21T04:12:09", DATED),
    ("date in German", "Fr 21. Nov 04:12:09 CET 2025", "2025-11-21T04:12:09", DATED),
    ("date in German, a month of its own", "Beginn: Mo 3. Mär 04:12:09 CET 2025", "2025-03-03T04:12:09", DATED),
    ("date in German, in words", "Freitag, 5. Dezember 2025, 04:12:09 Uhr CET", "2025-12-05T04:12:09", DATED),
    ("date in Spanish", "lun 25 ago 2025 04:12:09 CEST", "2025-08-25T04:12:09", DATED),
    ("date in Spanish, month first", "inicio: vie ene 31 04:12:09 CET 2025", "2025-01-31T04:12:09", DATED),
    ("date in Italian", "ven 26 set 2025, 04:12:09, CEST", "2025-09-26T04:12:09", DATED),
    ("date in Portuguese", "Início: sex 31 out 2025 04:12:09 -03", "2025-10-31T04:12:09", DATED),
    ("date in Chinese", "2025年 11月 21日 星期五 04:12:09 CST", "2025-11-21T04:12:09", DATED),
    ("date in Korean", "=== Start: 2025. 11. 21. (금) 04:12:09 KST ===", "2025-11-21T04:12:09", DATED),
    ("date in Japanese", "start 2025年  1月  3日 金曜日 04:12:09 JST", "2025-01-03T04:12:09", DATED),
    ("date in Korean", "2025년 11월 21일 (금) 04:12:09 KST", "2025-11-21T04:12:09", DATED),
    ("date in Vietnamese", "# Ended at Thứ sáu, 21 Tháng 11 năm 2025 04:12:09 +07, elapsed time 0", "2025-11-20T21:12:09+00:00", ZONED),
    ("day before month, year last", "Start: Fri 21 Nov 04:12:09 CET 2025", "2025-11-21T04:12:09", DATED),
    ("day before month, in UTC", "End: Fri 21 Nov 04:12:09 UTC 2025", "2025-11-21T04:12:09+00:00", ZONED),
    ("Abseil before it is told of zones", "I0000 00:00:1763698329.250000  4242 fork.cc:75] x", "2025-11-21T04:12:09.250+00:00", ZONED),
    ("MLPerf 0.5", ":::MLPv0.5.0 resnet 1763698329.250000001 (train.py:57) train_epoch: 3", "2025-11-21T04:12:09.250+00:00", ZONED),
    ("as `date` says it in American English", "Friday, November 21, 2025 at 04:12:09 AM EST", "2025-11-21T04:12:09", DATED),
    ("whole seconds in JSON", '{"loss": 5.7, "timestamp": 1763698329}', "2025-11-21T04:12:09+00:00", ZONED),
    ("seconds in JSON", '{"node_id": 2, "type": "CONN", "timestamp": 1763698329.25}', "2025-11-21T04:12:09.250+00:00", ZONED),
    ("MLPerf 0.5, whole seconds", ":::MLPv0.5.0 ncf 1763698329 (./ncf.py:57) train_epoch: 6", "2025-11-21T04:12:09+00:00", ZONED),
    ("UCX", "[1763698329.250000] [node007:4242:0] parser.c:1369 UCX  WARN  unused", "2025-11-21T04:12:09.250+00:00", ZONED),
    ("day first, with dashes", "21-11-2025 04:12:09 - run - loads", "2025-11-21T04:12:09", DATED),
    ("month first, with dashes", "11-21-2025 04:12:09 - run - loads", "2025-11-21T04:12:09", DATED),
    ("a colon before the hour", "2025-11-21:04:12:09,250 INFO x", "2025-11-21T04:12:09.250", DATED),
    ("year first, two digits, a level alone", "25/11/15 04:12:09 INFO x", "2025-11-15T04:12:09", DATED),
    ("a comma between", "2025-11-21, 04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("in words", "Run started on 2025-11-21 at 04:12:09", "2025-11-21T04:12:09", DATED),
    ("dots", "2025.11.21 04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("underscores", "2025_11_21 04:12:09 x", "2025-11-21T04:12:09", DATED),
    ("unpadded, month first, morning", "11/2/2025 4:12:09 AM x", "2025-11-02T04:12:09", DATED),
    ("time of day first", "04:12:09 2025-11-21 x", "2025-11-21T04:12:09", DATED),
    ("time of day first, month next", "Start Time: 04:12:09 11/21/2025", "2025-11-21T04:12:09", DATED),
    ("seconds since the epoch before words", "1763698329.25 step 57", "2025-11-21T04:12:09.250+00:00", ZONED),
    ("month first, dashes, afternoon", "11-21-2025 04:12:09 PM INFO x", "2025-11-21T16:12:09", DATED),
    ("a dash, no year", "Nov-15 04:12:09.250 [main] DEBUG x", "2025-11-15T04:12:09.250", YEARLESS),
    ("Tornado's", "[I 251121 04:12:09 runner:57] x", "2025-11-21T04:12:09", DATED),
    ("two digits of the year, whole seconds", "25-11-21 04:12:09 - Saving", "2025-11-21T04:12:09", DATED),
    ("leap second", "2025-06-30T23:59:60Z", "2025-07-01T00:00:00+00:00", ZONED),
)  # fmt: skip


def _read(line: str, hit: int = 0) -> Stamp | None:
    return find_stamp(line, hit, YEAR, DAY0)


@pytest.mark.parametrize(("line", "when", "source"), [s[1:] for s in STYLES], ids=[s[0] for s in STYLES])
def test_styles(line: str, when: str, source: TimeFrom) -> None:
    stamp = _read(line)
    assert stamp is not None
    assert (iso(stamp.epoch, stamp.source is ZONED), stamp.source) == (when, source)


@pytest.mark.parametrize(
    "line",
    ["", "Python: 3.8.5 (default, Sep  4 2020, 07:30:14)", "3.12.1 (main, Jan 5 2024, 07:30:14)", "loss 2.31", "0%| | 1/624 [10:00<103:53:21, 600.32s/it]", "elapsed 5:13:22", "2025-13-45 04:12:09",
     "[E1332 04:12:09.112358132 x.cpp:1] x", "2025-11-21 99:12:09", "25/31/15 04:12:09 INFO x",
     "192.0.2.17:29500", ">>> ['trial_of_2025-11-21T04:12:09']", "node007:4242:4310 [1] NCCL INFO x"],
)  # fmt: skip
def test_no_stamp(line: str) -> None:
    assert _read(line) is None


def test_uptime_is_seconds_since_boot() -> None:
    for line in ("[ 1622.172326] NVRM: Xid", "<6>[ 1622.172326] NVRM: Xid"):
        stamp = _read(line)
        assert stamp is not None
        assert (stamp.epoch, stamp.source) == (1622.172326, TimeFrom.UPTIME)


def test_the_last_stamp_before_the_hit_belongs_to_it() -> None:
    line = "2025-11-21 04:12:09 one 2025-11-21 04:15:00 two HERE 2025-11-21 04:20:00 three"
    stamp = _read(line, line.index("HERE"))
    assert stamp is not None
    assert iso(stamp.epoch) == "2025-11-21T04:15:00"


def test_a_stamp_in_the_message_serves_where_none_stands_before() -> None:
    line = "HERE happened at 2025-11-21T04:15:00, then at 2025-11-21T04:20:00"
    stamp = _read(line)
    assert stamp is not None
    assert iso(stamp.epoch) == "2025-11-21T04:15:00"


@pytest.mark.parametrize("hit", ["HERE", "[rank5]"])
def test_the_header_comes_before_times_the_message_speaks_of(hit: str) -> None:
    line = "[rank5]:[E1121 04:12:09.112358132 x.cpp:1] HERE since 2025-11-21 03:00:00"
    stamp = _read(line, line.index(hit))
    assert stamp is not None
    assert iso(stamp.epoch) == "2025-11-21T04:12:09"


@pytest.mark.parametrize("day", ["229", "230"])
def test_a_day_the_year_does_not_have(day: str) -> None:
    line = f"[rank0]:[E{day} 04:12:09.112358132 x.cpp:1] x"
    assert _read(line) is None
    found = find_stamp(line, 0, 2024)
    assert (found is not None) == (day == "229")


@pytest.mark.parametrize(("md", "year"), [("1231", 2025), ("104", 2026), ("105", 2026), ("107", 2025)])
def test_a_december_read_in_january(md: str, year: int) -> None:
    written = datetime(2026, 1, 4, tzinfo=UTC).timestamp()
    stamp = find_stamp(f"[E{md} 04:12:09.112358132 x.cpp:1] x", 0, 2026, written)
    assert stamp is not None
    assert datetime.fromtimestamp(stamp.epoch, UTC).year == year


@pytest.mark.parametrize(
    ("line", "when"),
    [("09/02/2025, 22:46:54 x", "2025-02-09T22:46:54"), ("02/09/2025, 22:46:54 x", "2025-02-09T22:46:54"),
     ("02/13/2025, 22:46:54 x", "2025-02-13T22:46:54"), ("13/02/2025, 22:46:54 x", "2025-02-13T22:46:54"),
     ("09/12/2025, 22:46:54 x", "2025-09-12T22:46:54")],
    ids=["day first", "month first", "no such day", "no such month", "both to come"],
)  # fmt: skip
def test_the_day_stands_first_where_the_month_is_still_to_come(line: str, when: str) -> None:
    stamp = find_stamp(line, 0, 2025, datetime(2025, 2, 11, tzinfo=UTC).timestamp())
    assert stamp is not None
    assert iso(stamp.epoch) == when


def test_the_nine_digits_of_c10_are_no_fraction() -> None:
    stamp = _read("[rank0]:[E1121 04:12:09.988447771 x.cpp:1] x")
    assert stamp is not None
    assert stamp.epoch == int(stamp.epoch)


@given(st.datetimes(datetime(1990, 1, 1), datetime(2099, 12, 31)), st.integers(-14 * 60, 14 * 60))
def test_zoned_times_come_back(when: datetime, minutes: int) -> None:
    sign, minutes = "-" if minutes < 0 else "+", abs(minutes)
    line = f"{when:%Y-%m-%dT%H:%M:%S.%f}{sign}{minutes // 60:02d}:{minutes % 60:02d} x"
    stamp = _read(line)
    assert stamp is not None
    assert stamp.source is ZONED
    assert stamp.epoch == pytest.approx(datetime.fromisoformat(line[:-2]).timestamp(), abs=1e-5)


@given(st.floats(0, 4e9), st.booleans())
@example(86399.9996, False)
@example(1763698329.9999, True)
def test_iso_is_read_back(epoch: float, zoned: bool) -> None:
    text = iso(epoch, zoned)
    assert text is not None
    assert datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() == pytest.approx(epoch, abs=1.1e-3)


@pytest.mark.parametrize("epoch", [None, float("nan"), float("inf"), -float("inf"), 1e15])
def test_iso_of_no_time(epoch: float | None) -> None:
    assert iso(epoch) is None


@given(st.text("0123456789-:/., TZ+[]EIWFMonNov", max_size=80), st.integers(0, 80))
def test_any_text_is_survived(text: str, hit: int) -> None:
    stamp = _read(text, hit)
    assert stamp is None or 0 <= stamp.start < stamp.end <= len(text)


def test_every_source_of_a_time_has_words() -> None:
    assert all(s.word for s in TimeFrom)


def test_a_time_near_it_completes_a_stamp() -> None:
    near = datetime(2026, 3, 5, 12, 0, tzinfo=UTC).timestamp()
    yearless, bare = stamp_near("Mar  4 05:06:07 node007 x", near), stamp_near("05:06:07.500 x", near)
    assert yearless is not None and yearless.epoch == datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC).timestamp()
    assert bare is not None and bare.epoch == datetime(2026, 3, 5, 5, 6, 7, 500_000, UTC).timestamp()
    assert stamp_near("nothing", near) is None


def test_when_a_program_was_built_is_no_time() -> None:
    assert find_stamp("|  Compiled date/time: Sun Jun 28 17:40:03 2020", 0, YEAR, DAY0) is None
    assert find_stamp("  **** SW Build 2552057 on Fri May 24 14:47:09 MDT 2019", 0, YEAR, DAY0) is None
    assert find_stamp("pybullet build time: Feb 25 2020 06:06:29", 0, YEAR, DAY0) is None
    assert find_stamp("uses the cached data (last modified on Sun Feb  2 03:04:05 2025).", 0, YEAR, DAY0) is None
    assert find_stamp("Linux n7 5.15 #1 SMP PREEMPT Tue Sep 13 07:51:32 UTC 2022 x86_64", 0, YEAR, DAY0) is None
    assert find_stamp("Linux n7 5.14 #1 SMP PREEMPT Wed, 13 Oct 2021 16:58:16 +0000 x86_64", 0, YEAR, DAY0) is None


def test_a_folder_named_by_the_time_is_no_stamp() -> None:
    assert find_stamp("videos are in out/2031-02-03_04:05:06/videos", 0, YEAR) is None
    assert find_stamp("the log of 2031-02-03_04:05:06 begins", 0, YEAR) is not None


def test_when_a_job_runs_the_next_time_is_no_time_of_its_line() -> None:
    line = 'Job "predict57 (trigger: cron[hour=3], next run at: 2025-11-22 03:50:00 KST)" raised an exception'
    assert find_stamp(line, 0, YEAR, DAY0) is None
