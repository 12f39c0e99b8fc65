"""Two marked lines give the offset between the clocks, and the report follows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.session.opening import Analysis, Options, analyse_whole
from logtui.diagnosis.session.reading import realigned
from logtui.diagnosis.storage.anchors import SideOfEvent, mark_line, offset_of
from logtui.parsers.generator.aistore.daemons import client_log, write_daemons
from logtui.parsers.generator.aistore.spec import AisSpec, AisTruth

HOUR = 3600.0
SPEC = AisSpec(version="5.0", job_ids=False)
NINE = 9 * HOUR


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, AisTruth]:
    path = tmp_path_factory.mktemp("job")
    written = write_daemons(SPEC, path / "ais")
    (path / "w.log").write_text(client_log(written, int(NINE), SPEC.failure - 3000, SPEC.failure + 60))
    return path, written


@pytest.fixture(scope="module")
def analysis(truth: tuple[Path, AisTruth]) -> Iterator[Analysis]:
    found = analyse_whole([truth[0]], Options(jobs=1, no_cache=True))
    yield found
    found.case.close()


def mark(time: float, daemon: bool) -> SideOfEvent:
    return SideOfEvent("d" if daemon else "w", 1, time, daemon, "text")


@pytest.mark.parametrize(
    ("worker", "daemon", "offset_s", "residual_s"),
    [
        pytest.param(1000.0, 1000.0, 0.0, 0.0, id="the same clock"),
        pytest.param(NINE + 1000.5, 1000.0, NINE, 0.5, id="a zone, and half a second later"),
        pytest.param(1000.0 - 5.5 * HOUR, 1002.0, -5.5 * HOUR, -2.0, id="half an hour's zone"),
        pytest.param(1100.0, 1000.0, 100.0, 0.0, id="a clock that nothing keeps"),
    ],
)
def test_the_offset_of_two_lines(worker: float, daemon: float, offset_s: float, residual_s: float) -> None:
    given = offset_of(mark(worker, False), mark(daemon, True))
    assert (given.offset_s, given.residual_s) == (offset_s, residual_s)
    assert [e.file for e in given.evidence] == ["w", "d"]
    assert given.evidence[1].time == daemon + offset_s


def test_lines_have_the_time_of_their_own_clock(analysis: Analysis, truth: tuple[Path, AisTruth]) -> None:
    assert analysis.storage is not None
    cut = truth[1].places[f"cut.{truth[1].assembler}"]
    logs = analysis.storage.logs
    served = mark_line(analysis.case, logs, f"ais/{cut.file}", cut.line)
    assert served is not None
    assert (served.daemon, served.line) == (True, cut.line)
    assert served.time == pytest.approx(SPEC.failure, abs=1e-3)
    assert "failed to transmit" in served.text
    lines = (truth[0] / "w.log").read_text().splitlines()
    at = next(n for n, line in enumerate(lines, 1) if "truncated" in line)
    seen = mark_line(analysis.case, logs, "w.log", at)
    assert seen is not None
    assert not seen.daemon
    assert seen.time == pytest.approx(SPEC.failure + NINE + 0.021, abs=1e-3)
    given = offset_of(seen, served)
    assert (given.offset_s, given.residual_s) == (NINE, pytest.approx(0.021, abs=1e-3))


def test_a_line_without_a_time_takes_that_of_the_record_above(analysis: Analysis, truth: tuple[Path, AisTruth]) -> None:
    assert analysis.storage is not None
    title = next(f for d in analysis.storage.logs.daemons for f in d.files)
    text = (truth[0] / title.name).read_text().splitlines()
    blank = next(n for n, line in enumerate(text, 1) if not line)
    found = mark_line(analysis.case, analysis.storage.logs, title.name, blank)
    assert found is not None
    assert found.line == blank - 1
    assert mark_line(analysis.case, analysis.storage.logs, title.name, 1) is None, "a header is no record"
    assert mark_line(analysis.case, analysis.storage.logs, "no such file", 1) is None


def test_everything_follows_the_given_offset(analysis: Analysis) -> None:
    assert analysis.facts is not None
    assert analysis.storage is not None
    other = realigned(analysis.facts, GivenOffset(HOUR))
    assert other.storage is not None
    assert other.case is analysis.case
    assert other.storage.logs is analysis.storage.logs, "nothing is read again"
    assert (other.storage.clock.offset_s, other.storage.clock.how) == (HOUR, "given")
    assert other.report.clocks[0].offset_s == HOUR
    events = [e.time for e in other.report.timeline if e.source == "ais" and e.time is not None]
    assert SPEC.failure + HOUR - 1200 < min(events) < max(events) < SPEC.failure + HOUR + 1200
    assert other.facts is not None
    back = realigned(other.facts, None)
    assert back.storage is not None
    assert back.storage.clock == analysis.storage.clock
    assert [e.time for e in back.report.timeline] == [e.time for e in analysis.report.timeline]


def test_marked_lines_are_the_evidence(analysis: Analysis, truth: tuple[Path, AisTruth]) -> None:
    assert analysis.facts is not None
    assert analysis.storage is not None
    cut = truth[1].places[f"cut.{truth[1].assembler}"]
    served = mark_line(analysis.case, analysis.storage.logs, f"ais/{cut.file}", cut.line)
    seen = mark_line(analysis.case, analysis.storage.logs, "w.log", 1)
    assert served is not None
    assert seen is not None
    other = realigned(analysis.facts, offset_of(seen, served))
    assert other.report.clocks[0].derived_from[0].place == "w.log:1"
    assert other.storage is not None
    assert other.storage.clock.how == "marked lines"
    assert other.report.verification.failed == ()
