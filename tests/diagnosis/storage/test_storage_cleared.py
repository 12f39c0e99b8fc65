"""A rank stalls while it reads, and the storage daemons' logs lie beside: cleared with counters, or not known to fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.generator import DEMOS, generate
from logtui.parsers.generator.aistore.daemons import write_daemons
from logtui.parsers.generator.aistore.spec import AisFault
from logtui.parsers.generator.faults.storage import WORKERS_AHEAD_S, cluster_of
from logtui.parsers.generator.stage.spec import Fault

SPEC = DEMOS["storage"]


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stall that storage has no part in; the workers' clock is eight hours behind."""
    path = tmp_path_factory.mktemp("job")
    generate(replace(SPEC, fault=Fault.DATA_STALL), path)
    write_daemons(replace(cluster_of(SPEC), fault=AisFault.HEALTHY, decoy_restart=False), path / "ais")
    return path


def report(path: Path, offset_s: float | None) -> Report:
    analysis = analyse_whole([path], Options(jobs=1, no_cache=True, offset_s=offset_s))
    analysis.case.close()
    return analysis.report


def test_quiet_storage_is_cleared_with_its_counters(job: Path) -> None:
    found = report(job, float(WORKERS_AHEAD_S))
    assert found.verdict.cls == "data-loading-stall"
    (storage,) = [r for r in found.verdict.runners_up if r.cls == "storage-io"]
    assert "storage is cleared" in storage.why_not
    assert "no error counter moved" in storage.why_not
    assert "batches" in storage.why_not
    assert found.ais is not None
    verdict = found.ais["verdict"]
    assert isinstance(verdict, dict)
    assert (verdict["standing"], verdict["confidence"]) == ("cleared", "high")
    assert any("getbatch.n:" in e["text"] for e in verdict["evidence"])
    assert not [r for r in found.recommendations if r.side == "storage"], "storage is not sent after"
    assert any("storage is cleared" in r.what for r in found.recommendations)
    assert found.verification.failed == ()


def test_without_a_known_offset_it_is_cleared_at_low_confidence(job: Path) -> None:
    found = report(job, None)
    assert found.ais is not None
    verdict = found.ais["verdict"]
    assert isinstance(verdict, dict)
    assert (verdict["standing"], verdict["confidence"]) == ("cleared", "low")
    assert not any("storage is cleared" in r.what for r in found.recommendations)


def test_a_wrong_offset_clears_nothing(job: Path) -> None:
    found = report(job, 40 * 3600.0)
    assert found.ais is not None
    verdict = found.ais["verdict"]
    assert isinstance(verdict, dict)
    assert verdict["standing"] == "undecided"
    assert verdict["missing"]
