"""Whole jobs that read from a cluster in trouble: class, the daemon alone, first evidence; in every zone, at midnight."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.session.opening import analyse_whole
from logtui.diagnosis.storage.findings import StorageFindings
from logtui.parsers.generator.aistore.spec import VERSIONS
from logtui.parsers.generator.lab.job import write_lab
from logtui.parsers.generator.lab.spec import SURVIVABLE, LabFault, LabSpec, LabTruth

NEAR_LINES = 2
KOLKATA_S, AUCKLAND_S, SKEW_S = 19_800, 46_800, 95
MIDNIGHT = 1_772_495_980.0
"""Twenty seconds before one, in UTC."""
SOAK = LabSpec(LabFault.RESTARTED, recovers=True, before_s=1900.0, after_s=1500.0)
FAULTS = {f"{fault} {v}": LabSpec(fault, v) for fault in LabFault for v in ("4.1", "4.4", "5.0")} | {
    f"killed {v}": LabSpec(LabFault.KILLED, v) for v in VERSIONS
}
RECOVERED = [LabSpec(fault, v, recovers=True, after_s=200.0) for fault in sorted(SURVIVABLE) for v in ("4.1", "5.0")]
TOLD = (LabFault.KILLED, LabFault.PAUSED, LabFault.SLOW_DISK, LabFault.DISK_FULL, LabFault.PRIMARY, LabFault.MEMORY)
CLOCKED = {
    f"{spec.fault} {name}{' recovered' * spec.recovers}": clocked
    for spec in (*map(LabSpec, TOLD), SOAK)
    for name, clocked in {
        "Kolkata": replace(spec, zone_s=KOLKATA_S),
        "Auckland": replace(spec, zone_s=AUCKLAND_S, workers_s=AUCKLAND_S),
        "fast": replace(spec, skew_s=SKEW_S),
        "midnight": replace(spec, at=MIDNIGHT),
    }.items()
}


def _judged(spec: LabSpec, folder: Path) -> tuple[LabTruth, Report, StorageFindings | None]:
    truth = write_lab(spec, folder)
    analysis = analyse_whole([folder])
    analysis.case.close()
    return truth, analysis.report, analysis.storage


def _check(spec: LabSpec, truth: LabTruth, report: Report, storage: StorageFindings | None) -> None:
    verdict = report.verdict
    assert verdict.cls in truth.classes, verdict.title
    if spec.harmless:
        assert storage is None or storage.judgement.standing != "implicated"
        return
    said = verdict.first_evidence
    assert said is not None
    assert any(said.file == file and abs(said.line - line) <= NEAR_LINES for file, line in truth.first), said
    if truth.ranks is not None:
        assert verdict.culprit_ranks == truth.ranks
    if truth.culprit:
        assert storage is not None
        assert [d[2:-1] for d in storage.judgement.blamed] == [truth.culprit]


@pytest.mark.parametrize("spec", FAULTS.values(), ids=list(FAULTS))
def test_every_fault_of_every_release(tmp_path: Path, spec: LabSpec) -> None:
    _check(spec, *_judged(spec, tmp_path))


@pytest.mark.parametrize("spec", RECOVERED, ids=lambda s: f"{s.fault} {s.version}")
def test_what_the_job_got_over_is_no_failure(tmp_path: Path, spec: LabSpec) -> None:
    _check(spec, *_judged(spec, tmp_path))


@pytest.mark.parametrize("spec", CLOCKED.values(), ids=list(CLOCKED))
def test_clocks_do_not_mislead(tmp_path: Path, spec: LabSpec) -> None:
    _check(spec, *_judged(spec, tmp_path))


def test_the_skew_is_told_from_the_zone(tmp_path: Path) -> None:
    _, _, storage = _judged(LabSpec(LabFault.KILLED, zone_s=KOLKATA_S, skew_s=SKEW_S), tmp_path)
    assert storage is not None
    assert storage.clock.offset_s == pytest.approx(-KOLKATA_S - SKEW_S, abs=2)
    assert "beyond their zones" in storage.clock.note


def test_a_rank_leads_by_its_object_to_the_target_that_keeps_it(tmp_path: Path) -> None:
    truth, _, storage = _judged(LabSpec(LabFault.RESTARTED), tmp_path)
    assert storage is not None
    asked = [
        link for link in storage.links if "does not exist" in link.client.text or "empty content" in link.client.text
    ]
    assert asked
    assert {link.daemon for link in asked} == {f"t[{truth.culprit}]"}


# -- Without the culprit's own log


def _without(folder: Path, *gone: str) -> StorageFindings | None:
    for archive in (folder / "ais_logs").iterdir():
        if any(name in archive.name for name in gone):
            archive.unlink()
    analysis = analyse_whole([folder])
    analysis.case.close()
    return analysis.storage


@pytest.mark.parametrize("version", ["4.1", "4.4", "5.0"])
@pytest.mark.parametrize(
    "fault", [LabFault.KILLED, LabFault.PAUSED, LabFault.CUT, LabFault.SLOW_DISK, LabFault.DISK_FULL], ids=str
)
def test_others_name_the_daemon_whose_log_is_missing(tmp_path: Path, fault: LabFault, version: str) -> None:
    truth = write_lab(LabSpec(fault, version), tmp_path)
    storage = _without(tmp_path, truth.culprit)
    assert storage is not None
    assert storage.judgement.blamed == (f"t[{truth.culprit}]",)
    assert storage.judgement.confidence != "high"


@pytest.mark.parametrize("fault", sorted(set(LabFault)), ids=str)
@pytest.mark.parametrize("kept", ["p", "t"])
def test_nobody_else_is_named(tmp_path: Path, fault: LabFault, kept: str) -> None:
    """With one log that is not the culprit's: who only notices is not blamed for it."""
    truth = write_lab(LabSpec(fault), tmp_path)
    others = [node for node in truth.nodes if node != truth.culprit and truth.nodes[node].startswith(kept)]
    storage = _without(tmp_path, *(node for node in truth.nodes if node not in others[:1]))
    assert storage is not None
    assert set(storage.judgement.blamed) <= {f"{kind}[{truth.culprit}]" for kind in "tp"} or truth.culprit == ""


def test_an_object_that_another_is_asked_for_names_who_keeps_it(tmp_path: Path) -> None:
    truth = write_lab(LabSpec(LabFault.RESTARTED), tmp_path)
    storage = _without(tmp_path, truth.culprit)
    assert storage is not None
    assert storage.judgement.blamed == (f"t[{truth.culprit}]",)
    assert "was away" in storage.judgement.title


@pytest.mark.parametrize("version", ["4.1", "5.0"])
@pytest.mark.parametrize("fault", [LabFault.KILLED, LabFault.PAUSED, LabFault.CUT, LabFault.RESTARTED], ids=str)
def test_the_proxys_log_and_the_clients_are_enough(tmp_path: Path, fault: LabFault, version: str) -> None:
    """The primary's probes give the address at which clients' requests failed a name."""
    truth = write_lab(LabSpec(fault, version), tmp_path)
    for archive in (tmp_path / "ais_logs").glob("aistarget-*"):
        archive.unlink()
    analysis = analyse_whole([tmp_path])
    analysis.case.close()
    assert analysis.report.verdict.cls in truth.classes
    assert f"t[{truth.culprit}]" in analysis.report.verdict.culprit_hosts


@pytest.mark.parametrize("logs", ["ais*", "aisproxy-*"])
def test_what_clients_repeat_in_silence_is_no_failure_by_the_daemons_word_alone(tmp_path: Path, logs: str) -> None:
    write_lab(LabSpec(LabFault.MEMORY), tmp_path)
    analysis = analyse_whole(sorted((tmp_path / "ais_logs").glob(logs)))
    analysis.case.close()
    assert analysis.storage is not None
    assert analysis.storage.judgement.standing == "undecided"
    assert "memory" in analysis.storage.judgement.title
    assert analysis.report.verdict.cls == "unknown"
