"""`--demo storage`: a rank waits for a target whose disks are at their limit, and both sides' logs say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.session.opening import Analysis, analyse_whole
from logtui.diagnosis.storage.panels import line_at
from logtui.parsers.generator import DEMOS, demo_directory, generate
from logtui.parsers.generator.aistore.spec import AisTruth
from logtui.parsers.generator.faults.storage import WORKERS_AHEAD_S, write_cluster
from logtui.parsers.generator.stage.clock import comma

SPEC = DEMOS["storage"]
CULPRIT = SPEC.culprits[0]


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> AisTruth:
    return write_cluster(SPEC, tmp_path_factory.mktemp("cluster"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Analysis]:
    analysis = analyse_whole([demo_directory("storage", tmp_path_factory.mktemp("demo"))])
    yield analysis
    analysis.case.close()


def test_the_verdict_names_the_rank_and_the_target(demo: Analysis, truth: AisTruth) -> None:
    verdict = demo.report.verdict
    assert (verdict.cls, verdict.confidence, verdict.culprit_ranks) == ("storage-io", "high", (CULPRIT,))
    assert f"t[{truth.culprit}]" in verdict.culprit_hosts
    assert "the proxies are quiet, so it is the target side" in verdict.title
    assert demo.report.verification.failed == ()


def test_the_chain_leads_from_the_first_saturated_disk_to_the_ranks_first_error(
    demo: Analysis, truth: AisTruth
) -> None:
    first, place = demo.report.chain[0].evidence[0], truth.places[f"saturated.{truth.culprit}"]
    assert (first.file, first.line) == (f"ais/{place.file}", place.line)
    felt = demo.report.verdict.first_evidence
    assert felt is not None
    assert (felt.rank, "Batch stream truncated" in felt.text) == (CULPRIT, True)
    assert felt in {e for step in demo.report.chain for e in step.evidence}


def test_the_offset_is_derived_from_request_ids(demo: Analysis) -> None:
    assert demo.storage is not None
    clock = demo.storage.clock
    assert (clock.offset_s, clock.how, clock.confidence) == (WORKERS_AHEAD_S, "request ids", "high")
    assert demo.report.clocks[0].offset_s == WORKERS_AHEAD_S


def test_the_targets_line_stands_in_the_second_of_the_ranks(demo: Analysis, truth: AisTruth) -> None:
    assert demo.storage is not None
    logs = demo.storage.logs
    daemon = next(d for d in logs.daemons if d.id == truth.assembler)
    place = truth.places[f"cut.{truth.assembler}"]
    found = line_at(logs, daemon.index, place.time + WORKERS_AHEAD_S + 0.0005, demo.storage.clock.shift)
    assert found is not None
    assert (logs.files[found[0]].name, found[1]) == (f"ais/{place.file}", place.line)


def test_the_markdown_prints_both_clocks(demo: Analysis, truth: AisTruth) -> None:
    text, ais = render(demo.report), truth.places[f"saturated.{truth.culprit}"].time
    here, there = (comma(t + 5e-4)[11:].replace(",", ".") for t in (ais + WORKERS_AHEAD_S, ais))
    assert f"{here} = {there} AIS" in text
    assert "the workers' clock is 8 h behind the daemons'" in text


def test_one_target_has_rotated_its_oldest_file_away(demo: Analysis) -> None:
    assert demo.storage is not None
    gaps = [g.why for d in demo.storage.logs.daemons for g in d.gaps()]
    assert sorted(gaps) == ["down", "rotated away"]


def test_without_the_daemons_storage_is_still_suspected(tmp_path: Path) -> None:
    truth = generate(SPEC, tmp_path)
    analysis = analyse_whole([tmp_path])
    analysis.case.close()
    assert analysis.storage is None
    assert analysis.report.verdict.cls in {truth.cls, *truth.accept}
    assert analysis.report.verdict.culprit_ranks == (CULPRIT,)
    assert any("ais log get" in r.what for r in analysis.report.recommendations)
