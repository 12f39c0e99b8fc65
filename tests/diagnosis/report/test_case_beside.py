"""What a case file holds beside the report: dumps, storage daemons, odd lines; bounded, and refused where hostile."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from logtui.diagnosis.dumps.findings import charts
from logtui.diagnosis.report.case_file import beside as kept_beside
from logtui.diagnosis.report.case_file.beside import Beside
from logtui.diagnosis.report.case_file.reading import open_case
from logtui.diagnosis.report.case_file.writing import write_case
from logtui.diagnosis.session.opening import Analysis, analyse_whole
from logtui.diagnosis.storage import daemon_view
from logtui.diagnosis.storage.daemon_view import LoggedDaemons, SavedDaemons, thinned
from logtui.parsers.dumps.dump import State
from logtui.parsers.dumps.reading import DumpReader
from logtui.parsers.dumps.writing import to_json
from logtui.parsers.errors import CaseFileRefused
from logtui.parsers.files import zstd
from logtui.parsers.generator import demo_directory


def written(found: Analysis, path: Path, *, pseudonymise: bool = False) -> Path:
    assert found.compare is not None
    views = Beside(found.compare(), found.daemons, found.dumps)
    return write_case(path, found.case, found.report, beside=views, pseudonymise=pseudonymise)


@pytest.fixture(scope="module")
def dumped(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    return analyse_whole([demo_directory("mismatch", tmp_path_factory.mktemp("demo"))])


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    return analyse_whole([demo_directory("storage", tmp_path_factory.mktemp("demo"))])


def test_dumps_come_back_operation_by_operation(dumped: Analysis, tmp_path: Path) -> None:
    again = analyse_whole([written(dumped, tmp_path / "case.tar.zst")])
    assert dumped.dumps is not None
    assert again.dumps is not None
    assert again.dumps.as_dict() == dumped.dumps.as_dict()
    assert [chart.label for chart in charts(again.dumps)] == [chart.label for chart in charts(dumped.dumps)]
    for ours, theirs in zip(charts(again.dumps), charts(dumped.dumps), strict=True):
        assert np.array_equal(ours.matrix().cells, theirs.matrix().cells)


def test_odd_lines_come_back(dumped: Analysis, tmp_path: Path) -> None:
    again = analyse_whole([written(dumped, tmp_path / "case.tar.zst")])
    assert dumped.compare is not None
    assert again.compare is not None
    assert again.compare() == dumped.compare()
    cited = [odd.evidence for odd in again.compare().odd]
    assert cited
    for evidence in cited:
        file = again.case.file_named(evidence.file)
        assert file is not None
        assert again.case.lines(file.index, evidence.line, 1) != [""]


def test_daemons_come_back_with_the_lines_their_view_leads_to(stored: Analysis, tmp_path: Path) -> None:
    again = analyse_whole([written(stored, tmp_path / "case.tar.zst")])
    ours, theirs = again.daemons, stored.daemons
    assert isinstance(ours, SavedDaemons)
    assert isinstance(theirs, LoggedDaemons)
    assert (ours.picker, ours.blamed, ours.labels, ours.window, ours.span, ours.links, ours.files) == (
        theirs.picker, theirs.blamed, theirs.labels, theirs.window, theirs.span, theirs.links, theirs.files
    )  # fmt: skip
    for row in ours.picker.rows:
        kept, live = ours.panel(row.daemon, *ours.span), theirs.panel(row.daemon, *theirs.span)
        assert [gauge.name for gauge in kept.gauges] == [gauge.name for gauge in live.gauges]
        assert [sum(s.growth for s in g.steps) for g in kept.gauges] == [
            sum(s.growth for s in g.steps) for g in live.gauges
        ]
        at = ours.line_at(row.daemon, ours.window[0])
        assert at is not None
        assert again.case.lines(at[0], at[1], 1) != [""]


def test_a_case_file_of_a_case_file_holds_the_same(stored: Analysis, tmp_path: Path) -> None:
    first = analyse_whole([written(stored, tmp_path / "first.tar.zst")])
    assert analyse_whole([written(first, tmp_path / "second.tar.zst")]).daemons == first.daemons


def test_names_are_replaced_beside_the_report_too(dumped: Analysis, stored: Analysis, tmp_path: Path) -> None:
    for n, found in enumerate((dumped, stored)):
        path = written(found, tmp_path / f"{n}.tar.zst", pseudonymise=True)
        text = b"".join(data for name, data in members_of(path).items() if name.endswith(".json")).decode()
        hosts = {state.host for state in found.report.ranks if state.host}
        assert hosts
        assert not [host for host in hosts if host in text]
        assert open_case(path).beside.odd is not None


def test_what_is_kept_of_dumps_is_bounded_and_what_is_unfinished_stays(dumped: Analysis) -> None:
    assert dumped.dumps is not None
    dump = dumped.dumps.joined.dumps.dumps[0]
    again = DumpReader().decode(to_json(dump, 10, 2), dump.file).of_rank(dump.rank, dump.rank_from)
    assert len(again.entries) == 10
    unfinished = int((dump.entries.state != State.COMPLETED).sum())
    assert int((again.entries.state != State.COMPLETED).sum()) == unfinished
    assert sum(bool(again.entries.entry(row).stack) for row in range(10)) <= 2


def test_what_is_kept_of_counters_is_bounded(stored: Analysis, monkeypatch: pytest.MonkeyPatch) -> None:
    daemons = stored.daemons
    assert isinstance(daemons, LoggedDaemons)
    panel = daemons.panel(0, *daemons.span)
    small = thinned(panel, 20)
    assert max(len(gauge.steps) for gauge in small.gauges) <= 20 + sum(s.idle for s in panel.gauges[0].steps) * 2
    assert max(len(loads) for _, loads in small.disks) <= 20
    busiest = {name: max(load.busy for load in loads) for name, loads in panel.disks}
    assert {name: max(load.busy for load in loads) for name, loads in small.disks} == busiest
    monkeypatch.setattr(daemon_view, "MOST_MESSAGES", 3)
    saved = daemons.saved()
    assert saved is not None
    assert max(map(len, saved.said)) <= 3


def members_of(path: Path) -> dict[str, bytes]:
    stream = zstd.unpacking(path)
    with tarfile.open(fileobj=stream) as tar:
        return {info.name: tar.extractfile(info).read() for info in tar if info.isreg()}  # type: ignore[union-attr]


def pack(path: Path, members: dict[str, bytes]) -> Path:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    path.write_bytes(zstd.compress(raw.getvalue()))
    return path


def without_panels(value: Any) -> Any:
    return value | {"panels": []}


def of_other_files(value: Any) -> Any:
    value["said"][0] = [[1.0, 10_000, 3]]
    return value


def of_other_shape(value: Any) -> Any:
    return value | {"window": "soon"}


@pytest.mark.parametrize("spoil", [without_panels, of_other_files, of_other_shape])
def test_daemons_that_do_not_fit_are_refused(stored: Analysis, tmp_path: Path, spoil: Callable[[Any], Any]) -> None:
    members = members_of(written(stored, tmp_path / "good.tar.zst"))
    members[kept_beside.DAEMONS] = json.dumps(spoil(json.loads(members[kept_beside.DAEMONS]))).encode()
    with pytest.raises(CaseFileRefused):
        open_case(pack(tmp_path / "bad.tar.zst", members))


def test_a_dump_that_is_none_is_refused_by_name_and_the_rest_is_shown(dumped: Analysis, tmp_path: Path) -> None:
    members = members_of(written(dumped, tmp_path / "good.tar.zst"))
    members[kept_beside.dump_name(3)] = b"[1, 2]"
    found = open_case(pack(tmp_path / "bad.tar.zst", members)).beside.dumps
    assert found is not None
    assert dumped.dumps is not None
    assert found.dumps == dumped.dumps.dumps - 1
    assert [why for _, why in found.refused] == ["not a flight-recorder dump: it has none of its keys"]


def test_an_older_case_file_opens_without_them(stored: Analysis, tmp_path: Path) -> None:
    path = write_case(tmp_path / "case.tar.zst", stored.case, replace(stored.report))
    assert open_case(path).beside == Beside()
