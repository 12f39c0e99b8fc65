"""Counters and disks of one daemon round the failure: steps, rates per request, flags, and what the report says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.diagnosis.storage.counters import amount_text, flag_changes, requests_of
from logtui.diagnosis.storage.findings import StorageFindings, analyse_storage
from logtui.diagnosis.storage.panels import Panel, panel, shown_span, steps
from logtui.parsers.daemons.daemon import Daemon
from logtui.parsers.daemons.stats import StatsLine
from logtui.parsers.files.discover import discover
from logtui.parsers.generator.aistore.daemons import client_log, write_daemons
from logtui.parsers.generator.aistore.spec import AisFault, AisSpec, AisTruth
from logtui.parsers.scan.sweep import Sweep

FAILURE = AisSpec().failure
HOUR = 3600.0


def at(time: float, process: int = 1, cut: bool = False, **values: int) -> StatsLine:
    named = {name.replace("_", "."): value for name, value in values.items()}
    return StatsLine(time, 0, int(time), process, named, cut)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([at(0, get_n=5), at(10, get_n=25)], [(20, False)], id="growth"),
        pytest.param([at(0), at(10, get_n=25), at(20, get_n=25)], [(25, False), (0, False)], id="absent is zero"),
        pytest.param([at(0, get_n=5), at(10, get_n=25), at(20, 2, get_n=10)], [(20, False), (10, False)], id="restart"),
        pytest.param([at(0, get_n=50), at(10, get_n=3)], [(3, False)], id="reset"),
        pytest.param([at(0, get_n=5), at(10, cut=True, aws_n=1), at(20, get_n=9)], [(4, False)], id="cut is unknown"),
        pytest.param(
            [at(0), at(180), at(360), at(1800, get_n=7)], [(0, False), (0, False), (7, True)], id="an idle daemon"
        ),
        pytest.param([at(0, get_n=5)], [], id="one line"),
    ],
)
def test_steps(lines: list[StatsLine], expected: list[tuple[int, bool]]) -> None:
    assert [(s.growth, s.idle) for s in steps(lines, "get.n")] == expected


def test_a_step_is_on_the_workers_clock_and_cites_the_later_line() -> None:
    (step,) = steps([at(0, get_n=5), at(10, get_n=25)], "get.n", shift=HOUR)
    assert (step.start, step.end, step.per_s, step.line) == (HOUR, HOUR + 10, 2.0, 10)


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("getbatch.rxwait.ns", "getbatch.n"), ("err.soft.getbatch.n", "getbatch.n"), ("err.get.n", "get.n"),
        ("aws.get.ns.total", "get.n"), ("err.put.n", "put.n"), ("get.n", ""), ("getbatch.n", ""), ("err.kalive.n", ""),
    ],
)  # fmt: skip
def test_what_a_counter_is_measured_by(name: str, of: str) -> None:
    assert requests_of(name) == of


@pytest.mark.parametrize(
    ("name", "amount", "text"),
    [
        ("getbatch.rxwait.ns", 453e9, "7m33s"), ("getbatch.throttle.ns", 340_000, "340µs"), ("get.size", 0, "0"),
        ("get.size", 7 << 30, "7.0 GiB"), ("get.n", 12345, "12,345"), ("err.get.n", 0.0042, "0.0042"),
    ],
)  # fmt: skip
def test_amounts_are_read_by_people(name: str, amount: float, text: str) -> None:
    assert amount_text(name, amount) == text


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        pytest.param([6, 6], [], id="normal"),
        pytest.param([2, 6], [], id="starting"),
        pytest.param([6, 32774, 32774, 6], [("high-number-of-goroutines",), ()], id="an alert and its end"),
        pytest.param([134, 6], [("restarted",), ()], id="after an unclean stop"),
    ],
)
def test_flags_are_decoded_where_they_change(flags: list[int], expected: list[tuple[str, ...]]) -> None:
    lines = [StatsLine(n, 0, n, 1, {"state.flags": f}, False) for n, f in enumerate(flags)]
    assert [f.names for f in flag_changes(Daemon(0, "target", "a", "h", "5.0", ()), lines)] == expected


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., tuple[StorageFindings, AisTruth]]:
    def write(offset_s: float = 0.0, **spec: object) -> tuple[StorageFindings, AisTruth]:
        what = AisSpec(**spec)  # type: ignore[arg-type]
        truth = write_daemons(what, tmp_path / "ais")
        zone_s = int(what.zone_s + offset_s)
        (tmp_path / "w.log").write_text(client_log(truth, zone_s, what.failure - 3000, what.failure + 60))
        sweep = Sweep(discover([tmp_path]), jobs=1)
        list(sweep.run())
        window = (FAILURE + zone_s - 600, FAILURE + zone_s + 120)
        found = analyse_storage(sweep.case(), window, offset=GivenOffset(offset_s))
        assert found is not None
        return found, truth

    return write


def of(found: StorageFindings, node: str) -> Panel:
    daemon = found.logs.named(node)
    assert daemon is not None
    return panel(found, daemon.index, *shown_span(found))


@pytest.mark.parametrize("version", ["4.1", "5.0"])
@pytest.mark.parametrize("offset_s", [0.0, 5.5 * HOUR])
def test_the_wait_rises_at_the_failure(
    written: Callable[..., tuple[StorageFindings, AisTruth]], version: str, offset_s: float
) -> None:
    found, truth = written(offset_s, version=version)
    shown = of(found, truth.assembler)
    waited = next(g for g in shown.gauges if g.name == "getbatch.rxwait.ns")
    failed = FAILURE + offset_s
    before = [s.per_s for s in waited.steps if s.end < failed - 400 and s.growth]
    after = [s.per_s for s in waited.steps if s.start > failed - 240 and s.end < failed + 60]
    assert min(after) > 10 * max(before)
    assert waited.against is not None
    assert waited.against.of == "getbatch.n"
    assert waited.against.times is not None
    assert waited.against.times > 10
    errors = [g.name for g in shown.gauges if g.error]
    assert errors == ["err.getbatch.n", "err.soft.getbatch.n"]
    assert "err.kalive.n" in shown.still
    assert shown.gauges[0].name == "err.getbatch.n", "errors come first"


def test_disks_are_those_of_the_target(written: Callable[..., tuple[StorageFindings, AisTruth]]) -> None:
    found, truth = written(HOUR)
    shown = of(found, truth.culprit)
    assert [name for name, _ in shown.disks] == [f"nvme{n}n1" for n in range(10)]
    busy = [load.time for _, loads in shown.disks for load in loads if load.busy >= 95]
    assert FAILURE + HOUR - 270 < min(busy) < max(busy) < FAILURE + HOUR + 600
    proxy = next(d for d in found.logs.daemons if d.role == "proxy")
    assert panel(found, proxy.index, *shown_span(found)).disks == ()


def test_a_daemon_without_stats_lines_has_an_empty_panel(
    written: Callable[..., tuple[StorageFindings, AisTruth]],
) -> None:
    found, _ = written(fault=AisFault.HEALTHY)
    shown = panel(found, 0, FAILURE - 40 * HOUR, FAILURE - 30 * HOUR)
    assert (shown.lines, shown.gauges, shown.still, shown.disks) == (0, (), (), ())


def test_the_reports_name_rates_disks_and_flags(tmp_path: Path) -> None:
    truth = write_daemons(AisSpec(fault=AisFault.PEER_RESTART, clean_stop=False), tmp_path / "ais")
    (tmp_path / "w.log").write_text(client_log(truth, 0, FAILURE - 3000, FAILURE + 60))
    analysis = analyse_whole([tmp_path], Options(jobs=1, no_cache=True))
    analysis.case.close()
    assert analysis.storage is not None
    daemons = {d["id"]: d for d in analysis.storage.as_dict()["daemons"]}  # type: ignore[attr-defined]
    flags = daemons[truth.culprit]["flags"]
    assert flags
    assert flags[0]["names"] == ["restarted"]
    text = render(analysis.report)
    assert "state.flags 134 (restarted)" in text
    assert "/batch" in text
    assert "error counters of" in text
