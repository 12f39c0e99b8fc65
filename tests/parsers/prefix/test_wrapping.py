"""What collectors, pagers and mails put before every line."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scanning import case_of, counted, log_file, scan, shown, table

from logtui.parsers.prefix.wrapping import WRAPPINGS, Unwrapper, Wrapping, find_wrapping
from logtui.parsers.records.record import RecordTable

TEXT = (
    b"[rank3]: FatalError: disk\n", b"training step 17 took 0.25\n", b"\n", b"Connection reset by peer\n",
    b"retrying request 3/9\n", b"[rank5]: OtherError: late\n",
)  # fmt: skip


def _numbered(wrapping: Wrapping, sample: str, line: int) -> bytes:
    return sample.replace("17", str(line)).encode() if "?P<count>" in wrapping.regex else sample.encode()


EACH = [pytest.param(w, sample, id=f"{w.name}-{i}") for w in WRAPPINGS for i, sample in enumerate(w.samples)]


@pytest.mark.parametrize(("wrapping", "sample"), EACH)
def test_each_is_found(wrapping: Wrapping, sample: str) -> None:
    head = b"".join(_numbered(wrapping, sample, i) + line for i, line in enumerate(TEXT * 4, 17))
    assert find_wrapping(head) == wrapping.name


@pytest.mark.parametrize(("wrapping", "sample"), EACH)
def test_records_are_those_of_the_text_alone(tmp_path: Path, wrapping: Wrapping, sample: str) -> None:
    bare = b"".join(TEXT)
    wrapped = b"".join(_numbered(wrapping, sample, i) + line for i, line in enumerate(TEXT, 17))
    plain = table(log_file(tmp_path / "plain", bare))
    found = table(log_file(tmp_path / "wrapped", wrapped, wrapping=wrapping.name))
    assert [_said(r) for r in shown(found)] == [_said(r) for r in shown(plain)]
    assert counted(found) == counted(plain) or "(?P<rank>" in wrapping.regex


def _said(record: tuple[object, ...]) -> tuple[object, ...]:
    """Pattern, line, rank where the line itself names it, text and numbers."""
    name, _, line, _, _, rank, *_, text, a, b = record
    return name, line, rank if "[rank" in str(text) else None, text, a, b


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"".join(TEXT), id="a log"),
        pytest.param(b"0: a\n1: a\n0: b\n1: b\n2: b\n0: c\n", id="srun labels"),
        pytest.param(b"0: a\n0: b\n0: c\n0: d\n", id="srun labels of one task"),
        pytest.param(b">>> import torch\n>>> torch.cuda.is_available()\n>>> exit()\n", id="an interpreter"),
        pytest.param(b"17\ta\n17\tb\n17\tc\n", id="numbers that do not grow"),
        pytest.param(b"1: 2.5, 0.1 rate\n2: 2.4, 0.1 rate\n3: 2.3, 0.1 rate\n4: 2.2, 0.1 rate\n", id="a counter"),
        pytest.param(b"0  2.5  2.4\n1  2.4  2.4\n2  2.3  2.3\n3  2.2  2.3\n", id="rows of numbers"),
        pytest.param(b"epoch 1  | loss 2\nmodel 2  | loss 3\neval 3  | loss 4\n", id="a table"),
        pytest.param(b"alpha  | 1\nbeta  | 2\ngamma  | 3\ndelta  | 4\n", id="as many writers as lines"),
        pytest.param(b"> quoted\n> quoted\nan answer\nanother\n", id="half of the lines"),
        pytest.param(b"> quoted\n> cut", id="too few lines"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_what_is_no_wrapping(head: bytes) -> None:
    assert find_wrapping(head) == ""


def test_lines_that_somebody_left_out_have_none() -> None:
    assert (
        find_wrapping(b"...\n" + b"".join(b"%d  line %c\n" % (n, 60 + n) for n in range(20)) + b"...\n...\n")
        == "numbers"
    )


def test_a_banner_may_stand_before() -> None:
    assert find_wrapping(b"Attaching to trainer-1\n" + b"trainer-1  | step\n" * 20) == "compose"


def test_wrappings_stack() -> None:
    head = b"".join(b"node-%d  | 2026-03-04T05:06:07.8Z step %d\n" % (i % 2, i) for i in range(20))
    assert find_wrapping(head) == "compose+ timestamps"
    assert Unwrapper("compose+ timestamps").body(b"node-1  | 2026-03-04T05:06:07.8Z step 3") == b"step 3"


def test_its_time_and_writer_are_used(tmp_path: Path) -> None:
    text = (
        b"node-0  | 2026-03-04T05:06:07.500Z FatalError: disk\n"
        b"node-1  | 2026-03-04T05:06:09Z FatalError: disk\n"
    )  # fmt: skip
    found = table(log_file(tmp_path / "a.log", text, wrapping="compose+ timestamps"))
    first = datetime(2026, 3, 4, 5, 6, 7, 500_000, UTC).timestamp()
    fatal = _named(found, "t.error")
    assert [(host, time) for *_, host, time, _, _, _, _ in fatal] == [("node-0", first), ("node-1", first + 1.5)]


def _named(found: RecordTable, name: str) -> list[tuple[object, ...]]:
    return [r for r in shown(found) if r[0] == name]


def test_its_rank_is_used(tmp_path: Path) -> None:
    text = b"x3004c0s13b1n0 57: FatalError: disk\nx3004c0s13b1n0 58: retrying request 3/9\n"
    found = table(log_file(tmp_path / "a.log", text, wrapping="pals"))
    assert {(r.name, r.rank) for r in found} >= {("t.error", 57), ("t.retry", 58)}


def test_lines_of_other_writers_are_told_apart(tmp_path: Path) -> None:
    text = (
        b"node-0  | FatalError: disk\n"
        b"node-1  |   its own frame\n"
        b"node-0  |   a frame\n"
        b"without any\n"
    )  # fmt: skip
    file = log_file(tmp_path / "a.log", text, wrapping="compose+")
    case = case_of(file, scan(file))
    fatal = next(iter(case.records.of("t.error")))
    assert [line.startswith("[pod/") for line in case.following(fatal, 3)] == [False, True, False, True]
    assert case.following(fatal, 3)[2] == "  a frame"
    assert case.bodies(0, 2, 1) == ["  its own frame"]
    assert case.lines(0, 2, 1) == ["node-1  |   its own frame"]
    case.close()


def test_a_long_line_loses_it_too(tmp_path: Path) -> None:
    text = b"node-0  | FatalError: disk " + b"x" * 9000 + b" training step 4 took 2.5\n"
    found = table(log_file(tmp_path / "a.log", text, wrapping="compose"))
    assert [r.text.split()[0] for r in found.of("t.error")] == ["FatalError:"]
    assert [r.numbers for r in found.of("t.step")] == [(4.0, 2.5)]


@given(st.sampled_from([p.values for p in EACH]), st.binary(max_size=80).filter(lambda b: b"\n" not in b))
def test_only_the_wrapping_is_taken_off(each: tuple[Wrapping, str], line: bytes) -> None:
    wrapping, sample = each
    taken = Unwrapper(wrapping.name).body(sample.encode() + line)
    assert taken == line or ((line.startswith(b" ") or line[:1].isdigit()) and line.endswith(taken))
